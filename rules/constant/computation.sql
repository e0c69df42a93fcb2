-- rules/constant/computation.sql
-- Twin of computation.dl; definition and cost are there.
select
    ssa_def.value,
    operation.operator,
    first_use.value as first,
    coalesce(second_use.value, first_use.value) as second
from operation
inner join ssa_def on ssa_def.instr = operation.instr
inner join value_var on value_var.value = ssa_def.value and value_var.var = operation.var
inner join ssa_use as first_use on first_use.instr = operation.instr and first_use.pos = 0
left join ssa_use as second_use on second_use.instr = operation.instr and second_use.pos = 1
