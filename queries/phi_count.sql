-- How many phis does each function have?
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      line of the function, from 1
--   blocks    basic blocks, unreachable ones included
--   phis      phis of all variables
--   named     phis of source variables; the others join temporaries, such as the value of `a ? b : c`
-- Example
--   facts/examples/loop.js,count_to,2,4,1,1
with
    block_count as (
        select func, count(*) as blocks
        from func_block
        group by func
    ),

    func_phi as (
        select
            func_block.func,
            count(*) as phis,
            count(*) filter (where var_name.kind != 'temp') as named
        from ssa_phi
        inner join func_block on func_block.block = ssa_phi.block
        inner join value_var on value_var.value = ssa_phi.value
        inner join var_name on var_name.var = value_var.var
        group by func_block.func
    )

select
    func_place.path,
    func_place.function,
    func_place.line,
    block_count.blocks,
    coalesce(func_phi.phis, 0) as phis,
    coalesce(func_phi.named, 0) as named
from func_place
inner join block_count on block_count.func = func_place.func_id
left join func_phi on func_phi.func = func_place.func_id
where ($path is null or func_place.path = $path)
  and ($function is null or func_place.function = $function)
order by phis desc, func_place.path, func_place.func_id
