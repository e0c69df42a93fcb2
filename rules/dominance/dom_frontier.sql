-- rules/dominance/dom_frontier.sql
-- Twin of dom_frontier.dl; definition, source and cost are there.
-- The parent of the frontier is carried along as `stop`, the smallest number for none, since negation of a table costs a
-- join a step.
with recursive
    climb(block, frontier, stop) as (
        select edge.src, edge.dst, coalesce(idom.dominator, -2147483648)
        from edge
        semi join bfs_tree on bfs_tree.block = edge.src
        left join idom on idom.block = edge.dst
        where edge.src is distinct from idom.dominator

        union

        select idom.dominator, climb.frontier, climb.stop
        from climb
        inner join idom on idom.block = climb.block
        where idom.dominator <> climb.stop
    )

select block, frontier
from climb
