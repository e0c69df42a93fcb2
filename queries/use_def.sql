-- Which definition does each read of a source variable see?
--
-- Parameters
--   path      only this file
--   function  only this function
--   variable  only this variable
-- Columns
--   path      the file
--   function  the function
--   line      line of the instruction that reads, from 1
--   col       its column, from 0
--   text      its source line
--   variable  the variable it reads
--   value     the SSA name of the value it sees; undef if no definition reaches it
--   def_line  line of the instruction or phi that makes the value, from 1; null for undef
--   def_text  its source line, or the phi with its operands
-- Example
--   facts/examples/loop.js,count_to,4,9,while (i < n) {,i,i.2,4,"phi(i.1, i.3)"
select
    reader.path,
    reader.function,
    reader.line,
    reader.col,
    reader.text,
    var_name.name as variable,
    coalesce(value_place.name, 'undef') as value,
    value_place.line as def_line,
    value_place.text as def_text
from ssa_use
inner join use on use.instr = ssa_use.instr and use.pos = ssa_use.pos
inner join var_name on var_name.var = use.var
inner join instr_place as reader on reader.instr = ssa_use.instr
left join value_place
    on value_place.value = ssa_use.value
   and ($path is null or value_place.path = $path)
   and ($function is null or value_place.function = $function)
where var_name.kind != 'temp'
  and ($path is null or reader.path = $path)
  and ($function is null or reader.function = $function)
  and ($variable is null or var_name.name = $variable)
order by reader.path, ssa_use.instr, ssa_use.pos
