-- queries/explain/block.sql
-- Every block of the functions `$funcs`, in layout order.
select
    func_block.func,
    func_block.block,
    block_name.name,
    reachable.block is not null as is_reachable
from func_block
inner join block_name on block_name.block = func_block.block
left join reachable on reachable.block = func_block.block
where list_contains($funcs, func_block.func)
order by func_block.func, func_block.pos
