-- rules/cfg/bfs_tree.sql
-- Twin of bfs_tree.dl; definition and cost are there.
-- `first` is level * 2^32 + parent + 2^31: its minimum is the least level and, on it, the least parent.
with recursive
    reached(block, first) using key (block, min(first)) as (
        select block, 2147483647::bigint
        from entry

        union

        select edge.dst, ((reached.first >> 32) + 1) * 4294967296 + edge.src + 2147483648
        from reached
        inner join edge on edge.src = reached.block
    )

select
    ((first & 4294967295) - 2147483648)::int as parent,
    block,
    (first >> 32)::int as level
from reached
