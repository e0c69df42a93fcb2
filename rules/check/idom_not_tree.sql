-- rules/check/idom_not_tree.sql
-- idom is no tree that spans the reachable blocks of a function from its entry: `block` has not the one parent that a
-- reachable block other than an entry has, or no path of tree edges leads to it. Must be empty.
-- needs: entry, func_block, idom, reachable
with recursive
    tree(block) as (
        select block from entry

        union

        select idom.block
        from tree
        inner join idom on idom.dominator = tree.block
    ),

    named as (
        select block from func_block
        union
        select block from idom
    ),

    placed as (
        select
            named.block,
            named.block in (from reachable) as is_reachable,
            named.block in (select block from entry) as is_entry,
            named.block in (from tree) as is_in_tree,
            count(idom.dominator) as parents
        from named
        left join idom on idom.block = named.block
        group by named.block
    )

select
    block,
    parents,
    is_in_tree
from placed
where parents != (is_reachable and not is_entry)::integer
   or is_in_tree != is_reachable
order by block
