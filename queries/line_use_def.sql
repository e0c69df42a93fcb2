-- Which values does a line read, and where is each made?
--
-- One step only, so a phi is an answer; reaching_def looks through phis.
--
-- Parameters
--   path  the file, or the end of its path (required)
--   line  the line, from 1 (required)
-- Columns
--   path      the file
--   function  the function
--   line      the line that was asked for
--   value     the SSA name of a value that it reads; undef if no definition reaches it
--   def_line  line of the instruction or phi that makes it, from 1; null for undef
--   def_text  its source line, or the phi with its operands
-- Example
--   facts/examples/loop.js,count_to,7,i.2,4,"phi(i.1, i.3)"
select distinct
    reader.path,
    reader.function,
    reader.line,
    coalesce(value_place.name, 'undef') as value,
    value_place.line as def_line,
    value_place.text as def_text
from instr_place as reader
inner join ssa_use on ssa_use.instr = reader.instr
inner join use on use.instr = ssa_use.instr and use.pos = ssa_use.pos
inner join var_name on var_name.var = use.var
left join value_place on value_place.value = ssa_use.value and ends_with(value_place.path, $path)
where ends_with(reader.path, $path)
  and reader.line = $line::integer
  and var_name.kind != 'temp'
order by reader.path, reader.function, value
