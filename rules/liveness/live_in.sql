-- rules/liveness/live_in.sql
-- Twin of live_in.dl; definition, source and cost are there.
with recursive
    step as materialized (
        select edge.src, edge.dst
        from edge
        semi join reachable on reachable.block = edge.src
    ),

    live_in(block, var) as (
        select block, var
        from upward_use

        union

        select step.src, live_in.var
        from live_in
        inner join step on step.dst = live_in.block
        anti join def_block
            on def_block.block = step.src
           and def_block.var = live_in.var
    )

select block, var
from live_in
