-- Which variables of functions around it does each function close over?
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path            the file
--   function        the function
--   line            line of the function, from 1
--   variable        the variable
--   outer_function  the function that declares it
--   kind            `value`: nothing reassigns it; `cell`: it lives in memory
-- Example
--   facts/examples/closures.js,<<anonymous>>,5,step,make_counter,value
with captured as (
    select distinct func_block.func, def.var, 'value' as kind
    from def
    inner join instr_text on instr_text.instr = def.instr
    inner join block_instr on block_instr.instr = def.instr
    inner join func_block on func_block.block = block_instr.block
    where instr_text.op = 'Capture'

    union

    select distinct func_block.func, touch.var, 'cell'
    from (select instr, var from cell_read union all select instr, var from cell_write) as touch
    inner join var_name on var_name.var = touch.var
    inner join block_instr on block_instr.instr = touch.instr
    inner join func_block on func_block.block = block_instr.block
    where func_block.func != var_name.func
)

select
    func_place.path,
    func_place.function,
    func_place.line,
    var_name.name as variable,
    outer_place.function as outer_function,
    captured.kind
from captured
inner join var_name on var_name.var = captured.var
inner join func_place on func_place.func_id = captured.func
inner join func_place as outer_place on outer_place.func_id = var_name.func
where ($path is null or func_place.path = $path)
  and ($function is null or func_place.function = $function)
order by func_place.path, func_place.func_id, variable, captured.var
