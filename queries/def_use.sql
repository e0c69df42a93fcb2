-- Where is each value of a source variable read?
--
-- Parameters
--   path      only this file
--   function  only this function
--   variable  only this variable
-- Columns
--   path      the file
--   function  the function
--   value     the SSA name of the value, for example total.2
--   def_line  line of the instruction or phi that makes it, from 1
--   def_text  its source line, or the phi with its operands
--   use_line  line of the instruction that reads it, from 1
--   use_col   its column, from 0
--   use_text  its source line
-- Example
--   facts/examples/loop.js,count_to,i.2,4,"phi(i.1, i.3)",4,9,while (i < n) {
select
    value_place.path,
    value_place.function,
    value_place.name as value,
    value_place.line as def_line,
    value_place.text as def_text,
    reader.line as use_line,
    reader.col as use_col,
    reader.text as use_text
from value_place
inner join def_use on def_use.value = value_place.value
inner join instr_place as reader on reader.instr = def_use.instr
where value_place.kind != 'temp'
  and ($path is null or value_place.path = $path)
  and ($function is null or value_place.function = $function)
  and ($variable is null or value_place.variable = $variable)
order by value_place.path, value_place.func_id, value_place.value, def_use.instr, def_use.pos
