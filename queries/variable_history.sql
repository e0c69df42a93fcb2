-- Which values does a variable take, in program order?
--
-- Parameters
--   variable  the variable (required)
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      line of the instruction or phi that makes the value, from 1
--   value     the SSA name of the value
--   text      its source line, or the phi with its operands
--   uses      reads by instructions
--   phi_uses  reads by phis
-- Example
--   facts/examples/loop.js,count_to,4,i.2,"phi(i.1, i.3)",3,0
select
    value_place.path,
    value_place.function,
    value_place.line,
    value_place.name as value,
    value_place.text,
    (select count(*) from ssa_use where ssa_use.value = value_place.value) as uses,
    (select count(*) from ssa_phi_arg where ssa_phi_arg.arg = value_place.value) as phi_uses
from value_place
where value_place.variable = $variable
  and ($path is null or value_place.path = $path)
  and ($function is null or value_place.function = $function)
order by value_place.path, value_place.func_id, value_place.value
