-- rules/loops/back_edge.sql
-- Twin of back_edge.dl; definition, source and cost are there.
with recursive
    link as materialized (
        select idom.dominator, dom_frontier.block, dom_frontier.frontier
        from dom_frontier
        semi join (select block from dom_frontier where block = frontier) as header
            on header.block = dom_frontier.frontier
        inner join idom on idom.block = dom_frontier.block
    ),

    below(header, block) as (
        select block, block
        from dom_frontier
        where block = frontier

        union all

        select below.header, link.block
        from below
        inner join link on link.dominator = below.block and link.frontier = below.header
    )

select edge.src, edge.dst
from edge
semi join below on below.header = edge.dst and below.block = edge.src
