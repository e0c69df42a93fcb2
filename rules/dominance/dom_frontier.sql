-- rules/dominance/dom_frontier.sql
-- Twin of dom_frontier.dl; definition, source and cost are there.
-- It starts from the edges to blocks with several predecessors, those that meet has, and from blocks to themselves. The
-- parent of the frontier is carried along as `stop`, the smallest number for none, since negation of a table costs a join
-- a step.
with recursive
    arrival as (
        select src, dst
        from meet

        union all

        select bfs_tree.parent, bfs_tree.block
        from bfs_tree
        semi join meet on meet.dst = bfs_tree.block

        union all

        select edge.src, edge.dst
        from edge
        semi join bfs_tree on bfs_tree.block = edge.src
        where edge.src = edge.dst
    ),

    climb(block, frontier, stop) as (
        select arrival.src, arrival.dst, coalesce(idom.dominator, -2147483648)
        from arrival
        left join idom on idom.block = arrival.dst
        where arrival.src is distinct from idom.dominator

        union

        select idom.dominator, climb.frontier, climb.stop
        from climb
        inner join idom on idom.block = climb.block
        where idom.dominator <> climb.stop
    )

select block, frontier
from climb
