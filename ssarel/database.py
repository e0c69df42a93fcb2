"""Databases of SSA facts: written whole or not at all, opened for reading."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import duckdb

from ssarel import resources, schema
from ssarel.errors import DatabaseError, QueryError, UsageError, near

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from ssarel import explain

Parameters = Sequence[Any] | Mapping[str, Any] | None
"""Values of the parameters of SQL: in order, or by name."""

VIEWS = (
    "dom",
    "def_use",
    "func_place",
    "block_place",
    "instr_place",
    "value_variable",
    "value_name",
    "value_place",
    "value_copy",
    "module_read",
    "minimal_phi",
    *(rule.relation for rule in schema.AFTER_SSA),
)
"""Views of queries/view and of rules/constant, in the order in which they may refer to each other."""


class Database:
    """The relations of a code base, by name. A context manager; leaving it closes the connection."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path | None = None) -> None:
        self.connection = connection
        self.path = path

    def sql(self, sql: str, params: Parameters = None) -> pd.DataFrame:
        """The rows that `sql` gives; `params` fill its `?` or `$name` parameters.

        Ids and numbers are int32 columns, float64 where a row has none, texts are objects.
        Raises: QueryError with the message of the database.
        """
        try:
            return self.connection.execute(sql, params).df()
        except duckdb.Error as error:
            raise QueryError(str(error)) from error

    def arrow(self, sql: str, params: Parameters = None) -> pa.Table:
        """The same as an Arrow table: ids and numbers are int32 and may be null, texts are strings.

        Raises: QueryError with the message of the database.
        """
        try:
            return self.connection.sql(sql, params=params).to_arrow_table()
        except duckdb.Error as error:
            raise QueryError(str(error)) from error

    def relation(self, name: str) -> duckdb.DuckDBPyRelation:
        """The table or view `name` as a relation of DuckDB's, for its Python methods: filter, join, aggregate.

        Nothing is computed before its rows are asked for. Raises: UsageError for an unknown name, with near ones.
        """
        kinds = self.kinds()
        if name not in kinds:
            hint = near(name, kinds)
            raise UsageError(f"the database has no relation {name!r}" + (f"; {hint}" if hint else ""))
        return self.connection.table(name) if kinds[name] == "table" else self.connection.view(name)

    def kinds(self) -> dict[str, str]:
        """`table` or `view`, by name, of everything in the database; tables first."""
        views = "select view_name, 'view' from duckdb_views() where not internal order by all"
        tables = "select table_name, 'table' from duckdb_tables() where not internal order by all"
        return dict([*self.connection.execute(tables).fetchall(), *self.connection.execute(views).fetchall()])

    def query(self, name: str, /, **params: Any) -> pd.DataFrame:
        """The rows of the question `name`, one of queries/ (`ssarel query --list` shows them).

        Raises: UsageError for an unknown question or parameter; QueryError with the message of the database.
        """
        from ssarel import query

        found = query.find(name)
        return self.sql(found.sql, found.bind(params))

    def explain(self, function: str, variable: str, place: str | int | None = None) -> explain.Answer:
        """Why `variable` has a phi at `place` of `function` or has none, and what its reads there see.

        See `ssarel.explain.explain`; print the answer, or take its `as_json()` or `as_mermaid()`.
        Raises: UsageError if a name or place is unknown or ambiguous.
        """
        from ssarel import explain

        return explain.explain(self.connection, function, variable, place)

    def tables(self, names: Iterable[str]) -> dict[str, pa.Table]:
        """Whole relations, as Arrow."""
        return {name: self.connection.sql(f'from "{name}" order by all').to_arrow_table() for name in names}

    def _repr_html_(self) -> str:
        """What a notebook shows: relations with their rows, and the first functions."""
        from ssarel import notebook

        return notebook.database_html(self.connection)

    def close(self) -> None:
        """Give the file free."""
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def is_database(path: Path) -> bool:
    """Whether the file at `path` starts as DuckDB's files do."""
    try:
        with path.open("rb") as file:
            return file.read(12)[8:] == b"DUCK"
    except OSError:
        return False


def open(path: str | os.PathLike[str]) -> Database:
    """Open a database that `ssarel analyze` wrote, for reading only: many processes may do so at once.

    Raises: DatabaseError if there is no such file, it is locked by a writer, or it is not a database of ssarel's.
    """
    place = Path(path)
    if not place.exists():
        raise DatabaseError(f"{place}: no such file; `ssarel analyze PATH... -o {place}` makes one")
    database = Database(connect(place, read_only=True), place)
    if not {"func_block", "ssa_def"} <= {str(row[0]) for row in database.connection.execute("show tables").fetchall()}:
        database.close()
        raise DatabaseError(f"{place}: has no relations of ssarel; `ssarel analyze PATH... -o FILE` makes a database")
    return database


def connect(path: Path, read_only: bool = False, config: Mapping[str, Any] | None = None) -> duckdb.DuckDBPyConnection:
    """A connection to the file at `path`. Raises: DatabaseError that names the process holding a lock."""
    if path.is_dir():
        raise DatabaseError(f"{path}: is a folder, not a database")
    try:
        return duckdb.connect(str(path), read_only=read_only, config=dict(config or {}))
    except duckdb.ConnectionException as error:
        raise DatabaseError(f"{path}: already open in this process; close it first") from error
    except duckdb.IOException as error:
        message = str(error)
        if "Could not set lock" in message:
            holder = re.search(r"held in (.+?) \(PID (\d+)\)", message)
            who = f"process {holder[2]} ({holder[1]})" if holder else "another process"
            raise DatabaseError(f"{path}: locked by {who}; end it or choose another file") from error
        if "not a valid DuckDB database" in message:
            raise DatabaseError(f"{path}: not a DuckDB database; choose another file") from error
        raise DatabaseError(f"{path}: {message}") from error
    except duckdb.Error as error:
        raise DatabaseError(f"{path}: {error}") from error


def mark_of(connection: duckdb.DuckDBPyConnection) -> str:
    """The mark that `write` was given for a database; empty if it has none."""
    if not connection.execute("select 1 from duckdb_tables() where table_name = 'run'").fetchall():
        return ""
    return connection.execute("select value from run where name = 'fingerprint'").fetchall()[0][0]


def check_target(path: Path) -> None:
    """Find out early whether a database can be written at `path`, which may exist.

    Raises: DatabaseError if its folder is missing or cannot be written, another process holds it, or it is something
            else than a database.
    """
    if not path.absolute().parent.is_dir():
        raise DatabaseError(f"{path}: folder {path.parent} does not exist")
    try:
        tempfile.TemporaryFile(dir=path.absolute().parent).close()
    except OSError as error:
        raise DatabaseError(f"{path}: folder {path.parent} cannot be written: {error.strerror or error}") from error
    if path.is_dir() or (path.exists() and path.stat().st_size > 0):
        connect(path).close()


def write(
    path: Path,
    tables: Mapping[str, pa.Table],
    config: Mapping[str, Any] | None = None,
    mark: str = "",
    extend: Callable[[duckdb.DuckDBPyConnection], None] | None = None,
) -> None:
    """Write `tables` and the views on them as a new database at `path`, replacing what is there.

    mark:   what `mark_of` will say of it.
    extend: adds more to it before it gets its name.

    The file is written beside `path` and renamed at the end, so a run that fails or is stopped leaves `path` as it was.
    Raises: DatabaseError, see `check_target`, or when the disk is full.
    """
    import pyarrow as pa

    check_target(path)
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with connect(draft, config=config) as connection:
            load(connection, {**tables, "run": pa.table({"name": ["fingerprint"], "value": [mark]})})
            if extend is not None:
                extend(connection)
            connection.execute("checkpoint")  # closing would do it, but say nothing when the disk is full
        os.replace(draft, path)
    except (duckdb.Error, DatabaseError, OSError) as error:
        raise DatabaseError(f"{path}: cannot be written: {error}") from error
    finally:
        for leftover in (draft, draft.with_name(draft.name + ".wal")):
            leftover.unlink(missing_ok=True)


def in_memory(
    tables: Mapping[str, pa.Table],
    config: Mapping[str, Any] | None = None,
) -> Database:
    """The same database, in memory."""
    connection = duckdb.connect(config=dict(config or {}))
    load(connection, tables)
    return Database(connection)


def load(connection: duckdb.DuckDBPyConnection, tables: Mapping[str, pa.Table]) -> None:
    """Create each table with its rows, then the views on them, and say of each and its columns what it holds."""
    from ssarel import dictionary

    connection.execute("begin")  # one transaction: each of some 250 statements would else be written on its own
    load_tables(connection, tables)
    rules = {rule.relation: rule.sql for rule in schema.AFTER_SSA}
    for name in VIEWS:
        text = rules.get(name) or (resources.folder("queries") / "view" / f"{name}.sql").read_text("utf-8")
        connection.execute(f'create view "{name}" as {text}')
    for comment in dictionary.comments([*tables, *VIEWS]):
        connection.execute(comment)
    connection.execute("commit")


def load_tables(connection: duckdb.DuckDBPyConnection, tables: Mapping[str, pa.Table]) -> None:
    """Create each table with its rows and nothing else."""
    for name, rows in tables.items():
        connection.register("arrow_rows", rows)
        connection.execute(f'create table "{name}" as select * from arrow_rows')
        connection.unregister("arrow_rows")
