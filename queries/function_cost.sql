-- Which functions cost the rules most, counted in the rows that they derive?
--
-- The answer depends on the sources only, not on the machine or the run. `ssarel profile` has the seconds of a run.
--
-- Parameters
--   path  only this file
-- Columns
--   path           the file
--   function       the function
--   line           line of the function, from 1
--   blocks         basic blocks
--   rows           rows that the rules derive about them, the next columns together: these can be more than the input
--   frontiers      rows in dom_frontier
--   live_at_start  rows in live_in
--   live_at_end    rows in live_out
--   in_loops       rows in loop_block
--   controlled     rows in control_dep
--   phis           rows in phi
-- Example
--   facts/examples/nested_loops.js,fill,3,13,144,11,49,53,15,11,5
with
    asked as (
        select func_place.*, func_block.block
        from func_place
        inner join func_block on func_block.func = func_place.func_id
        where $path is null or path = $path
    ),

    row_about(block, relation) as (
        select block, 'dom_frontier' from dom_frontier
        union all
        select block, 'live_in' from live_in
        union all
        select block, 'live_out' from live_out
        union all
        select block, 'loop_block' from loop_block
        union all
        select block, 'control_dep' from control_dep
        union all
        select block, 'phi' from phi
    ),

    block_rows as (
        select
            row_about.block,
            count(*) as rows,
            count(*) filter (where relation = 'dom_frontier') as frontiers,
            count(*) filter (where relation = 'live_in') as live_at_start,
            count(*) filter (where relation = 'live_out') as live_at_end,
            count(*) filter (where relation = 'loop_block') as in_loops,
            count(*) filter (where relation = 'control_dep') as controlled,
            count(*) filter (where relation = 'phi') as phis
        from row_about
        semi join asked on asked.block = row_about.block
        group by row_about.block
    )

select
    asked.path,
    asked.function,
    asked.line,
    count(*) as blocks,
    coalesce(sum(block_rows.rows), 0)::integer as rows,
    coalesce(sum(block_rows.frontiers), 0)::integer as frontiers,
    coalesce(sum(block_rows.live_at_start), 0)::integer as live_at_start,
    coalesce(sum(block_rows.live_at_end), 0)::integer as live_at_end,
    coalesce(sum(block_rows.in_loops), 0)::integer as in_loops,
    coalesce(sum(block_rows.controlled), 0)::integer as controlled,
    coalesce(sum(block_rows.phis), 0)::integer as phis
from asked
left join block_rows on block_rows.block = asked.block
group by asked.path, asked.func_id, asked.function, asked.line
order by rows desc, asked.path, asked.func_id
