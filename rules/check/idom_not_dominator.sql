-- rules/check/idom_not_dominator.sql
-- A path avoids the parent of a block in idom: the climb in the tree from one of the block's predecessors misses the
-- parent and ends at the entry. Must be empty.
-- needs: edge, entry, idom, reachable
-- Source: the parent property of Georgiadis & Tarjan, "Dominator tree certification and divergent spanning trees", TALG
-- 12(1), 2015.
-- Cost: as many rows as dom_frontier has, where idom is right.
with recursive
    climb(block, above) as (
        select edge.dst, edge.src
        from edge
        inner join reachable on reachable.block = edge.src

        union

        select climb.block, upper.dominator
        from climb
        inner join idom as parent on parent.block = climb.block
        inner join idom as upper on upper.block = climb.above
        where climb.above != parent.dominator
    )

select distinct
    idom.dominator,
    idom.block
from idom
inner join climb on climb.block = idom.block
inner join entry on entry.block = climb.above
where idom.dominator != entry.block
order by idom.dominator, idom.block
