-- rules/check/phi_useless.sql
-- A phi has at most one distinct operand besides itself, so it is a copy. Must be empty.
-- needs: ssa_phi, ssa_phi_arg
-- Source: Braun et al., "Simple and efficient construction of static single assignment form", CC 2013: a trivial phi.
select
    ssa_phi.block,
    ssa_phi.value
from ssa_phi
left join ssa_phi_arg on ssa_phi_arg.value = ssa_phi.value and ssa_phi_arg.arg != ssa_phi.value
group by ssa_phi.block, ssa_phi.value
having count(distinct ssa_phi_arg.arg) < 2
order by ssa_phi.block, ssa_phi.value
