-- How big is each function, and how deep are its loops and its dominator tree?
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path        the file
--   function    the function
--   line        line of the function, from 1
--   blocks      reachable basic blocks
--   instrs      instructions in them
--   phis        phis of all variables
--   loop_depth  most loops around a block
--   dom_depth   longest path down the dominator tree, in blocks below the entry
-- Example
--   facts/examples/nested_loops.js,fill,3,13,39,5,2,7
with recursive
    asked as materialized (
        select func_id
        from func_place
        where ($path is null or path = $path)
          and ($function is null or function = $function)
    ),

    depth_of(block, depth) as (
        select block, 0
        from entry
        semi join asked on asked.func_id = entry.func

        union all

        select idom.block, depth_of.depth + 1
        from depth_of
        inner join idom on idom.dominator = depth_of.block
    ),

    block_instrs as (
        select block, count(*) as instrs
        from block_instr
        semi join depth_of on depth_of.block = block_instr.block
        group by block
    ),

    block_phis as (
        select block, count(*) as phis
        from ssa_phi
        group by block
    ),

    block_loops as (
        select block, count(*) as loops
        from loop_block
        group by block
    )

select
    func_place.path,
    func_place.function,
    func_place.line,
    count(*) as blocks,
    sum(block_instrs.instrs)::integer as instrs,
    coalesce(sum(block_phis.phis), 0)::integer as phis,
    coalesce(max(block_loops.loops), 0) as loop_depth,
    max(depth_of.depth) as dom_depth
from depth_of
inner join func_block on func_block.block = depth_of.block
inner join func_place on func_place.func_id = func_block.func
inner join block_instrs on block_instrs.block = depth_of.block
left join block_phis on block_phis.block = depth_of.block
left join block_loops on block_loops.block = depth_of.block
group by func_place.path, func_place.func_id, func_place.function, func_place.line
order by blocks desc, func_place.path, func_place.func_id
