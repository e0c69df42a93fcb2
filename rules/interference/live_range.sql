-- rules/interference/live_range.sql
-- Twin of live_range.dl; definition and cost are there.
with
    written as (
        select block_instr.block, def.var, block_instr.pos
        from def
        inner join block_instr on block_instr.instr = def.instr
    ),

    needed as (
        select block_instr.block, use.var, block_instr.pos
        from use
        inner join block_instr on block_instr.instr = use.instr
        semi join reachable on reachable.block = block_instr.block

        union all

        select block, var, 2147483647
        from live_out
    )

select needed.block, needed.var, coalesce(written.pos, -1) as first, max(needed.pos) as last
from needed
asof left join written
    on written.block = needed.block
   and written.var = needed.var
   and written.pos < needed.pos
group by needed.block, needed.var, written.pos
