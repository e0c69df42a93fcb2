-- Which variables hide a variable of the same name of a function around theirs?
--
-- The module counts as a function around all others. Block scopes of one function are not compared: the relations do not
-- hold them.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path            the file
--   function        the function
--   line            line of the first write or declaration, from 1
--   variable        the name
--   outer_function  the function whose variable is hidden
--   outer_line      line of its first write or declaration
--   text            the source line
-- Example
--   shadowed_name.js,<<anonymous>>,4,x,outer,3,const inner = (x) => {
with recursive
    asked as materialized (
        select func_id
        from func_place
        where ($path is null or path = $path)
          and ($function is null or function = $function)
    ),

    around(inner_func, outer_func) as (
        select func_id, parent
        from func
        semi join asked on asked.func_id = func.func_id
        where parent is not null

        union

        select around.inner_func, func.parent
        from around
        inner join func on func.func_id = around.outer_func
        where func.parent is not null
    ),

    pair as materialized (
        select inner_var.var as inner_var, inner_var.name, outer_var.var as outer_var
        from around
        inner join var_name as inner_var on inner_var.func = around.inner_func
        inner join var_name as outer_var
            on outer_var.func = around.outer_func
           and outer_var.name = inner_var.name
           and outer_var.var != inner_var.var
        where inner_var.kind != 'temp'
          and outer_var.kind != 'temp'
    ),

    writes as (
        select var, instr from def

        union all

        select var, instr from cell_write
    ),

    first_write as (
        select writes.var, min(writes.instr) as instr
        from writes
        inner join instr_text on instr_text.instr = writes.instr
        where instr_text.op != 'Capture'
          and writes.var in (select inner_var from pair union all select outer_var from pair)
        group by writes.var
    )

select
    place.path,
    place.function,
    place.line,
    pair.name as variable,
    outer_place.function as outer_function,
    outer_place.line as outer_line,
    place.text
from pair
inner join first_write as first_inner on first_inner.var = pair.inner_var
inner join first_write as first_outer on first_outer.var = pair.outer_var
inner join instr_place as place on place.instr = first_inner.instr
inner join instr_place as outer_place on outer_place.instr = first_outer.instr
where ($path is null or place.path = $path)
  and ($function is null or place.function = $function)
order by place.path, first_inner.instr, first_outer.instr
