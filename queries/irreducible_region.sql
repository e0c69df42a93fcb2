-- Where does a cycle have more than one entrance?
--
-- JavaScript has no such code; texts of the intermediate representation and LLVM IR may.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   src       block at the source of the edge that closes the cycle
--   dst       block that it leads to, one of the entrances
--   line      first line of that block, from 1; 0 if it has none
-- Example
--   irreducible_region.hir,choose,bb1,bb2,11
with
    block_line as (
        select block, arg_min(line, instr) as line
        from instr_place
        where line > 0
        group by block
    )

select
    func_place.path,
    func_place.function,
    src_name.name as src,
    dst_name.name as dst,
    coalesce(block_line.line, 0) as line
from irreducible_edge
inner join block_name as src_name on src_name.block = irreducible_edge.src
inner join block_name as dst_name on dst_name.block = irreducible_edge.dst
inner join func_block on func_block.block = irreducible_edge.dst
inner join func_place on func_place.func_id = func_block.func
left join block_line on block_line.block = irreducible_edge.dst
where ($path is null or func_place.path = $path)
  and ($function is null or func_place.function = $function)
order by func_place.path, irreducible_edge.src, irreducible_edge.dst
