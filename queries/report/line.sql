-- queries/report/line.sql
-- The lines of the source file at `$path`, in order.
select source_line.text
from source_line
inner join source_file on source_file.file = source_line.file
where source_file.path = $path
order by source_line.line
