-- queries/explain/phi_arg.sql
-- The operands of the phis of the functions `$funcs`, in layout order of the predecessors.
select
    func_block.func,
    ssa_phi_arg.value,
    ssa_phi_arg.pred,
    ssa_phi_arg.arg
from ssa_phi_arg
inner join func_block on func_block.block = ssa_phi_arg.pred
where list_contains($funcs, func_block.func)
order by ssa_phi_arg.value, func_block.pos
