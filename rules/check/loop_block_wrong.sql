-- rules/check/loop_block_wrong.sql
-- `block` is the header of a loop, or leads to a back edge to `header` without passing it, and loop_block lacks it
-- (`missing`), or has it otherwise, or twice (`extra`). Must be empty.
-- needs: back_edge, edge, loop_block, reachable
-- Source: the natural loop of Aho, Lam, Sethi & Ullman, 2nd ed., section 9.6.6.
with recursive
    expected(header, block) as (
        (
            select dst, dst
            from back_edge

            union

            select dst, src
            from back_edge
        )

        union

        select expected.header, edge.src
        from expected
        inner join edge on edge.dst = expected.block
        inner join reachable on reachable.block = edge.src
        where expected.block != expected.header
    )

select 'missing' as fault, header, block
from (from expected except all select header, block from loop_block)

union all

select 'extra', header, block
from (select header, block from loop_block except all from expected)
order by fault, header, block
