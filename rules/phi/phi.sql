-- rules/phi/phi.sql
-- Twin of phi.dl; definition, source and cost are there.
select phi_candidate.block, phi_candidate.var
from phi_candidate
semi join phi_demand
    on phi_demand.block = phi_candidate.block
   and phi_demand.var = phi_candidate.var
