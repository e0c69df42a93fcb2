-- rules/check/use_of_stale_value.sql
-- `value` is read somewhere as `var`, but on a path to the read the last definition of `var` is `found`, met in `block`
-- (-1: the path comes from the entry without one). Must be empty.
-- needs: block_instr, edge, entry, reachable, ssa_def, ssa_phi, ssa_phi_arg, ssa_use, use, value_var
-- This is the meaning of SSA form. A phi counts as a definition at the start of its block, its operands as reads at the
-- ends of the predecessors.
-- Cost: one row for each block and value live there.
with recursive
    made as (
        select value_var.var, block_instr.block, block_instr.pos, ssa_def.value
        from ssa_def
        inner join block_instr on block_instr.instr = ssa_def.instr
        inner join value_var on value_var.value = ssa_def.value

        union all

        select value_var.var, ssa_phi.block, -1, ssa_phi.value
        from ssa_phi
        inner join value_var on value_var.value = ssa_phi.value
    ),

    last_made as (
        select block, var, arg_max(value, pos) as value
        from made
        group by block, var
    ),

    reading as (
        select use.var, block_instr.block, block_instr.pos, ssa_use.value
        from ssa_use
        inner join use on use.instr = ssa_use.instr and use.pos = ssa_use.pos
        inner join block_instr on block_instr.instr = ssa_use.instr

        union all

        select value_var.var, ssa_phi_arg.pred, 2147483647, ssa_phi_arg.arg
        from ssa_phi_arg
        inner join value_var on value_var.value = ssa_phi_arg.value
    ),

    looked as (
        select reading.block, reading.var, reading.value, made.value as found
        from reading
        asof left join made
            on made.block = reading.block
           and made.var = reading.var
           and made.pos < reading.pos
    ),

    sought(block, var, value) as (
        select block, var, value
        from looked
        where found is null

        union

        select edge.src, sought.var, sought.value
        from sought
        inner join edge on edge.dst = sought.block
        inner join reachable on reachable.block = edge.src
        where not exists (
            select 1
            from last_made
            where last_made.block = edge.src
              and last_made.var = sought.var
        )
    ),

    met as (
        select block, var, value, found
        from looked
        where found is not null

        union

        select last_made.block, sought.var, sought.value, last_made.value
        from sought
        inner join edge on edge.dst = sought.block
        inner join reachable on reachable.block = edge.src
        inner join last_made on last_made.block = edge.src and last_made.var = sought.var

        union

        select sought.block, sought.var, sought.value, -1
        from sought
        inner join entry on entry.block = sought.block
    )

select block, var, value, found
from met
where value != found
order by block, var, value, found
