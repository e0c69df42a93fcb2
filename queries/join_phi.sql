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
    joins as (
        select edge.dst as block, count(*) as preds
        from edge
        semi join reachable on reachable.block = edge.src
        group by edge.dst
        having count(*) > 1
    ),

    block_line as (
        select block_instr.block, arg_min(instr_text.line, block_instr.pos) as line
        from block_instr
        inner join instr_text on instr_text.instr = block_instr.instr
        where instr_text.line > 0
        group by block_instr.block
    ),

    phis as (
        select phi.block, count(*) as phis, count(*) filter (where var_name.kind != 'temp') as named
        from phi
        inner join var_name on var_name.var = phi.var
        group by phi.block
    )

select
    func_place.path,
    func_place.function,
    coalesce(block_line.line, 0) as line,
    block_name.name as block,
    joins.preds,
    coalesce(phis.phis, 0) as phis,
    coalesce(phis.named, 0) as named
from joins
inner join func_block on func_block.block = joins.block
inner join func_place on func_place.func_id = func_block.func
inner join block_name on block_name.block = joins.block
left join block_line on block_line.block = joins.block
left join phis on phis.block = joins.block
where ($path is null or func_place.path = $path)
  and ($function is null or func_place.function = $function)
order by phis desc, func_place.path, func_place.func_id, func_block.pos
