-- How many variables are live at once, at most, in each function?
--
-- Counted at the starts and ends of blocks; the greatest count is what a register allocator would have to hold there.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      line of the function, from 1
--   named     most source variables live at one place
--   live      most variables live at one place, temporaries included
--   block     the first block where they are
-- Example
--   facts/examples/nested_loops.js,fill,3,5,5,bb8
with
    boundary as (
        select live_in.block, 0 as side, live_in.var from live_in

        union all

        select live_out.block, 1, live_out.var from live_out
    ),

    held as (
        select
            boundary.block,
            boundary.side,
            count(*) as live,
            count(*) filter (where var_name.kind != 'temp') as named
        from boundary
        inner join var_name on var_name.var = boundary.var
        group by boundary.block, boundary.side
    )

select
    func_place.path,
    func_place.function,
    func_place.line,
    max(held.named) as named,
    max(held.live) as live,
    arg_max(block_name.name, held.live * 1000000000::bigint - func_block.pos) as block
from held
inner join func_block on func_block.block = held.block
inner join func_place on func_place.func_id = func_block.func
inner join block_name on block_name.block = held.block
where ($path is null or func_place.path = $path)
  and ($function is null or func_place.function = $function)
group by func_place.path, func_place.func_id, func_place.function, func_place.line
order by live desc, func_place.path, func_place.func_id
