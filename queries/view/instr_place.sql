-- queries/view/instr_place.sql
-- Instruction `instr` stands in `block` of `function` in the file at `path`, at `line` from 1 and `col` from 0; it has
-- opcode `op` and prints as `text`.
select
    block_instr.instr,
    block_instr.block,
    func.func_id,
    source_file.path,
    func.name as function,
    instr_text.line,
    instr_text.col,
    instr_text.op,
    instr_text.text
from block_instr
inner join instr_text on instr_text.instr = block_instr.instr
inner join func_block on func_block.block = block_instr.block
inner join func on func.func_id = func_block.func
inner join source_file on source_file.file = func.file
