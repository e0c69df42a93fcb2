-- How many phis does each variable cost for each of its writes?
--
-- Variables without a phi are left out.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      line of the first write, from 1
--   variable  the variable
--   defs      instructions that write it
--   phis      phis of it
--   text      the first write's source line
-- Example
--   facts/examples/nested_loops.js,fill,4,sum,2,3,let sum = 0;
with
    phis as (
        select var, count(*) as phis
        from phi
        group by var
    ),

    defs as (
        select def.var, count(*) as defs, min(def.instr) as instr
        from def
        semi join phis on phis.var = def.var
        group by def.var
    )

select
    place.path,
    place.function,
    place.line,
    var_name.name as variable,
    defs.defs,
    phis.phis,
    place.text
from phis
inner join defs on defs.var = phis.var
inner join var_name on var_name.var = phis.var
inner join instr_place as place on place.instr = defs.instr
where var_name.kind != 'temp'
  and ($path is null or place.path = $path)
  and ($function is null or place.function = $function)
order by phis.phis desc, place.path, defs.instr, phis.var
