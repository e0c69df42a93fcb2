-- rules/check/dom_tree_wrong.sql
-- The numbers of dom_tree do not follow from a walk over idom: `fault` says what is wrong with those of `block`. Must be
-- empty.
-- needs: dom_tree, entry, idom, reachable
-- If each subtree has an interval inside its parent's, as long as its own blocks are many, and no number stands twice,
-- then the blocks numbered in an interval are those of the subtree.
with
    subtree as (
        select idom.dominator as block, sum(dom_tree.last - dom_tree.preorder + 1) as below
        from idom
        inner join dom_tree on dom_tree.block = idom.block
        group by idom.dominator
    ),

    found as (
        select 'not one row' as fault, reachable.block
        from reachable
        left join dom_tree on dom_tree.block = reachable.block
        group by reachable.block
        having count(dom_tree.block) != 1

        union

        select 'not reachable', block
        from dom_tree
        where block not in (from reachable)

        union

        select 'number taken', block
        from dom_tree
        qualify count(*) over (partition by root, preorder) > 1

        union

        select 'entry not first', dom_tree.block
        from dom_tree
        inner join entry on entry.block = dom_tree.block
        where dom_tree.root != dom_tree.block
           or dom_tree.preorder != 0

        union

        select 'not inside its parent', dom_tree.block
        from dom_tree
        inner join idom on idom.block = dom_tree.block
        inner join dom_tree as parent on parent.block = idom.dominator
        where dom_tree.root != parent.root
           or dom_tree.preorder <= parent.preorder
           or dom_tree.last > parent.last

        union

        select 'length is not that of its subtree', dom_tree.block
        from dom_tree
        left join subtree on subtree.block = dom_tree.block
        where dom_tree.last - dom_tree.preorder != coalesce(subtree.below, 0)
    )

select fault, block
from found
order by fault, block
