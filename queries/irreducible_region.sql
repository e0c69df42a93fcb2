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
select
    dst_place.path,
    dst_place.function,
    src_name.name as src,
    dst_place.name as dst,
    dst_place.line
from irreducible_edge
inner join block_name as src_name on src_name.block = irreducible_edge.src
inner join block_place as dst_place on dst_place.block = irreducible_edge.dst
where ($path is null or dst_place.path = $path)
  and ($function is null or dst_place.function = $function)
order by dst_place.path, irreducible_edge.src, irreducible_edge.dst
