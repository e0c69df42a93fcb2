-- rules/dominance/idom.sql
-- Twin of idom.dl; definition, source and cost are there.
with recursive
    upper as materialized (
        select bfs_tree.block, stop.above, stop.depth
        from bfs_tree
        inner join stop on stop.block = bfs_tree.parent
    ),

    walk(block, above, depth, goal) as (
        select idom_depth.block, upper.above, upper.depth, idom_depth.depth
        from idom_depth
        inner join upper on upper.block = idom_depth.block

        union all

        select walk.block, upper.above, upper.depth, walk.goal
        from walk
        inner join upper on upper.block = walk.above
        where walk.depth > walk.goal
    )

select above as dominator, block
from walk
where depth = goal

union all

select bfs_tree.parent, bfs_tree.block
from bfs_tree
anti join meet on meet.dst = bfs_tree.block
where bfs_tree.level > 0
