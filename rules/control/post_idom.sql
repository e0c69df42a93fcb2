-- rules/control/post_idom.sql
-- Twin of post_idom.dl; definition, source and cost are there.
select dominator as postdominator, block
from reverse.idom
where dominator >= 0
