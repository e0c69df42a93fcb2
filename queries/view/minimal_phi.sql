-- queries/view/minimal_phi.sql
-- Minimal SSA has a phi at `block` for `var`, which is no temporary: `block` is in the iterated dominance frontier of the
-- writes of `var` (Cytron et al., TOPLAS 13(4), 1991).
with recursive
    site(block, var) as (
        select dom_frontier.frontier, def_block.var
        from def_block
        inner join dom_frontier on dom_frontier.block = def_block.block
        semi join (select var from var_name where kind != 'temp') as named on named.var = def_block.var

        union

        select dom_frontier.frontier, site.var
        from site
        inner join dom_frontier on dom_frontier.block = site.block
    )

select block, var
from site
