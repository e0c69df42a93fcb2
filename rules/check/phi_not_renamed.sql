-- rules/check/phi_not_renamed.sql
-- phi and ssa_phi do not pair off: a phi for `var` in `block` has no value (`missing`), or a value has no phi, or not one
-- of its own (`extra`). Must be empty.
-- needs: phi, ssa_phi, value_var
with
    renamed as (
        select ssa_phi.block, value_var.var
        from ssa_phi
        inner join value_var on value_var.value = ssa_phi.value
    )

select 'missing' as fault, block, var
from (select block, var from phi except all from renamed)

union all

select 'extra', block, var
from (from renamed except all select block, var from phi)
order by fault, block, var
