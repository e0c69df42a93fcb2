-- rules/check/use_with_two_values.sql
-- An operand of an instruction has more than one row in ssa_use. Must be empty.
-- needs: ssa_use
select
    instr,
    pos,
    count(*) as times
from ssa_use
group by instr, pos
having count(*) > 1
order by instr, pos
