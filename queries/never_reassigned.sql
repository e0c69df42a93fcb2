-- Which local variables are written exactly once, so that `let` or `var` could be `const`?
--
-- A declaration without a value counts as a write. Variables that a closure captures and something reassigns are cells
-- and not among them; neither are parameters, and what a pattern or the head of a for-of or for-in loop writes.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      line of the only write, from 1
--   variable  the variable
--   text      its source line
-- Example
--   facts/examples/if_else.js,clamp,14,result,let result = n;
with
    asked as materialized (
        select func_id
        from func_place
        where ($path is null or path = $path)
          and ($function is null or function = $function)
    ),

    only_write as (
        select def.var, min(def.instr) as instr
        from def
        inner join var_name on var_name.var = def.var
        semi join asked on asked.func_id = var_name.func
        inner join instr_text on instr_text.instr = def.instr
        where var_name.kind = 'local'
          and instr_text.op != 'Capture'
        group by def.var
        having count(*) = 1
    )

select
    instr_place.path,
    instr_place.function,
    instr_place.line,
    var_name.name as variable,
    instr_place.text
from only_write
inner join var_name on var_name.var = only_write.var
inner join instr_place on instr_place.instr = only_write.instr
inner join instr_text on instr_text.instr = only_write.instr
where regexp_matches(instr_text.text, 'StoreLocal (Let|Var)\b')
  and not exists (
      select 1
      from use
      inner join def as maker on maker.var = use.var
      inner join instr_text as step on step.instr = maker.instr
      left join use as inner_use on inner_use.instr = maker.instr
      left join var_name as operand on operand.var = inner_use.var
      where use.instr = only_write.instr
        and (step.op in ('IteratorNext', 'NextPropertyOf') or starts_with(operand.name, '#'))
  )
  and ($path is null or instr_place.path = $path)
  and ($function is null or instr_place.function = $function)
order by instr_place.path, only_write.instr, only_write.var
