-- rules/check/post_idom_wrong.sql
-- By the equation of postdominance `postdominator` is the closest block on every path from `block` to the exit and
-- post_idom lacks it (`missing`), or has it otherwise, or twice (`extra`). Must be empty.
-- needs: back_edge, edge, func_block, irreducible_edge, loop_block, post_idom, reachable
-- Source: Allen & Cocke, CACM 19(3), 1976, on the graph turned around: a block's postdominators are itself and those that
-- all its successors have in common. Functions leave through blocks without successors, and loops without an end where
-- their back edges or irreducible edges are.
-- Cost: a bit string of |blocks| for each block, one a postdominator. Functions with more than 10,000 blocks are not
-- judged.
with recursive
    step as (
        select edge.src, edge.dst
        from edge
        inner join reachable on reachable.block = edge.src
    ),

    ends(block) as (
        select block
        from reachable
        anti join step on step.src = reachable.block

        union

        select step.src
        from ends
        inner join step on step.dst = ends.block
    ),

    leaves as (
        select loop_block.header
        from loop_block
        inner join step on step.src = loop_block.block
        anti join loop_block as target on target.header = loop_block.header and target.block = step.dst
    ),

    last as (
        select block
        from reachable
        anti join step on step.src = reachable.block

        union

        select src
        from back_edge
        where src not in (from ends)
          and dst not in (from leaves)

        union

        select src
        from irreducible_edge
        where src not in (from ends)
    ),

    place as (
        select
            func_block.func,
            reachable.block,
            (row_number() over own - 1)::integer as number,
            bitstring('0', count(*) over (partition by func_block.func)::integer) as nothing
        from reachable
        inner join func_block on func_block.block = reachable.block
        window own as (partition by func_block.func order by reachable.block)
        qualify count(*) over (partition by func_block.func) <= 10000
    ),

    after(block, blocks) using key (block, bit_and(blocks)) as (
        select place.block, set_bit(nothing, number, 1)
        from last
        inner join place on place.block = last.block

        union

        select place.block, set_bit(after.blocks, place.number, 1)
        from after
        inner join step on step.dst = after.block
        inner join place on place.block = step.src
    ),

    chain as (
        select place.func, place.block, place.number, after.blocks, bit_count(after.blocks) as depth
        from after
        inner join place on place.block = after.block
    ),

    expected as (
        select upper.block as postdominator, lower.block
        from chain as lower
        inner join chain as upper on upper.func = lower.func and upper.depth = lower.depth - 1
        where get_bit(lower.blocks, upper.number) = 1
    ),

    judged as (
        select post_idom.postdominator, post_idom.block
        from post_idom
        left join place on place.block = post_idom.block
        where place.block is not null or post_idom.block not in (from reachable)
    )

select 'missing' as fault, postdominator, block
from (from expected except all from judged)

union all

select 'extra', postdominator, block
from (from judged except all from expected)
order by fault, postdominator, block
