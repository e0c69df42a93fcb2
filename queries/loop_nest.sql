-- Which loop stands inside which?
--
-- A loop around is the closest one.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path        the file
--   function    the function
--   line        first line of the loop's header, from 1
--   depth       loops around the header, this one included
--   outer_line  first line of the header of the loop around; null if there is none
-- Example
--   facts/examples/closures.js,<<anonymous>>,7,1,
with
    header_line as (
        select instr_place.block, arg_min(instr_place.line, instr_place.instr) as line
        from instr_place
        semi join loop_header on loop_header.block = instr_place.block
        where instr_place.line > 0
        group by instr_place.block
    ),

    around as (
        select block as header, header as outer_header
        from loop_block
        semi join loop_header on loop_header.block = loop_block.block
    ),

    depth as (
        select header, count(*) as depth
        from around
        group by header
    ),

    closest as (
        select around.header, arg_max(around.outer_header, depth.depth) as outer_header
        from around
        inner join depth on depth.header = around.outer_header
        where around.outer_header != around.header
        group by around.header
    )

select
    func_place.path,
    func_place.function,
    coalesce(header_line.line, 0) as line,
    depth.depth,
    outer_line.line as outer_line
from depth
inner join func_block on func_block.block = depth.header
inner join func_place on func_place.func_id = func_block.func
left join header_line on header_line.block = depth.header
left join closest on closest.header = depth.header
left join header_line as outer_line on outer_line.block = closest.outer_header
where ($path is null or func_place.path = $path)
  and ($function is null or func_place.function = $function)
order by func_place.path, func_place.func_id, func_block.pos
