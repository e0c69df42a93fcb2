"""The named questions of queries/ and how to ask a database anything."""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

import duckdb

from ssarel import resources
from ssarel.engines.duckdb import stoppable
from ssarel.errors import QueryError, UsageError, near

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")

_SECTION = re.compile(r"^(Parameters|Columns|Example)$")
_ENTRY = re.compile(r"^  (\w+)\s+(.*)$")
FETCH = 4096
"""Rows held in memory at a time when a result is streamed."""


@dataclass(frozen=True, slots=True)
class Query:
    """One file of queries/, taken apart.

    question:   its first sentence; `notes` is the text after it.
    parameters: name and meaning; a meaning that ends in `(required)` must be given, others are null if not.
    columns:    name and meaning, in order.
    example:    a row of its answer about facts/examples, or about its case in tests/queries, as CSV.
    """

    name: str
    question: str
    notes: str
    parameters: dict[str, str]
    columns: dict[str, str]
    example: str
    sql: str

    def bind(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters, those not given as None.

        Raises: UsageError for a parameter that the query does not have, or a required one that is missing.
        """
        for name in given:
            if name not in self.parameters:
                known = ", ".join(self.parameters) or "none"
                raise UsageError(f"query {self.name} has no parameter {name!r}; it has: {known}")
        missing = [name for name, text in self.parameters.items() if text.endswith("(required)") and name not in given]
        if missing:
            raise UsageError(f"query {self.name} needs {' and '.join(f'-p {name}=...' for name in missing)}")
        return {name: given.get(name) for name in self.parameters}


def parse(name: str, text: str) -> Query:
    """Take the text of a query file apart: the comment lines at its top are the header, the rest is SQL."""
    lines = text.splitlines()
    end = next((at for at, line in enumerate(lines) if not line.startswith("--")), len(lines))
    header = [line[2:].removeprefix(" ") for line in lines[:end]]
    sections: dict[str, dict[str, str]] = {"Parameters": {}, "Columns": {}}
    prose: list[str] = []
    example: list[str] = []
    section = ""
    for line in header:
        if _SECTION.match(line):
            section = line
        elif section == "Example":
            example.append(line.strip())
        elif section and (entry := _ENTRY.match(line)):
            sections[section][entry[1]] = entry[2]
        elif not section:
            prose.append(line)
    question, _, notes = "\n".join(prose).partition("\n\n")
    return Query(
        name,
        " ".join(question.split()),
        notes.strip(),
        sections["Parameters"],
        sections["Columns"],
        "\n".join(example).strip(),
        "\n".join(lines[end:]),
    )


@cache
def catalogue() -> dict[str, Query]:
    """The questions of queries/, by name."""
    folder = resources.folder("queries")
    return {path.stem: parse(path.stem, path.read_text("utf-8")) for path in sorted(folder.glob("*.sql"))}


def find(name: str) -> Query:
    """The question `name`. Raises: UsageError, with near names."""
    queries = catalogue()
    if name not in queries:
        hint = near(name, queries) or "`ssarel query --list` shows them."
        raise UsageError(f"there is no query {name!r}; {hint} To see a relation: 'from {name}'")
    return queries[name]


@dataclass(slots=True)
class Rows:
    """The answer to a query: column names, and rows that are fetched as they are read; or batches, which have types."""

    columns: tuple[str, ...]
    rows: Iterator[tuple[Any, ...]]
    batches: Callable[[], pa.RecordBatchReader]


def ask(
    connection: duckdb.DuckDBPyConnection,
    question: str,
    given: Mapping[str, Any] | None = None,
    timeout: float | None = None,
) -> Rows:
    """Answer `question`: the name of a query, or SQL with `$name` parameters. Of several statements the last answers.

    timeout: seconds until the last row is fetched. Ctrl-C reaches the database at any time.

    Raises: UsageError for an unknown name or parameter; QueryError with the message of the database, or if it took
            too long.
    """
    given = given or {}
    question = question.strip()
    run = _Run(connection, timeout)
    if re.fullmatch(r"\w+", question):
        query = find(question)
        run(lambda: connection.execute(query.sql, query.bind(given)))
    else:
        _execute(run, question, given)
    columns = tuple(str(column[0]) for column in connection.description or ())
    return Rows(columns, _fetch(run), lambda: run(lambda: _batches(connection)))


class _Run:
    """Runs calls of one connection, which end together at a deadline."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, timeout: float | None) -> None:
        self.connection = connection
        self.timeout = timeout
        self.end = None if timeout is None else time.monotonic() + timeout

    def __call__(self, work: Callable[[], T]) -> T:
        """What `work` returns. Raises: QueryError."""
        try:
            return stoppable(self.connection, work, self.end)
        except TimeoutError as error:
            raise QueryError(f"the query passed {self.timeout} s; see --timeout") from error
        except duckdb.Error as error:
            raise QueryError(str(error)) from error


def _execute(run: _Run, sql: str, given: Mapping[str, Any]) -> None:
    connection = run.connection
    statements = run(lambda: connection.extract_statements(sql))
    if not statements:
        raise QueryError("the query is empty; give SQL, the name of a query, or - to read SQL from standard input")
    wanted = {name for statement in statements for name in statement.named_parameters}
    unknown = sorted(set(given) - wanted)
    if unknown:
        raise UsageError(f"the SQL has no parameter ${unknown[0]}")
    missing = sorted(wanted - set(given))
    if missing:
        raise UsageError(f"the SQL needs a value for ${missing[0]}: -p {missing[0]}=...")
    for statement in statements:
        values = {name: given[name] for name in statement.named_parameters} or None
        run(partial(connection.execute, statement, values))


def _fetch(run: _Run) -> Iterator[tuple[Any, ...]]:
    while batch := run(lambda: run.connection.fetchmany(FETCH)):
        yield from batch


def _batches(connection: duckdb.DuckDBPyConnection) -> pa.RecordBatchReader:
    with warnings.catch_warnings():
        # It advises another call, which takes no statement with parameters.
        warnings.filterwarnings("ignore", "Arrow output on a DB-API result", UserWarning)
        found = connection.to_arrow_reader()
    if found is None:
        raise QueryError("the SQL gives no rows")
    return found


def parse_parameters(pairs: Iterable[str]) -> dict[str, str]:
    """`name=value` texts as a dictionary. Raises: UsageError for a text without `=`, or a name given twice."""
    given: dict[str, str] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise UsageError(f"parameter {pair!r} is not of the form name=value")
        if name in given:
            raise UsageError(f"parameter {name} is given twice")
        given[name] = value
    return given
