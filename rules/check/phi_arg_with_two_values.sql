-- rules/check/phi_arg_with_two_values.sql
-- A phi has more than one operand for a predecessor. Must be empty.
-- needs: ssa_phi_arg
select
    value,
    pred,
    count(*) as times
from ssa_phi_arg
group by value, pred
having count(*) > 1
order by value, pred
