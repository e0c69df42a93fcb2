-- rules/constant/outcome.sql
-- Twin of outcome.dl; definition, source and cost are there.
-- Values, blocks and conditional edges are nodes of one recursion: the value v is v, the block b is -2 - b, an edge is
-- below -2^32. A node is known as an interval: of one number, or it varies. A wire makes one node of two that are known;
-- it ends in both. Control is the number 0. Where a test lets nothing through, the node tested is given once more: with a
-- filter instead, DuckDB would read the whole state in each round.
with recursive
    way as materialized (
        select
            edge.src, edge.dst, test, taken,
            case when test is null then -2 - edge.src::bigint else -4294967298 - 2 * edge.src::bigint - taken end as node
        from edge
        left join conditional_edge on conditional_edge.src = edge.src and conditional_edge.dst = edge.dst
    ),

    wire(target, operator, first, second) as materialized (
        select value::bigint, operator, first::bigint, second::bigint from computation
        union all
        select ssa_phi_arg.value, 'copy', ssa_phi_arg.arg, way.node
        from ssa_phi_arg
        inner join ssa_phi on ssa_phi.value = ssa_phi_arg.value
        inner join way on way.src = ssa_phi_arg.pred and way.dst = ssa_phi.block
        union all
        select node, if(taken = 1, 'if', 'unless'), test, -2 - src from way where test is not null
        union all
        select -2 - dst, 'copy', node, node from way
    ),

    wire_end as materialized (
        select target, operator, first as node, second as other, false as is_second from wire
        union all
        select target, operator, second, first, true from wire where first <> second
    ),

    state(node, low, high) using key (node, min(low), max(high)) as (
        select ssa_def.value::bigint, coalesce(literal.constant, -2147483648), coalesce(literal.constant, 2147483647)
        from ssa_def
        left join literal on literal.instr = ssa_def.instr
        where literal.instr is not null or ssa_def.value not in (select value from computation)
        union all
        select -1, -2147483648, 2147483647
        union all
        select -2 - block::bigint, 0, 0 from entry

        union

        select
            if(made is null, node, target),
            if(made is null, low, if(made = 1000000003, -2147483648, made)),
            if(made is null, high, if(made = 1000000003, 2147483647, made))
        from (
            select
                target, state.node, state.low, state.high,
                if(state.low < state.high, 1000000003, state.low)::bigint as near,
                if(there.low < there.high, 1000000003, there.low)::bigint as far,
                if(is_second, far, near) as a,
                if(is_second, near, far) as b,
                nullif(b, 0) as divisor,
                a in (0, 1000000000, 1000000002) as is_false,
                case operator
                    when 'number' then a
                    when 'increment' then a + 1
                    when 'decrement' then a - 1
                    when 'negate' then nullif(-a, 0)
                    when '+' then a + b
                    when '-' then a - b
                    when '*' then if(least(a, b) < 0, nullif(a * b, 0), a * b)
                    when '/' then if(a % divisor = 0 and (a <> 0 or b > 0), a // divisor, null)
                    when '%' then if(a < 0, nullif(a % divisor, 0), a % divisor)
                end as number,
                case
                    when operator = 'copy' then a
                    when operator = 'if' then if(a <> 1000000003 and is_false, null, 0)
                    when operator = 'unless' then if(a = 1000000003 or is_false, 0, null)
                    when greatest(a, b) = 1000000003 then 1000000003
                    when operator = '!' then 1000000000 + is_false::int
                    when operator = '===' then 1000000000 + (a = b)::int
                    when operator = '!==' then 1000000000 + (a <> b)::int
                    when greatest(a, b) >= 1000000000 then 1000000003
                    when operator = '==' then 1000000000 + (a = b)::int
                    when operator = '!=' then 1000000000 + (a <> b)::int
                    when operator = '<' then 1000000000 + (a < b)::int
                    when operator = '<=' then 1000000000 + (a <= b)::int
                    when operator = '>' then 1000000000 + (a > b)::int
                    when operator = '>=' then 1000000000 + (a >= b)::int
                    when abs(number) < 1000000000 then number
                    else 1000000003
                end as made
            from state
            inner join wire_end on wire_end.node = state.node
            inner join recurring.state as there on there.node = wire_end.other
        )
    )

select
    if(node >= -1, 0, 1) as kind,
    if(node >= -1, node, -2 - node)::int as id,
    if(low = high, low, 1000000003)::int as constant
from state
where node > -4294967296
