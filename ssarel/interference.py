"""Which variables of functions with parallel copies cannot become one: by the rules, and by bit sets beside them.

Source: Chaitin 1982 (a copy does not make its two sides interfere); rules/interference says what the relation holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ssarel import schema
from ssarel.engines import get_engine
from ssarel.flow import Flow, flow, steps
from ssarel.ir import Function, Instr

PARALLEL_COPY = "ParallelCopy"
"""Opcode of an instruction that writes each of its reads to the variable at the same place, all at once."""

Conflicts = list[int]
"""For each variable the set of those that it interferes with, as bits; the relation has one direction."""


@dataclass(frozen=True, slots=True)
class Copying:
    """One function with the variables that its copies name, which count from 0, and no others.

    flow:   reads and writes of other variables are left out.
    copies: (instruction, variable written, variable read).
    """

    flow: Flow
    copies: list[tuple[int, int, int]]


def copying(function: Function) -> Copying:
    """`function` as interference sees it. Cost: one pass over the operands."""
    graph = flow(function)
    found = [(at, step) for at, step in enumerate(steps(function)) if step.op == PARALLEL_COPY]
    names = dict.fromkeys(var for _, step in found for pair in _pairs(step) for var in pair)
    numbers = {var: number for number, var in enumerate(names)}
    number = [numbers.get(var, -1) for var in graph.vars]

    def kept(operands: Sequence[int]) -> list[int]:
        return [number[var] for var in operands if var >= 0 and number[var] >= 0]

    uses, defs = list(map(kept, graph.uses)), list(map(kept, graph.defs))
    copies = [(at, numbers[written], numbers[read]) for at, step in found for written, read in _pairs(step)]
    return Copying(Flow(graph.succ, graph.pred, graph.first, uses, defs, len(numbers), list(numbers)), copies)


def _pairs(step: Instr) -> Sequence[tuple[Any, Any]]:
    return list(zip(step.defs, step.uses, strict=True))


def by_rules(parts: Sequence[Copying], engine: str, options: Mapping[str, Any] | None = None) -> list[Conflicts]:
    """What the relation interfere holds of each of `parts`; one run of `engine`, with `options`, for all.

    Raises: UsageError and EngineError as engines do.
    """
    conflicts = [[0] * part.flow.variables for part in parts]
    if parts:
        place = [(bits, var) for bits in conflicts for var in range(len(bits))]
        rows = get_engine(engine, **(options or {})).run(tables(parts), ("interfere",))["interfere"]
        for var, other in zip(*(column.to_pylist() for column in rows.columns), strict=True):
            bits, at = place[var]
            bits[at] |= 1 << place[other][1]
    return conflicts


def tables(parts: Sequence[Copying]) -> dict[str, pa.Table]:
    """The relations that rules/interference reads; ids count on from part to part."""
    shapes = schema.inputs(("interfere",))
    rows: dict[str, list[tuple[int, ...]]] = {name: [] for name in shapes}
    block = instr = var = 0
    for func, part in enumerate(parts):
        graph = part.flow
        rows["entry"].append((func, block))
        for at, targets in enumerate(graph.succ):
            start = graph.first[at]
            rows["func_block"].append((func, block + at, at))
            rows["edge"] += [(block + at, block + target) for target in targets]
            rows["block_instr"] += [(block + at, instr + step, step - start) for step in graph.block(at)]
        for step, (read, written) in enumerate(zip(graph.uses, graph.defs, strict=True), instr):
            rows["use"] += [(step, pos, var + name) for pos, name in enumerate(read)]
            rows["def"] += [(step, var + name) for name in dict.fromkeys(written)]
        rows["copy"] += [(instr + step, var + written, var + read) for step, written, read in part.copies]
        block, instr, var = block + len(graph.succ), instr + graph.first[-1], var + graph.variables
    made: dict[str, pa.Table] = {}
    for name, relation in shapes.items():
        columns = list(zip(*rows[name], strict=True)) or [()] * len(relation.columns)
        made[name] = pa.table(dict(zip(relation.arrow.names, columns, strict=True)), schema=relation.arrow)
    return made


def by_bit_sets(part: Copying) -> Conflicts:
    """The same without rules. Cost: O(blocks x variables) words for liveness, O(variables^2) bits for the result."""
    graph = part.flow
    conflicts = [0] * graph.variables
    copied: dict[int, dict[int, int]] = {}
    for instr, written, read in part.copies:
        copied.setdefault(instr, {})[written] = read
    live_out = _live_out(graph)
    for block, is_reached in enumerate(graph.reachable()):
        if not is_reached:
            continue
        live = live_out[block]
        for instr in reversed(graph.block(block)):
            written = _union(graph.defs[instr])
            same = _same(copied.get(instr, {}))
            for var in graph.defs[instr]:
                conflicts[var] |= (live | written) & ~(1 << var) & ~same(var)
            live = live & ~written | _union(graph.uses[instr])
    return conflicts


def _same(copies: Mapping[int, int]) -> Callable[[int], int]:
    """For a variable that an instruction writes, those that hold the same value after it as far as `copies` show."""
    equal: dict[int, int] = {}
    for written, read in copies.items():
        equal[read] = equal.get(read, 0 if read in copies else 1 << read) | 1 << written
    return lambda var: equal[copies[var]] if var in copies else 0


def _live_out(graph: Flow) -> list[int]:
    """The variables that are live at the end of each block."""
    reads: list[int] = []
    writes: list[int] = []
    for block in range(len(graph.succ)):
        read = written = 0
        for instr in graph.block(block):
            read |= _union(graph.uses[instr]) & ~written
            written |= _union(graph.defs[instr])
        reads.append(read)
        writes.append(written)
    live_out = [0] * len(graph.succ)
    worklist = list(range(len(graph.succ)))
    while worklist:
        block = worklist.pop()
        live_in = live_out[block] & ~writes[block] | reads[block]
        for source in graph.pred[block]:
            if live_in & ~live_out[source]:
                live_out[source] |= live_in
                worklist.append(source)
    return live_out


def _union(variables: Sequence[int]) -> int:
    found = 0
    for var in variables:
        found |= 1 << var
    return found
