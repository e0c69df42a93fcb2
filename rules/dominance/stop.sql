-- rules/dominance/stop.sql
-- Twin of stop.dl; definition, source and cost are there.
with recursive
    stopping as (
        select dst as block
        from meet

        union

        select block
        from meet

        union

        select bfs_tree.parent
        from meet
        inner join bfs_tree on bfs_tree.block = meet.dst
        where meet.block = meet.dst
    ),

    step as materialized (
        select bfs_tree.parent, bfs_tree.block, stopping.block as new_stop
        from bfs_tree
        left join stopping on stopping.block = bfs_tree.block
    ),

    stop(block, above, depth, root) as (
        select block, block, 0, block
        from entry

        union all

        select
            step.block,
            coalesce(step.new_stop, stop.above),
            stop.depth + (step.new_stop is not null)::int,
            stop.root
        from stop
        inner join step on step.parent = stop.block
    )

select block, above, depth, root
from stop
