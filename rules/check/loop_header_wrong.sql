-- rules/check/loop_header_wrong.sql
-- A back edge leads to a block and loop_header lacks it (`missing`), or has it otherwise, or twice (`extra`). Must be
-- empty.
-- needs: back_edge, loop_header
select 'missing' as fault, block
from (select distinct dst as block from back_edge except all from loop_header)

union all

select 'extra', block
from (from loop_header except all select distinct dst from back_edge)
order by fault, block
