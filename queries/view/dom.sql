-- queries/view/dom.sql
-- `dominator` dominates `block`: `block` lies in its interval of the dominator tree's preorder. Every reachable block
-- dominates itself. Never stored: there may be as many rows as blocks squared.
select
    above.block as dominator,
    below.block
from dom_interval as above
inner join dom_interval as below on below.first between above.first and above.last
