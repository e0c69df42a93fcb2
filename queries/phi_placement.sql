-- How many phis would minimal, semi-pruned and pruned SSA have?
--
-- Minimal: the iterated dominance frontier of the writes (Cytron et al. 1991). Semi-pruned: of the variables that some block
-- reads before writing (Briggs et al. 1998). Pruned: where the variable is live as well, which is what ssarel builds.
-- Temporaries are left out.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path         the file
--   function     the function
--   line         line of the function, from 1
--   minimal      phis of minimal SSA
--   semi_pruned  of semi-pruned SSA
--   pruned       of pruned SSA
-- Example
--   facts/examples/nested_loops.js,fill,3,6,6,5
with
    crossing as (
        select distinct var
        from upward_use
    )

select
    func_place.path,
    func_place.function,
    func_place.line,
    count(*) as minimal,
    count(crossing.var) as semi_pruned,
    count(phi.var) as pruned
from minimal_phi
inner join func_block on func_block.block = minimal_phi.block
inner join func_place on func_place.func_id = func_block.func
left join crossing on crossing.var = minimal_phi.var
left join phi on phi.block = minimal_phi.block and phi.var = minimal_phi.var
where ($path is null or func_place.path = $path)
  and ($function is null or func_place.function = $function)
group by func_place.path, func_place.func_id, func_place.function, func_place.line
order by minimal desc, func_place.path, func_place.func_id
