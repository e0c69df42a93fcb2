-- rules/check/upward_use_wrong.sql
-- upward_use lacks a reachable block that reads `var` before any write of it (`missing`), or has a row that it should not
-- have, or twice (`extra`). Must be empty.
-- needs: block_instr, def, reachable, upward_use, use
with
    first_read as (
        select block_instr.block, use.var, min(block_instr.pos) as pos
        from use
        inner join block_instr on block_instr.instr = use.instr
        inner join reachable on reachable.block = block_instr.block
        group by block_instr.block, use.var
    ),

    first_write as (
        select block_instr.block, def.var, min(block_instr.pos) as pos
        from def
        inner join block_instr on block_instr.instr = def.instr
        group by block_instr.block, def.var
    ),

    expected as (
        select first_read.block, first_read.var
        from first_read
        left join first_write on first_write.block = first_read.block and first_write.var = first_read.var
        where first_write.pos is null
           or first_read.pos <= first_write.pos
    )

select 'missing' as fault, block, var
from (from expected except all select block, var from upward_use)

union all

select 'extra', block, var
from (select block, var from upward_use except all from expected)
order by fault, block, var
