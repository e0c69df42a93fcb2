-- rules/check/edge_duplicated.sql
-- A row of edge stands more than once. Must be empty.
-- needs: edge
select
    src,
    dst,
    count(*) as times
from edge
group by src, dst
having count(*) > 1
order by src, dst
