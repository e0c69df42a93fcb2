-- rules/check/value_without_def.sql
-- A value that is read, or has operands or a variable, has no definition. Must be empty.
-- needs: ssa_def, ssa_phi, ssa_phi_arg, ssa_use, value_var
with
    named as (
        select value from ssa_use
        union
        select value from ssa_phi_arg
        union
        select arg from ssa_phi_arg
        union
        select value from value_var
    )

select value
from named
where value != -1
  and not exists (select 1 from ssa_def where ssa_def.value = named.value)
  and not exists (select 1 from ssa_phi where ssa_phi.value = named.value)
order by value
