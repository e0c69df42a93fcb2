"""Relations of a user's own, added to a run."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner, Result

from ssarel.cli import app

EXAMPLES = Path(__file__).resolve().parents[1] / "facts" / "examples"


def analyze(target: Path, rules: Path, *options: str) -> Result:
    words = ["analyze", str(EXAMPLES / "loop.js"), "-o", str(target), "--rules", str(rules), *options]
    return CliRunner().invoke(app, words)


def rows(path: Path, sql: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def pack(folder: Path, **files: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        stem, _, ending = name.rpartition("_")
        (folder / f"{stem}.{ending}").write_text(text, "utf-8")
    return folder


def test_a_pack_may_build_on_itself_and_on_views(tmp_path: Path) -> None:
    rules = pack(
        tmp_path / "pack",
        a_last_sql="select func_id, blocks from z_first where blocks > 3;\n",
        z_first_sql="select func_id, count(*) as blocks from block_place group by all -- the end",
    )
    result = analyze(tmp_path / "a.duckdb", rules)
    assert result.exit_code == 0, result.output
    assert len(rows(tmp_path / "a.duckdb", "from a_last")) == 2


@pytest.mark.souffle
def test_the_example_gives_the_same_rows_on_both_engines(tmp_path: Path) -> None:
    found: list[list[tuple[object, ...]]] = []
    for engine in ("duckdb", "souffle"):
        target = tmp_path / f"{engine}.duckdb"
        result = analyze(target, EXAMPLES / "rules", "--engine", engine)
        assert result.exit_code == 0, result.output
        found.append(rows(target, "from unread_block order by all"))
    assert found[0] == found[1] != []


def test_a_changed_pack_is_run_again_on_files_that_did_not_change(tmp_path: Path) -> None:
    target, folder = tmp_path / "a.duckdb", tmp_path / "pack"
    assert analyze(target, pack(folder, mine_sql="select 1 as one")).exit_code == 0
    result = analyze(target, pack(folder, mine_sql="select 2 as one"))
    assert re.search(r"files reused +1$", result.output, re.MULTILINE), result.output
    assert rows(target, "from mine") == [(2,)]
    before = target.stat().st_mtime_ns
    analyze(target, folder)
    assert target.stat().st_mtime_ns == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("select 1 as one,\n  nonsense\nfrom edge", "mine.sql:2: Binder Error: "),
        ("select\n1 +\n", "mine.sql:"),
        ("from edges", 'Did you mean "edge"'),
    ],
)
def test_a_fault_in_sql_is_located_and_writes_nothing(text: str, message: str, tmp_path: Path) -> None:
    result = analyze(tmp_path / "a.duckdb", pack(tmp_path / "pack", mine_sql=text))
    assert result.exit_code == 1
    assert message in result.stderr
    assert not (tmp_path / "a.duckdb").exists()


@pytest.mark.souffle
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".decl mine(x: Block)\n\nmine(x) :- nowhere(x).", "Undefined relation nowhere in file mine.dl at line 3"),
        (".decl mine(x: Block)\nmine(x) :- edge(x, .", "line 2"),
        (".decl yours(x: Block)\nyours(1).", "mine.dl: does not declare mine"),
    ],
)
def test_a_fault_in_datalog_is_located_and_writes_nothing(text: str, message: str, tmp_path: Path) -> None:
    result = analyze(tmp_path / "a.duckdb", pack(tmp_path / "pack", mine_dl=text), "--engine", "souffle")
    assert result.exit_code in (1, 2)
    assert message in result.stderr
    assert not (tmp_path / "a.duckdb").exists()


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"edge_sql": "select 1"}, "ssarel has a relation edge"),
        ({"def_use_sql": "select 1"}, "ssarel has a relation def_use"),
        ({"a_sql": "from b", "b_sql": "from a"}, "put relations that need each other in one file"),
        ({"Loud_sql": "select 1"}, "no name of a relation"),
        ({"mine_dl": ""}, "no .sql files"),
    ],
)
def test_a_pack_that_cannot_be_is_a_usage_error(files: dict[str, str], message: str, tmp_path: Path) -> None:
    result = analyze(tmp_path / "a.duckdb", pack(tmp_path / "pack", **files))
    assert result.exit_code == 2
    assert message in result.stderr
