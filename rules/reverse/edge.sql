-- rules/reverse/edge.sql
-- Twin of edge.dl; definition and cost are there.
select src, dst
from reverse_edge
