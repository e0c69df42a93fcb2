"""Base relations of many small flows, and every derived relation of each straight from its definition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import pyarrow as pa

from ssarel import schema
from ssarel.flow import Flow
from tests.flows import dominators, reach

Rows = set[tuple[int, ...]]
INPUTS = {name: relation for name, relation in schema.BASE.items() if relation.is_input}


def tables(
    rows: Mapping[str, Sequence[tuple[int | str, ...]]], inputs: Mapping[str, schema.Relation] = INPUTS
) -> dict[str, pa.Table]:
    """The relations `inputs`, by default the base relations that rules read, empty where `rows` has nothing."""
    made: dict[str, pa.Table] = {}
    for name, relation in inputs.items():
        columns = list(zip(*rows.get(name, ()), strict=True)) or [()] * len(relation.columns)
        made[name] = pa.table(dict(zip(relation.arrow.names, columns, strict=True)), schema=relation.arrow)
    return made


def rows_of(table: pa.Table) -> list[tuple[int, ...]]:
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


def base(flows: Iterable[Flow]) -> dict[str, list[tuple[int, ...]]]:
    """The base relations of `flows`, one function each; ids count on from flow to flow."""
    rows: dict[str, list[tuple[int, ...]]] = {name: [] for name in INPUTS}
    block, instr, var = 0, 0, 0
    for func, flow in enumerate(flows):
        rows["entry"].append((func, block))
        for number, targets in enumerate(flow.succ):
            rows["func_block"].append((func, block + number, number))
            rows["edge"] += [(block + number, block + target) for target in targets]
            for step in flow.block(number):
                rows["block_instr"].append((block + number, instr + step, step - flow.first[number]))
                rows["def"] += [(instr + step, var + name) for name in dict.fromkeys(flow.defs[step])]
                rows["use"] += [(instr + step, pos, var + name) for pos, name in enumerate(flow.uses[step])]
        block, instr, var = block + len(flow.succ), instr + flow.first[-1], var + flow.variables
    return rows


def expected(flows: Iterable[Flow]) -> dict[str, Rows]:
    """Every derived relation of `base(flows)`."""
    result: dict[str, Rows] = {name: set() for name in schema.DERIVED}
    shift = {"Block": 0, "Var": 0, "number": 0}
    for flow in flows:
        for name, rows in {**_dominance(flow), **_variables(flow), **loops(flow), **control(flow)}.items():
            shifts = [shift[kind] for _, kind in schema.DERIVED[name].columns]
            result[name] |= {tuple(value + by for value, by in zip(row, shifts, strict=True)) for row in rows}
        shift["Block"] += len(flow.succ)
        shift["Var"] += flow.variables
    return result


def parents(above: dict[int, set[int]]) -> Rows:
    """The closest strict dominator of each block, from the dominators of all."""
    return {
        (parent, block)
        for block, all_above in above.items()
        for parent in all_above - {block}
        if all_above - {block} <= above[parent]
    }


def _dominance(flow: Flow) -> dict[str, Rows]:
    above = dominators(flow)
    idom = parents(above)
    frontier = {
        (block, dst)
        for src in above
        for dst in flow.succ[src]
        for block in above[src]
        if block == dst or block not in above[dst]
    }
    children = {block: sorted(child for parent, child in idom if parent == block) for block in above}
    preorder: list[int] = []
    stack = [0]
    while stack:
        preorder.append(stack.pop())
        stack += reversed(children[preorder[-1]])
    below = {block: [preorder.index(other) for other in above if block in above[other]] for block in above}
    tree = {(block, preorder.index(block), max(below[block]), 0) for block in above}
    return {"reachable": {(block,) for block in above}, "idom": idom, "dom_frontier": frontier, "dom_tree": tree}


def _variables(flow: Flow) -> dict[str, Rows]:
    reached = reach(flow)
    written: Rows = set()
    exposed: Rows = set()
    for block in reached:
        for instr in flow.block(block):
            exposed |= {(block, var) for var in flow.uses[instr] if (block, var) not in written}
            written |= {(block, var) for var in flow.defs[instr]}

    def is_live(block: int, var: int) -> bool:
        return any(
            (other, var) in exposed for other in _paths(block, lambda at: [] if (at, var) in written else flow.succ[at])
        )

    live_in = {(block, var) for block in reached for var in range(flow.variables) if is_live(block, var)}
    live_out = {(src, var) for src in reached for dst in flow.succ[src] for at, var in live_in if at == dst}
    frontier = _dominance(flow)["dom_frontier"]
    phi: Rows = set()
    for var in range(flow.variables):
        sites = {block for block, name in written if name == var}
        while more := {dst for block, dst in frontier if block in sites | {at for at, name in phi if name == var}} - {
            at for at, name in phi if name == var
        }:
            phi |= {(block, var) for block in more}
    return {
        "def_block": written,
        "upward_use": exposed,
        "live_in": live_in,
        "live_out": live_out,
        "phi": phi & live_in,
    }


def _paths(start: int, succ: Callable[[int], Iterable[int]]) -> set[int]:
    """The blocks that a path from `start` leads to, `start` among them."""
    seen, stack = {start}, [start]
    while stack:
        fresh = set(succ(stack.pop())) - seen
        seen |= fresh
        stack += fresh
    return seen


def loops(flow: Flow) -> dict[str, Rows]:
    """The relations of loops of one flow, blocks numbered from 0."""
    above = dominators(flow)
    edges = {(src, dst) for src in above for dst in flow.succ[src]}
    back = {(src, dst) for src, dst in edges if dst in above[src]}
    body: Rows = {
        (header, block)
        for src, header in back
        for block in above
        if block == header
        or src in _paths(block, lambda at, header=header: [to for to in flow.succ[at] if to != header])
    }
    parent = {block: dominator for dominator, block in parents(above)}
    irreducible = {
        (src, dst)
        for src, dst in edges - back
        if src in _paths(dst, lambda at, dst=dst: [to for to in flow.succ[at] if to != parent[dst]])
    }
    return {
        "back_edge": back,
        "loop_header": {(dst,) for _, dst in back},
        "loop_block": body,
        "irreducible_edge": irreducible,
    }


def control(flow: Flow) -> dict[str, Rows]:
    """The relations of postdominance of one flow, blocks numbered from 0."""
    found = loops(flow)
    reached = reach(flow)
    ends = {block for block in reached if any(not flow.succ[at] for at in _paths(block, lambda at: flow.succ[at]))}
    open_headers = {
        header
        for header, block in found["loop_block"]
        for dst in flow.succ[block]
        if (header, dst) not in found["loop_block"]
    }
    leaving = {block for block in reached if not flow.succ[block]}
    leaving |= {src for src, header in found["back_edge"] if src not in ends and header not in open_headers}
    leaving |= {src for src, _ in found["irreducible_edge"] if src not in ends}
    below: dict[int, set[int]] = {block: set() for block in reached}
    for lost in reached:
        for block in reached:
            seen = (
                _paths(block, lambda at, lost=lost: [to for to in flow.succ[at] if to != lost])
                if block != lost
                else set()
            )
            if not seen & leaving:
                below[block].add(lost)
    dependences = {
        (branch, block)
        for branch in reached
        for dst in flow.succ[branch]
        for block in below[dst]
        if block == branch or block not in below[branch]
    }
    return {"post_idom": parents(below), "control_dep": dependences}
