-- rules/dominance/approach.sql
-- Twin of approach.dl; definition and cost are there.
with recursive
    crossing as materialized (
        select edge.src, edge.dst, bfs_tree.parent as dst_parent, bfs_tree.level as dst_level
        from edge
        inner join bfs_tree on bfs_tree.block = edge.dst
        where edge.src <> edge.dst
          and edge.src <> bfs_tree.parent
    ),

    approach(left_end, right_end, next_left, next_right) as (
        select
            crossing.src,
            crossing.dst,
            case when src_tree.level >= dst_level then src_tree.parent else crossing.src end,
            case when src_tree.level <= dst_level then dst_parent else crossing.dst end
        from crossing
        inner join bfs_tree as src_tree on src_tree.block = crossing.src

        union

        select
            approach.next_left,
            approach.next_right,
            case when left_tree.level >= right_tree.level then left_tree.parent else approach.next_left end,
            case when left_tree.level <= right_tree.level then right_tree.parent else approach.next_right end
        from approach
        inner join bfs_tree as left_tree on left_tree.block = approach.next_left
        inner join bfs_tree as right_tree on right_tree.block = approach.next_right
        where approach.next_left <> approach.next_right
    )

select left_end, right_end, next_left, next_right
from approach
