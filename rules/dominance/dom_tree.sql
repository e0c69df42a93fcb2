-- rules/dominance/dom_tree.sql
-- Twin of dom_tree.dl; definition, source and cost are there.
with recursive
    child as materialized (
        select
            dominator,
            block,
            lead(block) over (partition by dominator order by block) as sibling
        from idom
    ),

    first_child as materialized (
        select dominator, min(block) as block
        from idom
        group by dominator
    ),

    move as materialized (
        select
            bfs_tree.block,
            false as leaving,
            coalesce(first_child.block, bfs_tree.block) as next_block,
            first_child.block is null as next_leaving
        from bfs_tree
        left join first_child on first_child.dominator = bfs_tree.block

        union all

        select block, true, coalesce(sibling, dominator), sibling is null
        from child
    ),

    walk(block, leaving, time, root) as (
        select block, false, 0, block
        from entry

        union all

        select move.next_block, move.next_leaving, walk.time + (not move.next_leaving)::int, walk.root
        from walk
        inner join move on move.block = walk.block and move.leaving = walk.leaving
    )

select entered.block, entered.time as preorder, departed.time as last, entered.root
from walk as entered
inner join walk as departed on departed.block = entered.block
where not entered.leaving
  and departed.leaving
