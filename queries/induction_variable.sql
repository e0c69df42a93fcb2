-- Which variables change by a fixed number in each round of a loop?
--
-- By `++`, `--`, and additions and subtractions of integer literals, on a path without a phi between; several in a row add up.
-- A loop with several back edges has a row for each.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      first line of the loop's header, from 1
--   variable  the variable
--   value     the SSA name of its phi in the header
--   step      what a round adds
-- Example
--   facts/examples/closures.js,<<anonymous>>,7,left,left.2,-1
with recursive
    -- Code of the functions that have loops.
    looping as materialized (
        select distinct func_block.func
        from loop_header
        inner join func_block on func_block.block = loop_header.block
        inner join func_place on func_place.func_id = func_block.func
        where ($path is null or func_place.path = $path)
          and ($function is null or func_place.function = $function)
    ),

    code as materialized (
        select instr_text.instr, instr_text.op, instr_text.text
        from func_block
        semi join looping on looping.func = func_block.func
        inner join block_instr on block_instr.block = func_block.block
        inner join instr_text on instr_text.instr = block_instr.instr
    ),

    literal as materialized (
        select ssa_def.value, regexp_extract(code.text, '= (\d{1,9})$', 1)::integer as number
        from code
        inner join ssa_def on ssa_def.instr = code.instr
        where code.op = 'Primitive'
          and regexp_matches(code.text, '= \d{1,9}$')
    ),

    -- One row an operand that an instruction passes on with `step` added.
    passes as materialized (
        select ssa_use.value as operand, ssa_def.value, 0 as step
        from ssa_def
        inner join code on code.instr = ssa_def.instr
        inner join ssa_use on ssa_use.instr = ssa_def.instr
        where code.op in ('LoadLocal', 'StoreLocal')

        union all

        select ssa_use.value, ssa_def.value, if(contains(code.text, '++'), 1, -1)
        from ssa_def
        inner join value_var on value_var.value = ssa_def.value
        inner join var_name on var_name.var = value_var.var
        inner join code on code.instr = ssa_def.instr
        inner join ssa_use on ssa_use.instr = ssa_def.instr
        where code.op in ('PostfixUpdate', 'PrefixUpdate')
          and var_name.kind != 'temp'

        union all

        select changed.value, ssa_def.value, if(contains(code.text, ' - '), -literal.number, literal.number)
        from ssa_def
        inner join code on code.instr = ssa_def.instr
        inner join ssa_use as changed on changed.instr = ssa_def.instr
        inner join ssa_use as other on other.instr = ssa_def.instr and other.pos = 1 - changed.pos
        inner join literal on literal.value = other.value
        where code.op = 'Binary'
          and (contains(code.text, ' + ') or (contains(code.text, ' - ') and changed.pos = 0))
    ),

    chain(start, value, step) as (
        select value, value, 0
        from ssa_phi
        semi join loop_header on loop_header.block = ssa_phi.block
        inner join func_block on func_block.block = ssa_phi.block
        semi join looping on looping.func = func_block.func

        union

        select chain.start, passes.value, chain.step + passes.step
        from chain
        inner join passes on passes.operand = chain.value
    )

select
    place.path,
    place.function,
    place.line,
    place.variable,
    place.name as value,
    chain.step
from chain
inner join ssa_phi on ssa_phi.value = chain.start
inner join ssa_phi_arg on ssa_phi_arg.value = chain.start and ssa_phi_arg.arg = chain.value
inner join back_edge on back_edge.src = ssa_phi_arg.pred and back_edge.dst = ssa_phi.block
inner join value_place as place on place.value = chain.start
where chain.step != 0
  and ($path is null or place.path = $path)
  and ($function is null or place.function = $function)
order by place.path, chain.start, chain.step
