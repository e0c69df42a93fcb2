-- rules/reverse/entry.sql
-- Twin of entry.dl; definition and cost are there.
select distinct func_block.func, exit_edge.exit as block
from exit_edge
inner join func_block on func_block.block = exit_edge.block
