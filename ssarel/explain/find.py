"""Functions, variables and places by the names that people give them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import duckdb

from ssarel.errors import UsageError, near
from ssarel.explain.facts import FunctionFacts

SHOWN = 12
"""Candidates that a message lists."""


class Place(NamedTuple):
    """A function as `func_place` has it."""

    func: int
    path: str
    name: str
    line: int
    col: int

    @property
    def spot(self) -> str:
        """`path:line:col`, which names it alone."""
        return f"{self.path}:{self.line}:{self.col}"


def functions(connection: duckdb.DuckDBPyConnection) -> list[Place]:
    """Every function of the database, in order."""
    rows = connection.execute("select func_id, path, function, line, col from func_place order by func_id").fetchall()
    return [Place(*row) for row in rows]


def find_functions(places: Sequence[Place], asked: str) -> list[Place]:
    """The functions called `asked`: a name, `PATH:NAME`, or `PATH:LINE` or `PATH:LINE:COL` of the start.

    PATH may be the end of a path. Raises: UsageError, with near names, if there is none.
    """
    found = [place for place in places if place.name == asked]
    if not found:
        found = [place for place in places if _matches(place, asked)]
    if not found:
        hint = near(asked.rpartition(":")[2], {place.name for place in places})
        hint = hint or "name one, or give its place as PATH:LINE"
        raise UsageError(f"there is no function {asked!r}; {hint}")
    return found


def one_of(found: Sequence[Place], asked: str) -> Place:
    """The only one of `found`, functions called `asked`. Raises: UsageError that lists them if there are several."""
    if len(found) > 1:
        listed = [f"{place.spot} {place.name}" for place in found[:SHOWN]]
        listed += [f"and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
        raise UsageError(f"{len(found)} functions are {asked!r}; give PATH:LINE:COL of one: {'; '.join(listed)}")
    return found[0]


def _matches(place: Place, asked: str) -> bool:
    for tail in (place.name, str(place.line), f"{place.line}:{place.col}"):
        path = asked.removesuffix(f":{tail}")
        if path != asked and (place.path == path or place.path.endswith(f"/{path}")):
            return True
    return False


def find_variable(facts: FunctionFacts, asked: str) -> tuple[int, int | None]:
    """The variable called `asked`, and the block of its phi if `asked` is the name of a phi's value.

    asked: a name as in the source, `NAME#ID` with the id that messages show, or the name of a value, `NAME.VERSION`.

    Raises: UsageError, with near names, if there is none, or, listing them, if there are several.
    """
    name, _, number = asked.partition("#")
    found = [
        var for var, (known, _) in facts.variables.items() if known == asked or (known == name and str(var) == number)
    ]
    if len(found) == 1:
        return found[0], None
    if found:
        listed = "; ".join(f"{asked}#{var} {_describe(facts, var)}" for var in found[:SHOWN])
        raise UsageError(f"{facts.name} has {len(found)} variables {asked!r}; give one of them: {listed}")
    for value in facts.values.values():
        if facts.value_name(value.value) == asked:
            return value.var, value.block if value.instr is None else None
    every = sorted({known for known, kind in facts.variables.values() if kind != "temp"})
    hint = near(name, {known for known, _ in facts.variables.values()}) or f"it has {', '.join(every) or 'none'}"
    raise UsageError(f"{facts.name} has no variable {asked!r}; {hint}")


def _describe(facts: FunctionFacts, var: int) -> str:
    instrs = [*facts.defs.get(var, ()), *(instr for instr, _ in facts.uses.get(var, ()))]
    line = min((facts.steps[instr].line for instr in instrs), default=0)
    return f"({facts.variables[var][1]}, from line {line})"


def find_blocks(facts: FunctionFacts, asked: str) -> tuple[list[int], int | None]:
    """The blocks at `asked`, the name of a block such as `bb3`, or a line; and the line if it is one.

    Raises: UsageError if there is none.
    """
    found = [block for block, name in facts.blocks.items() if name == asked]
    if found:
        return found, None
    if re.fullmatch(r"\d+", asked):
        line = int(asked)
        found = [block for block in facts.blocks if any(step.line == line for step in facts.steps_of[block])]
        if found:
            return found, line
        lines = [step.line for step in facts.steps.values() if step.line]
        extent = f"its code is on lines {min(lines)} to {max(lines)}" if lines else "it has no lines"
        raise UsageError(f"{facts.name} has no code on line {line}; {extent}")
    names = ", ".join(list(facts.blocks.values())[:SHOWN])
    raise UsageError(
        f"{facts.name} has no block {asked!r}; it has {names}{', ...' if len(facts.blocks) > SHOWN else ''}"
    )
