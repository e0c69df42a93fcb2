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
from site
inner join func_block on func_block.block = site.block
inner join func_place on func_place.func_id = func_block.func
left join crossing on crossing.var = site.var
left join phi on phi.block = site.block and phi.var = site.var
where ($path is null or func_place.path = $path)
  and ($function is null or func_place.function = $function)
group by func_place.path, func_place.func_id, func_place.function, func_place.line
order by minimal desc, func_place.path, func_place.func_id
