-- Which decisions decide whether a line runs?
--
-- Only the closest ones: ask for their lines in turn. A decision of a loop's head decides about the head as well.
--
-- Parameters
--   path  the file, or the end of its path (required)
--   line  the line, from 1 (required)
-- Columns
--   path         the file
--   function     the function
--   line         the line that was asked for
--   branch_line  line of the decision, from 1
--   branch_op    its opcode: If, Branch, Switch, MaybeThrow and so on
--   branch_text  its source line
-- Example
--   line_control.js,f,6,5,If,if (b) {
with asked as (
    select distinct path, function, line, block
    from instr_place
    where ends_with(path, $path)
      and line = $line::integer
      and op not in ('Goto', 'Param')
)

select distinct
    asked.path,
    asked.function,
    asked.line,
    branch.line as branch_line,
    branch.op as branch_op,
    branch.text as branch_text
from asked
inner join control_dep on control_dep.block = asked.block
inner join (
    select block, max(instr) as instr
    from block_instr
    group by block
) as terminator on terminator.block = control_dep.branch
inner join instr_place as branch on branch.instr = terminator.instr
order by asked.path, asked.function, branch_line, branch_op, branch_text
