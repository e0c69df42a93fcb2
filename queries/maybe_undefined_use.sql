-- Which reads of source variables may happen before the variable has a value?
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      line of the instruction that reads, from 1
--   col       its column, from 0
--   variable  the variable
--   value     the SSA name of the value it sees
--   cause     `unwritten`: a path writes nothing at all; `declared`: a path only declares it, as in `let x;`
--   text      its source line
-- Example
--   facts/examples/closures.js,describe,25,9,label,label.3,declared,return label;
with recursive
    maybe_undefined(value, cause) as (
        select -1, 'unwritten'

        union

        select ssa_def.value, 'declared'
        from ssa_def
        inner join instr_text on instr_text.instr = ssa_def.instr
        inner join value_variable on value_variable.value = ssa_def.value
        where instr_text.op = 'DeclareLocal'
          and value_variable.kind != 'temp'

        union

        select ssa_phi_arg.value, maybe_undefined.cause
        from maybe_undefined
        inner join ssa_phi_arg on ssa_phi_arg.arg = maybe_undefined.value
    )

select
    reader.path,
    reader.function,
    reader.line,
    reader.col,
    var_name.name as variable,
    coalesce(value_variable.name, 'undef') as value,
    maybe_undefined.cause,
    reader.text
from maybe_undefined
inner join ssa_use on ssa_use.value = maybe_undefined.value
inner join use on use.instr = ssa_use.instr and use.pos = ssa_use.pos
inner join var_name on var_name.var = use.var
left join value_variable on value_variable.value = ssa_use.value
inner join instr_place as reader on reader.instr = ssa_use.instr
where var_name.kind != 'temp'
  and ($path is null or reader.path = $path)
  and ($function is null or reader.function = $function)
order by reader.path, ssa_use.instr, ssa_use.pos, maybe_undefined.cause
