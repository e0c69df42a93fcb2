-- rules/check/edge_between_functions.sql
-- An edge leads from a block of one function to a block of another. Must be empty.
-- needs: edge, func_block
select
    edge.src,
    edge.dst
from edge
inner join func_block as source on source.block = edge.src
inner join func_block as target on target.block = edge.dst
where source.func != target.func
order by edge.src, edge.dst
