"""Two databases held against each other."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ssarel
from ssarel.cli import app

OLD = """
function same(c) { let x = 1; if (c) x = 2; return x; }
function twice(a) { return a; }
function twice(a) { return a + 1; }
function gone(c) { let y = 1; while (c) y = c = y - 1; return y; }
function phis(c) { let x = 1; if (c) x = 2; return x; }
function code(c) { return c * 2; }
function operand(a, b) { return a - b; }
"""
NEW = """// a line more

function fresh(c) { let z; if (c) z = 1; else z = 2; return z; }
function same(c) { let x = 1; if (c) x = 2; return x; }
function twice(a) { return a; }
function twice(a) { return a + 2; }
function phis(c) { let x = 1; let w = 3; if (c) { w = 2; } return w; }
function code(c) { return c / 2; }
function operand(a, b) { return b - a; }
"""


@pytest.fixture
def two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    for name, text in (("old", OLD), ("new", NEW)):
        Path("a.js").write_text(text, encoding="utf-8")
        ssarel.analyze("a.js", f"{name}.duckdb").close()
    return ["old.duckdb", "new.duckdb"]


def test_added_removed_changed_and_phis(two: list[str]) -> None:
    result = CliRunner().invoke(app, ["diff", *two, "--format", "json"], catch_exceptions=False)
    assert result.exit_code == 1
    found = {(row["function"], row["rank"]): row for row in json.loads(result.stdout)}
    kinds = {key: row["change"] for key, row in found.items() if key[0] != "<<module>>"}
    assert kinds == {
        ("code", 0): "changed",
        ("fresh", 0): "added",
        ("gone", 0): "removed",
        ("operand", 0): "changed",
        ("phis", 0): "changed",
        ("twice", 1): "changed",
    }
    assert found["phis", 0]["gained"] == [{"variable": "w", "block": 2}]
    assert found["phis", 0]["lost"] == [{"variable": "x", "block": 2}]
    assert [phi["variable"] for phi in found["fresh", 0]["gained"]] == ["z"]
    assert [phi["variable"] for phi in found["gone", 0]["lost"]] == ["c", "y"]
    assert found["code", 0]["line"] == 8


def test_table(two: list[str]) -> None:
    result = CliRunner().invoke(app, ["diff", *two], catch_exceptions=False)
    rows = {line.split()[2]: line.split() for line in result.stdout.splitlines()[2:]}
    assert rows["phis"] == ["changed", "a.js:7", "phis", "w@2", "x@2"]


def test_no_differences(two: list[str]) -> None:
    result = CliRunner().invoke(app, ["diff", two[0], two[0]], catch_exceptions=False)
    assert (result.exit_code, result.stdout) == (0, "no differences\n")
    result = CliRunner().invoke(app, ["diff", two[0], two[0], "--format", "json"], catch_exceptions=False)
    assert (result.exit_code, json.loads(result.stdout)) == (0, [])


def test_what_is_no_database(two: list[str]) -> None:
    result = CliRunner().invoke(app, ["diff", two[0], "a.js"], catch_exceptions=False)
    assert result.exit_code == 2
    assert result.stderr == "error: a.js: not a DuckDB database; choose another file\n"
