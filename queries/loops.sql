-- Which loops are there, how big are they and how deep are they nested?
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      first line of the loop's header, from 1
--   blocks    basic blocks of the loop, the header included
--   depth     loops around the header, this one included
--   phis      variables that the loop carries: phis in its header
-- Example
--   facts/examples/nested_loops.js,fill,5,10,1,2
with
    header_line as (
        select block, arg_min(line, instr) as line
        from instr_place
        where line > 0
        group by block
    ),

    size as (
        select header, count(*) as blocks
        from loop_block
        group by header
    ),

    nesting as (
        select block, count(*) as depth
        from loop_block
        group by block
    ),

    carried as (
        select block, count(*) as phis
        from ssa_phi
        group by block
    )

select
    func_place.path,
    func_place.function,
    coalesce(header_line.line, func_place.line) as line,
    size.blocks,
    nesting.depth,
    coalesce(carried.phis, 0) as phis
from size
inner join nesting on nesting.block = size.header
inner join func_block on func_block.block = size.header
inner join func_place on func_place.func_id = func_block.func
left join header_line on header_line.block = size.header
left join carried on carried.block = size.header
where ($path is null or func_place.path = $path)
  and ($function is null or func_place.function = $function)
order by func_place.path, func_place.func_id, func_block.pos
