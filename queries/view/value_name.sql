-- queries/view/value_name.sql
-- `value` prints as `name`, for example `total.2`: the second version of the variable `total`. Undef (-1) has a row too.
select
    value_var.value,
    value_var.var,
    concat(var_name.name, '.', value_var.version) as name
from value_var
inner join var_name on var_name.var = value_var.var

union all

select -1, null, 'undef'
