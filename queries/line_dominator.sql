-- Which lines have always run before a line runs?
--
-- Whole blocks that dominate the blocks of the line, and what stands before it in its own; lines of the same function only.
--
-- Parameters
--   path  the file, or the end of its path (required)
--   line  the line, from 1 (required)
-- Columns
--   path      the file
--   function  the function
--   line      the line that was asked for
--   before    a line that has run
--   text      its source line
-- Example
--   facts/examples/loop.js,count_to,7,3,let i = 0;
with asked as (
    select path, function, line, block, min(instr) as instr
    from instr_place
    where ends_with(path, $path)
      and line = $line::integer
      and op not in ('Goto', 'Param', 'Capture')
    group by path, function, line, block
),

    common as (
        select asked.path, asked.function, asked.line, earlier.line as before, any_value(earlier.text) as text
        from asked
        inner join dom on dom.block = asked.block
        inner join instr_place as earlier
            on earlier.block = dom.dominator
           and (earlier.block != asked.block or earlier.instr < asked.instr)
        where earlier.line > 0
          and earlier.line != asked.line
          and earlier.op not in ('Param', 'Capture')
        group by asked.path, asked.function, asked.line, earlier.line
        having count(distinct asked.block) = (
            select count(*)
            from asked as all_asked
            where all_asked.path = asked.path and all_asked.function = asked.function
        )
    )

select path, function, line, before, text
from common
order by path, function, before
