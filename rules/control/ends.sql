-- rules/control/ends.sql
-- Twin of ends.dl; definition and cost are there.
with recursive
    step as materialized (
        select edge.src, edge.dst
        from edge
        semi join reachable on reachable.block = edge.src
    ),

    ends(block) as (
        select block
        from reachable
        anti join edge on edge.src = reachable.block

        union

        select step.src
        from ends
        inner join step on step.dst = ends.block
    )

select block
from ends
