-- Which values are copies of copies, and what is at the end of the chain?
--
-- Phis end a chain.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      line of the last copy, from 1
--   value     the SSA name of the last copy
--   origin    the SSA name of the value that is passed on
--   copies    copies between them, at least 2
--   text      its source line
-- Example
--   copy_chain.js,f,4,c.1,a.1,2,const c = b;
with recursive
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
    ),

    chain(value, source, copies) as (
        select value, source, 1
        from copied

        union

        select chain.value, copied.source, chain.copies + 1
        from chain
        inner join copied on copied.value = chain.source
    )

select
    place.path,
    place.function,
    place.line,
    value_name.name as value,
    origin.name as origin,
    chain.copies,
    place.text
from chain
inner join value_name on value_name.value = chain.value
inner join value_name as origin on origin.value = chain.source
inner join ssa_def on ssa_def.value = chain.value
inner join instr_place as place on place.instr = ssa_def.instr
where chain.copies > 1
  and not exists (select 1 from copied where copied.value = chain.source)
  and ($path is null or place.path = $path)
  and ($function is null or place.function = $function)
order by place.path, ssa_def.instr
