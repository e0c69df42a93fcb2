-- rules/cfg/reachable.sql
-- Twin of reachable.dl; definition and cost are there.
select block
from bfs_tree
