-- rules/check/phi_never_read.sql
-- No instruction reads a phi, not even through other phis, so pruned form does not have it. Must be empty.
-- needs: ssa_phi, ssa_phi_arg, ssa_use
-- Source: Choi, Cytron & Ferrante, POPL 1991.
with recursive
    needed(value) as (
        select value from ssa_use

        union

        select ssa_phi_arg.arg
        from needed
        inner join ssa_phi_arg on ssa_phi_arg.value = needed.value
    )

select
    block,
    value
from ssa_phi
where value not in (from needed)
order by block, value
