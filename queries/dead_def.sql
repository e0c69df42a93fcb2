-- Which definitions of source variables are never read, neither by an instruction nor by a phi?
--
-- Temporaries are left out, and so are module variables that a function of the same file reads. An export is a read. A
-- declaration without a value (`let x;`) counts as a definition.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      line of the instruction that defines, from 1
--   value     the SSA name of the value that is never read
--   kind      param or local
--   text      its source line
-- Example
--   facts/examples/closures.js,<<module>>,18,describe.1,local,function describe(options) {
select
    value_place.path,
    value_place.function,
    value_place.line,
    value_place.name as value,
    value_place.kind,
    value_place.text
from value_place
where value_place.kind != 'temp'
  and value_place.op not in ('phi', 'Capture')
  and not exists (select 1 from ssa_use where ssa_use.value = value_place.value)
  and not exists (select 1 from ssa_phi_arg where ssa_phi_arg.arg = value_place.value)
  and not exists (
      select 1
      from module_read
      where value_place.function = '<<module>>'
        and module_read.path = value_place.path
        and module_read.variable = value_place.variable
  )
  and ($path is null or value_place.path = $path)
  and ($function is null or value_place.function = $function)
order by value_place.path, value_place.instr, value_place.value
