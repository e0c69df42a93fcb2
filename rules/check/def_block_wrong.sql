-- rules/check/def_block_wrong.sql
-- def_block lacks a reachable block with an instruction that writes `var` (`missing`), or has a row that it should not
-- have, or twice (`extra`). Must be empty.
-- needs: block_instr, def, def_block, reachable
with
    expected as (
        select distinct block_instr.block, def.var
        from def
        inner join block_instr on block_instr.instr = def.instr
        inner join reachable on reachable.block = block_instr.block
    )

select 'missing' as fault, block, var
from (from expected except all select block, var from def_block)

union all

select 'extra', block, var
from (select block, var from def_block except all from expected)
order by fault, block, var
