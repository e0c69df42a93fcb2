"""The command line as a person or a script uses it: output, exit codes, messages."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from typer.testing import CliRunner, Result

from ssarel.cli import app

EXAMPLES = Path(__file__).resolve().parents[1] / "facts" / "examples"
Run = Callable[..., Result]


@pytest.fixture
def run() -> Run:
    def invoke(*words: str | Path, stdin: str | bytes | None = None) -> Result:
        return CliRunner().invoke(app, [str(word) for word in words], input=stdin, catch_exceptions=False)

    return invoke


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cli") / "ssa.duckdb"
    result = CliRunner().invoke(app, ["analyze", str(EXAMPLES), "-o", str(path)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return path


def start(*words: str | Path, stdin: int | None = None) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", "from ssarel.cli import main; main()", *map(str, words)]
    return subprocess.Popen(command, stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_analyze_summarizes(run: Run, tmp_path: Path) -> None:
    result = run("analyze", EXAMPLES, "-o", tmp_path / "a.duckdb")
    assert result.exit_code == 0
    figures = {line[:-12].strip(): line.split()[-1] for line in result.stdout.splitlines()}
    rows = dict(line.rsplit(None, 1) for line in result.stdout.splitlines())
    assert rows["files"] == str(len([path for path in EXAMPLES.iterdir() if path.suffix in (".js", ".hir")]))
    assert rows["files failed"] == "0", figures
    assert [path.name for path in tmp_path.iterdir()] == ["a.duckdb"]


def test_a_run_goes_on_past_bad_files(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "src"
    (source / "node_modules" / "x").mkdir(parents=True)
    (source / "node_modules" / "x" / "index.js").write_text("syntax error (((")
    (source / "again").symlink_to(source)
    (source / "types.d.ts").write_text("declare const only: types;")
    (source / "empty.js").write_text("")
    (source / "good.js").write_text("function good(a) { return a; }")
    (source / "syntax.js").write_text("function bad( { return 1 }\n")
    (source / "bytes.js").write_bytes(b"let x = '\xff\xfe';\n")
    (source / "gone.js").symlink_to(source / "nowhere")
    result = run("analyze", source, "-o", tmp_path / "a.duckdb")
    assert result.exit_code == 1
    rows = dict(line.rsplit(None, 1) for line in result.stdout.splitlines())
    assert (rows["files"], rows["files failed"]) == ("5", "3")
    for name in ("syntax.js:1:", "bytes.js", "gone.js"):
        assert f"src/{name}" in result.stderr
    with duckdb.connect(str(tmp_path / "a.duckdb"), read_only=True) as connection:
        bad = "select path from diagnostic join source_file using (file) where severity = 'error' group by 1 order by 1"
        names = [Path(row[0]).name for row in connection.execute(bad).fetchall()]
        assert names == ["bytes.js", "gone.js", "syntax.js"]
        assert connection.execute("select count(*) from func where name = 'good'").fetchall() == [(1,)]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["analyze", "nowhere", "-o", "a.duckdb"], "nowhere: no such file or folder"),
        (["analyze", "notes.txt", "-o", "a.duckdb"], "notes.txt: no front end reads this kind of file"),
        (["analyze", "empty", "-o", "a.duckdb"], "empty: no source files; ssarel reads ."),
        (["analyze", "a.js", "-o", "nowhere/a.duckdb"], "nowhere/a.duckdb: folder nowhere does not exist"),
        (["analyze", "a.js", "-o", "notes.txt"], "notes.txt: not a DuckDB database; choose another file"),
        (["analyze", "a.js", "-o", "empty"], "empty: is a folder, not a database"),
        (["ssa", "nowhere.js"], "nowhere.js: no such file or folder"),
        (["ssa", "a.js", "--function", "maim"], "a.js: no function 'maim'; did you mean main?"),
        (["ssa", "-", "--language", "cobol"], "no front end reads 'cobol'; there are "),
        (["query", "nowhere.duckdb", "dead_def"], "nowhere.duckdb: no such file"),
        (["query", "notes.txt", "dead_def"], "notes.txt: not a DuckDB database"),
        (["query"], "give a database and a question"),
        (["compare", "nowhere"], "nowhere: no such file or folder"),
        (["compare", "a.js", "--with", "cytrn"], "no builder 'cytrn'"),
        (["facts", "nowhere", "-o", "out"], "nowhere: no such file or folder"),
    ],
)
def test_wrong_use_is_one_line_and_exit_code_2(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("some notes, which nothing may overwrite")
    (tmp_path / "a.js").write_text("function main() { return 1; }")
    (tmp_path / "empty").mkdir()
    result = run(*words)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert (tmp_path / "notes.txt").read_text() == "some notes, which nothing may overwrite"


def test_a_locked_target_names_the_process(run: Run, tmp_path: Path, database: Path) -> None:
    target = tmp_path / "a.duckdb"
    target.write_bytes(database.read_bytes())
    code = f"import duckdb, sys; c = duckdb.connect({str(target)!r}); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"open\n"
        for words in (["analyze", EXAMPLES, "-o", target], ["query", target, "dead_def"]):
            result = run(*words)
            assert result.exit_code == 2
            assert f"a.duckdb: locked by process {holder.pid}" in result.stderr
        assert holder.stdin
        holder.stdin.close()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_leaves_nothing_behind(tmp_path: Path, number: signal.Signals) -> None:
    os.mkfifo(tmp_path / "endless.js")
    process = start("analyze", tmp_path / "endless.js", "-o", tmp_path / "a.duckdb")
    with (tmp_path / "endless.js").open("wb"):  # waits until the process reads
        time.sleep(0.2)
        process.send_signal(number)
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert stderr == b"stopped\n"
    assert [path.name for path in tmp_path.iterdir()] == ["endless.js"]


def test_a_reader_that_leaves_is_no_error(database: Path) -> None:
    process = start("query", database, "select * from range(3000000)", "--format", "csv")
    assert process.stdout
    assert process.stderr
    assert process.stdout.readline() == b"range\n"
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(timeout=60) == 0


ENDLESS = "with recursive t(k, n) using key (k) as (select 1, 0 union select k, n + 1 from t) select count(*) from t"
"""DuckDB delivers no signal inside it."""


def test_an_endless_query_ends_with_ctrl_c(database: Path, tmp_path: Path) -> None:
    begun = tmp_path / "begun.csv"
    process = start("query", database, f"copy (select 1) to '{begun.as_posix()}'; {ENDLESS}")
    while not begun.exists():
        assert process.poll() is None
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert stderr == b"stopped\n"


def test_an_endless_query_ends_at_its_timeout(run: Run, database: Path) -> None:
    result = run("query", database, ENDLESS, "--timeout", "0.5")
    assert result.exit_code == 2
    assert result.stderr == "error: the query passed 0.5 s; see --timeout\n"


def test_ssa_prints_phis(run: Run) -> None:
    result = run("ssa", EXAMPLES / "loop.js", "--function", "count_to")
    assert result.exit_code == 0
    assert result.stdout.startswith("count_to(n$")
    assert result.stdout.count(": phi(") == 1


def test_ssa_reads_standard_input(run: Run) -> None:
    text = (EXAMPLES / "count_to.hir").read_text()
    result = run("ssa", "-", "--language", "hir", "--stage", "hir", stdin=text)
    assert result.exit_code == 0
    assert result.stdout == text


@pytest.mark.parametrize("builder", ["cytron", "braun"])
def test_ssa_text_is_the_same_from_every_builder(run: Run, builder: str) -> None:
    for path in sorted(EXAMPLES.iterdir()):
        if path.suffix in (".js", ".hir"):
            assert run("ssa", path).stdout == run("ssa", path, "--builder", builder).stdout


def test_ssa_of_a_syntax_error_fails(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("let = = 3")
    result = run("ssa", tmp_path / "a.js")
    assert result.exit_code == 1
    assert f"{tmp_path.as_posix()}/a.js:1:" in result.stderr


@pytest.mark.parametrize("form", ["facts", "parquet", "csv"])
def test_facts_can_be_compared_again(run: Run, tmp_path: Path, form: str) -> None:
    made = run("facts", EXAMPLES, "-o", tmp_path / "out", "--format", form)
    assert made.exit_code == 0
    assert (tmp_path / "out" / f"edge.{form}").is_file()
    result = run("compare", tmp_path / "out", "--with", "duckdb,cytron", "--format", "json")
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    direct = json.loads(run("compare", EXAMPLES, "--with", "cytron", "--format", "json").stdout)
    assert report["functions"] == direct["functions"]
    assert report["builders"]["duckdb"]["phis"] == direct["builders"]["cytron"]["phis"] > 0


def test_compare_reads_a_database(run: Run, database: Path) -> None:
    result = run("compare", database, "--with", "duckdb,cytron,braun", "--format", "json")
    assert result.exit_code == 0
    report = json.loads(result.stdout)
    assert list(report["builders"]) == ["duckdb", "cytron", "braun"]
    assert report["mismatches"] == []


def test_compare_shows_a_difference(run: Run, tmp_path: Path) -> None:
    run("facts", EXAMPLES / "loop.js", "-o", tmp_path, "--format", "csv")
    (tmp_path / "expected_phi.csv").write_text("block,var\n0,0\n")
    result = run("compare", tmp_path, "--with", "cytron")
    assert result.exit_code == 1
    assert "mismatches" in result.stdout
    assert '"expected": true' in result.stdout


@pytest.mark.souffle
def test_engines_write_the_same_relations(run: Run, tmp_path: Path, database: Path) -> None:
    other = tmp_path / "other.duckdb"
    assert run("analyze", EXAMPLES, "-o", other, "--engine", "souffle").exit_code == 0
    with duckdb.connect(str(database), read_only=True) as first, duckdb.connect(str(other), read_only=True) as second:
        names = [row[0] for row in first.execute("show tables").fetchall()]
        assert names == [row[0] for row in second.execute("show tables").fetchall()]
        for name in names:
            rows = f'from "{name}" order by all'
            assert first.execute(rows).fetchall() == second.execute(rows).fetchall(), name


FORMATS = {
    "table": "n  text\n-  ----\n1  a|b\n2\n",
    "csv": "n,text\n1,a|b\n2,\n",
    "json": '[\n  {"n": 1, "text": "a|b"},\n  {"n": 2, "text": null}\n]\n',
    "jsonl": '{"n": 1, "text": "a|b"}\n{"n": 2, "text": null}\n',
    "markdown": "| n | text |\n| --- | --- |\n| 1 | a\\|b |\n| 2 |  |\n",
}


@pytest.mark.parametrize("form", FORMATS)
def test_query_prints_every_format(run: Run, database: Path, form: str) -> None:
    sql = "select * from (values (1, 'a|b'), (2, null)) as t(n, text)"
    result = run("query", database, sql, "--format", form)
    assert result.exit_code == 0
    assert result.stdout == FORMATS[form]


@pytest.mark.parametrize("form", FORMATS)
def test_query_prints_no_rows_too(run: Run, database: Path, form: str) -> None:
    result = run("query", database, "select 1 as n where false", "--format", form)
    assert result.exit_code == 0
    if form == "json":
        assert json.loads(result.stdout) == []
    elif form != "jsonl":
        assert result.stdout.startswith(("n\n", "| n |"))


def test_query_takes_parameters_a_limit_and_standard_input(run: Run, database: Path) -> None:
    sql = "select $start::integer + range as n from range(10)"
    result = run("query", database, "-", "-p", "start=5", "--limit", "2", "--format", "csv", stdin=sql)
    assert result.stdout == "n\n5\n6\n"


def test_query_json_has_no_odd_numbers(run: Run, database: Path) -> None:
    sql = "select 'nan'::double as a, 1.50::decimal(5, 2) as b, date '2026-01-02' as c, [1, null] as d, 2::hugeint as e"
    row = json.loads(run("query", database, sql, "--format", "json").stdout)[0]
    assert row == {"a": None, "b": "1.50", "c": "2026-01-02", "d": [1, None], "e": 2}


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("selec 1", 'error: Parser Error: syntax error at or near "selec"'),
        ("create table t (a int)", "read-only"),
        ("dead_def -p", "error: Parser Error"),
    ],
)
def test_query_shows_the_message_of_the_database(run: Run, database: Path, sql: str, message: str) -> None:
    result = run("query", database, sql)
    assert result.exit_code == 2
    assert message in result.stderr


def test_query_list_names_every_query(run: Run) -> None:
    result = run("query", "--list", "--format", "csv")
    names = {line.split(",")[0] for line in result.stdout.splitlines()[1:]}
    assert names >= {"def_use", "use_def", "dead_def", "maybe_undefined_use", "phi_count", "never_reassigned"}


def test_doctor_finds_the_main_job_runnable(run: Run) -> None:
    result = run("doctor", "--format", "json")
    assert result.exit_code == 0
    status = {row["what"]: row["status"] for row in json.loads(result.stdout)}
    assert status["duckdb"] == status["duckdb self test"] == "ok"


def test_doctor_says_how_to_get_what_is_missing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    rows = {row["what"]: row for row in json.loads(run("doctor", "--format", "json").stdout)}
    assert rows["souffle"]["status"] == "missing"
    assert "https://souffle-lang.github.io/install" in rows["souffle"]["how to get it"]


def test_version_and_help_start_fast() -> None:
    heavy = (
        "import sys, ssarel.cli; print([m for m in ('duckdb', 'pyarrow', 'pandas', 'tree_sitter') if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", heavy], capture_output=True, check=True).stdout == b"[]\n"


def test_names_that_are_no_utf8_are_kept(run: Run, tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/src"
    os.mkdir(folder)
    with open(folder + b"/na\xefve.js", "wb") as file:
        file.write(b"let x = 1;")
    result = run("analyze", tmp_path / "src", "-o", tmp_path / "a.duckdb")
    assert result.exit_code == 0
    with duckdb.connect(str(tmp_path / "a.duckdb"), read_only=True) as connection:
        (path,) = connection.execute("select path from source_file").fetchall()[0]
    assert path.endswith("na\\udcefve.js")


@pytest.mark.parametrize("stage", ["hir", "destructed"])
def test_llvm_is_printed_in_ssa_form_only(run: Run, tmp_path: Path, stage: str) -> None:
    (tmp_path / "f.ll").write_text("define void @f() {\n  ret void\n}\n", encoding="utf-8")
    result = run("ssa", tmp_path / "f.ll", "--stage", stage, "--emit", "llvm")
    assert result.exit_code == 2
    assert f"there is none for --stage {stage}" in result.stderr


@pytest.mark.parametrize("profile", ["default", "react"])
def test_every_command_sees_the_same_functions(profile: str, run: Run, tmp_path: Path) -> None:
    """React Compiler merges blocks and drops unreachable ones before it builds SSA form; so do all with its profile."""
    run("analyze", EXAMPLES, "-o", tmp_path / "a.duckdb", "--profile", profile)
    run("facts", EXAMPLES, "-o", tmp_path / "facts", "--profile", profile, "--format", "parquet")
    with duckdb.connect(str(tmp_path / "a.duckdb"), read_only=True) as connection:
        for relation in ("edge", "block_instr", "def", "use"):
            other = f"'{tmp_path / 'facts' / relation}.parquet'"
            assert connection.sql(f'(from "{relation}" except all from {other})').fetchall() == []
            assert connection.sql(f'(from {other} except all from "{relation}")').fetchall() == []
