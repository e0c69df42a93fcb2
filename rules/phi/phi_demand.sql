-- rules/phi/phi_demand.sql
-- Twin of phi_demand.dl; definition, source and cost are there.
with recursive
    step as materialized (
        select edge.src, edge.dst
        from edge
        semi join reachable on reachable.block = edge.src
        semi join phi_candidate on phi_candidate.block = edge.dst
    ),

    demand(block, var) as (
        select block, var
        from upward_use
        semi join phi_candidate on phi_candidate.var = upward_use.var

        union

        (
            with value_from as (
                select step.src as block, demand.var
                from demand
                semi join phi_candidate
                    on phi_candidate.block = demand.block
                   and phi_candidate.var = demand.var
                inner join step on step.dst = demand.block

                union all

                select idom.dominator, demand.var
                from demand
                anti join phi_candidate
                    on phi_candidate.block = demand.block
                   and phi_candidate.var = demand.var
                inner join idom on idom.block = demand.block
            )

            select value_from.block, value_from.var
            from value_from
            anti join def_block
                on def_block.block = value_from.block
               and def_block.var = value_from.var
        )
    )

select block, var
from demand
