-- rules/constant/executable_edge.sql
-- Twin of executable_edge.dl; definition and cost are there.
with
    known as materialized (
        select kind, id, constant
        from outcome
    )

select edge.src, edge.dst
from edge
inner join known as source on source.kind = 1 and source.id = edge.src
left join conditional_edge on conditional_edge.src = edge.src and conditional_edge.dst = edge.dst
left join known as test on test.kind = 0 and test.id = conditional_edge.test
where conditional_edge.test is null
   or test.constant = 1000000003
   or (test.constant in (0, 1000000000, 1000000002)) = (conditional_edge.taken = 0)
