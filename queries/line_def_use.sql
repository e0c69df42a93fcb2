-- What does a line write, and where is it read?
--
-- Only writes of source variables; a value that is read by phis alone has a row without a reader.
--
-- Parameters
--   path  the file, or the end of its path (required)
--   line  the line, from 1 (required)
-- Columns
--   path      the file
--   function  the function
--   line      the line that was asked for
--   value     the SSA name of a value that it makes
--   use_line  line of an instruction that reads it, from 1; null if there is none
--   use_text  its source line
-- Example
--   line_def_use.js,f,3,x.1,4,use(x);
select distinct
    value_place.path,
    value_place.function,
    value_place.line,
    value_place.name as value,
    reader.line as use_line,
    reader.text as use_text
from value_place
left join def_use on def_use.value = value_place.value
left join instr_place as reader on reader.instr = def_use.instr
where ends_with(value_place.path, $path)
  and value_place.line = $line::integer
  and value_place.kind != 'temp'
  and value_place.op != 'phi'
order by value_place.path, value_place.function, value, use_line, use_text
