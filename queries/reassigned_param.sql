-- Which parameters does a function write again?
--
-- Parameters taken apart by a pattern or with a default value are locals. A parameter that a closure captures as well is a
-- cell: reassigned_capture has those.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      line of the write, from 1
--   param     the parameter
--   text      its source line
-- Example
--   reassigned_param.js,f,3,a,a = b;
select
    writer.path,
    writer.function,
    writer.line,
    var_name.name as param,
    writer.text
from def
inner join var_name on var_name.var = def.var
inner join instr_place as writer on writer.instr = def.instr
where var_name.kind = 'param'
  and writer.op not in ('Param', 'Capture')
  and ($path is null or writer.path = $path)
  and ($function is null or writer.function = $function)
order by writer.path, def.instr, def.var
