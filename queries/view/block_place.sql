-- queries/view/block_place.sql
-- Block `block`, printed `name`, is the `pos`-th from 0 of `function` in the file at `path`. `line` is the first line that
-- its instructions have, 0 if none has one.
--
-- Grouped by all but the line, so that a condition on any of these reaches the tables below.
select
    func_block.block,
    func_place.func_id,
    func_place.path,
    func_place.function,
    func_block.pos,
    block_name.name,
    coalesce(arg_min(instr_text.line, block_instr.pos) filter (where instr_text.line > 0), 0) as line
from func_block
inner join func_place on func_place.func_id = func_block.func
inner join block_name on block_name.block = func_block.block
inner join block_instr on block_instr.block = func_block.block
inner join instr_text on instr_text.instr = block_instr.instr
group by
    func_block.block,
    func_place.func_id,
    func_place.path,
    func_place.function,
    func_block.pos,
    block_name.name
