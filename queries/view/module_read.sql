-- queries/view/module_read.sql
-- A function of the file at `path` reads `variable` of its module by `instr`.
select
    instr_place.path,
    regexp_extract(instr_text.text, 'LoadGlobal\(module\) (.+)$', 1) as variable,
    instr_text.instr
from instr_text
inner join instr_place on instr_place.instr = instr_text.instr
where instr_text.op = 'LoadGlobal'
  and contains(instr_text.text, 'LoadGlobal(module) ')
