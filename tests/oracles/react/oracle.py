"""React Compiler 1.0.0 run in Node over many files: what it prints for each root function."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "ssarel" / "oracles"
SUFFIXES = {".js", ".jsx", ".mjs", ".cjs"}
PACKAGES = {
    "lodash-es@4.18.1": "",
    "three@0.160.0": "src",
    "date-fns@4.4.0": "",
    "@mui/material@9.5.0": "",
}
"""Packages on the npm registry that parity is measured on, and the folder of each that counts."""


class OracleError(Exception):
    """Node, npm or the compiler failed; the message is theirs."""


@dataclass(frozen=True, slots=True)
class Dumped:
    """One root function as React sees it.

    line, col: start of the function node; line from 1, col from 0 in code points. Line 0: the whole file was refused.
    passes:    printed text by pass name; empty if refused before the first.
    error:     why it did not reach the last pass.
    """

    file: str
    name: str | None
    line: int
    col: int
    passes: dict[str, str]
    error: str | None


def javascript_files(folder: Path) -> list[str]:
    """All JavaScript files below `folder`, relative to it, sorted."""
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.suffix in SUFFIXES and p.is_file())


def install() -> Path:
    """The folder the compiler is installed in; on the first call npm fetches it."""
    manifest = HERE / "package.json"
    home = CACHE / f"react-{hashlib.sha256(manifest.read_bytes()).hexdigest()[:12]}"
    if not (home / "installed").exists():
        home.mkdir(parents=True, exist_ok=True)
        shutil.copy(manifest, home)
        _run(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"], home)
        (home / "installed").touch()
    return home


def fetch(package: str) -> Path:
    """The unpacked folder of `name@version`; on the first call npm fetches it."""
    home = CACHE / package.replace("/", "+")
    if not home.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
            _run(["npm", "pack", package, "--silent"], Path(scratch))
            (archive,) = Path(scratch).glob("*.tgz")
            with tarfile.open(archive) as tar:
                tar.extractall(scratch, filter="data")
            (Path(scratch) / "package").rename(home)
    return home


def dump(root: Path, files: Iterable[str], passes: Iterable[str]) -> Iterator[Dumped]:
    """What React prints after `passes` for the root functions of `files` (relative to `root`), in their order."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as lines:
        run_node(root, files, passes, lines.fileno())
        lines.seek(0)
        yield from read(lines)


def read(lines: Iterable[str]) -> Iterator[Dumped]:
    """The functions of a dump stored earlier."""
    return (Dumped(**json.loads(line)) for line in lines)


def run_node(
    root: Path, files: Iterable[str], passes: Iterable[str] = (), stdout: int | None = None
) -> dict[str, float]:
    """Run dump.js; without `passes` it compiles only. Returns its counts and seconds."""
    command = ["node", "--max-old-space-size=4096", str(HERE / "dump.js"), str(root.resolve()), *passes]
    return json.loads(_run(command, install(), "\n".join(files), stdout).splitlines()[-1])


def _run(command: list[str], folder: Path, stdin: str = "", stdout: int | None = subprocess.DEVNULL) -> str:
    """Run a command to its end. Returns its standard error."""
    done = subprocess.run(
        command, cwd=folder, input=stdin, stdout=stdout, stderr=subprocess.PIPE, encoding="utf-8", check=False
    )
    if done.returncode:
        raise OracleError(f"`{' '.join(command[:3])}` ended with {done.returncode}: {done.stderr.strip()[-2000:]}")
    return done.stderr
