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
--   ?
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
    source_file.path,
    func.name as function,
    coalesce(header_line.line, func.line) as line,
    size.blocks,
    nesting.depth,
    coalesce(carried.phis, 0) as phis
from size
inner join nesting on nesting.block = size.header
inner join func_block on func_block.block = size.header
inner join func on func.func_id = func_block.func
inner join source_file on source_file.file = func.file
left join header_line on header_line.block = size.header
left join carried on carried.block = size.header
where ($path is null or source_file.path = $path)
  and ($function is null or func.name = $function)
order by source_file.path, func.func_id, func_block.pos
