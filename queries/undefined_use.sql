-- Which reads of source variables never see a value that was written?
--
-- Every path to the read writes nothing, or only declares the variable as in `let x;`.
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
--   text      its source line
-- Example
--   facts/examples/unreachable.js,broken,14,9,parsed,return parsed;
with recursive
    asked as materialized (
        select func_id
        from func_place
        where ($path is null or path = $path)
          and ($function is null or function = $function)
    ),

    maybe_written(value) as (
        select ssa_def.value
        from ssa_def
        inner join instr_text on instr_text.instr = ssa_def.instr
        inner join block_instr on block_instr.instr = ssa_def.instr
        inner join func_block on func_block.block = block_instr.block
        semi join asked on asked.func_id = func_block.func
        where instr_text.op != 'DeclareLocal'

        union

        select ssa_phi_arg.value
        from maybe_written
        inner join ssa_phi_arg on ssa_phi_arg.arg = maybe_written.value
    )

select
    reader.path,
    reader.function,
    reader.line,
    reader.col,
    var_name.name as variable,
    reader.text
from ssa_use
inner join use on use.instr = ssa_use.instr and use.pos = ssa_use.pos
inner join var_name on var_name.var = use.var
inner join instr_place as reader on reader.instr = ssa_use.instr
where var_name.kind in ('param', 'local')
  and not exists (select 1 from maybe_written where maybe_written.value = ssa_use.value)
  and ($path is null or reader.path = $path)
  and ($function is null or reader.function = $function)
order by reader.path, ssa_use.instr, ssa_use.pos
