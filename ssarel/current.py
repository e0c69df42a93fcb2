"""Whether a database says already what a run would, and what it says: asked of it alone, with little to load."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import duckdb

from ssarel import database, resources
from ssarel.ir import Diagnostic
from ssarel.sources import Source, clean

RETRIED = frozenset({"timeout", "crash", "unreadable"})
"""Diagnostics of files that are read again although they did not change."""

HashOf = Callable[[Path], str | None]
"""Says what is in a file: `hash_of`, or something that remembers its answers."""


@dataclass(slots=True)
class Summary:
    """What a run found, for the table at its end.

    reused:  files whose results an earlier run had.
    seconds: wall-clock time of each phase.
    """

    files: int
    failed: int
    functions: int
    blocks: int
    instructions: int
    phis: int
    reused: int
    diagnostics: dict[str, int]
    seconds: dict[str, float] = field(default_factory=dict[str, float])


@cache
def fingerprint(profile: str) -> str:
    """What results depend on beside the files: ssarel itself, its rules, the profile."""
    digest = hashlib.sha256(profile.encode())
    package = Path(__file__).parent
    for folder in (package, resources.folder("facts"), resources.folder("rules")):
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".dl", ".sql"):
                digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def hash_of(file: Path) -> str | None:
    """The SHA-256 of the content of `file`; None if it cannot be read."""
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return None


def is_current(
    connection: duckdb.DuckDBPyConnection, files: Sequence[Path], mark: str, hash_of: HashOf = hash_of
) -> bool:
    """Whether a database, if it has `mark`, says already what a run over `files` would.

    Cost: hashes each file.
    """
    if database.mark_of(connection) != mark:
        return False
    known = connection.execute("select path, sha256 from source_file order by file").fetchall()
    codes = connection.execute("select distinct code from diagnostic").fetchall()
    return (
        [path for path, _ in known] == [clean(file.as_posix()) for file in files]
        and RETRIED.isdisjoint(code for (code,) in codes)
        and all(content == hash_of(file) for (_, content), file in zip(known, files, strict=True))
    )


def summarize(connection: duckdb.DuckDBPyConnection, reused: int) -> Summary:
    """The figures of the relations of a run, `reused` of whose files an earlier one had analysed."""
    failed = "select count(distinct file) from diagnostic where severity = 'error'"
    counts = [f"select count(*) from {name}" for name in ("func", "func_block", "block_instr", "ssa_phi")]
    queries = ["select count(*) from source_file", failed, *counts]
    figures = [connection.execute(query).fetchall()[0][0] for query in queries]
    severities = connection.execute("select severity, count(*) from diagnostic group by all").fetchall()
    return Summary(*figures, reused=reused, diagnostics=dict(severities))


def sources_of(connection: duckdb.DuckDBPyConnection) -> list[Source]:
    """The inputs of a run with their diagnostics, without their functions."""
    files = connection.execute("select path, language, sha256 from source_file order by file").fetchall()
    sources = [Source(*row, functions=[]) for row in files]
    names = dict(connection.execute("select func_id, name from func").fetchall())
    columns = "file, severity, code, message, line, col, func"
    for file, *found, func in connection.execute(f"select {columns} from diagnostic").fetchall():
        sources[file].diagnostics.append(Diagnostic(*found, function=names.get(func)))
    return sources
