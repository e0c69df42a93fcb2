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
select
    block_place.path,
    block_place.function,
    block_place.line,
    block_place.name as block,
    var_name.name as variable
from minimal_phi
anti join phi on phi.block = minimal_phi.block and phi.var = minimal_phi.var
inner join var_name on var_name.var = minimal_phi.var and var_name.kind != 'temp'
inner join block_place on block_place.block = minimal_phi.block
where ($path is null or block_place.path = $path)
  and ($function is null or block_place.function = $function)
order by block_place.path, block_place.func_id, block_place.pos, minimal_phi.var
