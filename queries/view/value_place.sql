-- queries/view/value_place.sql
-- `value`, printed `name`, is a version of the variable `variable` of this `kind`. It is made by `instr` (null for a phi) in
-- `block` of `function` in the file at `path`, at `line` from 1; `text` is the instruction, or the phi with its operands.
--
-- Both makers have their function beside them, and phis are grouped by it, so that a condition on it reaches the tables below.
with
    maker as (
        select
            ssa_def.value,
            instr_place.instr,
            instr_place.block,
            instr_place.path,
            instr_place.func_id,
            instr_place.function,
            instr_place.line,
            instr_place.op,
            instr_place.text
        from ssa_def
        inner join instr_place on instr_place.instr = ssa_def.instr

        union all

        select
            ssa_phi.value,
            null,
            ssa_phi.block,
            block_place.path,
            block_place.func_id,
            block_place.function,
            block_place.line,
            'phi',
            concat('phi(', string_agg(operand.name, ', ' order by ssa_phi_arg.pred), ')')
        from ssa_phi
        inner join block_place on block_place.block = ssa_phi.block
        inner join ssa_phi_arg on ssa_phi_arg.value = ssa_phi.value
        inner join value_name as operand on operand.value = ssa_phi_arg.arg
        group by
            ssa_phi.value,
            ssa_phi.block,
            block_place.path,
            block_place.func_id,
            block_place.function,
            block_place.line
    )

select
    maker.value,
    value_variable.name,
    value_variable.variable,
    value_variable.kind,
    maker.instr,
    maker.block,
    maker.path,
    maker.func_id,
    maker.function,
    maker.line,
    maker.op,
    maker.text
from maker
inner join value_variable on value_variable.value = maker.value
