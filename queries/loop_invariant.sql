-- Which operations in a loop compute the same value in each round?
--
-- Arithmetic, comparison and string templates only, whose operands come from outside the loop or are invariant themselves.
-- An operand that is an object may still answer differently each time (`valueOf`). A nested loop is listed for each loop.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path       the file
--   function   the function
--   line       line of the operation, from 1
--   loop_line  first line of the loop's header
--   op         Binary, Unary or TemplateLiteral
--   text       its source line
-- Example
--   loop_invariant.js,f,4,3,Binary,let k = a * b;
with recursive
    inside as materialized (
        select
            loop_block.header,
            ssa_def.value,
            ssa_def.instr,
            instr_text.op,
            instr_text.op in ('Binary', 'Unary', 'TemplateLiteral') as is_pure
        from loop_block
        inner join block_instr on block_instr.block = loop_block.block
        inner join ssa_def on ssa_def.instr = block_instr.instr
        inner join instr_text on instr_text.instr = block_instr.instr
    ),

    step as materialized (
        select inside.header, ssa_use.value as operand, inside.value
        from inside
        inner join ssa_use on ssa_use.instr = inside.instr
    ),

    varying(header, value) as (
        (
            select header, value
            from inside
            where not is_pure
              and op not in ('Primitive', 'LoadLocal', 'StoreLocal')

            union all

            select loop_block.header, ssa_phi.value
            from loop_block
            inner join ssa_phi on ssa_phi.block = loop_block.block
        )

        union

        select varying.header, step.value
        from varying
        inner join step on step.header = varying.header and step.operand = varying.value
    )

select
    place.path,
    place.function,
    place.line,
    coalesce(
        (select arg_min(header_place.line, header_place.instr)
         from instr_place as header_place
         where header_place.block = inside.header and header_place.line > 0),
        0
    ) as loop_line,
    place.op,
    place.text
from inside
anti join varying on varying.header = inside.header and varying.value = inside.value
inner join instr_place as place on place.instr = inside.instr
where inside.is_pure
  and exists (select 1 from step where step.header = inside.header and step.value = inside.value)
  and ($path is null or place.path = $path)
  and ($function is null or place.function = $function)
order by place.path, inside.instr, inside.header
