"""Functions to base relations: whole columns of integers, no row-by-row inserts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from ssarel import schema, text
from ssarel.errors import InputError
from ssarel.flow import CELL, Flow, flow, steps
from ssarel.ir import Function, Instr, Var, all_functions
from ssarel.operations import LITERALS, OPERATIONS, operators, truth_tests
from ssarel.sources import Source, clean

Ints = np.ndarray[Any, np.dtype[np.int64]]

MAX_ID = 2**31 - 1
"""The largest id: Soufflé's numbers have 32 bits and wrap without notice."""


@dataclass(slots=True)
class Unit:
    """One function with the ids that its blocks, instructions and variables have in the relations.

    blocks, instrs, vars: the id of each index of `flow`.
    function:             None for a unit that was read from relations.
    """

    func: int
    flow: Flow
    blocks: Sequence[int]
    instrs: Sequence[int]
    vars: Sequence[int]
    function: Function | None = None


@dataclass(slots=True)
class Facts:
    """Base relations by name, and the functions in the order of their ids."""

    tables: dict[str, pa.Table]
    units: list[Unit]


def emit(sources: Iterable[Source]) -> Facts:
    """The base relations of `sources`; ids count from 0 in the order of sources and functions.

    Raises: InputError if an id would pass 2^31 - 1.
    Cost:   one pass over the operands; text columns dominate.
    """
    emitter = _Emitter()
    for source in sources:
        emitter.add_source(source)
    return Facts(emitter.tables(), emitter.units)


class Lists:
    """Lists of numbers, one behind the other."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.items: list[int] = []

    def extend(self, lists: Sequence[Sequence[int]]) -> None:
        """Append `lists`."""
        self.sizes.extend(map(len, lists))
        self.items.extend(chain.from_iterable(lists))

    def rows(self) -> tuple[Ints, Ints, Ints]:
        """For each item: the number of its list, its position there, and itself."""
        return *grouped(self.sizes), np.array(self.items, np.int64)


class _Emitter:
    """Columns under construction. Operands and edges are kept as `Flow` has them and get their ids at the end."""

    def __init__(self) -> None:
        self.units: list[Unit] = []
        self.rows: dict[str, list[tuple[Any, ...]]] = {
            name: []
            for name in (
                "source_file",
                "func",
                "entry",
                "cell_read",
                "cell_write",
                "literal",
                "branch_target",
                "diagnostic",
            )
        }
        self.block_counts: list[int] = []
        self.block_names: list[str] = []
        self.instr_counts: list[int] = []
        self.succ, self.uses, self.defs = Lists(), Lists(), Lists()
        self.operations: tuple[list[int], list[int], list[str]] = ([], [], [])
        self.texts: tuple[list[str], list[int], list[int], list[str]] = ([], [], [], [])
        self.names: tuple[list[int], list[str], list[str]] = ([], [], [])
        self.line_counts: list[int] = []
        self.lines: list[str] = []
        self.blocks = self.instrs = 0

    def add_source(self, source: Source) -> None:
        file = len(self.rows["source_file"])
        self.rows["source_file"].append((file, source.path, source.language, source.sha256))
        func_ids: dict[int, int] = {}
        names: dict[str, int] = {}
        var_ids: dict[Var, int] = {}
        for function, parent in all_functions(source.functions):
            func_ids[id(function)] = func = len(self.units)
            names.setdefault(function.title, func)
            outer = None if parent is None else func_ids[id(parent)]
            self.rows["func"].append((func, file, outer, function.title, function.line, function.col))
            self.add_function(function, func, var_ids)
        self.line_counts.append(len(source.lines))
        self.lines.extend(source.lines)
        for item in source.diagnostics:
            func = names.get(item.function) if item.function is not None else None
            row = (file, func, item.line, item.col, item.severity, item.code, item.message)
            self.rows["diagnostic"].append(row)
        if max(self.blocks, self.instrs, len(self.names[0])) > MAX_ID:
            raise InputError(f"{source.path}: ids pass 2^31 - 1; analyse fewer files at once")

    def add_function(self, function: Function, func: int, var_ids: dict[Var, int]) -> None:
        graph = flow(function)
        block, instr = self.blocks, self.instrs
        self.blocks += len(graph.succ)
        self.instrs += len(graph.uses)
        params = {param.var for param in function.params}
        for var in graph.vars:
            if var not in var_ids:
                var_ids[var] = self.name(var, func, _kind(var, params))
        numbers = [var_ids[var] for var in graph.vars]
        self.units.append(Unit(func, graph, range(block, self.blocks), range(instr, self.instrs), numbers, function))
        self.rows["entry"].append((func, block))
        self.succ.extend(graph.succ)
        self.block_counts.append(len(graph.succ))
        self.block_names.extend(f"bb{number}" for number in function.blocks)
        self.instr_counts.extend(end - start for start, end in pairwise(graph.first))
        self.uses.extend(graph.uses)
        self.defs.extend(graph.defs)
        body = list(steps(function))
        ops, lines, cols, texts = self.texts
        ops.extend([step.op for step in body])
        lines.extend([step.line for step in body])
        cols.extend([step.col for step in body])
        texts.extend([text.format_instr(step) for step in body])
        for at, (step, uses, defs) in enumerate(zip(body, graph.uses, graph.defs, strict=True), instr):
            if CELL in uses or CELL in defs or step.op in ("StoreContext", "DeclareContext"):
                self.add_cells(at, step, func, var_ids)
            elif step.op in OPERATIONS:
                self.add_operation(at, step, defs)
            elif step.op in LITERALS and (constant := LITERALS[step.op](step.attr)) is not None:
                self.rows["literal"].append((at, constant))
        for last, targets, test in zip(graph.first[1:], graph.succ, truth_tests(function), strict=True):
            if test and len(targets) == 2:
                self.rows["branch_target"] += [
                    (instr + last - 1, block + target, taken) for target, taken in zip(targets, test, strict=True)
                ]

    def add_operation(self, instr: int, step: Instr, defs: Sequence[int]) -> None:
        instrs, variables, names = self.operations
        for var, operator in zip(defs, operators(step), strict=False):
            instrs.append(instr)
            variables.append(var)
            names.append(operator)

    def add_cells(self, instr: int, step: Instr, func: int, var_ids: dict[Var, int]) -> None:
        written = [var for var in step.defs if var.cell]
        read = [var for var in step.uses if var.cell]
        if step.op == "StoreContext":
            written, read = step.uses[:1], [var for var in step.uses[1:] if var.cell]
        elif step.op == "DeclareContext" and not step.attr[0].startswith("Hoisted"):
            written = [step.attr[1]]
        for relation, cells in (("cell_read", read), ("cell_write", written)):
            for var in cells:
                if var not in var_ids:
                    var_ids[var] = self.name(var, func, "captured")
                self.rows[relation].append((instr, var_ids[var]))

    def name(self, var: Var, func: int, kind: str) -> int:
        funcs, names, kinds = self.names
        funcs.append(func)
        names.append(var.name or f"${var.decl}")
        kinds.append(kind)
        return len(funcs) - 1

    def tables(self) -> dict[str, pa.Table]:
        """All base relations, in the order of facts/schema.dl."""
        columns: dict[str, list[Any]] = {name: list(zip(*rows, strict=True)) for name, rows in self.rows.items()}
        files, pos = grouped(self.line_counts)
        columns["source_line"] = [files, pos + 1, self.lines]
        columns["var_name"] = [np.arange(len(self.names[0])), *self.names]
        units, pos = grouped(self.block_counts)
        columns["func_block"] = [units, np.arange(self.blocks), pos]
        columns["block_name"] = [np.arange(self.blocks), self.block_names]
        blocks, _, targets = self.succ.rows()
        columns["edge"] = [blocks, targets + starts_of(self.block_counts)[units[blocks]]]
        blocks, pos = grouped(self.instr_counts)
        columns["block_instr"] = [blocks, np.arange(self.instrs), pos]
        columns["instr_text"] = [np.arange(self.instrs), *self.texts]
        numbers = np.array([number for unit in self.units for number in unit.vars], np.int64)
        first = starts_of([len(unit.vars) for unit in self.units])[units[blocks]]
        instrs, pos, variables = _versioned(*self.uses.rows())
        columns["use"] = [instrs, pos, numbers[first[instrs] + variables]]
        instrs, variables = (np.array(column, np.int64) for column in self.operations[:2])
        columns["operation"] = [instrs, numbers[first[instrs] + variables], self.operations[2]]
        instrs, _, variables = _versioned(*self.defs.rows())
        variables = numbers[first[instrs] + variables]
        _, once = np.unique(instrs * len(self.names[0]) + variables, return_index=True)
        once.sort()
        columns["def"] = [instrs[once], variables[once]]
        return {name: _table(name, columns[name]) for name in schema.BASE}


def _versioned(instrs: Ints, pos: Ints, variables: Ints) -> tuple[Ints, Ints, Ints]:
    """Operands without those that are cells."""
    kept = variables != CELL
    return instrs[kept], pos[kept], variables[kept]


def _kind(var: Var, params: set[Var]) -> str:
    if var.name is None or var.name.startswith("#"):
        return "temp"
    return "param" if var in params else "local"


def starts_of(sizes: Sequence[int]) -> Ints:
    """Where each of some consecutive groups of the given sizes starts."""
    return np.cumsum(sizes, dtype=np.int64) - np.array(sizes, np.int64)


def grouped(sizes: Sequence[int]) -> tuple[Ints, Ints]:
    """For consecutive groups of the given sizes: the group of each row, and its position there."""
    counts = np.array(sizes, np.int64)
    groups = np.repeat(np.arange(len(counts)), counts)
    return groups, np.arange(len(groups)) - np.repeat(starts_of(sizes), counts)


def _table(name: str, columns: list[Any]) -> pa.Table:
    shape = schema.BASE[name].arrow
    arrays = [_array(column, kind) for column, kind in zip(columns or [[] for _ in shape], shape.types, strict=True)]
    return pa.Table.from_arrays(arrays, schema=shape)


def _array(column: Any, kind: pa.DataType) -> pa.Array[Any]:
    try:
        return pa.array(column, kind)
    except UnicodeEncodeError:
        return pa.array(list(map(clean, column)), kind)
