-- rules/check/id_unknown.sql
-- `relation` names in `part` a block that no function contains, or an instruction that no block contains. Must be empty.
-- needs: block_instr, def, edge, entry, func_block, use
with
    named_block as (
        select 'entry' as relation, 'block' as part, block as id from entry
        union
        select 'edge', 'src', src from edge
        union
        select 'edge', 'dst', dst from edge
        union
        select 'block_instr', 'block', block from block_instr
    ),

    named_instr as (
        select 'def' as relation, 'instr' as part, instr as id from def
        union
        select 'use', 'instr', instr from use
    )

select relation, part, id
from named_block
where not exists (select 1 from func_block where func_block.block = named_block.id)

union all

select relation, part, id
from named_instr
where not exists (select 1 from block_instr where block_instr.instr = named_instr.id)
order by relation, part, id
