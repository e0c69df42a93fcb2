-- queries/explain/variable.sql
-- Every variable that an instruction of the functions `$funcs` reads or writes, cells included.
with
    named as (
        select instr, var
        from def

        union

        select instr, var
        from use

        union

        select instr, var
        from cell_read

        union

        select instr, var
        from cell_write
    )

select distinct
    func_block.func,
    named.var,
    var_name.name,
    var_name.kind
from named
inner join block_instr on block_instr.instr = named.instr
inner join func_block on func_block.block = block_instr.block
inner join var_name on var_name.var = named.var
where list_contains($funcs, func_block.func)
order by named.var
