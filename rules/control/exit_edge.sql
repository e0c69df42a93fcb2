-- rules/control/exit_edge.sql
-- Twin of exit_edge.dl; definition, source and cost are there.
with
    leaves as (
        select loop_block.header
        from loop_block
        inner join edge on edge.src = loop_block.block
        anti join loop_block as target on target.header = loop_block.header and target.block = edge.dst
    ),

    way_out as (
        select block
        from reachable
        anti join edge on edge.src = reachable.block

        union

        select back_edge.src
        from back_edge
        anti join ends on ends.block = back_edge.src
        anti join leaves on leaves.header = back_edge.dst

        union

        select irreducible_edge.src
        from irreducible_edge
        anti join ends on ends.block = irreducible_edge.src
    )

select way_out.block, -2 - func_block.func as exit
from way_out
inner join func_block on func_block.block = way_out.block
