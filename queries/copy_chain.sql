-- Which values are copies of copies, and what is at the end of the chain?
--
-- Phis end a chain.
--
-- Parameters
--   path      only this file
--   function  only this function
-- Columns
--   path      the file
--   function  the function
--   line      line of the last copy, from 1
--   value     the SSA name of the last copy
--   origin    the SSA name of the value that is passed on
--   copies    copies between them, at least 2
--   text      its source line
-- Example
--   copy_chain.js,f,4,c.1,a.1,2,const c = b;
with recursive
    copied as materialized (
        select value_copy.value, value_copy.source, value_copy.instr
        from value_copy
        inner join instr_place as place on place.instr = value_copy.instr
        where ($path is null or place.path = $path)
          and ($function is null or place.function = $function)
    ),

    chain(value, source, copies) as (
        select value, source, 1
        from copied

        union

        select chain.value, copied.source, chain.copies + 1
        from chain
        inner join copied on copied.value = chain.source
    )

select
    place.path,
    place.function,
    place.line,
    place.name as value,
    coalesce(origin.name, 'undef') as origin,
    chain.copies,
    place.text
from chain
anti join copied on copied.value = chain.source
inner join value_place as place on place.value = chain.value
left join value_variable as origin on origin.value = chain.source
where chain.copies > 1
  and ($path is null or place.path = $path)
  and ($function is null or place.function = $function)
order by place.path, place.instr
