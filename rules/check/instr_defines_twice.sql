-- rules/check/instr_defines_twice.sql
-- A row of def stands more than once. Must be empty.
-- needs: def
select
    instr,
    var,
    count(*) as times
from def
group by instr, var
having count(*) > 1
order by instr, var
