"""Verification by rules: every file of rules/check is a query for rows that must not exist."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from ssarel import database, folders, resources, schema
from ssarel.construct import rename_all
from ssarel.database import Database
from ssarel.engines import get_engine
from ssarel.engines.duckdb import execute
from ssarel.errors import InputError, QueryError, UsageError, near
from ssarel.ssa_facts import SHAPES, ssa_tables

LIMIT = 1000
"""Rows of a check that are kept; the rest are counted."""

_BLOCKS = "block src dst pred dominator frontier sibling header branch postdominator"

KINDS = {
    "instr": "instr",
    "var": "var",
    "func": "func",
    **dict.fromkeys(_BLOCKS.split(), "block"),
    **dict.fromkeys(("value", "arg", "reader", "found", "namesake"), "value"),
}
"""What the columns of a violation are ids of; other columns are plain numbers and words."""

_NEEDS = re.compile(r"^needs:\s*(.*)$")


@dataclass(frozen=True, slots=True)
class Check:
    """One file of checks, taken apart: its name, its first sentence, the relations it reads, and its text."""

    name: str
    sentence: str
    needs: tuple[str, ...]
    sql: str


@dataclass(slots=True)
class Outcome:
    """What a check found.

    missing: relations that the check needs and the database lacks; if there are any, it was not run.
    columns: names of ids, see KINDS.
    rows:    the first violations, at most the limit; `total` counts them all.
    """

    check: Check
    missing: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    rows: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]])
    total: int = 0


@dataclass(slots=True)
class Violation:
    """One row of a check for people.

    row:   its columns.
    names: for the ids in it that have a name or a text, by column.
    path, line, col, function: the place, as far as it is known; line 0 if it is not.
    """

    check: Check
    row: dict[str, Any]
    names: dict[str, str]
    path: str = ""
    line: int = 0
    col: int = 0
    function: str = ""


def parse(name: str, text: str) -> Check:
    """Take the text of a check apart. The comment lines at its top are the header; a line `-- needs: a, b` names the
    relations that it reads, and the prose up to the first full stop is what it says.
    """
    prose: list[str] = []
    needs: tuple[str, ...] = ()
    for line in text.splitlines():
        if not line.startswith("--"):
            break
        said = line[2:].strip()
        if found := _NEEDS.match(said):
            needs = tuple(re.findall(r"\w+", found[1]))
        elif not said.endswith(".sql"):
            prose.append(said)
    sentence = " ".join(prose).partition(". ")[0].rstrip(".")
    return Check(name, sentence or f"{name} has a row", needs, text)


def checks(extra: Path | None = None) -> list[Check]:
    """The checks of rules/check and of the folder `extra`, by name; a file of `extra` replaces one of the same name.

    Raises: UsageError if `extra` holds no .sql file; InputError for one that cannot be read.
    """
    paths = {path.stem: path for path in (resources.folder("rules") / "check").glob("*.sql")}
    if extra is not None:
        own = {path.stem: path for path in extra.glob("*.sql")}
        if not own:
            raise UsageError(f"{extra}: no .sql files; a check is a query for rows that must not exist")
        paths.update(own)
    found: list[Check] = []
    for name in sorted(paths):
        try:
            found.append(parse(name, paths[name].read_text("utf-8")))
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{paths[name]}: cannot be read: {error}") from error
    return found


def select(catalogue: Sequence[Check], names: Iterable[str]) -> list[Check]:
    """The checks called `names`. Raises: UsageError for an unknown one, with near names."""
    by_name = {check.name: check for check in catalogue}
    for name in names:
        if name not in by_name:
            hint = near(name, by_name) or "`ssarel check --list` shows them"
            raise UsageError(f"there is no check {name!r}; {hint}")
    return [by_name[name] for name in dict.fromkeys(names)]


def verify(
    connection: duckdb.DuckDBPyConnection, wanted: Iterable[Check] | None = None, limit: int = LIMIT
) -> Iterator[Outcome]:
    """Run each of `wanted`, by default all of rules/check, on the relations of `connection`.

    Raises: QueryError with the name of a check and the message of the database.
    Cost:   about as much as deriving the relations did.
    """
    present = relations(connection)
    for check in checks() if wanted is None else wanted:
        missing = tuple(name for name in check.needs if name not in present)
        yield Outcome(check, missing) if missing else _run(connection, check, limit)


def relations(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """The names of all tables and views."""
    return {str(row[0]) for row in connection.execute("show tables").fetchall()}


def _run(connection: duckdb.DuckDBPyConnection, check: Check, limit: int) -> Outcome:
    outcome = Outcome(check)
    try:
        execute(connection, check.sql)
        outcome.columns = tuple(str(column[0]) for column in connection.description or ())
        while batch := connection.fetchmany(4096):
            outcome.rows.extend(batch[: limit - len(outcome.rows)])
            outcome.total += len(batch)
    except duckdb.Error as error:
        raise QueryError(f"check {check.name}: {error}") from error
    return outcome


def violations(connection: duckdb.DuckDBPyConnection, outcome: Outcome) -> list[Violation]:
    """The rows of `outcome` with names and places, as far as the database has relations that hold them."""
    present = relations(connection)
    ids: dict[str, set[int]] = {kind: set() for kind in ("instr", "var", "func", "block", "value")}
    for row in outcome.rows:
        for column, value in zip(outcome.columns, row, strict=True):
            if column in KINDS and isinstance(value, int):
                ids[KINDS[column]].add(value)

    def look_up(kind: str, view: str, key: str) -> dict[int, dict[str, Any]]:
        if view not in present or not ids[kind]:
            return {}
        # The last row of an id wins: of a block that is its first instruction.
        connection.execute(f"from {view} where {key} = any(?) order by all desc", [sorted(ids[kind])])
        columns = [str(column[0]) for column in connection.description or ()]
        records = (dict(zip(columns, row, strict=True)) for row in connection.fetchall())
        return {record[key]: record for record in records}

    found = {
        "instr": look_up("instr", "instr_place", "instr"),
        "var": look_up("var", "var_name", "var"),
        "func": look_up("func", "func_place", "func_id"),
        "block": look_up("block", "instr_place", "block"),
        "value": look_up("value", "value_place", "value"),
    }
    return [_violation(outcome.check, dict(zip(outcome.columns, row, strict=True)), found) for row in outcome.rows]


def _violation(check: Check, row: dict[str, Any], found: Mapping[str, Mapping[int, dict[str, Any]]]) -> Violation:
    known = {column: found[KINDS[column]].get(value, {}) for column, value in row.items() if column in KINDS}
    names: dict[str, str] = {}
    for column, record in known.items():
        name = record.get({"instr": "text", "func": "function"}.get(KINDS[column], "name"))
        if KINDS[column] == "value" and row[column] == -1:
            name = "undef"
        if name and KINDS[column] != "block":
            names[column] = name
    by_kind = {KINDS[column]: record for column, record in reversed(known.items()) if "path" in record}
    record = next((by_kind[kind] for kind in ("instr", "block", "value", "func") if kind in by_kind), {})
    place = {key: record[key] for key in ("path", "line", "col", "function") if key in record}
    return Violation(check, row, names, **place)


def open_folder(folder: Path, options: Mapping[str, Any] | None = None) -> Database:
    """The relations of `folder`, base, derived or SSA, as a database in memory.

    What the folder lacks is made: the derived relations on DuckDB, with `options`, and, if it has none of these and no
    SSA relations either, the SSA relations. On base relations that break a check nothing is made; the checks that
    need more then say so.
    Raises: InputError for a file that does not fit its relation; EngineError.
    """
    tables = _read(folder)
    if _is_sound(tables):
        derived = get_engine("duckdb", **(options or {})).run(tables)
        if not tables.keys() & {*derived, *SHAPES}:
            units = folders.units(tables)
            derived |= ssa_tables(units, rename_all(units, derived["idom"], derived["phi"]))
        tables = {**derived, **tables}
    connection = duckdb.connect()
    is_whole = tables.keys() >= {*schema.BASE, *schema.DERIVED, *SHAPES}
    (database.load if is_whole else database.load_tables)(connection, tables)
    return Database(connection)


def _is_sound(tables: Mapping[str, pa.Table]) -> bool:
    """Whether all base relations that rules read are there and break no check."""
    base = {name for name, relation in schema.BASE.items() if relation.is_input}
    if not base <= tables.keys():
        return False
    with duckdb.connect() as connection:
        database.load_tables(connection, {name: tables[name] for name in base})
        return not any(outcome.total for outcome in verify(connection))


def _read(folder: Path) -> dict[str, pa.Table]:
    shapes = {name: relation.arrow for name, relation in {**schema.BASE, **schema.DERIVED}.items()}
    shapes |= {name: pa.schema([(column, pa.int32()) for column in columns]) for name, columns in SHAPES.items()}
    found = ((name, folders.find_relation(folder, name, shape)) for name, shape in shapes.items())
    return {name: table for name, table in found if table is not None}
