-- rules/loops/loop_block.sql
-- Twin of loop_block.dl; definition, source and cost are there.
with recursive
    step as materialized (
        select edge.src, edge.dst
        from edge
        semi join reachable on reachable.block = edge.src
    ),

    loop_block(header, block) as (
        (
            select block, block
            from loop_header

            union all

            select dst, src
            from back_edge
        )

        union

        select loop_block.header, step.src
        from loop_block
        inner join step on step.dst = loop_block.block
        where loop_block.header <> loop_block.block
    )

select header, block
from loop_block
