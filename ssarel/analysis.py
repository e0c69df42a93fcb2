"""A whole run: lower every file, derive every relation, and make one database of it; or find that nothing changed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from ssarel import batch, current, resume, shards
from ssarel.current import Summary
from ssarel.engines import get_engine
from ssarel.garbage import young_garbage_only
from ssarel.paths import find
from ssarel.sources import Source, clean
from ssarel.workers import Job, Pool, analyze_here

Watcher = Callable[[Iterable[Path], int, str], Iterable[Path]]
"""Passes files on while it shows how far the work is: (files, how many, what is done with them)."""


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
    hash_of: current.HashOf = current.hash_of,
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
    with duckdb.connect() as connection:
        for name, table in tables.items():
            connection.register(name, table)
        sources, summary = current.sources_of(connection), current.summarize(connection, len(reused))
    summary.seconds = {"analyse": analysed - started, "merge": time.perf_counter() - analysed}
    return Run(tables, summary, sources)
