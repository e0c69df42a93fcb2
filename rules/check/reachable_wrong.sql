-- rules/check/reachable_wrong.sql
-- A path leads from an entry to a block and reachable lacks it (`missing`), or has it otherwise, or twice (`extra`). Must
-- be empty.
-- needs: edge, entry, reachable
with recursive
    walked(block) as (
        select block from entry

        union

        select edge.dst
        from walked
        inner join edge on edge.src = walked.block
    )

select 'missing' as fault, block from (from walked except all from reachable)

union all

select 'extra', block from (from reachable except all from walked)
order by fault, block
