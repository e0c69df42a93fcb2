-- rules/check/def_without_value.sql
-- An instruction of a reachable block writes `var`, and no value, or more than one, stands for what it writes. Must be
-- empty.
-- needs: block_instr, def, reachable, ssa_def, value_var
with
    renamed as (
        select ssa_def.instr, value_var.var, count(*) as times
        from ssa_def
        inner join value_var on value_var.value = ssa_def.value
        group by ssa_def.instr, value_var.var
    )

select distinct
    def.instr,
    def.var,
    coalesce(renamed.times, 0) as times
from def
inner join block_instr on block_instr.instr = def.instr
inner join reachable on reachable.block = block_instr.block
left join renamed on renamed.instr = def.instr and renamed.var = def.var
where renamed.times is distinct from 1
order by def.instr, def.var
