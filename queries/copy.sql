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
with
    -- A read of a variable into a temporary, then a write of the temporary to a variable.
    copied as (
        select ssa_def.value, loaded.value as source, ssa_def.instr
        from ssa_def
        inner join instr_text as store on store.instr = ssa_def.instr and store.op = 'StoreLocal'
        inner join ssa_use as stored on stored.instr = ssa_def.instr
        inner join ssa_def as load_def on load_def.value = stored.value
        inner join instr_text as load on load.instr = load_def.instr and load.op = 'LoadLocal'
        inner join ssa_use as loaded on loaded.instr = load_def.instr
        inner join value_var on value_var.value = ssa_def.value
        inner join var_name on var_name.var = value_var.var
        where var_name.kind != 'temp'
    )

select
    place.path,
    place.function,
    place.line,
    value_name.name as value,
    source_name.name as source,
    place.text
from copied
inner join value_name on value_name.value = copied.value
inner join value_name as source_name on source_name.value = copied.source
inner join instr_place as place on place.instr = copied.instr
where not starts_with(source_name.name, '$')
  and not starts_with(source_name.name, '#')
  and ($path is null or place.path = $path)
  and ($function is null or place.function = $function)
order by place.path, copied.instr
