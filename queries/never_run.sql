-- Which code never runs, because a test before it is constant?
--
-- By the constants of rules/constant. What no path leads to at all is in unreachable_code.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      line of the first instruction of a block that never runs, from 1
--   instrs    instructions of that block, jumps left out
--   text      the first source line
-- Example
--   never_run.js,branches,16,2,if (false) x = 9;
with
    running as materialized (
        select dst as block from executable_edge
        union
        select block from entry
    )

select
    instr_place.path,
    instr_place.function,
    arg_min(instr_place.line, instr_place.instr) as line,
    count(*) as instrs,
    arg_min(instr_place.text, instr_place.instr) as text
from instr_place
semi join reachable on reachable.block = instr_place.block
anti join running on running.block = instr_place.block
where instr_place.op not in ('Goto', 'Unreachable')
  and ($path is null or instr_place.path = $path)
  and ($function is null or instr_place.function = $function)
group by instr_place.path, instr_place.func_id, instr_place.function, instr_place.block
order by instr_place.path, instr_place.func_id, instr_place.block
