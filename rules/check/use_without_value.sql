-- rules/check/use_without_value.sql
-- An instruction of a reachable block reads `var` as its operand `pos`, and the operand has no value. Must be empty.
-- needs: block_instr, reachable, ssa_use, use
-- A read that no definition reaches has the value undef, -1.
select
    use.instr,
    use.pos,
    use.var
from use
inner join block_instr on block_instr.instr = use.instr
inner join reachable on reachable.block = block_instr.block
where not exists (
    select 1
    from ssa_use
    where ssa_use.instr = use.instr
      and ssa_use.pos = use.pos
)
order by use.instr, use.pos
