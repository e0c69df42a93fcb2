-- Which parameters does a function never read?
--
-- Not those that a pattern takes apart or that have a default value: they are locals.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      line of the parameter, from 1
--   param     the parameter
--   text      its source line
-- Example
--   unused_param.js,f,2,b,"function f(a, b, c, d) {"
select
    place.path,
    place.function,
    place.line,
    var_name.name as param,
    place.text
from def
inner join var_name on var_name.var = def.var
inner join instr_place as place on place.instr = def.instr
where place.op = 'Param'
  and var_name.kind = 'param'
  and not exists (select 1 from use where use.var = def.var)
  and not exists (select 1 from cell_read where cell_read.var = def.var)
  and ($path is null or place.path = $path)
  and ($function is null or place.function = $function)
order by place.path, def.instr
