-- rules/check/ssa_in_unreachable_block.sql
-- A value is defined or read in a block that is not reachable, or by an instruction that no block contains. Must be empty.
-- needs: block_instr, reachable, ssa_def, ssa_phi, ssa_use
with
    placed as (
        select value, instr, null::integer as block from ssa_def
        union all
        select value, instr, null from ssa_use
        union all
        select value, null, block from ssa_phi
    )

select
    placed.value,
    placed.instr,
    coalesce(placed.block, block_instr.block) as block
from placed
left join block_instr on block_instr.instr = placed.instr
where coalesce(placed.block, block_instr.block, -1) not in (from reachable)
order by all
