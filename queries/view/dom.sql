-- queries/view/dom.sql
-- `dominator` dominates `block`: `block` lies in its interval of the preorder of the dominator tree. Every reachable block
-- dominates itself. Never stored: there may be as many rows as blocks squared.
select
    above.block as dominator,
    below.block
from dom_tree as above
inner join dom_tree as below
    on below.root = above.root
   and below.preorder between above.preorder and above.last
