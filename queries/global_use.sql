-- Which names of the module or of the world around it does each function read?
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path         the file
--   function     the function
--   line         line of the first read, from 1
--   global_name  the name, or the import
--   origin       `module`, `global` or `import`
--   reads        instructions that read it
-- Example
--   global_use.js,f,6,Math,global,1
with reads as (
    select
        instr_place.path,
        instr_place.func_id,
        instr_place.function,
        instr_place.line,
        regexp_extract(instr_text.text, 'LoadGlobal(?:\((\w+)\))? (.+)$', 2) as global_name,
        coalesce(nullif(regexp_extract(instr_text.text, 'LoadGlobal\((\w+)\)', 1), ''), 'import') as origin
    from instr_text
    inner join instr_place on instr_place.instr = instr_text.instr
    where instr_text.op = 'LoadGlobal'
      and ($path is null or instr_place.path = $path)
  and ($function is null or instr_place.function = $function)
)

select path, function, min(line) as line, global_name, origin, count(*) as reads
from reads
group by path, func_id, function, global_name, origin
order by path, func_id, global_name, origin
