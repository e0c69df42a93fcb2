-- rules/check/control_dep_wrong.sql
-- One way out of `branch` leads to a block that `block` postdominates or is, and `block` is no postdominator of `branch`
-- other than itself, and control_dep lacks it (`missing`), or has it otherwise, or twice (`extra`). Must be empty.
-- needs: control_dep, edge, post_idom, reachable
-- Source: Ferrante, Ottenstein & Warren, TOPLAS 9(3), 1987, section 3.1.1: from each successor of a block the climb in
-- the postdominator tree ends in front of the block's own parent.
-- Cost: one row a dependence and edge.
with recursive
    climb(branch, block) as (
        select edge.src, edge.dst
        from edge
        inner join reachable on reachable.block = edge.src
        left join post_idom on post_idom.block = edge.src
        where edge.dst is distinct from post_idom.postdominator

        union

        select climb.branch, upper.postdominator
        from climb
        inner join post_idom as upper on upper.block = climb.block
        left join post_idom on post_idom.block = climb.branch
        where upper.postdominator is distinct from post_idom.postdominator
    )

select 'missing' as fault, branch, block
from (from climb except all select branch, block from control_dep)

union all

select 'extra', branch, block
from (select branch, block from control_dep except all from climb)
order by fault, branch, block
