-- Which values are plain copies of another variable's value, as in `b = a`?
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      line of the copy, from 1
--   value     the SSA name of the copy
--   source    the SSA name of what is copied
--   text      its source line
-- Example
--   facts/examples/closures.js,<<anonymous>>,6,left.1,times.1,let left = times;
select
    place.path,
    place.function,
    place.line,
    value_variable.name as value,
    coalesce(source.name, 'undef') as source,
    place.text
from value_copy
inner join value_variable on value_variable.value = value_copy.value
left join value_variable as source on source.value = value_copy.source
inner join instr_place as place on place.instr = value_copy.instr
where not coalesce(starts_with(source.name, '$') or starts_with(source.name, '#'), false)
  and ($path is null or place.path = $path)
  and ($function is null or place.function = $function)
order by place.path, value_copy.instr
