-- rules/dominance/stop_edge.sql
-- Twin of stop_edge.dl; definition and cost are there.
with arrival as (
    select src, dst, block
    from meet

    union all

    select bfs_tree.parent, bfs_tree.block, bfs_tree.parent
    from bfs_tree
    inner join stop on stop.block = bfs_tree.block and stop.above = bfs_tree.block
)

select distinct
    src_stop.above as src,
    arrival.dst,
    shared.depth as shared_depth
from arrival
inner join stop as src_stop on src_stop.block = arrival.src
inner join stop as shared on shared.block = arrival.block
where src_stop.above <> arrival.dst
