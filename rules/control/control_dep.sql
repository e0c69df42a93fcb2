-- rules/control/control_dep.sql
-- Twin of control_dep.dl; definition, source and cost are there.
select frontier as branch, block
from reverse.dom_frontier
where block >= 0
