-- rules/check/var_without_name.sql
-- An instruction reads or writes a variable that var_name does not have, or has more than once. Must be empty.
-- needs: def, use, var_name
with
    accessed as (
        select var from def
        union
        select var from use
    )

select
    accessed.var,
    count(var_name.name) as names
from accessed
left join var_name on var_name.var = accessed.var
group by accessed.var
having count(var_name.name) != 1
order by accessed.var
