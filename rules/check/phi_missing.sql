-- rules/check/phi_missing.sql
-- A block in the dominance frontier of a definition or phi of `var`, which is live at its start, has no phi for it. Must
-- be empty.
-- needs: def_block, dom_frontier, edge, phi, upward_use
-- Liveness is worked out here for the variables in question, so that live_in need not be stored.
with recursive
    candidate as (
        select dom_frontier.frontier as block, site.var
        from (
            select block, var from def_block
            union
            select block, var from phi
        ) as site
        inner join dom_frontier on dom_frontier.block = site.block

        except

        select block, var from phi
    ),

    asked as (
        select distinct var from candidate
    ),

    live(block, var) as (
        select upward_use.block, upward_use.var
        from upward_use
        inner join asked on asked.var = upward_use.var

        union

        select edge.src, live.var
        from live
        inner join edge on edge.dst = live.block
        where not exists (
            select 1
            from def_block
            where def_block.block = edge.src
              and def_block.var = live.var
        )
    )

select candidate.block, candidate.var
from candidate
inner join live on live.block = candidate.block and live.var = candidate.var
order by candidate.block, candidate.var
