-- rules/cfg/bfs_level.sql
-- Twin of bfs_level.dl; definition, source and cost are there.
with recursive
    bfs_level(block, level) using key (block, min(level)) as (
        select entry.block, 0
        from entry

        union

        select edge.dst, bfs_level.level + 1
        from bfs_level
        inner join edge on edge.src = bfs_level.block
    )

select block, level from bfs_level
