-- How many phis does each join have?
--
-- A join is a reachable block with at least two reachable predecessors.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      first line of the block, from 1; 0 if it has none
--   block     the block
--   preds     its predecessors
--   phis      phis of all variables
--   named     phis of source variables
-- Example
--   facts/examples/nested_loops.js,fill,5,bb1,2,2,2
with
    asked as materialized (
        select func_id
        from func_place
        where ($path is null or path = $path)
          and ($function is null or function = $function)
    ),

    joins as (
        select edge.dst as block, count(*) as preds
        from edge
        inner join func_block on func_block.block = edge.dst
        semi join asked on asked.func_id = func_block.func
        semi join reachable on reachable.block = edge.src
        group by edge.dst
        having count(*) > 1
    ),

    phis as (
        select phi.block, count(*) as phis, count(*) filter (where var_name.kind != 'temp') as named
        from phi
        inner join var_name on var_name.var = phi.var
        group by phi.block
    )

select
    block_place.path,
    block_place.function,
    block_place.line,
    block_place.name as block,
    joins.preds,
    coalesce(phis.phis, 0) as phis,
    coalesce(phis.named, 0) as named
from joins
inner join block_place on block_place.block = joins.block
left join phis on phis.block = joins.block
where ($path is null or block_place.path = $path)
  and ($function is null or block_place.function = $function)
order by phis desc, block_place.path, block_place.func_id, block_place.pos
