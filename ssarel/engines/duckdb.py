"""The embedded engine: rules/*.sql on DuckDB."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import duckdb
import pyarrow as pa

from ssarel import schema
from ssarel.engines import DEFAULT_OUTPUTS, Step, Tables
from ssarel.errors import EngineError, EngineUnavailable, SchemaError

T = TypeVar("T")

SELF_TEST = (
    "with recursive t(k, v) using key (k, avg(v)) as (select 1, 5 union select k, v - 1 from t where v > 0) "
    "select v from t"
)
"""`using key ... union` hands on finalised rows since 2.0: averages from 5 down to 0 end at 0, not at 2.5."""


class DuckDBEngine:
    """Evaluates the rules in an embedded DuckDB.

    memory_limit:   as DuckDB writes it, such as `4GB`; by default 80 % of the machine's memory.
    temp_directory: where what does not fit may go. The state of a recursion cannot go there.
    threads:        by default what DuckDB takes; recursion gains little from more than one.
    timeout:        seconds for a whole run.

    Raises: EngineUnavailable if DuckDB is older than 2.0.1 or its recursion means something else.
    """

    name = "duckdb"

    def __init__(
        self,
        memory_limit: str | None = None,
        temp_directory: str | None = None,
        threads: int | None = None,
        timeout: float | None = None,
    ) -> None:
        check_version(duckdb.__version__)
        self.timeout = timeout
        given = {"memory_limit": memory_limit, "temp_directory": temp_directory, "threads": threads}
        self.config: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
        self.config["autoinstall_known_extensions"] = False
        self.steps: list[Step] = []

    def run(self, base: Tables, outputs: Sequence[str] = DEFAULT_OUTPUTS) -> dict[str, pa.Table]:
        """See `Engine.run`. Cost: see the rule files."""
        connection = self.connect()
        try:
            self.load(connection, base, schema.inputs(outputs))
            self.derive(connection, outputs)
            return {name: connection.sql(f'from "{name}"').to_arrow_table() for name in outputs}
        finally:
            connection.close()

    def connect(self) -> duckdb.DuckDBPyConnection:
        """A database in memory with this engine's limits. Raises: EngineUnavailable for a setting DuckDB refuses."""
        try:
            connection = duckdb.connect(config=self.config)
        except duckdb.Error as error:
            raise EngineUnavailable(f"DuckDB does not start: {error}") from error
        _self_test(connection)
        return connection

    def load(
        self, connection: duckdb.DuckDBPyConnection, base: Tables, inputs: Mapping[str, schema.Relation] | None = None
    ) -> None:
        """Copy `inputs`, by default the base relations that rules read, into tables of `connection`."""
        for name, relation in (inputs or schema.inputs(())).items():
            if name not in base:
                raise SchemaError(f"base relation {name} is missing")
            connection.register("_arriving", base[name].select(relation.arrow.names))
            connection.execute(f'create table "{name}" as from _arriving')
            connection.unregister("_arriving")

    def derive(self, connection: duckdb.DuckDBPyConnection, outputs: Sequence[str] = DEFAULT_OUTPUTS) -> None:
        """Create tables for `outputs` in `connection`, whose schema `main` has the base relations as tables or views.

        Other relations are dropped as soon as no rule needs them any more. `steps` then says what each rule file
        took, without iterations: DuckDB counts none, and a counting column would change what a recursion computes.
        Raises: as `run`.
        """
        end = None if self.timeout is None else time.monotonic() + self.timeout
        self.steps = []
        rules = schema.needed(outputs)
        last_reader = {needed: rule for rule in rules for needed in schema.needed_by(rule)}
        connection.execute("create schema if not exists reverse")
        try:
            for rule in rules:
                start = time.perf_counter()
                try:
                    rows = _evaluate(connection, rule, end)
                except duckdb.Error as error:
                    raise self._explained(error, rule.name) from error
                except TimeoutError as error:
                    late = f"DuckDB passed {self.timeout} s on relation {rule.name}; see --timeout"
                    raise EngineError(late) from error
                self.steps.append(Step(rule.name, rows, time.perf_counter() - start))
                for needed, reader in last_reader.items():
                    if reader == rule and needed.name not in outputs:
                        connection.execute(f'drop table {needed.space}."{needed.relation}"')
        finally:
            connection.execute("set search_path = 'main'")
            connection.execute("drop schema reverse cascade")

    def _explained(self, error: duckdb.Error, relation: str) -> EngineError:
        if isinstance(error, duckdb.OutOfMemoryException):
            limit = self.config.get("memory_limit", "80% of the machine's memory")
            return EngineError(
                f"DuckDB ran out of memory on relation {relation} (memory limit {limit}): {_first_line(error)}; "
                "give it more with --memory-limit, or analyse fewer files at once"
            )
        return EngineError(f"DuckDB failed on relation {relation}: {_first_line(error)}")


def _evaluate(connection: duckdb.DuckDBPyConnection, rule: schema.Rule, end: float | None) -> int:
    """Create the relation of `rule`. Returns how many rows it has."""
    path = "main" if rule.space == "main" else f"{rule.space},main"
    connection.execute(f"set search_path = '{path}'")
    execute(connection, f'create table "{rule.relation}" as\n{rule.sql}', end)
    return connection.execute(f'select count(*) from "{rule.relation}"').fetchall()[0][0]


def check_version(version: str) -> None:
    """Raise EngineUnavailable unless DuckDB `version` is at least 2.0.1 and below 3."""
    parts = tuple(int(part) for part in re.findall(r"\d+", version)[:3])
    if not (2, 0, 1) <= parts < (3,):
        raise EngineUnavailable(f"ssarel needs DuckDB 2.0.1 or later, below 3; this is {version}")


def self_test() -> None:
    """Raise EngineUnavailable unless the installed DuckDB's recursion means what the rules rely on."""
    connection = duckdb.connect()
    try:
        _self_test(connection)
    finally:
        connection.close()


def _self_test(connection: duckdb.DuckDBPyConnection) -> None:
    if _self_test_value(connection) != 0:
        raise EngineUnavailable(f"DuckDB {duckdb.__version__} gives `using key ... union` another meaning; use 2.0.1")


def _self_test_value(connection: duckdb.DuckDBPyConnection) -> float:
    return connection.execute(SELF_TEST).fetchall()[0][0]


def execute(connection: duckdb.DuckDBPyConnection, sql: str, end: float | None = None) -> None:
    """Run `sql` so that Ctrl-C and a deadline reach it; see `stoppable`."""
    stoppable(connection, lambda: connection.execute(sql), end)


def stoppable(connection: duckdb.DuckDBPyConnection, work: Callable[[], T], end: float | None = None) -> T:
    """What `work` returns, which may only use `connection`: Ctrl-C and a deadline reach it.

    end: on `time.monotonic()`'s clock.
    A signal is not delivered inside a recursion, so the work runs in a thread and this one waits on an event (not on
    the thread: an interrupted join marks it as ended while it still runs).
    Raises: TimeoutError; KeyboardInterrupt; what the work raises.
    """
    results: list[T] = []
    failures: list[BaseException] = []
    done = threading.Event()

    def attempt() -> None:
        try:
            results.append(work())
        except BaseException as error:
            failures.append(error)
        finally:
            done.set()

    threading.Thread(target=attempt, daemon=True).start()
    try:
        while not done.wait(0.2):
            if end is not None and time.monotonic() > end:
                connection.interrupt()
                done.wait()
                raise TimeoutError
    except KeyboardInterrupt:
        connection.interrupt()
        done.wait()
        raise
    if failures:
        raise failures[0]
    return results[0]


def _first_line(error: BaseException) -> str:
    return str(error).strip().splitlines()[0]
