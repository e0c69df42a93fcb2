-- rules/constant/conditional_edge.sql
-- Twin of conditional_edge.dl; definition and cost are there.
select
    block_instr.block as src,
    branch_target.dst,
    ssa_use.value as test,
    branch_target.taken
from branch_target
inner join block_instr on block_instr.instr = branch_target.instr
inner join ssa_use on ssa_use.instr = branch_target.instr and ssa_use.pos = 0
