-- rules/check/phi_arg_of_no_pred.sql
-- A phi has an operand for a block that is no reachable predecessor of its own, or `value` is no phi. Must be empty.
-- needs: edge, reachable, ssa_phi, ssa_phi_arg
select
    ssa_phi_arg.value,
    ssa_phi_arg.pred,
    ssa_phi_arg.arg
from ssa_phi_arg
where not exists (
    select 1
    from ssa_phi
    inner join edge on edge.dst = ssa_phi.block
    inner join reachable on reachable.block = edge.src
    where ssa_phi.value = ssa_phi_arg.value
      and edge.src = ssa_phi_arg.pred
)
order by ssa_phi_arg.value, ssa_phi_arg.pred, ssa_phi_arg.arg
