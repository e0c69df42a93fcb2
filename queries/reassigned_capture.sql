-- Which variables does a closure capture and something reassign?
--
-- They live in memory: no phi, no value, no reaching definition.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path       the file
--   function   the function that declares it
--   line       line of the function's first write, from 1
--   variable   the variable
--   writes     instructions that write it
--   reads      instructions that read it or close over it
--   functions  functions that read or write it
--   text       the first write's source line
-- Example
--   facts/examples/closures.js,make_counter,4,total,2,3,2,let total = 0;
with
    touch as (
        select instr, var, 1 as writes, 0 as reads from cell_write

        union all

        select instr, var, 0, 1 from cell_read
    ),

    total as (
        select
            touch.var,
            sum(touch.writes)::integer as writes,
            sum(touch.reads)::integer as reads,
            count(distinct func_block.func) as functions,
            coalesce(
                min(touch.instr) filter (where func_block.func = var_name.func and touch.writes = 1),
                min(touch.instr)
            ) as instr
        from touch
        inner join var_name on var_name.var = touch.var
        inner join block_instr on block_instr.instr = touch.instr
        inner join func_block on func_block.block = block_instr.block
        group by touch.var
    )

select
    place.path,
    func_place.function,
    place.line,
    var_name.name as variable,
    total.writes,
    total.reads,
    total.functions,
    place.text
from total
inner join var_name on var_name.var = total.var
inner join func_place on func_place.func_id = var_name.func
inner join instr_place as place on place.instr = total.instr
where ($path is null or place.path = $path)
  and ($function is null or func_place.function = $function)
order by place.path, total.var
