-- unread_block.sql, the same relation for the embedded engine: `ssarel analyze PATH --rules facts/examples/rules`
select distinct block_instr.block
from ssa_def
inner join block_instr on block_instr.instr = ssa_def.instr
anti join ssa_use on ssa_use.value = ssa_def.value
anti join ssa_phi_arg on ssa_phi_arg.arg = ssa_def.value
