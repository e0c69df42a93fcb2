-- rules/check/phi_arg_missing.sql
-- A phi lacks an operand for one of its block's reachable predecessors. Must be empty.
-- needs: edge, reachable, ssa_phi, ssa_phi_arg
select distinct
    ssa_phi.block,
    ssa_phi.value,
    edge.src as pred
from ssa_phi
inner join edge on edge.dst = ssa_phi.block
inner join reachable on reachable.block = edge.src
where not exists (
    select 1
    from ssa_phi_arg
    where ssa_phi_arg.value = ssa_phi.value
      and ssa_phi_arg.pred = edge.src
)
order by ssa_phi.block, ssa_phi.value, pred
