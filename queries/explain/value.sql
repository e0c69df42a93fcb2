-- queries/explain/value.sql
-- Every value that the functions `$funcs` make, by instruction `instr` or, if that is null, by a phi of `block`.
with
    made as (
        select
            ssa_def.value,
            ssa_def.instr,
            block_instr.block
        from ssa_def
        inner join block_instr on block_instr.instr = ssa_def.instr

        union all

        select value, null, block
        from ssa_phi
    )

select
    func_block.func,
    made.value,
    made.instr,
    made.block,
    value_var.var,
    value_var.version
from made
inner join func_block on func_block.block = made.block
inner join value_var on value_var.value = made.value
where list_contains($funcs, func_block.func)
order by made.value
