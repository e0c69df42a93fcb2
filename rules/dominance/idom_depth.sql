-- rules/dominance/idom_depth.sql
-- Twin of idom_depth.dl; the definition is there.
-- Here by Allen and Cocke's equation: a block is dominated by itself and by what dominates all its predecessors. A set is
-- a bit string over the stops of the block's tree path, the entry last, so the first bit after the block's own is its
-- parent's. What comes along an edge is cut to the stops that both paths share. Only sets that shrank go on. An edge back
-- up to a block that dominates its source brings nothing.
-- Cost: |stop_edge| x (stops on a path) / 8 bytes if sets shrink once, as they do on reducible graphs.
with recursive
    size as materialized (
        select root, max(depth) + 1 as bits
        from stop
        group by root
        having max(depth) > 0
    ),

    place as materialized (
        select stop.block, stop.depth, size.bits - 1 - stop.depth as pos, size.bits
        from stop
        inner join size on size.root = stop.root
        where stop.block = stop.above
    ),

    message as materialized (
        select
            stop_edge.src,
            stop_edge.dst,
            dst_place.pos,
            case when stop_edge.shared_depth = dst_place.depth then dst_place.pos end as back_pos,
            case
                when stop_edge.shared_depth < src_place.depth
                    then (
                        repeat('0', dst_place.bits - 1 - stop_edge.shared_depth)
                        || repeat('1', stop_edge.shared_depth + 1)
                    )::bit
            end as shared
        from stop_edge
        inner join place as src_place on src_place.block = stop_edge.src
        inner join place as dst_place on dst_place.block = stop_edge.dst
    ),

    dominators(block, members) using key (block, bit_and(members)) as (
        select block, set_bit(repeat('0', bits)::bit, pos, 1)
        from place
        where depth = 0

        union

        select
            message.dst,
            set_bit(
                case when message.shared is null then dominators.members else dominators.members & message.shared end,
                message.pos,
                1
            )
        from dominators
        inner join message on message.src = dominators.block
        where message.back_pos is null
           or get_bit(dominators.members, message.back_pos) = 0
    )

select
    place.block,
    (place.bits - bit_position('1'::bit, set_bit(dominators.members, place.pos, 0)))::int as depth
from dominators
inner join place on place.block = dominators.block
semi join meet on meet.dst = place.block
