-- rules/control/reverse_edge.sql
-- Twin of reverse_edge.dl; definition and cost are there.
select edge.dst as src, edge.src as dst
from edge
semi join reachable on reachable.block = edge.src

union all

select exit, block
from exit_edge
