-- queries/report/size.sql
-- The number of blocks and of phis of the functions `$funcs`.
with
    phis as (
        select func_block.func, count(*) as phis
        from ssa_phi
        inner join func_block on func_block.block = ssa_phi.block
        group by func_block.func
    )

select
    func_block.func,
    count(*) as blocks,
    coalesce(any_value(phis.phis), 0) as phis
from func_block
left join phis on phis.func = func_block.func
where list_contains($funcs, func_block.func)
group by func_block.func
