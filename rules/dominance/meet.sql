-- rules/dominance/meet.sql
-- Twin of meet.dl; definition and cost are there.
with recursive
    meeting(left_end, right_end, block) as (
        select left_end, right_end, next_left
        from approach
        where next_left = next_right

        union all

        select approach.left_end, approach.right_end, meeting.block
        from meeting
        inner join approach
            on approach.next_left = meeting.left_end
           and approach.next_right = meeting.right_end
    )

select edge.src, edge.dst, meeting.block
from meeting
inner join edge on edge.src = meeting.left_end and edge.dst = meeting.right_end
