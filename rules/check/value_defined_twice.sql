-- rules/check/value_defined_twice.sql
-- A value has more than one definition. Must be empty.
-- needs: ssa_def, ssa_phi
with
    definition as (
        select value from ssa_def
        union all
        select value from ssa_phi
    )

select
    value,
    count(*) as definitions
from definition
group by value
having count(*) > 1
order by value
