-- Which code can never run?
--
-- Blocks of jumps only are left out, and so is the return that every function body has at its end.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      line of the first instruction of an unreachable block, from 1
--   instrs    instructions of that block, jumps left out
--   text      the first source line
-- Example
--   facts/examples/unreachable.js,first,4,3,items.sort();
select
    instr_place.path,
    instr_place.function,
    arg_min(instr_place.line, instr_place.instr) as line,
    count(*) as instrs,
    arg_min(instr_place.text, instr_place.instr) as text
from instr_place
inner join func on func.func_id = instr_place.func_id
where instr_place.op not in ('Goto', 'Unreachable')
  and (instr_place.line != func.line or instr_place.col != func.col)
  and not exists (select 1 from reachable where reachable.block = instr_place.block)
  and ($path is null or instr_place.path = $path)
  and ($function is null or instr_place.function = $function)
group by instr_place.path, instr_place.func_id, instr_place.function, instr_place.block
order by instr_place.path, instr_place.func_id, instr_place.block
