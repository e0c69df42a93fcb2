-- queries/explain/instr.sql
-- Every instruction of the functions `$funcs`, in layout order, with its printed text and its source line.
select
    func_block.func,
    block_instr.instr,
    block_instr.block,
    instr_text.op,
    instr_text.line,
    instr_text.col,
    instr_text.text,
    trim(coalesce(source_line.text, ''), e' \t') as source
from func_block
inner join block_instr on block_instr.block = func_block.block
inner join instr_text on instr_text.instr = block_instr.instr
inner join func on func.func_id = func_block.func
left join source_line on source_line.file = func.file and source_line.line = instr_text.line
where list_contains($funcs, func_block.func)
order by func_block.func, func_block.pos, block_instr.pos
