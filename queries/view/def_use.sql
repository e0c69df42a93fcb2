-- queries/view/def_use.sql
-- Instruction `instr` reads `value` as its `pos`-th operand from 0. Reads of undef are left out.
select
    value,
    instr,
    pos
from ssa_use
where value >= 0
