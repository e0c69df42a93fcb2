-- rules/check/live_out_wrong.sql
-- `var` is live at the start of a successor of `block` and live_out lacks it (`missing`), or has it otherwise, or twice
-- (`extra`). Must be empty.
-- needs: edge, live_in, live_out, reachable
with
    expected as (
        select distinct edge.src as block, live_in.var
        from live_in
        inner join edge on edge.dst = live_in.block
        inner join reachable on reachable.block = edge.src
    )

select 'missing' as fault, block, var
from (from expected except all select block, var from live_out)

union all

select 'extra', block, var
from (select block, var from live_out except all from expected)
order by fault, block, var
