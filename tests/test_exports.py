"""What other programs read: SARIF of questions, JUnit XML of comparisons, folders of relations."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner, Result

import ssarel
from ssarel import folders, query, schema, shards
from ssarel.cli import app, junit
from ssarel.compare import Comparison, Outcome
from ssarel.errors import UsageError
from ssarel.ir import Diagnostic
from ssarel.sources import Source

ROOT = Path(__file__).resolve().parents[1]


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, list(map(str, words)))


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("exports") / "a.duckdb"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        ssarel.analyze("facts/examples", path).close()
    return path


def test_sarif_of_a_question_has_a_note_for_each_row(database: Path) -> None:
    log = json.loads(run("query", database, "maybe_undefined_use", "--format", "sarif").stdout)
    (only,) = log["runs"]
    assert only["tool"]["driver"]["rules"] == [
        {"id": "maybe_undefined_use", "shortDescription": {"text": query.find("maybe_undefined_use").question}}
    ]
    assert [item["level"] for item in only["results"]] == ["note"] * 3
    last = only["results"][1]
    assert last["locations"][0] == {
        "physicalLocation": {
            "artifactLocation": {"uri": "facts/examples/loop.js"},
            "region": {"startLine": 16, "startColumn": 10},
        },
        "logicalLocations": [{"name": "last_of", "kind": "function"}],
    }
    assert last["message"]["text"] == (
        "maybe_undefined_use: variable=last, value=last.2, cause=declared, text=return last;"
    )


@pytest.mark.parametrize("name", [name for name, found in query.catalogue().items() if not found.parameters])
def test_every_question_about_lines_can_be_sarif(name: str, database: Path) -> None:
    result = run("query", database, name, "--format", "sarif")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["version"] == "2.1.0"


def test_sarif_of_sql_needs_places(database: Path) -> None:
    placed = run("query", database, "select path, line, op from instr_place limit 2", "--format", "sarif")
    assert [item["ruleId"] for item in json.loads(placed.stdout)["runs"][0]["results"]] == ["query", "query"]
    unplaced = run("query", database, "from phi", "--format", "sarif")
    assert unplaced.exit_code == 2
    assert "SARIF needs columns path and line; the answer has block, var" in unplaced.stderr
    assert run("query", "--list", "--format", "sarif").exit_code == 2


def test_junit_has_a_case_for_each_function() -> None:
    result = run("compare", ROOT / "facts" / "examples" / "loop.js", "--with", "cytron,braun", "--format", "junit")
    assert result.exit_code == 0
    root = ElementTree.fromstring(result.stdout)
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("3", "0", "0")
    (suite,) = root
    assert [case.get("name") for case in suite] == ["<<module>>:1", "count_to:2", "last_of:11"]
    assert {case.get("classname") for case in suite} == {suite.get("name")}


def test_junit_says_what_differs(tmp_path: Path) -> None:
    relations = tmp_path / "relations"
    run("facts", ROOT / "facts" / "examples" / "loop.js", "-o", relations)
    (relations / "expected_phi.facts").write_text("")
    result = run("compare", relations, "--with", "cytron", "--format", "junit")
    assert result.exit_code == 1
    root = ElementTree.fromstring(result.stdout)
    assert root.get("failures") == "2"
    failures = [case.findtext("failure") or "" for case in root.iter("testcase") if case.find("failure") is not None]
    assert all(text.startswith("phi in block ") for text in failures)
    assert all('{"cytron": true, "expected": false}' in text for text in failures)


def test_junit_holds_any_name_and_failed_inputs() -> None:
    sides = {"cytron": True, "braun": False}
    place = {"kind": "phi", "function": "a.js:3 \x00<&", "block": 7, "variable": "\ud800$1", "sides": sides}
    comparison = Comparison(2, {"cytron": Outcome([[]], None, 0.5), "braun": Outcome([[]], None, 0.25)}, [place], [])
    source = Source("b.js", "javascript", "", [], [Diagnostic("error", "syntax", "not \x1b here", 1, 2)])
    text = junit.document(["a.js:3 \x00<&", "function 9"], comparison, [source])
    root = ElementTree.fromstring(text.encode("utf-8"))
    assert root.attrib == {"name": "ssarel compare", "time": "0.750", "tests": "3", "failures": "1", "errors": "1"}
    assert [suite.get("name") for suite in root] == ["a.js", "relations", "b.js"]
    assert root[0][0].get("name") == "\\x00<&:3"
    assert root[0][0].findtext("failure") == ('phi in block 7 of \\xd800$1: {"cytron": true, "braun": false}')
    assert root[2][0][0].get("message") == "not \\x1b here"


@pytest.mark.parametrize("form", folders.FORMATS)
def test_export_writes_every_table(form: str, database: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = run("export", database, "-o", out, "--format", form)
    assert result.exit_code == 0, result.output
    names = [*shards.output_names(), "run"]
    assert sorted(path.name for path in out.iterdir()) == sorted(f"{name}.{form}" for name in names)
    with ssarel.open(database) as opened:
        for name, relation in shards.relations(shards.output_names()).items():
            assert folders.find_relation(out, name, relation.arrow) == opened.tables([name])[name], name
    assert run("check", out).stdout.endswith("0 with violations, 0 not run\n")


def test_export_writes_what_is_named(database: Path, tmp_path: Path) -> None:
    assert run("export", database, "-o", tmp_path, "--format", "csv", "--relation", "value_place").exit_code == 0
    header = (tmp_path / "value_place.csv").read_text("utf-8").splitlines()[0]
    assert header.startswith('"value","name","variable"')
    unknown = run("export", database, "-o", tmp_path / "none", "--relation", "phis")
    assert unknown.exit_code == 2
    assert "no relation 'phis'; did you mean phi" in unknown.stderr
    assert not (tmp_path / "none").exists()


def test_arrow_and_relations_have_the_declared_types(database: Path) -> None:
    with ssarel.open(database) as opened:
        assert opened.arrow("from func").schema.types == schema.BASE["func"].arrow.types
        assert opened.arrow("select $n::int as n", {"n": 3}) == pa.table({"n": pa.array([3], pa.int32())})
        phis = opened.relation("phi").filter("block >= 0").aggregate("count(*) as n").fetchall()
        assert phis == [(opened.sql("from phi").shape[0],)]
        assert opened.relation("def_use").columns == ["value", "instr", "pos"]
        with pytest.raises(UsageError, match="no relation 'phy'; did you mean phi"):
            opened.relation("phy")


@pytest.mark.parametrize("limit", [0, 3, 10_000])
def test_an_answer_as_parquet_keeps_types(limit: int, database: Path) -> None:
    sql = "select block, pos, null::varchar as nothing, [pos] as list, 1.5 as half from block_instr order by all"
    result = run("query", database, sql, "--format", "parquet", "--limit", str(limit))
    assert result.exit_code == 0, result.output
    table = pq.read_table(BytesIO(result.stdout_bytes))
    with duckdb.connect(str(database), read_only=True) as connection:
        assert table.equals(connection.sql(f"{sql} limit {limit}").to_arrow_table())


def test_parquet_is_not_for_the_list(database: Path) -> None:
    assert run("query", "--list", "--format", "parquet").exit_code == 2
