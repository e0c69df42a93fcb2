-- queries/view/func_place.sql
-- The function `func_id`, named `function`, stands in the file at `path`, at `line` from 1 and `col` from 0.
select
    func.func_id,
    source_file.path,
    func.name as function,
    func.line,
    func.col
from func
inner join source_file on source_file.file = func.file
