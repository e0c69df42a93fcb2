-- rules/dominance/idom.sql
-- Twin of idom.dl; the definition is there.
-- Here by Allen and Cocke's equation as it stands: the dominators of a block are itself and what dominates all its
-- predecessors. Sets are bit strings with a bit for each block of the function in breadth-first order, the entry's first,
-- so the last bit before a block's own is its parent's. Only sets that became smaller go on.
-- Cost: (blocks of a function)^2 / 8 bytes at worst.
with recursive
    ranked as materialized (
        select
            func_block.func,
            bfs_level.block,
            (row_number() over (partition by func_block.func order by bfs_level.level, bfs_level.block) - 1)::int as rank
        from bfs_level
        inner join func_block on func_block.block = bfs_level.block
    ),

    size as materialized (
        select func, count(*)::int as blocks
        from ranked
        group by func
    ),

    step as materialized (
        select edge.src, edge.dst, ranked.rank
        from edge
        inner join ranked on ranked.block = edge.dst
        where edge.src <> edge.dst
    ),

    dominators(block, bits) using key (block, bit_and(bits)) as (
        select entry.block, set_bit(repeat('0', size.blocks)::bit, size.blocks - 1, 1)
        from entry
        inner join size on size.func = entry.func

        union

        select step.dst, set_bit(dominators.bits, (bit_length(dominators.bits) - 1 - step.rank)::int, 1)
        from dominators
        inner join step on step.src = dominators.block
    ),

    parent as (
        select
            ranked.func,
            ranked.block,
            (bit_length(bits) - bit_position('1'::bit, set_bit(bits, (bit_length(bits) - 1 - rank)::int, 0)))::int as rank
        from dominators
        inner join ranked on ranked.block = dominators.block
        where ranked.rank > 0
    )

select ranked.block as dominator, parent.block
from parent
inner join ranked on ranked.func = parent.func and ranked.rank = parent.rank
