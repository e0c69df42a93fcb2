-- rules/check/phi_not_minimal.sql
-- A phi stands outside the iterated dominance frontier of its variable's definitions, where only one value arrives, or it
-- stands twice. Must be empty.
-- needs: def_block, dom_frontier, phi
-- Source: Cytron et al., TOPLAS 13(4), 1991: phis that justify one another in a circle are justified by no definition.
with recursive
    justified(block, var) as (
        select phi.block, phi.var
        from def_block
        inner join dom_frontier on dom_frontier.block = def_block.block
        inner join phi on phi.block = dom_frontier.frontier and phi.var = def_block.var

        union

        select phi.block, phi.var
        from justified
        inner join dom_frontier on dom_frontier.block = justified.block
        inner join phi on phi.block = dom_frontier.frontier and phi.var = justified.var
    )

select block, var
from (select block, var from phi except all from justified)
order by block, var
