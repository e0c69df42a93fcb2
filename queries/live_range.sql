-- In how many blocks is each source variable live?
--
-- Counted at the starts of blocks: a variable that is read only in the block that writes it has no row.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path         the file
--   function     the function that reads it
--   variable     the variable
--   line         line of its first write there, from 1
--   live_blocks  blocks at whose start it is live
--   blocks       reachable blocks of the function
-- Example
--   facts/examples/nested_loops.js,fill,sum,4,12,13
with
    asked as materialized (
        select func_id
        from func_place
        where ($path is null or path = $path)
          and ($function is null or function = $function)
    ),

    live as (
        select func_block.func, live_in.var, count(*) as live_blocks
        from live_in
        inner join func_block on func_block.block = live_in.block
        semi join asked on asked.func_id = func_block.func
        group by func_block.func, live_in.var
    ),

    size as (
        select func_block.func, count(*) as blocks
        from reachable
        inner join func_block on func_block.block = reachable.block
        semi join asked on asked.func_id = func_block.func
        group by func_block.func
    ),

    first_write as (
        select func_block.func, def.var, arg_min(instr_text.line, def.instr) as line
        from def
        inner join block_instr on block_instr.instr = def.instr
        inner join func_block on func_block.block = block_instr.block
        semi join asked on asked.func_id = func_block.func
        inner join instr_text on instr_text.instr = def.instr
        group by func_block.func, def.var
    )

select
    func_place.path,
    func_place.function,
    var_name.name as variable,
    first_write.line,
    live.live_blocks,
    size.blocks
from live
inner join size on size.func = live.func
inner join var_name on var_name.var = live.var
inner join func_place on func_place.func_id = live.func
left join first_write on first_write.func = live.func and first_write.var = live.var
where var_name.kind != 'temp'
order by live.live_blocks desc, func_place.path, live.func, live.var
