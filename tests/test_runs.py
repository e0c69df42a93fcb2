"""Whole runs: in parts, in processes, killed and taken up again; the result is always that of one run over all."""

from __future__ import annotations

import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pytest

import ssarel
from ssarel import analysis, batch, current, database, resume, shards
from ssarel.paths import find
from ssarel.sources import Source
from ssarel.workers import Job, Pool

EXAMPLES = Path(__file__).parent.parent / "facts" / "examples"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder of forty small files, some of them broken or empty."""
    root = tmp_path / "src"
    for at in range(40):
        path = root / f"d{at % 3}" / f"f{at:02}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        body = f"function f{at}(c) {{ let x = {at}; if (c) x = {at + 1}; return () => x; }}\n" * (at % 4)
        path.write_text("let = ;" if at == 7 else body, encoding="utf-8")
    return root


def relations(paths: list[Path]) -> dict[str, pa.Table]:
    return analysis.analyze(paths).tables


def assert_equal(found: dict[str, pa.Table], expected: dict[str, pa.Table]) -> None:
    assert found.keys() == expected.keys()
    for name, table in expected.items():
        assert found[name].equals(table), name


@pytest.mark.parametrize("seed", range(3))
def test_any_grouping_of_files_gives_the_same_relations(tree: Path, seed: int) -> None:
    rng = random.Random(seed)
    files = find([tree])
    groups: list[list[Path]] = [[], [], []]
    for file in files:
        rng.choice(groups).append(file)
    parts = [shards.part(relations(list(group))) for group in groups if group]
    assert_equal(shards.merge(parts, [file.as_posix() for file in files]), relations([tree]))


def test_files_can_be_left_out_of_a_part(tree: Path) -> None:
    files = find([tree])
    whole = shards.part(relations([tree]))
    assert_equal(shards.merge([whole], [file.as_posix() for file in files[::2]]), relations(files[::2]))


def test_processes_do_not_change_the_result(tree: Path) -> None:
    assert_equal(analysis.analyze([tree, EXAMPLES], jobs=3).tables, relations([tree, EXAMPLES]))


def hostile_read(path: Path, profile: str) -> Source:
    """Reads as always, but dies, hangs or asks for more memory than there is at some files."""
    if path.name == "f05.js":
        os.kill(os.getpid(), signal.SIGKILL)
    if path.name == "f11.js":
        time.sleep(600)
    if path.name == "f13.js":
        os._exit(3)
    if path.name == "f17.js":
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 2**26, used + 2**26))
        bytearray(2**27)
    return batch.read(path, profile)


def test_a_file_that_ends_its_process_costs_only_itself(tree: Path) -> None:
    files = find([tree])
    parts = [part for _, part in Pool(Job(hostile_read, "default", "duckdb"), 2, timeout=3).run(files) if part]
    tables = shards.merge(parts, [file.as_posix() for file in files])
    with database.in_memory(tables) as held:
        sources, summary = current.sources_of(held.connection), current.summarize(held.connection, 0)
    found = {Path(source.path).name: source for source in sources}
    assert len(found) == 40
    codes = {
        name: [item.code for item in source.diagnostics if item.severity == "error"] for name, source in found.items()
    }
    assert codes.pop("f05.js") == ["crash"]
    assert codes.pop("f11.js") == ["timeout"]
    assert codes.pop("f13.js") == ["crash"]
    assert codes.pop("f17.js") == ["crash"]
    assert codes.pop("f07.js") == ["syntax"]
    assert not any(codes.values())
    assert "SIGKILL" in found["f05.js"].diagnostics[0].message
    assert "exit status 3" in found["f13.js"].diagnostics[0].message
    assert (summary.files, summary.failed) == (40, 5)
    lowered = set(tables["func"].column("file").to_pylist())
    failed = {row["file"] for row in tables["diagnostic"].to_pylist() if row["severity"] == "error"}
    assert lowered | failed == set(tables["source_file"].column("file").to_pylist()), "every input is accounted for"
    good = [file for file in files if file.name not in ("f05.js", "f11.js", "f13.js", "f17.js")]
    assert tables["func"].num_rows == relations(good)["func"].num_rows


def command(tree: Path, target: Path) -> list[str]:
    return [sys.executable, "-c", "from ssarel.cli import main; main()", "analyze", str(tree), "-o", str(target)]


def contents(target: Path) -> dict[str, pa.Table]:
    with ssarel.open(target) as opened:
        return opened.tables(shards.output_names())


def test_an_unchanged_tree_is_not_analysed_again(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "ssa.duckdb"
    run = analysis.analyze([tree], target=target)
    assert run.summary.reused == 0
    database.write(target, run.tables, mark=current.fingerprint("default"))
    resume.Drafts(target, "default").clear()

    def is_current(profile: str) -> bool:
        with database.connect(target, read_only=True) as connection:
            return current.is_current(connection, find([tree]), current.fingerprint(profile))

    assert is_current("default")
    assert not is_current("react")
    (tree / "d0" / "f00.js").write_text("function changed() {}", encoding="utf-8")
    assert not is_current("default")
    (tree / "d1" / "f01.js").unlink()
    (tree / "d1" / "new.js").write_text("let fresh = 1;", encoding="utf-8")
    assert not is_current("default")
    again = analysis.analyze([tree], target=target)
    assert again.summary.reused == 38
    assert_equal(again.tables, relations([tree]))
    monkeypatch.setattr(resume, "fingerprint", str.upper)
    assert analysis.analyze([tree], target=target).summary.reused == 0


def test_a_run_may_find_no_function_at_all(tree: Path) -> None:
    run = analysis.analyze([tree / "d1" / "f07.js"])
    assert (run.summary.files, run.summary.failed, run.summary.functions) == (1, 1, 0)
    assert [item.code for item in run.sources[0].diagnostics] == ["syntax"]


def test_an_unchanged_run_loads_and_prints_little_else(tree: Path, tmp_path: Path) -> None:
    target = tmp_path / "ssa.duckdb"
    first = subprocess.run(command(tree, target), capture_output=True, text=True)
    script = (
        "import sys; from ssarel.cli import app; app(sys.argv[1:], standalone_mode=False); "
        "sys.exit(sum(name in sys.modules for name in ('numpy', 'pyarrow', 'tree_sitter', 'ssarel.analysis')))"
    )
    again = subprocess.run([sys.executable, "-c", script, *command(tree, target)[3:]], capture_output=True, text=True)
    assert (first.returncode, again.returncode) == (1, 0), again.stderr
    assert again.stderr == first.stderr, "what went wrong is said each time"
    figures = [line.split() for line in first.stdout.splitlines()[2:] if not line.startswith("seconds")]
    assert ["files", "reused", "0"] in figures
    figures[figures.index(["files", "reused", "0"])][2] = "40"
    assert [line.split() for line in again.stdout.splitlines()[2:] if not line.startswith("seconds")] == figures


@pytest.mark.parametrize("delay", [random.Random(seed).uniform(0.5, 4) for seed in range(4)])
def test_a_killed_run_leaves_nothing_half_done_and_is_taken_up_again(tree: Path, tmp_path: Path, delay: float) -> None:
    target = tmp_path / "ssa.duckdb"
    subprocess.run(command(EXAMPLES, target), check=True, capture_output=True)
    before = contents(target)
    process = subprocess.Popen(command(tree, target), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(delay)
    process.kill()
    process.wait()
    after = contents(target)
    if after["source_file"].equals(before["source_file"]):
        assert_equal(after, before)
    done = subprocess.run(command(tree, target), capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    assert_equal(contents(target), relations([tree]))
    assert [path.name for path in tmp_path.iterdir() if path != tree] == ["ssa.duckdb"]


def test_a_fresh_run_that_fails_leaves_the_database(tree: Path, tmp_path: Path) -> None:
    target = tmp_path / "ssa.duckdb"
    subprocess.run(command(EXAMPLES, target), check=True, capture_output=True)
    before = contents(target)
    run = analysis.analyze([EXAMPLES], target=target, fresh=True)
    assert run.summary.reused == 0
    environment = {**os.environ, "PATH": ""}
    failing = [*command(tree, target), "--fresh", "--engine", "souffle"]
    done = subprocess.run(failing, capture_output=True, check=False, env=environment)
    assert done.returncode == 2
    assert_equal(contents(target), before)
