"""What rules cost, and functions too large to try."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from typer.testing import CliRunner

from ssarel import folders, profile, schema
from ssarel.cli import app
from ssarel.compare import Batch
from ssarel.engines import get_engine
from ssarel.engines.souffle import read_log
from ssarel.errors import EngineError
from ssarel.flow import Flow
from tests.flows import flows, random_flow
from tests.rules_by_definition import base, expected, tables

QUADRATIC = ("dom_frontier", "loop_block", "live_in")


@settings(deadline=None)
@given(flows(max_blocks=6))
def test_counts_are_the_rows_of_the_relations(flow: Flow) -> None:
    batch = Batch.of(tables(base([flow])))
    rows = {name: len(expected([flow])[name]) for name in QUADRATIC}
    for bound in range(max(rows.values()) + 1):
        over = [name for name in QUADRATIC if rows[name] > bound]
        found = profile.too_large(batch, bound)
        if len(flow.succ) * max(len(flow.succ), flow.variables) > bound:
            assert [item.relation for item in found] == over[:1]


def test_the_run_goes_on_without_the_large_ones(tmp_path: Path) -> None:
    rng = Random(3)
    drawn = [random_flow(rng, 8, 3) for _ in range(30)]
    batch = Batch.of(tables(base(drawn)))
    left_out = profile.too_large(batch, 8)
    lost = {item.unit.func for item in left_out}
    assert 3 < len(lost) < 30
    made = profile.profile(batch, "duckdb", {}, left_out)
    kept = get_engine("duckdb").run(tables(base(flow for at, flow in enumerate(drawn) if at not in lost)))
    rows = {cost.relation: cost.rows for cost in made.costs}
    assert {name: rows[name] for name in schema.DERIVED} == {name: table.num_rows for name, table in kept.items()}
    assert made.widest is not None
    assert made.widest.rows == max(rows.values())
    folders.write_folder(batch.tables, tmp_path / "relations", "parquet")
    words = ["profile", str(tmp_path / "relations"), "--max-rows", "8"]
    result = CliRunner().invoke(app, [*words, "--format", "json"], catch_exceptions=False)
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    assert [item["function"] for item in report["left_out"]] == [f"function {func}" for func in sorted(lost)]
    assert {item["relation"]: item["rows"] for item in report["rules"]} == rows
    assert result.stderr.count("would have more than 8 rows; left out, see --max-rows [too-large]") == len(lost)


@pytest.mark.souffle
def test_engines_tell_the_same_rows() -> None:
    rng = Random(5)
    batch = Batch.of(tables(base(random_flow(rng, 8, 3) for _ in range(30))))
    rows: dict[str, dict[str, int]] = {}
    for engine in ("duckdb", "souffle"):
        made = profile.profile(batch, engine, {}, [])
        rows[engine] = {step.relation: step.rows for step in made.costs}
        assert 0 < sum(step.seconds for step in made.costs) < made.seconds
    both = rows["duckdb"].keys() & rows["souffle"].keys()
    assert both > set(schema.DERIVED)
    assert {name: rows["duckdb"][name] for name in both} == {name: rows["souffle"][name] for name in both}
    assert "_walk" in rows["souffle"]


@pytest.mark.souffle
@pytest.mark.parametrize("length", [5, 12])
def test_a_variable_live_through_a_chain_takes_an_iteration_a_block(tmp_path: Path, length: int) -> None:
    blocks = "".join(f"  jmp .b{at};\n.b{at}:\n" for at in range(length))
    path = tmp_path / "chain.bril"
    path.write_text(f"@main(x: int) {{\n{blocks}  print x;\n}}\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["profile", str(path), "--engine", "souffle", "--format", "json"])
    steps = {item["relation"]: item for item in json.loads(result.stdout)["rules"]}
    assert steps["live_in"]["rows"] == length
    assert steps["live_in"]["iterations"] == length
    assert steps["phi"]["iterations"] == 0
    duckdb = CliRunner().invoke(app, ["profile", str(path), "--format", "json"])
    assert {item["iterations"] for item in json.loads(duckdb.stdout)["rules"]} == {None}


@pytest.mark.parametrize("text", [None, "", "[]", '{"root": {"program": {}}}'])
def test_a_strange_log_is_an_error(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "log.json"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    with pytest.raises(EngineError, match="profile in an unexpected form"):
        read_log(path)


@pytest.mark.parametrize("engine", ["duckdb", pytest.param("souffle", marks=pytest.mark.souffle)])
def test_table(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "a.js"
    path.write_text("\nfunction f(c) { let x = 1; while (c) x = c = x - 1; return x; }", encoding="utf-8")
    result = CliRunner().invoke(app, ["profile", str(path), "--engine", engine], catch_exceptions=False)
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert any(words[:2] == ["phi", "2"] for words in lines)
    assert any(words[1:2] == ["f"] for words in lines)
    assert any(words[:2] == ["widest", "relation:"] for words in lines)
