-- queries/view/instr_place.sql
-- Instruction `instr` stands in `block` of `function` in the file at `path`, at `line` from 1 and `col` from 0; it has
-- opcode `op`. `text` is the source line, or the printed instruction if the line is unknown or longer than 160 characters.
select
    block_instr.instr,
    block_instr.block,
    func_place.func_id,
    func_place.path,
    func_place.function,
    instr_text.line,
    instr_text.col,
    instr_text.op,
    if(length(source_line.text) between 1 and 160, trim(source_line.text, e' \t'), instr_text.text) as text
from block_instr
inner join instr_text on instr_text.instr = block_instr.instr
inner join func_block on func_block.block = block_instr.block
inner join func on func.func_id = func_block.func
inner join func_place on func_place.func_id = func.func_id
left join source_line on source_line.file = func.file and source_line.line = instr_text.line
