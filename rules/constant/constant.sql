-- rules/constant/constant.sql
-- Twin of constant.dl; definition and cost are there.
with
    known as materialized (
        select kind, id, constant
        from outcome
    ),

    place as (
        select ssa_def.value, block_instr.block
        from ssa_def
        inner join block_instr on block_instr.instr = ssa_def.instr
        union all
        select value, block from ssa_phi
    )

select known.id as value, known.constant
from known
inner join place on place.value = known.id
semi join known as running on running.kind = 1 and running.id = place.block
where known.kind = 0 and known.constant <> 1000000003
