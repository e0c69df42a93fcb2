"""Runs that do not reach their end: stopped, out of disk, not allowed to write. Nothing computed is lost."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

import ssarel
from ssarel import resume
from ssarel.cli import progress

WELL = 3
"""Files in the tree that can be analysed; one more hangs."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "src"
    root.mkdir()
    for at in range(WELL):
        (root / f"f{at}.js").write_text(f"function f{at}(c) {{ let x = {at}; if (c) x = 1; return x; }}")
    return root


def command(tree: Path, target: Path, *words: str, before: str = "") -> list[str]:
    """The program with one file a part, after the statements `before`."""
    code = f"from ssarel import workers; workers.PART_BYTES = 1; {before}from ssarel.cli import main; main()"
    return [sys.executable, "-c", code, "analyze", str(tree), "-o", str(target), *words]


def figures(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    return dict(line.rsplit(None, 1) for line in done.stdout.splitlines())


def finish(tree: Path, target: Path) -> dict[str, str]:
    done = subprocess.run(command(tree, target, "--jobs", "1"), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(path.name for path in target.parent.iterdir()) == sorted([target.name, tree.name])
    with ssarel.open(target) as opened:
        assert len(opened.sql("from source_file")) == len(list(tree.iterdir()))
    return figures(done)


@pytest.mark.parametrize(("number", "jobs"), [(signal.SIGINT, "2"), (signal.SIGTERM, "2"), (signal.SIGINT, "1")])
def test_a_stopped_run_is_taken_up_again(tree: Path, tmp_path: Path, number: signal.Signals, jobs: str) -> None:
    """Ctrl-C reaches every process of the group, SIGTERM the first one only."""
    target = tmp_path / "ssa.duckdb"
    os.mkfifo(tree / "hangs.js")
    # Started like from a terminal: a group of its own, whose processes all get the signal.
    process = subprocess.Popen(
        command(tree, target, "--jobs", jobs), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    drafts = resume.Drafts(target, "default")
    files = sorted(tree.glob("f*.js"))
    deadline = time.monotonic() + 60
    while drafts.count(files) < WELL and time.monotonic() < deadline:
        time.sleep(0.1)
    (os.killpg if number == signal.SIGINT else os.kill)(process.pid, number)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert stdout == b""
    kept = f"{WELL} of {WELL + 1} files are done and kept; the next run goes on from there"
    assert stderr.decode() == f"stopped; {kept}\n"
    assert not target.exists()
    while is_group_alive(process.pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not is_group_alive(process.pid)
    (tree / "hangs.js").unlink()
    (tree / "hangs.js").write_text("f(1);")
    assert finish(tree, target)["files reused"] == str(WELL)


def is_group_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def limited(size: int) -> str:
    """No file may grow past `size` bytes, as if the disk were full then. That holds for root as well."""
    return f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size})); "


@pytest.mark.parametrize("size", [8_000, 200_000])
def test_a_full_disk_loses_nothing_that_was_computed(tree: Path, tmp_path: Path, size: int) -> None:
    target = tmp_path / "ssa.duckdb"
    words = command(tree, target, "--jobs", "1", before=limited(size))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {target}: cannot be written: ")
    kept = f"; {WELL} of {WELL} files are done and kept; the next run goes on from there\n"
    assert done.stderr.endswith(kept)
    assert done.stderr.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [".ssa.duckdb.parts", "src"]
    assert finish(tree, target)["files reused"] == str(WELL)


def test_a_disk_too_full_for_parts_is_an_error(tree: Path, tmp_path: Path) -> None:
    target = tmp_path / "ssa.duckdb"
    words = command(tree, target, "--jobs", "1", before=limited(100))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == f"error: {tmp_path}/.ssa.duckdb.parts: cannot be written: File too large\n"
    assert finish(tree, target)["files reused"] == "0"


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no /proc, where not even root can write")
def test_a_folder_that_cannot_be_written_is_found_before_the_work(tree: Path) -> None:
    done = subprocess.run(command(tree, Path("/proc/a.duckdb")), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("error: /proc/a.duckdb: folder /proc cannot be written: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_standard_output_on_a_full_disk(tree: Path, tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        words = command(tree, tmp_path / "ssa.duckdb", "--jobs", "1")
        done = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "error: [Errno 28] No space left on device\n"
    assert (tmp_path / "ssa.duckdb").exists()


def test_a_terminal_shows_rate_and_remaining_time(tree: Path, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    words = command(tree, tmp_path / "ssa.duckdb", "--jobs", "1")
    environment = {**os.environ, "TERM": "vt100", "COLUMNS": "100"}
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=theirs, env=environment) as process:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # what Linux says at the end
            while data := os.read(ours, 4096):
                shown += data
    os.close(ours)
    assert process.returncode == 0
    assert f"{WELL}/{WELL}".encode() in shown
    assert b" files/s" in shown
    assert b"0:00:0" in shown


def test_a_log_gets_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    files = [Path(f"f{at}.js") for at in range(4)]
    clock = iter([0.0, 10, 20, 30, 45])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(progress, "INTERVAL", 20)
    assert list(progress.progress(files, 4, "lowering")) == files
    assert capsys.readouterr().err == "lowering: 2 of 4 files, 0.1 files/s, 20 s left\n"
