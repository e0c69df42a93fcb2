-- rules/check/value_of_other_var.sql
-- An instruction reads or writes, or a phi merges, a value of another variable than its own. Must be empty.
-- needs: def, ssa_def, ssa_phi_arg, ssa_use, use, value_var
-- `reader` is the phi.
select value_var.value, value_var.var, ssa_use.instr, ssa_use.pos, null::integer as reader
from ssa_use
inner join use on use.instr = ssa_use.instr and use.pos = ssa_use.pos
inner join value_var on value_var.value = ssa_use.value
where value_var.var != use.var

union all

select value_var.value, value_var.var, ssa_def.instr, null, null
from ssa_def
inner join value_var on value_var.value = ssa_def.value
where not exists (
    select 1
    from def
    where def.instr = ssa_def.instr
      and def.var = value_var.var
)

union all

select value_var.value, value_var.var, null, null, ssa_phi_arg.value
from ssa_phi_arg
inner join value_var on value_var.value = ssa_phi_arg.arg
inner join value_var as reader_var on reader_var.value = ssa_phi_arg.value
where value_var.var != reader_var.var
order by all
