-- rules/check/id_in_two_places.sql
-- A block stands more than once in func_block, or an instruction more than once in block_instr. Must be empty.
-- needs: block_instr, func_block
select block, null::integer as instr, count(*) as times
from func_block
group by block
having count(*) > 1

union all

select null, instr, count(*)
from block_instr
group by instr
having count(*) > 1
order by block, instr
