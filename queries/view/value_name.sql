-- queries/view/value_name.sql
-- `value` prints as `name`, for example `total.2`: the second version of the variable `total`. Undef (-1) has a row too.
select
    value,
    var,
    name
from value_variable

union all

select -1, null, 'undef'
