"""The data dictionary: complete, and true of databases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import ssarel
from ssarel import dictionary, schema
from ssarel.cli import app
from ssarel.dictionary import Entry
from ssarel.errors import UsageError
from ssarel.ssa_facts import SSA

ROOT = Path(__file__).resolve().parents[1]
ENTRIES = dictionary.catalogue()


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["schema", *words])


@pytest.mark.parametrize("name", [*schema.BASE, *schema.DERIVED, *SSA])
def test_columns_have_the_types_of_their_declaration(name: str) -> None:
    declared = {**schema.BASE, **schema.DERIVED, **SSA}[name].columns
    assert tuple((column.name, column.type) for column in ENTRIES[name].columns) == declared


def test_columns_have_these_types_in_databases(tmp_path: Path) -> None:
    with ssarel.analyze(ROOT / "facts" / "examples", tmp_path / "a.duckdb") as found:
        stored = {
            (relation, column): kind
            for relation, column, kind in found.connection.execute(
                "select table_name, column_name, data_type from duckdb_columns() where not internal"
            ).fetchall()
        }
    expected = {
        (entry.name, column.name): "VARCHAR" if column.type == "symbol" else "INTEGER"
        for entry in ENTRIES.values()
        for column in entry.columns
    }
    assert stored == expected


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=lambda entry: entry.name)
def test_what_is_defined_in_a_file_says_so(entry: Entry) -> None:
    assert all((ROOT / file).is_file() for file in entry.files)
    assert bool(entry.files) == bool(entry.definition) == (entry.kind != "run")
    assert bool(entry.cost) == any(file.startswith("rules/") for file in entry.files)


def test_headers_are_taken_apart() -> None:
    found = dictionary.find("loop_block")
    assert found.definition.startswith("`block` is in the natural loop of `header`: it is `header`, or reaches the")
    assert found.definition.endswith("passing `header`. Loops with one header are one loop.")
    assert found.source == "Aho, Lam, Sethi & Ullman, 2nd ed., algorithm 9.46."
    assert found.cost == "one row for each block and each loop around it."
    assert found.files == ("rules/loops/loop_block.dl", "rules/loops/loop_block.sql")


def test_a_wrong_name_is_answered_with_near_ones() -> None:
    with pytest.raises(UsageError, match="no relation 'dom_fronteer'; did you mean dom_frontier"):
        dictionary.find("dom_fronteer")
    assert run("nothing_like_it").exit_code == 2


def test_schema_prints_one_relation() -> None:
    printed = run("idom").stdout
    assert printed.startswith("idom(dominator, block)\n")
    assert "Defined in: rules/dominance/idom.dl, rules/dominance/idom.sql\n" in printed
    assert "dominator  Block  the block that dominates\n" in printed
    assert run("idom", "--format", "markdown").stdout.endswith("| block | Block | a basic block |\n")


def test_schema_prints_all_relations() -> None:
    listed = json.loads(run("--format", "json").stdout)
    assert [item["relation"] for item in listed] == list(ENTRIES)
    assert listed[0]["columns"][0] == {"name": "func", "type": "Func", "means": "a function"}
    assert run("--format", "markdown").stdout.count("\n| ") == len(ENTRIES) + 1
