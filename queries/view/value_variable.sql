-- queries/view/value_variable.sql
-- `value`, printed `name`, is a version of `var`, the variable written `variable`, of this `kind`. Undef has no row.
select
    value_var.value,
    value_var.var,
    concat(var_name.name, '.', value_var.version) as name,
    var_name.name as variable,
    var_name.kind
from value_var
inner join var_name on var_name.var = value_var.var
