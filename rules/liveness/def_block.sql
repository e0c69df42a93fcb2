-- rules/liveness/def_block.sql
-- Twin of def_block.dl; definition and cost are there.
select distinct block_instr.block, def.var
from def
inner join block_instr on block_instr.instr = def.instr
semi join reachable on reachable.block = block_instr.block
