-- rules/loops/sibling_cycle.sql
-- Twin of sibling_cycle.dl; definition, source and cost are there.
with recursive
    sibling_edge as materialized (
        select dom_frontier.block as src, dom_frontier.frontier as dst
        from dom_frontier
        inner join idom as src_idom on src_idom.block = dom_frontier.block
        inner join idom as dst_idom on dst_idom.block = dom_frontier.frontier
        where dom_frontier.block <> dom_frontier.frontier
          and src_idom.dominator = dst_idom.dominator
    ),

    forth(start, block) as (
        select sibling_edge.dst, sibling_edge.dst
        from sibling_edge
        inner join func_block as src_place on src_place.block = sibling_edge.src
        inner join func_block as dst_place on dst_place.block = sibling_edge.dst
        where src_place.pos > dst_place.pos

        union

        select forth.start, sibling_edge.dst
        from forth
        inner join sibling_edge on sibling_edge.src = forth.block
    ),

    back as materialized (
        select forth.start, sibling_edge.dst, sibling_edge.src
        from forth
        inner join sibling_edge on sibling_edge.src = forth.block
    ),

    around(start, block) as (
        select start, src
        from back
        where dst = start

        union

        select around.start, back.src
        from around
        inner join back on back.start = around.start and back.dst = around.block
    )

select distinct sibling_edge.src, sibling_edge.dst
from sibling_edge
inner join around as src_around on src_around.block = sibling_edge.src
inner join around as dst_around on dst_around.block = sibling_edge.dst and dst_around.start = src_around.start
