"""A whole run: lower every file, derive every relation, and make one database of it; or find that nothing changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from ssarel import batch, database, resume, shards
from ssarel.engines import get_engine
from ssarel.facts import Source, clean
from ssarel.garbage import young_garbage_only
from ssarel.ir import Diagnostic
from ssarel.paths import find
from ssarel.shards import Part
from ssarel.workers import Job, Pool, analyze_here

Watcher = Callable[[Iterable[Path], int, str], Iterable[Path]]
"""Passes files on while it shows how far the work is: (files, how many, what is done with them)."""


@dataclass(slots=True)
class Summary:
    """What a run found, for the table at its end.

    reused:  files whose results an earlier run had.
    seconds: by phase, in order.
    """

    files: int = 0
    failed: int = 0
    reused: int = 0
    functions: int = 0
    blocks: int = 0
    instructions: int = 0
    phis: int = 0
    diagnostics: dict[str, int] = field(default_factory=dict[str, int])
    seconds: dict[str, float] = field(default_factory=dict[str, float])


@dataclass(slots=True)
class Run:
    """What an analysis made: every relation by name, its figures, the inputs with their diagnostics."""

    tables: dict[str, pa.Table]
    summary: Summary
    sources: list[Source]


@young_garbage_only()
def analyze(
    paths: Iterable[str | os.PathLike[str]],
    engine: str = "duckdb",
    profile: str = "default",
    options: Mapping[str, Any] | None = None,
    watch: Watcher | None = None,
    jobs: int = 1,
    timeout: float | None = None,
    target: Path | None = None,
    fresh: bool = False,
    hash_of: resume.HashOf = resume.hash_of,
) -> Run:
    """Lower all of `paths` and derive every relation; `database.write` makes a file of them.

    engine, options: who evaluates the rules, and its limits.
    watch:           shows progress to a person.
    jobs:            processes; with one and no timeout all is done in this one.
    timeout:         seconds for reading one file.
    target:          where the database will be: what earlier runs left there is reused, and what this one makes is
                     kept beside it until the caller has written the database and clears `resume.Drafts`.
    fresh:           reuse nothing; what is at `target` stays until the new database replaces it.
    hash_of:         says what is in a file now.

    The result does not depend on jobs, nor on what was reused.
    Raises: UsageError for a path that does not exist; EngineError.
    """
    started = time.perf_counter()
    files = find(paths)
    get_engine(engine, **(options or {}))
    limits = dict(options or {})
    if engine == "duckdb" and jobs > 1:
        # The processes are what keeps the cores busy.
        limits.setdefault("threads", 1)
    job = Job(batch.read, profile, engine, limits)
    parts = [] if target is None or fresh else resume.earlier(target, profile)
    reused = resume.unchanged(parts, files, hash_of) if parts else set[Path]()
    drafts = None if target is None else resume.Drafts(target, profile)
    left = [file for file in files if file not in reused]

    def work() -> Iterator[Path]:
        is_here = timeout is None and (jobs == 1 or len(left) < 2)
        for file, part in analyze_here(left, job) if is_here else Pool(job, jobs, timeout).run(left):
            if part is not None:
                parts.append(part)
                if drafts is not None:
                    drafts.keep(part)
            if file is not None:
                yield file

    for _ in watch(work(), len(left), "analysing") if watch else work():
        pass
    analysed = time.perf_counter()
    tables = shards.merge(parts, [clean(file.as_posix()) for file in files])
    sources = sources_of(tables)
    summary = summarize(tables, sources, len(reused))
    summary.seconds = {"analyse": analysed - started, "merge": time.perf_counter() - analysed}
    return Run(tables, summary, sources)


def is_current(target: Path, files: Sequence[Path], mark: str, hash_of: resume.HashOf = resume.hash_of) -> bool:
    """Whether the database at `target`, if it has `mark`, says already what a run over `files` would.

    Cost: hashes each file.
    """
    if not database.is_database(target) or database.mark_of(target) != mark:
        return False
    with database.open(target) as opened:
        known = opened.tables(("source_file", "diagnostic"))
    names = [str(path) for path in known["source_file"].column("path").to_pylist()]
    if names != [clean(file.as_posix()) for file in files]:
        return False
    return len(resume.unchanged([Part(known, names, {})], files, hash_of)) == len(files)


def summarize(tables: Mapping[str, pa.Table], sources: Sequence[Source], reused: int) -> Summary:
    """The figures of a run's relations, whose inputs are `sources`."""
    summary = Summary(len(sources), sum(map(batch.is_failed, sources)), reused)
    summary.functions = tables["func"].num_rows
    summary.blocks = tables["func_block"].num_rows
    summary.instructions = tables["block_instr"].num_rows
    summary.phis = tables["ssa_phi"].num_rows
    for source in sources:
        for item in source.diagnostics:
            summary.diagnostics[item.severity] = summary.diagnostics.get(item.severity, 0) + 1
    return summary


def sources_of(tables: Mapping[str, pa.Table]) -> list[Source]:
    """The inputs of a run with their diagnostics, without their functions."""
    sources = [Source(row["path"], row["language"], row["sha256"], []) for row in tables["source_file"].to_pylist()]
    names = {row["func_id"]: row["name"] for row in tables["func"].select(["func_id", "name"]).to_pylist()}
    for row in tables["diagnostic"].to_pylist():
        item = Diagnostic(row["severity"], row["code"], row["message"], row["line"], row["col"], names.get(row["func"]))
        sources[row["file"]].diagnostics.append(item)
    return sources
