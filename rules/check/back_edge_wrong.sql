-- rules/check/back_edge_wrong.sql
-- An edge leads to a block that dominates its source and back_edge lacks it (`missing`), or has it otherwise, or twice
-- (`extra`). Must be empty.
-- needs: back_edge, dom_tree, edge
-- Source: Hecht & Ullman, JACM 21(3), 1974. Dominance is read from the intervals of dom_tree.
with
    expected as (
        select distinct edge.src, edge.dst
        from edge
        inner join dom_tree as below on below.block = edge.src
        inner join dom_tree as above on above.block = edge.dst and above.root = below.root
        where below.preorder between above.preorder and above.last
    )

select 'missing' as fault, src, dst
from (from expected except all select src, dst from back_edge)

union all

select 'extra', src, dst
from (select src, dst from back_edge except all from expected)
order by fault, src, dst
