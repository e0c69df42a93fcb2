-- rules/check/terminator_not_last.sql
-- A terminator stands before the end of its block, or the last instruction is no terminator, or a block has none at all
-- (`instr` is null). Must be empty.
-- needs: block_instr, func_block, instr_text
-- The terminators are those of ssarel/ir.py, then LLVM's; a tool with other opcodes leaves instr_text out.
with
    terminator(op) as (
        values
            ('Branch'), ('DoWhile'), ('For'), ('ForIn'), ('ForOf'), ('Goto'), ('If'), ('Jump'), ('Label'), ('Logical'),
            ('MaybeThrow'), ('Optional'), ('Return'), ('Sequence'), ('Switch'), ('Ternary'), ('Throw'), ('Try'),
            ('Unreachable'), ('Unsupported'), ('While'),
            ('br'), ('callbr'), ('catchret'), ('catchswitch'), ('cleanupret'), ('indirectbr'), ('invoke'), ('resume'),
            ('ret'), ('switch'), ('unreachable')
    ),

    last_instr as (
        select block, max(pos) as pos
        from block_instr
        group by block
    )

select
    func_block.block,
    block_instr.instr,
    instr_text.op
from func_block
left join block_instr on block_instr.block = func_block.block
left join last_instr on last_instr.block = func_block.block
left join instr_text on instr_text.instr = block_instr.instr
where block_instr.instr is null
   or (instr_text.op in (select op from terminator)) is distinct from (block_instr.pos = last_instr.pos)
order by func_block.block, block_instr.pos
