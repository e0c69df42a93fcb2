-- queries/view/value_place.sql
-- `value`, printed `name`, is a version of the variable `variable` of this `kind`. It is made by `instr` (null for a phi) in
-- `block` of `function` in the file at `path`, at `line` from 1; `text` is the instruction, or the phi with its operands.
--
-- A phi stands on the first line that its block has.
with
    block_line as (
        select block, arg_min(line, instr) as line
        from instr_place
        where line > 0
        group by block
    ),

    phi_text as (
        select
            ssa_phi_arg.value,
            concat('phi(', string_agg(value_name.name, ', ' order by ssa_phi_arg.pred), ')') as text
        from ssa_phi_arg
        inner join value_name on value_name.value = ssa_phi_arg.arg
        group by ssa_phi_arg.value
    ),

    maker as (
        select
            ssa_def.value,
            instr_place.instr,
            instr_place.block,
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
            coalesce(block_line.line, 0),
            'phi',
            phi_text.text
        from ssa_phi
        inner join phi_text on phi_text.value = ssa_phi.value
        left join block_line on block_line.block = ssa_phi.block
    )

select
    maker.value,
    value_name.name,
    var_name.name as variable,
    var_name.kind,
    maker.instr,
    maker.block,
    func_place.path,
    func_place.func_id,
    func_place.function,
    maker.line,
    maker.op,
    maker.text
from maker
inner join value_name on value_name.value = maker.value
inner join var_name on var_name.var = value_name.var
inner join func_block on func_block.block = maker.block
inner join func_place on func_place.func_id = func_block.func
