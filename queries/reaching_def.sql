-- Which definitions may a read on a given line see, looking through all phis?
--
-- Parameters
--   path      the file, or the end of its path (required)
--   line      the line, from 1 (required)
--   variable  only this variable
-- Columns
--   path      the file
--   function  the function
--   line      the line that was asked for
--   variable  a variable that it reads
--   def_line  line of a definition that may reach it, from 1; null for undef: a path writes nothing
--   def_text  its source line
-- Example
--   facts/examples/loop.js,count_to,7,i,3,let i = 0;
with recursive
    asked as (
        select
            reader.path,
            reader.function,
            reader.line,
            use.var,
            ssa_use.value
        from instr_place as reader
        inner join ssa_use on ssa_use.instr = reader.instr
        inner join use on use.instr = ssa_use.instr and use.pos = ssa_use.pos
        where ends_with(reader.path, $path)
          and reader.line = $line::integer
    ),

    origin(path, function, line, var, value) as (
        select path, function, line, var, value
        from asked

        union

        select origin.path, origin.function, origin.line, origin.var, ssa_phi_arg.arg
        from origin
        inner join ssa_phi_arg on ssa_phi_arg.value = origin.value
    )

select distinct
    origin.path,
    origin.function,
    origin.line,
    var_name.name as variable,
    value_place.line as def_line,
    coalesce(value_place.text, 'undef') as def_text
from origin
inner join var_name on var_name.var = origin.var
left join value_place on value_place.value = origin.value and ends_with(value_place.path, $path)
where var_name.kind != 'temp'
  and value_place.op is distinct from 'phi'
  and ($variable is null or var_name.name = $variable)
order by origin.path, origin.function, variable, def_line, def_text
