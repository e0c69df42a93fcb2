-- rules/check/dom_frontier_wrong.sql
-- By the equations of the dominance frontier dom_frontier lacks a row (`missing`), or has one that it should not have, or
-- twice (`extra`). Must be empty.
-- needs: dom_frontier, edge, idom, reachable
-- Source: Cytron et al., TOPLAS 13(4), 1991, equations (4) to (6): a frontier of `block` is a successor, or a frontier of
-- a child in the dominator tree, that is not itself a child of `block`. The tree has no cycles, so one step from the
-- stored rows shows whether they are the solution.
with
    candidate as (
        select edge.src as block, edge.dst as frontier
        from edge
        inner join reachable on reachable.block = edge.src

        union

        select idom.dominator, dom_frontier.frontier
        from dom_frontier
        inner join idom on idom.block = dom_frontier.block
    ),

    expected as (
        select block, frontier
        from candidate
        where not exists (
            select 1
            from idom
            where idom.dominator = candidate.block
              and idom.block = candidate.frontier
        )
    )

select 'missing' as fault, block, frontier
from (from expected except all select block, frontier from dom_frontier)

union all

select 'extra', block, frontier
from (select block, frontier from dom_frontier except all from expected)
order by fault, block, frontier
