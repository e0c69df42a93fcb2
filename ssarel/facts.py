"""Functions to base relations: whole columns of integers, no row-by-row inserts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from ssarel import schema, text
from ssarel.errors import InputError
from ssarel.flow import CELL, Flow, flow, steps
from ssarel.ir import Diagnostic, Function, Instr, Var, all_functions

MAX_ID = 2**31 - 1
"""The largest id: Soufflé's numbers have 32 bits and wrap without notice."""


@dataclass(slots=True)
class Source:
    """One input as a front end leaves it: its root functions, what a person should know about it, its lines."""

    path: str
    language: str
    sha256: str
    functions: list[Function]
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    lines: Sequence[str] = ()


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


def clean(value: str) -> str:
    """`value` with lone surrogates written as `\\udxxx`, so that it can be stored as UTF-8."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-8", "backslashreplace").decode()
    return value


def emit(sources: Iterable[Source]) -> Facts:
    """The base relations of `sources`; ids count from 0 in the order of sources and functions.

    Raises: InputError if an id would pass 2^31 - 1.
    Cost:   one pass over the operands; text columns dominate.
    """
    emitter = _Emitter()
    for source in sources:
        emitter.add_source(source)
    return Facts(emitter.tables(), emitter.units)


class _Emitter:
    """Columns under construction. `counts_*` hold how many rows follow for each block or instruction."""

    def __init__(self) -> None:
        self.units: list[Unit] = []
        self.rows: dict[str, list[tuple[Any, ...]]] = {
            name: []
            for name in (
                "source_file",
                "func",
                "entry",
                "edge",
                "var_name",
                "cell_read",
                "cell_write",
                "source_line",
                "diagnostic",
            )
        }
        self.block_counts: list[int] = []
        self.block_names: list[str] = []
        self.instr_counts: list[int] = []
        self.use_counts: list[int] = []
        self.use_vars: list[int] = []
        self.def_instrs: list[int] = []
        self.def_vars: list[int] = []
        self.texts: tuple[list[str], list[int], list[int], list[str]] = ([], [], [], [])
        self.blocks = self.instrs = self.variables = 0

    def add_source(self, source: Source) -> None:
        file = len(self.rows["source_file"])
        self.rows["source_file"].append((file, clean(source.path), source.language, source.sha256))
        func_ids: dict[int, int] = {}
        names: dict[str, int] = {}
        var_ids: dict[Var, int] = {}
        for function, parent in all_functions(source.functions):
            func_ids[id(function)] = func = len(self.units)
            names.setdefault(function.title, func)
            outer = None if parent is None else func_ids[id(parent)]
            self.rows["func"].append((func, file, outer, clean(function.title), function.line, function.col))
            self.add_function(function, func, var_ids)
        self.rows["source_line"].extend((file, line, clean(text)) for line, text in enumerate(source.lines, 1))
        for item in source.diagnostics:
            func = names.get(item.function) if item.function is not None else None
            row = (file, func, item.line, item.col, item.severity, item.code, clean(item.message))
            self.rows["diagnostic"].append(row)
        if max(self.blocks, self.instrs, self.variables) > MAX_ID:
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
        self.rows["edge"].extend(
            (block + source, block + target) for source, targets in enumerate(graph.succ) for target in targets
        )
        self.block_counts.append(len(graph.succ))
        self.block_names.extend(f"bb{number}" for number in function.blocks)
        self.instr_counts.extend(np.diff(graph.first).tolist())
        numbers.append(CELL)
        for at, (uses, defs) in enumerate(zip(graph.uses, graph.defs, strict=True), instr):
            self.use_counts.append(len(uses))
            self.use_vars.extend([numbers[variable] for variable in uses])
            for variable in dict.fromkeys(defs) if len(defs) > 1 else defs:
                if variable != CELL:
                    self.def_instrs.append(at)
                    self.def_vars.append(numbers[variable])
        numbers.pop()
        ops, lines, cols, texts = self.texts
        for at, step in enumerate(steps(function), instr):
            ops.append(step.op)
            lines.append(step.line)
            cols.append(step.col)
            texts.append(text.format_instr(step))
            self.add_cells(at, step, func, var_ids)

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
        number = self.variables
        self.variables += 1
        self.rows["var_name"].append((number, func, clean(var.name or f"${var.decl}"), kind))
        return number

    def tables(self) -> dict[str, pa.Table]:
        """All base relations, in the order of facts/schema.dl."""
        columns = {name: _transpose(rows) for name, rows in self.rows.items()}
        funcs, pos = _grouped(self.block_counts)
        columns["func_block"] = [funcs, np.arange(self.blocks), pos]
        columns["block_name"] = [np.arange(self.blocks), self.block_names]
        blocks, pos = _grouped(self.instr_counts)
        columns["block_instr"] = [blocks, np.arange(self.instrs), pos]
        instrs, pos = _grouped(self.use_counts)
        variables = np.array(self.use_vars, np.int64)
        kept = variables != CELL
        columns["use"] = [instrs[kept], pos[kept], variables[kept]]
        columns["def"] = [self.def_instrs, self.def_vars]
        columns["instr_text"] = [np.arange(self.instrs), *self.texts]
        return {name: _table(name, columns[name]) for name in schema.BASE}


def _kind(var: Var, params: set[Var]) -> str:
    if var.name is None or var.name.startswith("#"):
        return "temp"
    return "param" if var in params else "local"


def _transpose(rows: list[tuple[Any, ...]]) -> list[Any]:
    return [list(column) for column in zip(*rows, strict=True)]


def _grouped(counts: list[int]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """For groups of the given sizes: the group of each row, and its position in the group."""
    sizes = np.array(counts, np.int64)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    starts = np.repeat(np.cumsum(sizes) - sizes, sizes)
    return groups, np.arange(len(groups)) - starts


def _table(name: str, columns: list[Any]) -> pa.Table:
    shape = schema.BASE[name].arrow
    arrays = [pa.array(column, kind) for column, kind in zip(columns or [[] for _ in shape], shape.types, strict=True)]
    return pa.Table.from_arrays(arrays, schema=shape)
