-- Which loops have no way out but an exception or the end of the program?
--
-- No edge leads from a block of the loop to one outside.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      first line of the loop's header, from 1; 0 if it has none
--   blocks    basic blocks of the loop
-- Example
--   endless_loop.js,g,11,2
with
    header_line as (
        select instr_place.block, arg_min(instr_place.line, instr_place.instr) as line
        from instr_place
        semi join loop_header on loop_header.block = instr_place.block
        where instr_place.line > 0
        group by instr_place.block
    ),

    size as (
        select header, count(*) as blocks
        from loop_block
        group by header
    ),

    way_out as (
        select distinct loop_block.header
        from loop_block
        inner join edge on edge.src = loop_block.block
        anti join loop_block as same on same.header = loop_block.header and same.block = edge.dst
    ),

    -- A return or throw inside would end the function: its block has no successor and is in no natural loop.
    endless as (
        select size.header, size.blocks
        from size
        anti join way_out on way_out.header = size.header
    )

select
    func_place.path,
    func_place.function,
    coalesce(header_line.line, 0) as line,
    endless.blocks
from endless
inner join func_block on func_block.block = endless.header
inner join func_place on func_place.func_id = func_block.func
left join header_line on header_line.block = endless.header
where ($path is null or func_place.path = $path)
  and ($function is null or func_place.function = $function)
order by func_place.path, func_place.func_id, func_block.pos
