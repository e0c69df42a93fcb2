"""What this machine has of the things ssarel uses, and how to get what is missing."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata

PACKAGES = {
    "duckdb": "default engine, databases",
    "pyarrow": "relations in memory, Parquet",
    "pandas": "results in Python",
    "numpy": "relations in memory",
    "tree-sitter": "parsing source files",
    "tree-sitter-javascript": "parsing JavaScript and JSX",
    "tree-sitter-typescript": "parsing TypeScript and TSX",
    "typer": "command line",
    "rich": "tables on a terminal",
    "pathspec": "what .gitignore files leave out",
}
"""Python packages of the main job, and what each is for. The versions they need are in the package's own metadata."""

EXTRAS = {
    "llvmlite": ("llvm", "reading .ll and .bc files"),
    "graphviz-pure": ("svg", "report --format svg where Graphviz is not installed"),
    "pyspark": ("spark", "rules on many machines: ssarel.spark"),
}
"""Optional Python packages: the extra of ssarel's that brings each, and what it is for."""

PROGRAMS = (
    (
        "souffle",
        ("souffle",),
        "second engine: --engine souffle, compare --with souffle",
        "in no registry: packages at https://souffle-lang.github.io/install, or build release 2.5 from"
        " https://github.com/souffle-lang/souffle: cmake -S . -B build && cmake --build build --target install",
        "",
    ),
    (
        "C++ compiler",
        ("c++", "g++", "clang++"),
        "compiled Soufflé programs: --souffle-compile",
        "g++ or clang++ with C++17, for example apt-get install g++",
        "",
    ),
    ("opt", ("opt",), "compare --with llvm", "LLVM 14 or newer, for example apt-get install llvm", ">=14"),
    (
        "java",
        ("$JAVA_HOME/bin/java", "java"),
        "rules on many machines: ssarel.spark",
        "Java 17 or newer, for example apt-get install default-jre-headless",
        ">=17",
    ),
    (
        "dot",
        ("dot",),
        "report --format svg; graphviz-pure will do",
        "Graphviz, for example apt-get install graphviz",
        "",
    ),
    ("node", ("node",), "oracle tests against React Compiler", "Node.js 20 or newer from https://nodejs.org", ">=20"),
    ("npm", ("npm",), "oracle tests against React Compiler", "comes with Node.js", ""),
)
"""Optional programs: name, commands to try in order, what it is for, how to get it, the versions that do."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked for.

    status:  ok, missing, or broken (present but unusable).
    version: empty if not found.
    how:     how to get it; empty if the status is ok.
    """

    name: str
    status: str
    version: str
    required: bool
    needed_for: str
    how: str


def examine() -> Iterator[Finding]:
    """Look at each thing in turn; slow ones are started and asked for their version, at most ten seconds each."""
    yield _python()
    for name, needed_for in PACKAGES.items():
        yield _package(name, needed_for)
    yield _recursion()
    for name, (extra, needed_for) in EXTRAS.items():
        yield _package(name, needed_for, extra)
    for program in PROGRAMS:
        yield _program(*program)


def can_run(findings: list[Finding]) -> bool:
    """Whether the main job can run: everything required is there and works."""
    return all(finding.status == "ok" for finding in findings if finding.required)


def _python() -> Finding:
    fits = sys.version_info >= (3, 11)
    how = "" if fits else "Python 3.11 or newer from https://www.python.org"
    return Finding("python", "ok" if fits else "broken", platform.python_version(), True, "everything", how)


def _package(name: str, needed_for: str, extra: str = "") -> Finding:
    wanted = _requirement(name, extra)
    how = f"pip install 'ssarel[{extra}]'" if extra else f"pip install '{name}{wanted}'"
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return Finding(name, "missing", "", not extra, needed_for, how)
    if not _fits(version, wanted):
        return Finding(name, "broken", version, not extra, needed_for, how)
    return Finding(name, "ok", version, not extra, needed_for, "")


def _requirement(package: str, extra: str = "") -> str:
    """The version range that ssarel's metadata asks for, such as `>=2.0.1,<3`; empty if ssarel is not installed."""
    try:
        required = metadata.requires("ssarel") or []
    except metadata.PackageNotFoundError:
        return ""
    for text in required:
        match = re.match(r"([\w.-]+)\s*([^;]*)(?:;.*extra == ['\"]([\w-]+)['\"])?", text)
        if match and match[1].lower().replace("_", "-") == package and (match[3] or "") == extra:
            return ",".join(sorted(match[2].strip().split(","), reverse=True))
    return ""


def _fits(version: str, wanted: str) -> bool:
    have = _numbers(version)
    for bound in filter(None, wanted.split(",")):
        limit = _numbers(bound)
        if (bound.startswith(">=") and have < limit) or (bound.startswith("<") and have >= limit):
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def _recursion() -> Finding:
    """Run the one statement whose meaning decides whether the rules are right on this DuckDB."""
    name, needed_for = "duckdb self test", "the meaning of `using key ... union`, which dominance relies on"
    try:
        from ssarel.engines import duckdb

        duckdb.self_test()
    except Exception as error:
        how = f"{error}; pip install 'duckdb{_requirement('duckdb')}'"
        return Finding(name, "broken", "", True, needed_for, how)
    return Finding(name, "ok", "", True, needed_for, "")


def _program(name: str, commands: tuple[str, ...], needed_for: str, how: str, wanted: str) -> Finding:
    for command in commands:
        path = shutil.which(os.path.expandvars(command))
        if path is None:
            continue
        try:
            output = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, errors="replace")
        except (OSError, subprocess.TimeoutExpired) as error:
            return Finding(name, "broken", "", False, needed_for, f"{path} does not start ({error}); {how}")
        if output.returncode != 0:
            return Finding(name, "broken", "", False, needed_for, f"{path} --version failed; {how}")
        match = re.search(r"\d+(\.\d+)+", output.stdout + output.stderr)
        version = match[0] if match else ""
        fits = _fits(version, wanted) if version else True
        return Finding(name, "ok" if fits else "broken", version, False, needed_for, "" if fits else how)
    return Finding(name, "missing", "", False, needed_for, how)
