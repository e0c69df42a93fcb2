-- rules/check/value_name_not_unique.sql
-- A value has not exactly one variable and version, or shares them with another value of its function. Must be empty.
-- needs: block_instr, func_block, ssa_def, ssa_phi, value_var
with
    made as (
        select ssa_def.value, block_instr.block
        from ssa_def
        inner join block_instr on block_instr.instr = ssa_def.instr

        union all

        select value, block from ssa_phi
    )

select made.value, count(value_var.var) as names, max(namesake.value) as namesake
from made
inner join func_block on func_block.block = made.block
left join value_var on value_var.value = made.value
left join (
    select made.value, func_block.func, value_var.var, value_var.version
    from made
    inner join func_block on func_block.block = made.block
    inner join value_var on value_var.value = made.value
) as namesake
    on namesake.func = func_block.func
   and namesake.var = value_var.var
   and namesake.version = value_var.version
   and namesake.value != made.value
group by made.value
having count(value_var.var) != 1 or max(namesake.value) is not null
order by made.value
