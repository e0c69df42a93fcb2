"""Checks as files, databases and folders they run on, and the check command."""

from __future__ import annotations

import json
import re
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from typer.testing import CliRunner, Result

from ssarel import analysis, database, folders, ir, resources, schema, verify
from ssarel.cli import app
from ssarel.errors import InputError, QueryError, UsageError
from ssarel.ssa_facts import SHAPES
from ssarel.verify import Check

EXAMPLES = Path(__file__).resolve().parents[1] / "facts" / "examples"
CHECKS = resources.folder("rules") / "check"
KNOWN = {*schema.BASE, *schema.DERIVED, *SHAPES}


@pytest.fixture(scope="module")
def tables() -> dict[str, pa.Table]:
    return analysis.analyze([EXAMPLES]).tables


@pytest.fixture
def base(tables: dict[str, pa.Table]) -> dict[str, pa.Table]:
    return {name: tables[name] for name in schema.BASE}


@pytest.fixture
def faulty(tables: dict[str, pa.Table], tmp_path: Path) -> Path:
    """A database in which the phi of the loop variable has lost an operand."""
    path = tmp_path / "faulty.duckdb"
    database.write(path, tables)
    with duckdb.connect(str(path)) as connection:
        connection.execute("""
            delete from ssa_phi_arg where rowid = (
                select ssa_phi_arg.rowid from ssa_phi_arg inner join value_place using (value)
                where ends_with(path, 'loop.js') and variable = 'i' limit 1)
        """)
    return path


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["check", *map(str, words)], catch_exceptions=False)


# Files


@pytest.mark.parametrize("check", verify.checks(), ids=lambda check: check.name)
def test_a_check_file_says_what_it_is_and_needs(check: Check) -> None:
    assert check.sql.startswith(f"-- rules/check/{check.name}.sql\n")
    header = " ".join(line.removeprefix("-- ") for line in check.sql.splitlines() if line.startswith("--"))
    assert "Must be empty." in header
    body = re.sub(r"--.*", "", check.sql)
    assert tuple(sorted(set(re.findall(r"(?:from|join)\s+(\w+)", body)) & KNOWN)) == check.needs
    assert "order by" in body.rsplit(")", 1)[-1]


def test_columns_of_checks_are_ids_or_plain_words() -> None:
    with duckdb.connect() as connection:
        for name in KNOWN - {"dom"}:
            shape = {**schema.BASE, **schema.DERIVED}[name].columns if name not in SHAPES else ()
            columns = [f"{key} {'text' if kind == 'symbol' else 'int'}" for key, kind in shape]
            connection.execute(
                f'create table "{name}" ({", ".join(columns or [f"{key} int" for key in SHAPES[name]])})'
            )
        named = {column for outcome in verify.verify(connection) for column in outcome.columns}
    plain = {"definitions", "entries", "fault", "id", "is_in_tree", "names", "op", "parents", "part", "pos", "relation"}
    assert named - set(verify.KINDS) == {*plain, "times"}


LLVM_TERMINATORS = frozenset(
    [
        "br",
        "callbr",
        "catchret",
        "catchswitch",
        "cleanupret",
        "indirectbr",
        "invoke",
        "resume",
        "ret",
        "switch",
        "unreachable",
    ]
)
"""The terminator instructions of LLVM's language reference."""


def test_terminators_are_those_of_the_ir_and_of_llvm() -> None:
    sql = (CHECKS / "terminator_not_last.sql").read_text("utf-8")
    catalogue = (ir.__doc__ or "").split("Terminal operands")[1]
    words = re.findall(r"^    ([A-Z]\w+(?:, [A-Z]\w+)*)(?:  |$)", catalogue, re.MULTILINE)
    of_the_ir = {op for line in words for op in line.split(", ")}
    assert set(re.findall(r"\('(\w+)'\)", sql)) == of_the_ir | LLVM_TERMINATORS


def test_a_check_is_taken_apart() -> None:
    check = verify.parse(
        "bad", "-- rules/check/bad.sql\n-- A row is\n-- bad. It is.\n-- needs: a, b\nselect 1 -- needs: c"
    )
    assert (check.name, check.sentence, check.needs) == ("bad", "A row is bad", ("a", "b"))
    assert verify.parse("bare", "select 1").sentence == "bare has a row"


def test_an_unknown_check_is_named_with_near_ones() -> None:
    with pytest.raises(UsageError, match="no check 'phi_useles'; did you mean phi_useless"):
        verify.select(verify.checks(), ["phi_useles"])


# Databases


def test_a_check_without_its_relations_is_not_run() -> None:
    with duckdb.connect() as connection:
        connection.execute("create table edge (src int, dst int)")
        outcomes = {outcome.check.name: outcome for outcome in verify.verify(connection)}
    assert outcomes["edge_duplicated"].missing == ()
    assert outcomes["entry_has_pred"].missing == ("entry",)
    assert [name for name, outcome in outcomes.items() if not outcome.missing] == ["edge_duplicated"]


def test_rows_are_kept_up_to_the_limit_and_all_counted() -> None:
    with duckdb.connect() as connection:
        connection.execute("create table edge as select unnest(range(10000)) // 2 as src, 0 as dst")
        (outcome,) = verify.verify(connection, verify.select(verify.checks(), ["edge_duplicated"]), 7)
    assert (outcome.total, outcome.rows) == (5000, [(src, 0, 2) for src in range(7)])


def test_a_fault_in_a_check_is_said_with_its_name() -> None:
    with duckdb.connect() as connection, pytest.raises(QueryError, match=r"check own: .*nowhere"):
        list(verify.verify(connection, [verify.parse("own", "from nowhere")]))


def test_violations_have_names_and_places(faulty: Path) -> None:
    with database.open(faulty) as opened:
        (outcome,) = (
            outcome for outcome in verify.verify(opened.connection) if outcome.check.name == "phi_arg_missing"
        )
        (violation,) = verify.violations(opened.connection, outcome)
    assert list(violation.row) == ["block", "value", "pred"]
    assert violation.names["value"].startswith("i.")
    assert violation.path.endswith("loop.js")
    assert violation.line > 0
    assert violation.function


# Folders


@pytest.mark.parametrize("form", folders.FORMATS)
def test_base_relations_are_completed(base: dict[str, pa.Table], tmp_path: Path, form: str) -> None:
    """Also where instructions read cells, which leave gaps in the positions of operands."""
    folders.write_folder(base, tmp_path, form)
    with verify.open_folder(tmp_path) as opened:
        outcomes = list(verify.verify(opened.connection))
    assert [outcome.check.name for outcome in outcomes if outcome.total or outcome.missing] == []


def test_given_relations_are_judged_and_not_replaced(tables: dict[str, pa.Table], tmp_path: Path) -> None:
    given = {name: tables[name] for name, relation in schema.BASE.items() if relation.is_input}
    flat = tables["idom"].set_column(0, "dominator", pa.array([0] * tables["idom"].num_rows, pa.int32()))
    folders.write_folder({**given, "idom": flat}, tmp_path, "parquet")
    with verify.open_folder(tmp_path) as opened:
        outcomes = {outcome.check.name: outcome for outcome in verify.verify(opened.connection)}
    assert outcomes["idom_not_closest"].total
    assert outcomes["idom_not_dominator"].total
    assert outcomes["phi_missing"].missing == ()
    assert outcomes["use_not_dominated"].missing == ("ssa_def", "ssa_phi", "ssa_phi_arg", "ssa_use")


def test_nothing_is_made_of_broken_base_relations(base: dict[str, pa.Table], tmp_path: Path) -> None:
    folders.write_folder({**base, "edge": pa.concat_tables([base["edge"], base["edge"][:1]])}, tmp_path, "csv")
    with verify.open_folder(tmp_path) as opened:
        outcomes = {outcome.check.name: outcome for outcome in verify.verify(opened.connection)}
    assert outcomes["edge_duplicated"].total == 1
    assert outcomes["idom_not_tree"].missing == ("idom", "reachable")


def test_a_file_that_does_not_fit_is_named(base: dict[str, pa.Table], tmp_path: Path) -> None:
    folders.write_folder(base, tmp_path, "csv")
    (tmp_path / "idom.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match=r"idom\.csv: no column dominator"):
        verify.open_folder(tmp_path)


# The command


def test_sources_are_analysed_and_clean() -> None:
    result = run(EXAMPLES)
    assert result.exit_code == 0
    assert result.stdout == f"{len(verify.checks())} checks run, 0 with violations, 0 not run\n"


def test_violations_are_shown_and_counted(faulty: Path) -> None:
    result = run(faulty)
    assert result.exit_code == 1
    assert re.search(r"^phi_arg_missing +\S*loop\.js:\d+ +\w.* value=\d+ \(i\.\d+\)", result.stdout, re.MULTILINE)
    assert run(faulty, "--rule", "edge_duplicated").exit_code == 0


def test_json_has_checks_and_violations(faulty: Path) -> None:
    report = json.loads(run(faulty, "--rule", "phi_arg_missing", "--rule", "phi_useless", "--format", "json").stdout)
    assert [(item["check"], item["missing"]) for item in report["checks"]] == [
        ("phi_arg_missing", []),
        ("phi_useless", []),
    ]
    assert {item["check"] for item in report["violations"]} >= {"phi_arg_missing"}
    assert report["violations"][0]["row"].keys() == {"block", "value", "pred"}


def test_sarif_is_of_version_2_1_0(faulty: Path) -> None:
    log = json.loads(run(faulty, "--format", "sarif").stdout)
    assert log["version"] == "2.1.0"
    (only,) = log["runs"]
    rules = only["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [check.name for check in verify.checks()]
    result = next(item for item in only["results"] if item["ruleId"] == "phi_arg_missing")
    assert rules[result["ruleIndex"]]["id"] == "phi_arg_missing"
    assert result["message"]["text"]
    (location,) = result["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"].endswith("/loop.js")
    assert location["physicalLocation"]["region"]["startLine"] > 0
    assert location["logicalLocations"][0]["kind"] == "function"


def test_checks_of_ones_own_are_run(faulty: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "wide_block.sql").write_text(
        "-- A block has more than three instructions.\n-- needs: block_instr\n"
        "select block, count(*) as instrs from block_instr group by block having count(*) > 3 order by block\n"
    )
    result = run(faulty, "--rules", own, "--rule", "wide_block")
    assert result.exit_code == 1
    assert "wide_block" in result.stdout
    assert run(faulty, "--rules", tmp_path).exit_code == 2


def test_what_was_not_run_is_said_loudly(tmp_path: Path) -> None:
    (tmp_path / "edge.csv").write_text("src,dst\n0,1\n")
    result = run(tmp_path)
    assert result.exit_code == 0
    assert f"1 checks run, 0 with violations, {len(verify.checks()) - 1} not run" in result.stdout
    assert "not run: entry_has_pred needs entry\n" in result.stderr
    assert run(tmp_path, "--rule", "entry_has_pred").exit_code == 2


def test_usage_errors_exit_with_2() -> None:
    assert run().exit_code == 2
    assert run(EXAMPLES, "--rule", "nonsense").exit_code == 2
    assert run("no-such-file").exit_code == 2
    assert run("--list").stdout.count("\n") == len(verify.checks()) + 2
