"""Faults to plant in a right database, each with the checks that must find it."""

from __future__ import annotations

from typing import NamedTuple


class Mutation(NamedTuple):
    """`fault` is planted by the statements `sql`; each of `caught_by` must then give a row.

    only: the database that has what the fault needs, examples or flows; empty for both.
    """

    fault: str
    sql: str
    caught_by: tuple[str, ...]
    only: str = ""


ONE_PHI = "(select value from ssa_phi order by value limit 1)"
NEW_VALUE = "(select max(value) + 1 from value_var)"

MUTATIONS = (
    # Base relations
    Mutation("edge twice", "insert into edge from edge limit 1", ("edge_duplicated",)),
    Mutation(
        "edge into another function",
        """insert into edge select source.block, target.block from func_block as source, func_block as target
        where source.func != target.func and target.pos > 0 limit 1""",
        ("edge_between_functions",),
    ),
    Mutation(
        "edge into an entry",
        """insert into edge select func_block.block, entry.block from entry
        inner join func_block on func_block.func = entry.func and func_block.pos > 0 limit 1""",
        ("entry_has_pred",),
    ),
    Mutation("edge to a block that is not", "insert into edge select src, 1000000 from edge limit 1", ("id_unknown",)),
    Mutation(
        "edge from a block that is not", "insert into edge select 1000000, dst from edge limit 1", ("id_unknown",)
    ),
    Mutation(
        "edge into a block with a phi",
        """insert into edge select reachable.block, ssa_phi.block from ssa_phi
        inner join func_block as target on target.block = ssa_phi.block
        inner join func_block as source on source.func = target.func
        inner join reachable on reachable.block = source.block
        anti join edge on edge.src = source.block and edge.dst = target.block
        order by all limit 1""",
        ("phi_arg_missing",),
    ),
    Mutation(
        "edge lost before a phi",
        "delete from edge where (src, dst) in (select (pred, block) from ssa_phi_arg inner join ssa_phi using (value))",
        ("phi_arg_of_no_pred",),
    ),
    Mutation(
        "two entries", "insert into entry select func, block from func_block where pos = 1", ("entry_not_unique",)
    ),
    Mutation("no entry", "delete from entry where func = 0", ("entry_not_unique",)),
    Mutation(
        "entry in another function",
        "update entry set block = (select max(block) from entry) where func = 0",
        ("entry_not_unique",),
    ),
    Mutation("block of no function", "delete from func_block where pos = 1", ("id_unknown",)),
    Mutation("write at no instruction", "insert into def select 1000000, var from def limit 1", ("id_unknown",)),
    Mutation("read at no instruction", "update use set instr = 1000000 where instr % 7 = 0", ("id_unknown",)),
    Mutation("instruction in no block", "update block_instr set block = 1000000 where pos = 1", ("id_unknown",)),
    Mutation(
        "block of two functions",
        "insert into func_block select func + 1, block, 1000 from func_block where func = 0 limit 1",
        ("id_in_two_places",),
    ),
    Mutation(
        "instruction in two blocks",
        "insert into block_instr select block + 1, instr, 1000 from block_instr where block = 0 limit 1",
        ("id_in_two_places",),
    ),
    Mutation("two blocks at one position", "update func_block set pos = 0 where pos = 1", ("place_taken_twice",)),
    Mutation("two instructions at one position", "update block_instr set pos = 0", ("place_taken_twice",)),
    Mutation(
        "operand that is two variables",
        "insert into use select instr, pos, var + 1 from use limit 1",
        ("place_taken_twice",),
    ),
    Mutation("write twice", "insert into def from def limit 1", ("instr_defines_twice",)),
    Mutation("variable without a name", "delete from var_name where var = 0", ("var_without_name",), "examples"),
    Mutation(
        "variable with two names", "insert into var_name from var_name limit 1", ("var_without_name",), "examples"
    ),
    Mutation(
        "instruction after the terminator",
        "update block_instr set pos = 1000 where pos = 0 and block in (select block from block_instr where pos = 1)",
        ("terminator_not_last",),
        "examples",
    ),
    Mutation(
        "last instruction no terminator",
        "update instr_text set op = 'Call' where op = 'Return'",
        ("terminator_not_last",),
        "examples",
    ),
    Mutation(
        "block without instructions", "delete from block_instr where block = 1", ("terminator_not_last",), "examples"
    ),
    # Reachability and dominance
    Mutation("reachable block forgotten", "delete from reachable where block = 0", ("reachable_wrong",)),
    Mutation(
        "unreachable block reached",
        "insert into reachable select block from func_block where block not in (from reachable)",
        ("reachable_wrong", "idom_not_tree"),
        "flows",
    ),
    Mutation("block reached twice", "insert into reachable from reachable limit 1", ("reachable_wrong",)),
    Mutation("parent forgotten", "delete from idom where rowid = 3", ("idom_not_tree",)),
    Mutation("parent twice", "insert into idom from idom limit 1", ("idom_not_tree",)),
    Mutation("entry with a parent", "insert into idom select block, block from entry limit 1", ("idom_not_tree",)),
    Mutation(
        "parent of an unreachable block",
        """insert into idom select entry.block, func_block.block from func_block inner join entry using (func)
        where func_block.block not in (from reachable)""",
        ("idom_not_tree",),
        "flows",
    ),
    Mutation(
        "two parents of each other",
        """update idom set dominator = (select block from idom as below where below.dominator = idom.block limit 1)
        where block = (select dominator from idom where dominator not in (select block from entry) limit 1)""",
        ("idom_not_tree",),
    ),
    Mutation(
        "parents too far up",
        """update idom set dominator = upper.dominator from idom as upper where upper.block = idom.dominator""",
        ("idom_not_closest",),
    ),
    Mutation(
        "parent that a path avoids",
        """update idom set dominator = (
            select src from edge inner join reachable on reachable.block = edge.src
            where dst = idom.block and src != idom.dominator order by src limit 1)
        where block = (
            select dst from edge inner join reachable on reachable.block = edge.src
            inner join idom as lower on lower.block = dst and lower.dominator != src and dst > src
            order by all limit 1)""",
        ("idom_not_dominator",),
    ),
    Mutation("number forgotten", "delete from dom_tree where rowid = 3", ("dom_tree_wrong",)),
    Mutation("number twice", "insert into dom_tree from dom_tree limit 1", ("dom_tree_wrong",)),
    Mutation("interval too long", "update dom_tree set last = last + 1 where rowid = 3", ("dom_tree_wrong",)),
    Mutation(
        "interval elsewhere", "update dom_tree set preorder = 50, last = last - preorder + 50", ("dom_tree_wrong",)
    ),
    Mutation("frontier forgotten", "delete from dom_frontier where rowid = 3", ("dom_frontier_wrong",)),
    Mutation("frontier twice", "insert into dom_frontier from dom_frontier limit 1", ("dom_frontier_wrong",)),
    Mutation("child as a frontier", "insert into dom_frontier from idom limit 1", ("dom_frontier_wrong",)),
    # Liveness
    Mutation("write forgotten", "delete from def_block where rowid = 3", ("def_block_wrong",)),
    Mutation(
        "write in an unreachable block",
        """insert into def_block select distinct block, var from def inner join block_instr using (instr)
        where block not in (from reachable)""",
        ("def_block_wrong",),
        "flows",
    ),
    Mutation("read forgotten", "delete from upward_use where rowid = 3", ("upward_use_wrong",)),
    Mutation(
        "read after a write as upward",
        """insert into upward_use select distinct block, var from use inner join block_instr using (instr)
        where block in (from reachable) except from upward_use""",
        ("upward_use_wrong",),
    ),
    Mutation("life forgotten", "delete from live_in where rowid = 3", ("live_in_wrong", "live_out_wrong")),
    Mutation(
        "life that only a loop feeds",
        """create temp table leads as
            with recursive leads(src, dst) as (
                from edge
                union
                select leads.src, edge.dst from leads inner join edge on edge.src = leads.dst
            )
            from leads semi join reachable on reachable.block = leads.src;
        insert into live_in select distinct src, 1000 from leads
            where dst in (select src from leads as circle where circle.src = circle.dst);
        insert into live_out select distinct src, 1000 from edge
            inner join live_in on live_in.block = edge.dst and live_in.var = 1000 where src in (from reachable)""",
        ("live_in_wrong",),
    ),
    Mutation("life at an end forgotten", "delete from live_out where rowid = 3", ("live_out_wrong",)),
    # Loops and control
    Mutation("back edge forgotten", "delete from back_edge where rowid = 0", ("back_edge_wrong", "loop_header_wrong")),
    Mutation("back edge twice", "insert into back_edge from back_edge limit 1", ("back_edge_wrong",)),
    Mutation(
        "forward edge as a back edge",
        """insert into back_edge select src, dst from edge inner join idom on dominator = src and block = dst
        order by all limit 1""",
        ("back_edge_wrong", "loop_header_wrong", "loop_block_wrong"),
    ),
    Mutation(
        "back edge of a cycle with two entrances",
        "insert into back_edge from irreducible_edge",
        ("back_edge_wrong", "irreducible_edge_wrong"),
        "flows",
    ),
    Mutation("header forgotten", "delete from loop_header where rowid = 0", ("loop_header_wrong",)),
    Mutation("entry as a header", "insert into loop_header select block from entry", ("loop_header_wrong",)),
    Mutation("block of a loop forgotten", "delete from loop_block where rowid = 1", ("loop_block_wrong",)),
    Mutation(
        "way out as a block of its loop",
        """insert into loop_block select distinct header, dst from loop_block inner join edge on src = block
        where (header, dst) not in (from loop_block) order by all limit 1""",
        ("loop_block_wrong",),
    ),
    Mutation(
        "irreducible edge forgotten",
        "delete from irreducible_edge where rowid = 0",
        ("irreducible_edge_wrong",),
        "flows",
    ),
    Mutation(
        "back edges as irreducible ones", "insert into irreducible_edge from back_edge", ("irreducible_edge_wrong",)
    ),
    Mutation("postdominator forgotten", "delete from post_idom where rowid = 1", ("post_idom_wrong",)),
    Mutation("postdominator twice", "insert into post_idom from post_idom limit 1", ("post_idom_wrong",)),
    Mutation(
        "postdominators too far down",
        """update post_idom set postdominator = upper.postdominator from post_idom as upper
        where upper.block = post_idom.postdominator""",
        ("post_idom_wrong", "control_dep_wrong"),
    ),
    Mutation(
        "postdominator that a path avoids",
        """insert into post_idom select min(dst), src from edge where src not in (select block from post_idom)
        and src in (from reachable) and src != dst group by src""",
        ("post_idom_wrong", "control_dep_wrong"),
        "flows",
    ),
    Mutation(
        "postdominator of an unreachable block",
        """insert into post_idom select min(dst), src from edge where src not in (from reachable) group by src""",
        ("post_idom_wrong",),
        "flows",
    ),
    Mutation("dependence forgotten", "delete from control_dep where rowid = 0", ("control_dep_wrong",)),
    Mutation("dependence twice", "insert into control_dep from control_dep limit 1", ("control_dep_wrong",)),
    Mutation(
        "dependence on a block with one way out",
        """insert into control_dep select min(src), min(dst) from edge where src in (from reachable)
        group by src having count(*) = 1 and min(src) != min(dst) order by all limit 1""",
        ("control_dep_wrong",),
    ),
    # Phis
    Mutation("phi site forgotten", "delete from phi where rowid = 1", ("phi_missing", "phi_not_renamed")),
    Mutation("phi site twice", "insert into phi from phi limit 1", ("phi_not_minimal", "phi_not_renamed")),
    Mutation(
        "phi site in an entry",
        "insert into phi select entry.block, var from entry, phi limit 1",
        ("phi_not_minimal", "phi_not_renamed"),
    ),
    Mutation(
        "phis that justify each other",
        """insert into phi select distinct frontier, var from dom_frontier, use
        where block = frontier and (frontier, var) not in (from phi) and var not in (select var from def_block)""",
        ("phi_not_minimal",),
        "flows",
    ),
    Mutation(
        "phi in another block",
        f"update ssa_phi set block = (select max(block) from func_block) where value = {ONE_PHI}",
        ("phi_not_renamed", "phi_arg_of_no_pred"),
    ),
    Mutation("phi operand lost", "delete from ssa_phi_arg where rowid = 0", ("phi_arg_missing",)),
    Mutation(
        "phi operand of a block that is no predecessor",
        "insert into ssa_phi_arg select value, 0, arg from ssa_phi_arg where pred > 1 limit 1",
        ("phi_arg_of_no_pred",),
    ),
    Mutation(
        "phi operand of an unreachable predecessor",
        """insert into ssa_phi_arg select value, src, -1 from ssa_phi inner join edge on edge.dst = ssa_phi.block
        where src not in (from reachable)""",
        ("phi_arg_of_no_pred",),
        "flows",
    ),
    Mutation("phi operand twice", "insert into ssa_phi_arg from ssa_phi_arg limit 1", ("phi_arg_with_two_values",)),
    Mutation(
        "phi operands exchanged",
        """update ssa_phi_arg set arg = other.arg from ssa_phi_arg as other
        where other.value = ssa_phi_arg.value and other.pred != ssa_phi_arg.pred and other.arg != ssa_phi_arg.arg""",
        ("use_of_stale_value", "use_not_dominated"),
    ),
    Mutation(
        "phi operand undef", "update ssa_phi_arg set arg = -1 where arg >= 0", ("use_of_stale_value", "phi_useless")
    ),
    Mutation(
        "phi operand of another variable",
        """update ssa_phi_arg set arg = (
            select other.value from value_var as own, value_var as other
            where own.value = ssa_phi_arg.value and other.var != own.var limit 1)
        where rowid = 0""",
        ("value_of_other_var",),
    ),
    Mutation("phi operand that nothing defines", "update ssa_phi_arg set arg = 1000000", ("value_without_def",)),
    Mutation(
        "phi of one value",
        f"""insert into value_var select {NEW_VALUE}, var, 1000 from value_var limit 1;
        insert into ssa_phi select idom.block, (select max(value) from value_var) from idom
            where (select count(*) from edge where dst = idom.block) = 1 limit 1;
        insert into ssa_phi_arg select (select max(value) from value_var), src, 0 from edge
            where dst = (select block from ssa_phi where value = (select max(value) from value_var))""",
        ("phi_useless", "phi_never_read", "phi_not_renamed"),
    ),
    Mutation(
        "phi of nothing but itself",
        f"update ssa_phi_arg set arg = value where value = {ONE_PHI}",
        ("phi_useless", "use_of_stale_value"),
    ),
    Mutation(
        "phi that only phis read",
        f"update ssa_use set value = -1 where value = {ONE_PHI}",
        ("phi_never_read", "use_of_stale_value"),
        "examples",
    ),
    Mutation(
        "phi removed and one operand taken",
        f"""create temp table gone as
            select min(value) as value, min(arg) as arg from ssa_phi_arg where value = {ONE_PHI};
        delete from phi where (block, var) in (
            select (block, var) from ssa_phi inner join value_var using (value) inner join gone using (value));
        delete from ssa_phi where value in (select value from gone);
        delete from ssa_phi_arg where value in (select value from gone);
        delete from value_var where value in (select value from gone);
        update ssa_use set value = gone.arg from gone where ssa_use.value = gone.value;
        update ssa_phi_arg set arg = gone.arg from gone where ssa_phi_arg.arg = gone.value""",
        ("phi_missing", "use_of_stale_value"),
    ),
    # Values
    Mutation(
        "value defined twice",
        "insert into ssa_def select instr + 1, value from ssa_def limit 1",
        ("value_defined_twice",),
    ),
    Mutation(
        "value defined by a phi too",
        "insert into ssa_phi select block, (select min(value) from ssa_def) from reachable limit 1",
        ("value_defined_twice", "phi_not_renamed"),
    ),
    Mutation("definition lost", "delete from ssa_def where rowid = 0", ("def_without_value", "value_without_def")),
    Mutation(
        "definition with two values",
        f"""insert into ssa_def select instr, {NEW_VALUE} from ssa_def where value = 0;
        insert into value_var select {NEW_VALUE}, var, 1000 from value_var where value = 0""",
        ("def_without_value",),
    ),
    Mutation(
        "definitions of two variables exchanged",
        "update ssa_def set value = 1 - value where value in (0, 1)",
        ("value_of_other_var", "def_without_value"),
        "examples",
    ),
    Mutation(
        "definitions of one variable exchanged",
        """create temp table pair as select var, min(value) as low, max(value) as high from value_var
            inner join ssa_def using (value) inner join ssa_use using (value)
            group by var having min(value) != max(value) limit 1;
        update ssa_def set value = low + high - value from pair where value in (low, high)""",
        ("use_of_stale_value",),
    ),
    Mutation("read without a value", "delete from ssa_use where rowid = 0", ("use_without_value",)),
    Mutation(
        "read of two values", "insert into ssa_use select instr, pos, -1 from ssa_use limit 1", ("use_with_two_values",)
    ),
    Mutation("read at a position that is not", "update ssa_use set pos = 99 where rowid = 0", ("use_unknown",)),
    Mutation("read of undef", "update ssa_use set value = -1 where value >= 0", ("use_of_stale_value",)),
    Mutation(
        "undef that reads a value",
        """update ssa_use set value = (
            select value from value_var inner join use on use.var = value_var.var
            where use.instr = ssa_use.instr and use.pos = ssa_use.pos limit 1)
        where value = -1""",
        ("use_of_stale_value",),
        "flows",
    ),
    Mutation(
        "read before the definition",
        """update ssa_use set value = ssa_def.value from ssa_def
        inner join value_var on value_var.value = ssa_def.value
        inner join use on use.var = value_var.var and use.instr = ssa_def.instr
        where ssa_use.instr = use.instr and ssa_use.pos = use.pos""",
        ("use_not_dominated", "use_of_stale_value"),
    ),
    Mutation(
        "read where the definition does not dominate",
        """update ssa_use set value = (select max(value) from value_var)
        where instr in (select instr from block_instr where block in (select block from entry))""",
        ("use_not_dominated",),
    ),
    Mutation(
        "read of an older value",
        "update ssa_use set value = arg from ssa_phi_arg where ssa_phi_arg.value = ssa_use.value and arg >= 0",
        ("use_of_stale_value",),
    ),
    Mutation("read of another variable", "update ssa_use set value = 0 where value > 0", ("value_of_other_var",)),
    Mutation("read of a value that nothing defines", "update ssa_use set value = 1000000", ("value_without_def",)),
    Mutation(
        "value in an unreachable block",
        """insert into ssa_use select instr, use.pos, -1 from use inner join block_instr using (instr)
        where block not in (from reachable) limit 1""",
        ("ssa_in_unreachable_block",),
        "flows",
    ),
    Mutation(
        "value at no instruction", "update ssa_def set instr = 1000000 where value = 0", ("ssa_in_unreachable_block",)
    ),
    Mutation("value without a name", "delete from value_var where value = 0", ("value_name_not_unique",)),
    Mutation(
        "value with two names",
        "insert into value_var select value, var, 1000 from value_var where value = 0",
        ("value_name_not_unique",),
    ),
    Mutation("two values with one name", "update value_var set version = 1", ("value_name_not_unique",)),
)
