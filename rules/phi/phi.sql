-- rules/phi/phi.sql
-- Twin of phi.dl; definition, source and cost are there.
with recursive
    phi(block, var) as (
        select dom_frontier.frontier, def_block.var
        from def_block
        inner join dom_frontier on dom_frontier.block = def_block.block
        semi join live_in
            on live_in.block = dom_frontier.frontier
           and live_in.var = def_block.var

        union

        select dom_frontier.frontier, phi.var
        from phi
        inner join dom_frontier on dom_frontier.block = phi.block
        semi join live_in
            on live_in.block = dom_frontier.frontier
           and live_in.var = phi.var
    )

select block, var
from phi
