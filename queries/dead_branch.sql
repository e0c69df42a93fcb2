-- Which branches are never taken, because their test is constant?
--
-- By the constants of rules/constant. Branches in code that never runs are left out.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      line of the test, from 1
--   never     what the test never is: true or false
--   target    line of the block that is not reached from there, 0 if it has none
--   text      source line of the test
-- Example
--   dead_branch.js,branches,16,true,16,if (false) x = 9;
with
    taken as materialized (
        select src, dst
        from executable_edge
    )

select
    place.path,
    place.function,
    place.line,
    (branch_target.taken = 1)::varchar as never,
    block_place.line as target,
    place.text
from branch_target
inner join block_instr on block_instr.instr = branch_target.instr
inner join instr_place as place on place.instr = branch_target.instr
inner join block_place on block_place.block = branch_target.dst
semi join taken as source on source.src = block_instr.block
anti join taken on taken.src = block_instr.block and taken.dst = branch_target.dst
where ($path is null or place.path = $path)
  and ($function is null or place.function = $function)
order by place.path, branch_target.instr, branch_target.taken
