-- rules/liveness/live_out.sql
-- Twin of live_out.dl; definition and cost are there.
select distinct edge.src as block, live_in.var
from edge
semi join reachable on reachable.block = edge.src
inner join live_in on live_in.block = edge.dst
