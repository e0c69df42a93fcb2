"""One function's relations in memory: what explanations and reports are made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import duckdb

from ssarel import resources
from ssarel.errors import DatabaseError

Links = dict[int, list[int]]
"""Ids by id, in ascending order unless something else is said."""

UNDEF_VALUE = -1
"""In the relations, a value that no definition reaches."""


@dataclass(frozen=True, slots=True)
class Step:
    """An instruction: where it stands, its printed text and its source line (empty where unknown)."""

    instr: int
    block: int
    op: str
    line: int
    col: int
    text: str
    source: str

    @property
    def shown(self) -> str:
        """The source line, or the instruction where that is missing or long."""
        return self.source if 0 < len(self.source) <= 160 else self.text


@dataclass(frozen=True, slots=True)
class Value:
    """A value: a version of `var`, made by `instr`, or by a phi of `block` if that is None."""

    value: int
    var: int
    version: int
    block: int
    instr: int | None


@dataclass(slots=True)
class FunctionFacts:
    """The relations of one function. Blocks, instructions, variables and values keep their ids in the database.

    blocks: names by block, in layout order. edges go to blocks in layout order too.
    defs, uses: instructions that write, (instruction, operand position) that read each variable, in layout order.
    upward, live_in, live_out, def_block, phi: blocks by variable.
    made, phi_value: values by (instruction, variable) and (block, variable). read: values by (instruction, position).
    written_by, read_by: the variables that an instruction writes and reads, with values, -1 in unreachable code.
    """

    func: int
    path: str
    name: str
    line: int
    col: int
    blocks: dict[int, str] = field(default_factory=dict[int, str])
    reachable: set[int] = field(default_factory=set[int])
    succ: Links = field(default_factory=lambda: defaultdict[int, list[int]](list))
    pred: Links = field(default_factory=lambda: defaultdict[int, list[int]](list))
    idom: dict[int, int] = field(default_factory=dict[int, int])
    frontier: Links = field(default_factory=lambda: defaultdict[int, list[int]](list))
    back_edges: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    steps: dict[int, Step] = field(default_factory=dict[int, Step])
    steps_of: dict[int, list[Step]] = field(default_factory=lambda: defaultdict[int, list[Step]](list))
    variables: dict[int, tuple[str, str]] = field(default_factory=dict[int, tuple[str, str]])
    defs: Links = field(default_factory=lambda: defaultdict[int, list[int]](list))
    uses: dict[int, list[tuple[int, int]]] = field(
        default_factory=lambda: defaultdict[int, list[tuple[int, int]]](list)
    )
    def_block: Links = field(default_factory=lambda: defaultdict[int, list[int]](list))
    upward: Links = field(default_factory=lambda: defaultdict[int, list[int]](list))
    live_in: Links = field(default_factory=lambda: defaultdict[int, list[int]](list))
    live_out: Links = field(default_factory=lambda: defaultdict[int, list[int]](list))
    phi: Links = field(default_factory=lambda: defaultdict[int, list[int]](list))
    values: dict[int, Value] = field(default_factory=dict[int, Value])
    made: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    phi_value: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    args: dict[int, list[tuple[int, int]]] = field(
        default_factory=lambda: defaultdict[int, list[tuple[int, int]]](list)
    )
    read: dict[tuple[int, int], int] = field(default_factory=dict[tuple[int, int], int])
    written_by: dict[int, dict[int, int]] = field(default_factory=lambda: defaultdict[int, dict[int, int]](dict))
    read_by: dict[int, dict[int, list[int]]] = field(
        default_factory=lambda: defaultdict[int, dict[int, list[int]]](dict)
    )

    def value_name(self, value: int) -> str:
        """The name of `value` as the view value_name has it."""
        if value == UNDEF_VALUE:
            return "undef"
        made = self.values[value]
        return f"{self.variables[made.var][0]}.{made.version}"

    def block_line(self, block: int) -> int:
        """The first line that `block` has, 0 if it has none."""
        return next((step.line for step in self.steps_of[block] if step.line), 0)

    def dominates(self, dominator: int, block: int) -> bool:
        """Whether `dominator` is `block` or above it in the dominator tree."""
        above: int | None = block
        while above is not None and above != dominator:
            above = self.idom.get(above)
        return above is not None

    def preds(self, block: int) -> list[int]:
        """The reachable predecessors of `block`."""
        return [pred for pred in self.pred[block] if pred in self.reachable]

    def joins(self) -> list[int]:
        """The reachable blocks with several reachable predecessors, in layout order."""
        return [block for block in self.blocks if block in self.reachable and len(self.preds(block)) > 1]


def load(connection: duckdb.DuckDBPyConnection, funcs: Sequence[int]) -> dict[int, FunctionFacts]:
    """The relations of the functions `funcs`, by function.

    Raises: DatabaseError if a relation is missing.
    Cost:   one scan of each relation, and the rows of `funcs` in memory.
    """
    try:
        return _load(connection, list(funcs))
    except duckdb.CatalogException as error:
        first = str(error).splitlines()[0]
        raise DatabaseError(f"{first}; `ssarel analyze` makes databases with all that explanations need") from error


def _load(connection: duckdb.DuckDBPyConnection, funcs: list[int]) -> dict[int, FunctionFacts]:
    places = "select func_id, path, function, line, col from func_place where list_contains($funcs, func_id)"
    found = {row[0]: FunctionFacts(*row) for row in _rows(connection, places, funcs)}
    for func, block, name, is_reachable in _rows(connection, _sql("block"), funcs):
        found[func].blocks[block] = name
        if is_reachable:
            found[func].reachable.add(block)
    for func, *row in _rows(connection, _sql("instr"), funcs):
        step = Step(*row)
        found[func].steps[step.instr] = step
        found[func].steps_of[step.block].append(step)
    for func, var, name, kind in _rows(connection, _sql("variable"), funcs):
        found[func].variables[var] = (name, kind)
    _load_graph(connection, found, funcs)
    _load_variables(connection, found, funcs)
    for func, value, instr, block, var, version in _rows(connection, _sql("value"), funcs):
        facts = found[func]
        facts.values[value] = Value(value, var, version, block, instr)
        if instr is None:
            facts.phi_value[block, var] = value
        else:
            facts.made[instr, var] = value
    for func, value, pred, arg in _rows(connection, _sql("phi_arg"), funcs):
        found[func].args[value].append((pred, arg))
    for facts in found.values():
        for var, instrs in facts.defs.items():
            for instr in instrs:
                facts.written_by[instr][var] = facts.made.get((instr, var), UNDEF_VALUE)
        for var, uses in facts.uses.items():
            for use in uses:
                facts.read_by[use[0]].setdefault(var, []).append(facts.read.get(use, UNDEF_VALUE))
    return found


def _load_graph(connection: duckdb.DuckDBPyConnection, found: dict[int, FunctionFacts], funcs: list[int]) -> None:
    for func, source, target in _by_block(connection, "edge", "src", funcs):
        found[func].succ[source].append(target)
        found[func].pred[target].append(source)
    for func, dominator, block in _by_block(connection, "idom", "block", funcs):
        found[func].idom[block] = dominator
    for func, block, frontier in _by_block(connection, "dom_frontier", "block", funcs):
        found[func].frontier[block].append(frontier)
    for func, source, target in _by_block(connection, "back_edge", "src", funcs):
        found[func].back_edges.add((source, target))
    for facts in found.values():
        position = {block: at for at, block in enumerate(facts.blocks)}
        for links in (facts.succ, facts.pred, facts.frontier):
            for neighbours in links.values():
                neighbours.sort(key=position.__getitem__)


def _load_variables(connection: duckdb.DuckDBPyConnection, found: dict[int, FunctionFacts], funcs: list[int]) -> None:
    for relation in ("def_block", "live_in", "live_out", "phi"):
        for func, block, var in _by_block(connection, relation, "block", funcs):
            getattr(found[func], relation)[var].append(block)
    for func, block, var in _by_block(connection, "upward_use", "block", funcs):
        found[func].upward[var].append(block)
    for func, instr, var in _by_instr(connection, "def", funcs):
        found[func].defs[var].append(instr)
    for func, instr, pos, var in _by_instr(connection, "use", funcs):
        found[func].uses[var].append((instr, pos))
    for func, instr, pos, value in _by_instr(connection, "ssa_use", funcs):
        found[func].read[instr, pos] = value


@cache
def _sql(name: str) -> str:
    return (resources.folder("queries") / "explain" / f"{name}.sql").read_text("utf-8")


def _rows(connection: duckdb.DuckDBPyConnection, sql: str, funcs: Iterable[int]) -> Iterator[tuple[Any, ...]]:
    yield from connection.execute(sql, {"funcs": list(funcs)}).fetchall()


def _by_block(
    connection: duckdb.DuckDBPyConnection, relation: str, column: str, funcs: list[int]
) -> Iterator[tuple[Any, ...]]:
    """The rows of a relation that names a block in `column`, each after its function."""
    join = (
        f'select func_block.func, item.* from "{relation}" as item join func_block on func_block.block = item.{column}'
    )
    return _rows(connection, f"{join} where list_contains($funcs, func_block.func) order by all", funcs)


def _by_instr(connection: duckdb.DuckDBPyConnection, relation: str, funcs: list[int]) -> Iterator[tuple[Any, ...]]:
    """The rows of a relation that names an instruction, each after its function, in layout order."""
    join = (
        f'select func_block.func, item.* from "{relation}" as item join block_instr on block_instr.instr = item.instr'
    )
    join += " join func_block on func_block.block = block_instr.block where list_contains($funcs, func_block.func)"
    return _rows(connection, f"{join} order by func_block.pos, block_instr.pos, 3", funcs)
