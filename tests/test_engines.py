"""How the engines fail, stop and report."""

from __future__ import annotations

import os
import signal
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import duckdb
import pytest

from ssarel import schema
from ssarel.engines import duckdb as duckdb_engine
from ssarel.engines import get_engine
from ssarel.engines.duckdb import DuckDBEngine, check_version, execute
from ssarel.engines.souffle import SouffleEngine
from ssarel.errors import EngineError, EngineUnavailable, SchemaError, UsageError
from tests.flows import random_flow
from tests.rules_by_definition import INPUTS, base, rows_of, tables

GIVEN = tables(base(random_flow(Random(1), 8, 2) for _ in range(20)))
ENDLESS = "with recursive t(k, n) using key (k) as (select 1, 0 union select k, n + 1 from t) select count(*) from t"
LADDER = 30_000
"""Blocks of an irreducible ladder: it takes either engine much longer than the tests wait."""

Fake = Callable[[str], None]


def ladder(count: int) -> dict[str, list[tuple[int, ...]]]:
    edges = {(0, 1), (0, count - 1)}
    for at in range(1, count - 1):
        edges |= {(at, at + 1), (at + 1, at)}
    return {
        "entry": [(0, 0)],
        "func_block": [(0, block, block) for block in range(count)],
        "edge": sorted(edges),
    }


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Puts a `souffle` on PATH that says version 2.5 and otherwise runs the given shell script; $out is its folder for
    outputs."""

    def make(script: str, version: str = "2.5") -> None:
        program = tmp_path / "souffle"
        program.write_text(
            f'#!/bin/sh\nif [ "$1" = --version ]; then echo "Version: {version}"; exit 0; fi\n'
            f'for argument; do out="$argument"; done\n{script}\n'
        )
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    return make


def test_unknown_engine() -> None:
    with pytest.raises(UsageError, match="no engine 'prolog'; there are duckdb, souffle"):
        get_engine("prolog")


@pytest.mark.parametrize("engine", ["duckdb", pytest.param("souffle", marks=pytest.mark.souffle)])
class TestBoth:
    def test_missing_base_relation(self, engine: str) -> None:
        with pytest.raises(SchemaError, match="base relation edge is missing"):
            get_engine(engine).run({name: table for name, table in GIVEN.items() if name != "edge"})

    def test_unknown_output(self, engine: str) -> None:
        with pytest.raises(SchemaError, match="no derived relation 'dominators'"):
            get_engine(engine).run(GIVEN, ["dominators"])

    def test_nothing_in_nothing_out(self, engine: str) -> None:
        derived = get_engine(engine).run(tables({}))
        assert {name: table.num_rows for name, table in derived.items()} == dict.fromkeys(schema.DERIVED, 0)

    def test_shapes(self, engine: str) -> None:
        for name, table in get_engine(engine).run(GIVEN).items():
            assert table.schema.equals(schema.DERIVED[name].arrow), name

    def test_extra_and_reordered_columns_are_ignored(self, engine: str) -> None:
        edge = GIVEN["edge"]
        wide = {**GIVEN, "edge": edge.select(["dst", "src"]).append_column("note", edge["src"]), "instr_text": edge}
        first, second = get_engine(engine).run(GIVEN, ["phi"]), get_engine(engine).run(wide, ["phi"])
        assert sorted(rows_of(first["phi"])) == sorted(rows_of(second["phi"]))

    def test_timeout(self, engine: str) -> None:
        start = time.monotonic()
        with pytest.raises(EngineError, match=r"passed 0\.5 s on .*; see --timeout"):
            get_engine(engine, timeout=0.5).run(tables(ladder(LADDER)), ["idom"])
        assert time.monotonic() - start < 15

    def test_ctrl_c(self, engine: str) -> None:
        given = tables(ladder(LADDER))
        start = time.monotonic()
        timer = threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        try:
            with pytest.raises(KeyboardInterrupt):
                get_engine(engine).run(given, ["idom"])
        finally:
            timer.join()
        assert time.monotonic() - start < 15


@pytest.mark.parametrize("version", ["1.5.0", "2.0.0", "3.0.0", "3.1"])
def test_duckdb_version_out_of_range(version: str) -> None:
    with pytest.raises(EngineUnavailable, match=f"needs DuckDB 2.0.1 or later, below 3; this is {version}"):
        check_version(version)


@pytest.mark.parametrize("version", ["2.0.1", "2.1.0", "2.10.3", "2.0.2rc1", "2.1.0.dev7"])
def test_duckdb_version_in_range(version: str) -> None:
    check_version(version)


def test_recursion_that_means_something_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duckdb_engine, "SELF_TEST", duckdb_engine.SELF_TEST.replace("union", "union all"))
    with pytest.raises(EngineUnavailable, match=r"gives `using key ... union` another meaning"):
        DuckDBEngine().run(GIVEN)


def test_duckdb_setting_refused() -> None:
    with pytest.raises(EngineUnavailable, match=r"DuckDB does not start: .*Memory must have a number"):
        DuckDBEngine(memory_limit="much").run(GIVEN)


def test_duckdb_out_of_memory_names_the_relation_and_the_limit() -> None:
    with pytest.raises(EngineError, match=r"ran out of memory on relation \w+ \(memory limit 20MB\): .*--memory-limit"):
        DuckDBEngine(memory_limit="20MB", threads=1).run(tables(ladder(10_000)))


def test_duckdb_failure_names_the_relation() -> None:
    engine = DuckDBEngine()
    with duckdb.connect() as connection, pytest.raises(EngineError, match="DuckDB failed on relation bfs_tree: "):
        engine.derive(connection)


def test_duckdb_runs_again_after_a_timeout() -> None:
    with duckdb.connect() as connection:
        with pytest.raises(TimeoutError):
            execute(connection, ENDLESS, time.monotonic() + 0.3)
        execute(connection, "create table t as select 1 as a")
        assert connection.execute("from t").fetchall() == [(1,)]


def test_duckdb_derives_in_a_file_and_leaves_no_helpers(tmp_path: Path) -> None:
    engine = DuckDBEngine()
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        engine.load(connection, GIVEN)
        engine.derive(connection, ["phi", "control_dep"])
        tables_left = connection.execute("select schema_name, table_name from duckdb_tables()").fetchall()
        assert set(tables_left) == {("main", name) for name in (*INPUTS, "phi", "control_dep")}
        assert connection.execute("select current_schema()").fetchall() == [("main",)]
        engine.derive(connection, ["post_idom"])
        assert connection.execute("select count(*) from post_idom").fetchall()[0][0] > 0


def test_duckdb_reports_what_each_rule_took() -> None:
    engine = DuckDBEngine()
    derived = engine.run(GIVEN, ["idom", "control_dep"])
    assert [step.relation for step in engine.steps] == [rule.name for rule in schema.needed(["idom", "control_dep"])]
    rows = {step.relation: step.rows for step in engine.steps}
    assert (rows["idom"], rows["control_dep"]) == (derived["idom"].num_rows, derived["control_dep"].num_rows)
    assert rows["reverse.bfs_tree"] == rows["reachable"] + len(GIVEN["entry"])
    assert all(step.seconds > 0 for step in engine.steps)


def test_souffle_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineUnavailable, match="not on PATH; `ssarel doctor` says how to get it"):
        SouffleEngine()


def test_souffle_is_too_old(fake: Callable[..., None]) -> None:
    fake("exit 0", version="2.3-12-gabcdef")
    with pytest.raises(EngineUnavailable, match=r"is Soufflé 2\.3-12-gabcdef; ssarel needs 2\.5"):
        SouffleEngine()


def test_souffle_says_no_version(fake: Callable[..., None]) -> None:
    fake("exit 0", version="")
    with pytest.raises(EngineUnavailable, match="says no version"):
        SouffleEngine()


FAULTS = {
    "kill -9 $$": r"killed by SIGKILL on the rules on 20 entry, \d+ func_block, .* rows; it may have run out of memory",
    "kill -11 $$": "killed by SIGSEGV on the rules on 20 entry",
    "echo 'Error: cannot open facts' >&2": "exit status 0 on the rules on 20 entry.*: Error: cannot open facts",
    "echo 'Warning: no rules' >&2; echo broken >&2; exit 3": "exit status 3 on .*: Warning: no rules",
    "exit 1": "exit status 1 on .*: no message",
    "exit 0": r"Soufflé wrote no idom\.csv",
    "printf '1\\tx\\n' > $out/idom.csv": r"Soufflé wrote idom\.csv in an unexpected form",
    "printf '1\\n' > $out/idom.csv": r"Soufflé wrote idom\.csv in an unexpected form",
}


@pytest.mark.parametrize("script", FAULTS)
def test_souffle_fails(fake: Fake, script: str) -> None:
    fake(script)
    with pytest.raises(EngineError, match=FAULTS[script]):
        SouffleEngine().run(GIVEN, ["idom"])


def test_souffle_children_end_with_it(fake: Fake, tmp_path: Path) -> None:
    fake(f"sleep 60 & echo $! > {tmp_path}/child; wait")
    with pytest.raises(EngineError, match="passed 1 s"):
        SouffleEngine(timeout=1).run(GIVEN, ["idom"])
    child = int((tmp_path / "child").read_text())
    deadline = time.monotonic() + 5
    while _is_alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _is_alive(child)


def _is_alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.souffle
def test_souffle_compiles_once(fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiler is stood in for: the program that it is asked for runs the interpreter."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    interpreted = SouffleEngine().run(GIVEN, ["phi"])
    real = SouffleEngine().program
    fake(
        'while [ $# -gt 1 ]; do [ "$1" = -I ] && rules="$2"; shift; done\n'
        f'echo compiled >> {tmp_path}/log; cp "$(dirname "$1")/outputs.dl" {tmp_path}/kept.dl\n'
        f'printf \'#!/bin/sh\\nexec {real} --no-preprocessor -w -I "%s" {tmp_path}/kept.dl "$@"\\n\' "$rules" > "$1"\n'
        'chmod +x "$1"'
    )
    for _ in range(2):
        compiled = SouffleEngine(compile=True).run(GIVEN, ["phi"])
        assert sorted(rows_of(compiled["phi"])) == sorted(rows_of(interpreted["phi"]))
    assert (tmp_path / "log").read_text() == "compiled\n"
    assert len(list((tmp_path / "cache" / "ssarel").iterdir())) == 1
    SouffleEngine(compile=True).run(GIVEN, ["idom"])
    assert (tmp_path / "log").read_text() == "compiled\ncompiled\n"
