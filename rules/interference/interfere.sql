-- rules/interference/interfere.sql
-- Twin of interfere.dl; definition, source and cost are there.
with
    same as (
        select a.instr, a.var, b.var as other
        from copy as a
        inner join copy as b on b.instr = a.instr and b.source = a.source

        union all

        select copy.instr, copy.var, copy.source
        from copy
        anti join def on def.instr = copy.instr and def.var = copy.source
    ),

    met as (
        select def.instr, def.var, live_range.var as other
        from def
        inner join block_instr on block_instr.instr = def.instr
        inner join live_range
            on live_range.block = block_instr.block
           and live_range.first <= block_instr.pos
           and block_instr.pos < live_range.last
        where live_range.var <> def.var

        union all

        select a.instr, a.var, b.var
        from def as a
        inner join def as b on b.instr = a.instr and b.var <> a.var
        inner join block_instr on block_instr.instr = a.instr
        semi join reachable on reachable.block = block_instr.block
    )

select distinct met.var, met.other
from met
anti join same
    on same.instr = met.instr
   and same.var = met.var
   and same.other = met.other
