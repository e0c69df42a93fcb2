-- Which phis of minimal SSA are left out because nothing reads them?
--
-- Minimal SSA puts a phi wherever two definitions of a variable meet (its iterated dominance frontier). Where the variable is
-- not live the phi is dead, and pruned SSA, which the relation phi holds, has none.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      first line of the block, from 1; 0 if it has none
--   block     the block
--   variable  the variable
-- Example
--   facts/examples/loop.js,last_of,13,bb3,item
with recursive
    site(block, var) as (
        select dom_frontier.frontier, def_block.var
        from def_block
        inner join dom_frontier on dom_frontier.block = def_block.block
        semi join (select var from var_name where kind != 'temp') as named on named.var = def_block.var

        union

        select dom_frontier.frontier, site.var
        from site
        inner join dom_frontier on dom_frontier.block = site.block
    ),

    block_line as (
        select block_instr.block, arg_min(instr_text.line, block_instr.pos) as line
        from block_instr
        inner join instr_text on instr_text.instr = block_instr.instr
        where instr_text.line > 0
        group by block_instr.block
    )

select
    func_place.path,
    func_place.function,
    coalesce(block_line.line, 0) as line,
    block_name.name as block,
    var_name.name as variable
from site
anti join phi on phi.block = site.block and phi.var = site.var
inner join var_name on var_name.var = site.var
inner join func_block on func_block.block = site.block
inner join func_place on func_place.func_id = func_block.func
inner join block_name on block_name.block = site.block
left join block_line on block_line.block = site.block
where ($path is null or func_place.path = $path)
  and ($function is null or func_place.function = $function)
order by func_place.path, func_place.func_id, func_block.pos, site.var
