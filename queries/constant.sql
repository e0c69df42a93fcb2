-- Which variables are constant, and where?
--
-- By sparse conditional constant propagation: integers between -10^9 and 10^9, true and false, undefined; see
-- rules/constant. A phi counts what comes along edges that may be taken. Code that never runs is left out.
--
-- Parameters
--   path      only this file
--   function  only this function
--   variable  only variables written so
-- Columns
--   path      the file
--   function  the function
--   line      line where the value is made, from 1
--   name      its SSA name
--   value     the constant
--   text      its source line, or the phi with its operands
-- Example
--   constant.js,seed,5,y.1,7,let y = x + 2;
select
    place.path,
    place.function,
    place.line,
    place.name,
    case constant.constant
        when 1000000000 then 'false'
        when 1000000001 then 'true'
        when 1000000002 then 'undefined'
        else constant.constant::varchar
    end as value,
    place.text
from constant
inner join value_place as place on place.value = constant.value
where place.kind <> 'temp'
  and ($path is null or place.path = $path)
  and ($function is null or place.function = $function)
  and ($variable is null or place.variable = $variable)
order by place.path, place.func_id, constant.value
