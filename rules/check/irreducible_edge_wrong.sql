-- rules/check/irreducible_edge_wrong.sql
-- An edge leads to `dst`, which does not dominate its source and leads back to it without passing the parent of `dst`
-- in idom, and irreducible_edge lacks it (`missing`), or has it otherwise, or twice (`extra`). Must be empty.
-- needs: back_edge, edge, func_block, idom, irreducible_edge, reachable
-- Source: Hecht & Ullman, JACM 21(3), 1974.
-- Without the back edges, reducible graphs have no cycles, and every cycle that is left has an edge against the layout.
-- From such edges the cycles are found, and then each of their blocks is asked.
-- Cost: (edges against the layout, other than back edges) x |edge|, and (blocks in irreducible cycles)^2.
with recursive
    forward as (
        select edge.src, edge.dst
        from edge
        inner join reachable on reachable.block = edge.src
        anti join back_edge on back_edge.src = edge.src and back_edge.dst = edge.dst
    ),

    forth(start, block) as (
        select forward.dst, forward.dst
        from forward
        inner join func_block as source on source.block = forward.src
        inner join func_block as target on target.block = forward.dst
        where source.pos >= target.pos

        union

        select forth.start, forward.dst
        from forth
        inner join forward on forward.src = forth.block
    ),

    around(start, block) as (
        select start, forward.src
        from forth
        inner join forward on forward.src = forth.block and forward.dst = forth.start

        union

        select around.start, forward.src
        from around
        inner join forward on forward.dst = around.block
        inner join forth on forth.start = around.start and forth.block = forward.src
    ),

    cyclic as (
        select distinct forward.src, forward.dst
        from around
        inner join forward on forward.src = around.block
        inner join around as target on target.start = around.start and target.block = forward.dst
    ),

    led(start, block) as (
        select dst, dst
        from cyclic

        union

        select led.start, cyclic.dst
        from led
        inner join cyclic on cyclic.src = led.block
        inner join idom on idom.block = led.start
        where cyclic.dst != idom.dominator
    ),

    expected as (
        select cyclic.src, cyclic.dst
        from cyclic
        inner join led on led.start = cyclic.dst and led.block = cyclic.src
    )

select 'missing' as fault, src, dst
from (from expected except all select src, dst from irreducible_edge)

union all

select 'extra', src, dst
from (select src, dst from irreducible_edge except all from expected)
order by fault, src, dst
