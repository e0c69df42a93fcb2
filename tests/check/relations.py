"""Every relation of given flows, the derived ones by their definitions and without any rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa

from ssarel import schema
from ssarel.builders import cytron
from ssarel.facts import Unit
from ssarel.flow import Flow
from ssarel.ssa_facts import SHAPES, ssa_tables
from tests.flows import dominators, reach
from tests.rules_by_definition import control, loops

Rows = dict[str, list[tuple[int, ...]]]
DERIVED = {
    "reachable": ("block",),
    "idom": ("dominator", "block"),
    "dom_tree": ("block", "preorder", "last", "root"),
    "dom_frontier": ("block", "frontier"),
    "def_block": ("block", "var"),
    "upward_use": ("block", "var"),
    "live_in": ("block", "var"),
    "live_out": ("block", "var"),
    "phi": ("block", "var"),
    "back_edge": ("src", "dst"),
    "loop_header": ("block",),
    "loop_block": ("header", "block"),
    "irreducible_edge": ("src", "dst"),
    "post_idom": ("postdominator", "block"),
    "control_dep": ("branch", "block"),
}


def number(flows: Sequence[Flow]) -> list[Unit]:
    """The flows as functions of one database."""
    units: list[Unit] = []
    blocks = instrs = variables = 0
    for func, flow in enumerate(flows):
        unit = Unit(
            func,
            flow,
            range(blocks, blocks + len(flow.succ)),
            range(instrs, instrs + len(flow.uses)),
            range(variables, variables + flow.variables),
        )
        units.append(unit)
        blocks, instrs, variables = unit.blocks.stop, unit.instrs.stop, unit.vars.stop  # type: ignore[union-attr]
    return units


def relations(flows: Sequence[Flow]) -> dict[str, pa.Table]:
    """Base, derived and SSA relations of `flows`."""
    units = number(flows)
    rows: Rows = {name: [] for name in (*INPUTS, *DERIVED)}
    for unit in units:
        _base(unit, rows)
        _derived(unit, rows)
    shapes = {**INPUTS, **DERIVED}
    tables = {
        name: pa.table([pa.array(list(column), pa.int32()) for column in columns(rows[name], len(shape))], list(shape))
        for name, shape in shapes.items()
    }
    return {**tables, **ssa_tables(units, [cytron.build(unit.flow) for unit in units])}


INPUTS = {name: tuple(relation.arrow.names) for name, relation in schema.BASE.items() if relation.is_input}
ALL = {**INPUTS, **DERIVED, **SHAPES}


def columns(rows: list[tuple[int, ...]], width: int) -> list[tuple[int, ...]]:
    return list(zip(*rows, strict=True)) or [()] * width


def _base(unit: Unit, rows: Rows) -> None:
    flow = unit.flow
    rows["entry"].append((unit.func, unit.blocks[0]))
    for block, targets in enumerate(flow.succ):
        rows["func_block"].append((unit.func, unit.blocks[block], block))
        rows["edge"].extend((unit.blocks[block], unit.blocks[target]) for target in targets)
        for pos, instr in enumerate(flow.block(block)):
            number = unit.instrs[instr]
            rows["block_instr"].append((unit.blocks[block], number, pos))
            rows["use"].extend((number, at, unit.vars[var]) for at, var in enumerate(flow.uses[instr]))
            rows["def"].extend((number, unit.vars[var]) for var in dict.fromkeys(flow.defs[instr]))


def _derived(unit: Unit, rows: Rows) -> None:
    flow = unit.flow
    reached = sorted(reach(flow))
    above = dominators(flow)
    strict = {block: above[block] - {block} for block in reached}
    facts: dict[str, set[tuple[int, int]]] = {name: set() for name in DERIVED}
    for block in reached:
        for dominator in strict[block]:
            if all(other == dominator or other in strict[dominator] for other in strict[block]):
                facts["idom"].add((dominator, block))
        for frontier in reached:
            preds = [pred for pred in reached if frontier in flow.succ[pred]]
            if any(block in above[pred] for pred in preds) and block not in strict[frontier]:
                facts["dom_frontier"].add((block, frontier))
    rows["dom_tree"].extend((unit.blocks[block], *interval, unit.blocks[0]) for block, interval in _walk(facts["idom"]))
    exposed, written = _accesses(flow)
    facts["def_block"] = {(block, var) for block in reached for var in written[block]}
    facts["upward_use"] = {(block, var) for block in reached for var in exposed[block]}
    for block in reached:
        facts["live_in"] |= {(block, var) for var in range(flow.variables) if _is_read(flow, block, var)}
    facts["live_out"] = {
        (b, v) for b in reached for v in range(flow.variables) for s in flow.succ[b] if (s, v) in facts["live_in"]
    }
    for var in range(flow.variables):
        sites = {block for block in reached if var in written[block]}
        iterated: set[int] = set()
        while more := {f for b, f in facts["dom_frontier"] if b in sites | iterated} - iterated:
            iterated |= more
        facts["phi"] |= {(block, var) for block in iterated if (block, var) in facts["live_in"]}
    rows["reachable"].extend((unit.blocks[block],) for block in reached)
    for name, found in {**loops(flow), **control(flow)}.items():
        rows[name].extend(tuple(unit.blocks[block] for block in row) for row in sorted(found))
    for name, pairs in facts.items():
        ids = (unit.blocks, unit.blocks if name in ("idom", "dom_frontier") else unit.vars)
        rows[name].extend((ids[0][first], ids[1][second]) for first, second in sorted(pairs))


def _walk(idom: set[tuple[int, int]]) -> list[tuple[int, tuple[int, int]]]:
    """Each block with its number in a walk down the dominator tree, and the last number in its subtree."""
    order: list[int] = []

    def enter(block: int) -> Iterator[tuple[int, tuple[int, int]]]:
        number = len(order)
        order.append(block)
        for child in sorted(child for parent, child in idom if parent == block):
            yield from enter(child)
        yield block, (number, len(order) - 1)

    return list(enter(0))


def _accesses(flow: Flow) -> tuple[list[set[int]], list[set[int]]]:
    """For each block, the variables that it reads before it writes them, and those that it writes."""
    exposed: list[set[int]] = [set() for _ in flow.succ]
    written: list[set[int]] = [set() for _ in flow.succ]
    for block in range(len(flow.succ)):
        for instr in flow.block(block):
            exposed[block] |= set(flow.uses[instr]) - written[block]
            written[block] |= set(flow.defs[instr])
    return exposed, written


def _is_read(flow: Flow, block: int, var: int) -> bool:
    """Whether a path from the start of `block` reads `var` before any write of it."""
    exposed, written = _accesses(flow)
    seen = {block}
    stack = [block]
    while stack:
        here = stack.pop()
        if var in exposed[here]:
            return True
        if var not in written[here]:
            stack.extend(target for target in flow.succ[here] if target not in seen)
            seen |= set(flow.succ[here])
    return False
