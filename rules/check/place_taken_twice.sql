-- rules/check/place_taken_twice.sql
-- Two blocks of a function, two instructions of a block or two operands of an instruction have one position. Must be empty.
-- needs: block_instr, func_block, use
select func, null::integer as block, null::integer as instr, pos, count(*) as times
from func_block
group by func, pos
having count(*) > 1

union all

select null, block, null, pos, count(*)
from block_instr
group by block, pos
having count(*) > 1

union all

select null, null, instr, pos, count(*)
from use
group by instr, pos
having count(*) > 1
order by all
