-- rules/check/entry_has_pred.sql
-- The entry of a function has a predecessor. Must be empty.
-- needs: edge, entry
select
    entry.block,
    edge.src as pred
from entry
inner join edge on edge.dst = entry.block
order by entry.block, pred
