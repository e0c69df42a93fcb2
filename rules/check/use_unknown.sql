-- rules/check/use_unknown.sql
-- ssa_use has an operand that the instruction does not have. Must be empty.
-- needs: ssa_use, use
select
    ssa_use.instr,
    ssa_use.pos,
    ssa_use.value
from ssa_use
where not exists (
    select 1
    from use
    where use.instr = ssa_use.instr
      and use.pos = ssa_use.pos
)
order by ssa_use.instr, ssa_use.pos, ssa_use.value
