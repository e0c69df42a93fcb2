-- rules/check/idom_not_closest.sql
-- `block` hangs beside `sibling` in idom, but every path to it passes `sibling`, which should be above it. Must be empty.
-- needs: edge, idom, reachable
-- Source: the sibling property of Georgiadis & Tarjan, "Dominator tree certification and divergent spanning trees", TALG
-- 12(1), 2015. With idom_not_tree and idom_not_dominator empty, idom is the dominator tree.
--
-- Among the children of one parent, an edge joins `src` to `dst` if a predecessor of `dst` is in the subtree of `src`.
-- A child is free, that is below none of its siblings, if the parent itself precedes it or if two free children do. That
-- settles all but a few; for these each sibling is removed in turn.
-- Cost: as many rows as dom_frontier has, and (children that are not free)^2 for each parent. Parents with more than
-- 2,000 such children, which takes thousands of blocks in irreducible loops, are not judged.
with recursive
    climb(block, above) as (
        select edge.dst, edge.src
        from edge
        inner join reachable on reachable.block = edge.src

        union

        select climb.block, upper.dominator
        from climb
        inner join idom as parent on parent.block = climb.block
        inner join idom as upper on upper.block = climb.above
        where climb.above != parent.dominator
    ),

    sibling_edge as (
        select climb.above as src, climb.block as dst, lower.dominator
        from climb
        inner join idom as lower on lower.block = climb.block
        inner join idom as upper on upper.block = climb.above and upper.dominator = lower.dominator
        where climb.above != climb.block
    ),

    free(block, first_pred, last_pred) using key (block, min(first_pred), max(last_pred)) as (
        select idom.block, -2, -1
        from idom
        inner join edge on edge.src = idom.dominator and edge.dst = idom.block

        union

        select sibling_edge.dst, free.block, free.block
        from free
        inner join sibling_edge on sibling_edge.src = free.block
        where free.first_pred != free.last_pred
    ),

    bound as (
        select idom.dominator, idom.block
        from idom
        left join free on free.block = idom.block and free.first_pred != free.last_pred
        where free.block is null
        qualify count(*) over (partition by idom.dominator) <= 2000
    ),

    suspect as (
        select distinct sibling_edge.dominator, sibling_edge.src as block
        from sibling_edge
        inner join bound on bound.block = sibling_edge.dst
    ),

    avoided(sibling, block) as (
        select suspect.block, sibling_edge.dst
        from sibling_edge
        inner join bound on bound.block = sibling_edge.dst
        inner join suspect on suspect.dominator = sibling_edge.dominator
        left join bound as src_bound on src_bound.block = sibling_edge.src
        where src_bound.block is null
          and suspect.block not in (sibling_edge.src, sibling_edge.dst)

        union

        select avoided.sibling, sibling_edge.dst
        from avoided
        inner join sibling_edge on sibling_edge.src = avoided.block
        inner join bound on bound.block = sibling_edge.dst
        where sibling_edge.dst != avoided.sibling
    )

select suspect.block as sibling, bound.block
from suspect
inner join bound on bound.dominator = suspect.dominator and bound.block != suspect.block
where not exists (
    select 1
    from avoided
    where avoided.sibling = suspect.block
      and avoided.block = bound.block
)
order by sibling, bound.block
