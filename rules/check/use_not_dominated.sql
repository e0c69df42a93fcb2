-- rules/check/use_not_dominated.sql
-- A value is read in `block` where its definition does not dominate: by the instruction `instr`, or at the block's end by
-- the phi `reader`. Must be empty.
-- needs: block_instr, idom, ssa_def, ssa_phi, ssa_phi_arg, ssa_use
-- Cost: no relation of all dominators is made. From each block that reads a value the climb goes up the dominator tree to
-- the block that makes it, then down again on the rungs that it used; such blocks are among those where the value is live.
with recursive
    made as (
        select ssa_def.value, block_instr.block, block_instr.pos
        from ssa_def
        inner join block_instr on block_instr.instr = ssa_def.instr

        union all

        select value, block, -1 from ssa_phi
    ),

    reading as (
        select ssa_use.value, block_instr.block, block_instr.pos, ssa_use.instr, null::integer as reader
        from ssa_use
        inner join block_instr on block_instr.instr = ssa_use.instr

        union all

        select arg, pred, null, null, value from ssa_phi_arg
    ),

    rung(value, home, lower, upper) as (
        select reading.value, made.block, reading.block, idom.dominator
        from reading
        inner join made on made.value = reading.value and made.block != reading.block
        inner join idom on idom.block = reading.block

        union

        select rung.value, rung.home, rung.upper, idom.dominator
        from rung
        inner join idom on idom.block = rung.upper
        where rung.upper != rung.home
    ),

    dominated(value, block) as (
        select value, lower
        from rung
        where upper = home

        union

        select rung.value, rung.lower
        from dominated
        inner join rung on rung.value = dominated.value and rung.upper = dominated.block
    )

select reading.value, reading.block, reading.instr, reading.reader
from reading
left join made on made.value = reading.value and made.block = reading.block
where reading.value != -1
  and case
      when made.block is not null then reading.pos <= made.pos
      else not exists (
          select 1
          from dominated
          where dominated.value = reading.value
            and dominated.block = reading.block
      )
  end
order by all
