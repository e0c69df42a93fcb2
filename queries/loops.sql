-- Which loops are there, how big are they and how deep are they nested?
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      first line of the loop's header, from 1; 0 if it has none
--   blocks    basic blocks of the loop, the header included
--   depth     loops around the header, this one included
--   phis      variables that the loop carries: phis in its header
-- Example
--   facts/examples/nested_loops.js,fill,5,10,1,2
with
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
    block_place.path,
    block_place.function,
    block_place.line,
    size.blocks,
    nesting.depth,
    coalesce(carried.phis, 0) as phis
from size
inner join nesting on nesting.block = size.header
inner join block_place on block_place.block = size.header
left join carried on carried.block = size.header
where ($path is null or block_place.path = $path)
  and ($function is null or block_place.function = $function)
order by block_place.path, block_place.func_id, block_place.pos
