-- Which local variables are never read?
--
-- Neither is a module variable unused that a function of the same file reads. An export is a read. A name that only a
-- pattern writes counts too: it may be there to leave something out.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      line of the first write or declaration, from 1
--   variable  the variable
--   writes    instructions that write or declare it
--   text      the source line
-- Example
--   facts/examples/closures.js,<<module>>,3,make_counter,1,function make_counter(step) {
with
    asked as materialized (
        select func_id
        from func_place
        where ($path is null or path = $path)
          and ($function is null or function = $function)
    ),

    unread as (
        select def.var, min(def.instr) as instr, count(*) as writes
        from def
        inner join var_name on var_name.var = def.var
        semi join asked on asked.func_id = var_name.func
        where var_name.kind = 'local'
          and not exists (select 1 from use where use.var = def.var)
        group by def.var
    )

select
    place.path,
    place.function,
    place.line,
    var_name.name as variable,
    unread.writes,
    place.text
from unread
inner join var_name on var_name.var = unread.var
inner join instr_place as place on place.instr = unread.instr
where not exists (
      select 1
      from module_read
      where place.function = '<<module>>'
        and module_read.path = place.path
        and module_read.variable = var_name.name
  )
  and ($path is null or place.path = $path)
  and ($function is null or place.function = $function)
order by place.path, unread.instr, unread.var
