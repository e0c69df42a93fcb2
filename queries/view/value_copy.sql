-- queries/view/value_copy.sql
-- `instr` makes `value`, of a variable that is no temporary, a plain copy of `source`: `source` is read into a temporary,
-- which `instr` then writes to the variable.
select
    ssa_def.value,
    loaded.value as source,
    ssa_def.instr
from ssa_def
inner join instr_text as store on store.instr = ssa_def.instr and store.op = 'StoreLocal'
inner join ssa_use as stored on stored.instr = ssa_def.instr
inner join ssa_def as load_def on load_def.value = stored.value
inner join instr_text as load on load.instr = load_def.instr and load.op = 'LoadLocal'
inner join ssa_use as loaded on loaded.instr = load_def.instr
inner join value_variable on value_variable.value = ssa_def.value
where value_variable.kind != 'temp'
