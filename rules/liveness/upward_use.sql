-- rules/liveness/upward_use.sql
-- Twin of upward_use.dl; definition, source and cost are there.
with first_def as (
    select block_instr.block, def.var, min(block_instr.pos) as pos
    from def
    inner join block_instr on block_instr.instr = def.instr
    group by block_instr.block, def.var
)

select distinct block_instr.block, use.var
from use
inner join block_instr on block_instr.instr = use.instr
semi join reachable on reachable.block = block_instr.block
left join first_def
    on first_def.block = block_instr.block
   and first_def.var = use.var
where first_def.pos is null
   or block_instr.pos <= first_def.pos
