-- rules/loops/irreducible_edge.sql
-- Twin of irreducible_edge.dl; definition, source and cost are there.
with recursive
    link as materialized (
        select idom.dominator, dom_frontier.block, dom_frontier.frontier
        from dom_frontier
        semi join sibling_cycle on sibling_cycle.dst = dom_frontier.frontier
        inner join idom on idom.block = dom_frontier.block
    ),

    inside(frontier, block) as (
        select dst, src
        from sibling_cycle

        union all

        select inside.frontier, link.block
        from inside
        inner join link on link.dominator = inside.block and link.frontier = inside.frontier
    )

select edge.src, edge.dst
from edge
semi join inside on inside.frontier = edge.dst and inside.block = edge.src
