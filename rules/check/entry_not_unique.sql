-- rules/check/entry_not_unique.sql
-- A function has no entry among its blocks, or several. Must be empty.
-- needs: entry, func_block
with
    named as (
        select func from func_block
        union
        select func from entry
    )

select
    named.func,
    count(func_block.block) as entries
from named
left join entry on entry.func = named.func
left join func_block on func_block.block = entry.block and func_block.func = entry.func
group by named.func
having count(func_block.block) != 1
order by named.func
