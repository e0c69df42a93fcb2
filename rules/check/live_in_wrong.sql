-- rules/check/live_in_wrong.sql
-- `var` is live at the start of `block` by the equation of liveness and live_in lacks it (`missing`), or has it
-- otherwise, or twice (`extra`). Must be empty.
-- needs: def_block, edge, live_in, reachable, upward_use
-- The equation alone would allow a variable to live in a loop that never reads it, so the least solution is computed.
with recursive
    expected(block, var) as (
        select block, var from upward_use

        union

        select edge.src, expected.var
        from expected
        inner join edge on edge.dst = expected.block
        inner join reachable on reachable.block = edge.src
        where not exists (
            select 1
            from def_block
            where def_block.block = edge.src
              and def_block.var = expected.var
        )
    )

select 'missing' as fault, block, var
from (from expected except all select block, var from live_in)

union all

select 'extra', block, var
from (select block, var from live_in except all from expected)
order by fault, block, var
