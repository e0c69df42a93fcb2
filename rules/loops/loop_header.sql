-- rules/loops/loop_header.sql
-- Twin of loop_header.dl; definition and cost are there.
select distinct dst as block
from back_edge
