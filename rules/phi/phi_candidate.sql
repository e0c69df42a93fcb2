-- rules/phi/phi_candidate.sql
-- Twin of phi_candidate.dl; definition, source and cost are there.
with recursive
    site as materialized (
        select def_block.block, def_block.var
        from def_block
        semi join upward_use on upward_use.var = def_block.var
    ),

    phi_candidate(block, var) as (
        select dom_frontier.frontier, site.var
        from site
        inner join dom_frontier on dom_frontier.block = site.block

        union

        select dom_frontier.frontier, phi_candidate.var
        from phi_candidate
        inner join dom_frontier on dom_frontier.block = phi_candidate.block
    )

select block, var
from phi_candidate
