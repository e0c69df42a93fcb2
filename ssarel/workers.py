"""Files analysed in several processes; a file that kills, hangs or blows up its process costs nobody else anything."""

from __future__ import annotations

import gc
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pyarrow as pa

from ssarel import facts, frontends, processes, react_passes, schema, shards
from ssarel.construct import rename_all
from ssarel.engines import get_engine
from ssarel.errors import Rejected, SsarelError
from ssarel.ir import Diagnostic
from ssarel.shards import Part
from ssarel.sources import Source
from ssarel.ssa_facts import SSA, ssa_tables

PART_BYTES = 3_000_000
"""Source text that a worker gathers before it derives relations: enough that starting the rules does not matter."""

Read = Callable[[Path, str], Source]
"""Reads and lowers one file in a profile; whatever goes wrong becomes a diagnostic."""


@dataclass(frozen=True, slots=True)
class Job:
    """What every worker does: how files are read, in which profile, and who evaluates the rules with which options."""

    read: Read
    profile: str
    engine: str
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


def make_part(sources: Sequence[Source], job: Job) -> Part:
    """All relations over `sources`. Raises: EngineError."""
    if job.profile == "react":
        for source in sources:
            prepare(source)
    emitted = facts.emit(sources)
    for unit in emitted.units:
        unit.function = None
    derived = get_engine(job.engine, **job.options).run(emitted.tables)
    forms = rename_all(emitted.units, derived["idom"], derived["phi"])
    return shards.part({**emitted.tables, **derived, **ssa_tables(emitted.units, forms)})


def failed_part(path: Path, code: str, message: str) -> Part:
    """The part of a file that could not be analysed: the file and why."""
    language = frontends.language_of(path.name) or ""
    tables = facts.emit([Source(path.as_posix(), language, "", [], [Diagnostic("error", code, message)])]).tables
    empty = {name: relation.arrow.empty_table() for name, relation in {**schema.DERIVED, **SSA}.items()}
    wanted = shards.output_names()
    return shards.part({**tables, **{name: table for name, table in empty.items() if name in wanted}})


def prepare(source: Source) -> None:
    """Bring functions of the profile react to what React Compiler makes SSA form of; rejected ones stay as they are."""
    for root in source.functions:
        try:
            react_passes.prepare(root)
        except Rejected as error:
            note = Diagnostic("note", "react-refuses", str(error), root.line, root.col, root.title)
            source.diagnostics.append(note)


def analyze_here(files: Sequence[Path], job: Job) -> Iterator[tuple[Path, Part | None]]:
    """Analyse `files` in this process. Yields each file as it is read, at the last of a part with the part."""
    sources: list[Source] = []
    size = 0
    for at, file in enumerate(files):
        sources.append(job.read(file, job.profile))
        gc.collect(0)
        size += _size(file)
        if size >= PART_BYTES or at == len(files) - 1:
            yield file, make_part(sources, job)
            sources, size = [], 0
        else:
            yield file, None


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


# Messages to a worker: a path to read, or None to make a part of what was read.
# Answers: ("read", None) or ("part", tables as Arrow streams) or ("error", message).


def _work(pipe: Connection, job: Job) -> None:
    """The life of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.disable()
    sources: list[Source] = []
    while True:
        try:
            path: Path | None = pipe.recv()
        except EOFError:
            return
        if path is not None:
            sources.append(job.read(path, job.profile))
            gc.collect(0)
            pipe.send(("read", None))
            continue
        try:
            made = make_part(sources, job)
            pipe.send(("part", {name: pack(table) for name, table in made.tables.items()}))
        except SsarelError as error:
            pipe.send(("error", str(error)))
        sources = []


def pack(table: pa.Table) -> bytes:
    """`table` as an Arrow stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue().to_pybytes()


def read(data: bytes) -> pa.Table:
    """The table that `pack` packed."""
    return pa.ipc.open_stream(data).read_all()


def unpack(tables: Mapping[str, bytes]) -> Part:
    """The part that a worker sent, or that was kept on disk."""
    return shards.part({name: read(data) for name, data in tables.items()})


@dataclass(slots=True)
class _Worker:
    """A process and what it is doing.

    reading: the file it was given last; None while it makes a part or waits.
    held:    files that it has read and that are in no part yet.
    """

    process: BaseProcess
    pipe: Connection
    reading: Path | None = None
    held: list[Path] = field(default_factory=list[Path])
    size: int = 0
    since: float = 0.0
    is_making: bool = False


class Pool:
    """Analyses files with `jobs` processes.

    timeout: seconds that reading one file may take.
    Raises EngineError if the rules fail on a single file; a file that ends its worker gets a diagnostic instead.
    """

    def __init__(self, job: Job, jobs: int, timeout: float | None = None) -> None:
        self.context = processes.context()
        self.job = job
        self.jobs = jobs
        self.timeout = timeout
        self.workers: list[_Worker] = []
        self.waiting: deque[Path] = deque()
        self.alone: set[Path] = set()

    def run(self, files: Sequence[Path]) -> Iterator[tuple[Path | None, Part | None]]:
        """Yields each file as it is done with, and each part as it is made, in no particular order."""
        self.waiting.extend(files)
        try:
            self._hand_out()
            pa.array([])  # loads pandas, which merging needs, while the workers read
            while self.waiting or any(worker.held or worker.reading for worker in self.workers):
                self._hand_out()
                yield from self._listen()
        finally:
            self.close()

    def close(self) -> None:
        """End all workers."""
        for worker in self.workers:
            worker.process.kill()
            worker.process.join()
            worker.pipe.close()
        self.workers = []

    def _start(self) -> _Worker:
        ours, theirs = self.context.Pipe()
        process = self.context.Process(target=_work, args=(theirs, self.job), daemon=True)
        process.start()
        theirs.close()
        worker = _Worker(process, ours)
        self.workers.append(worker)
        return worker

    def _hand_out(self) -> None:
        """Give every idle worker a file to read, or let it make a part."""
        while self.waiting and len(self.workers) < self.jobs:
            self._give(self._start())
        for worker in self.workers:
            if worker.reading is None and not worker.is_making:
                self._give(worker)

    def _give(self, worker: _Worker) -> None:
        is_full = worker.size >= PART_BYTES or any(path in self.alone for path in worker.held)
        if self.waiting and not is_full:
            worker.reading = self.waiting.popleft()
            worker.since = time.monotonic()
            worker.pipe.send(worker.reading)
        elif worker.held:
            worker.is_making = True
            worker.pipe.send(None)

    def _listen(self) -> Iterator[tuple[Path | None, Part | None]]:
        """Wait for an answer, an end or a deadline."""
        pipes = {worker.pipe: worker for worker in self.workers}
        ready = wait([*pipes, *(worker.process.sentinel for worker in self.workers)], timeout=self._patience())
        for item in ready:
            worker = pipes.get(item)  # type: ignore[arg-type]
            if worker is not None and worker in self.workers:
                yield from self._answer(worker)
        now = time.monotonic()
        for worker in list(self.workers):
            if self.timeout is not None and worker.reading and now > worker.since + self.timeout:
                yield from self._lose(worker, "timeout", f"reading took more than {self.timeout:g} s; see --timeout")
            elif not worker.process.is_alive() and not worker.pipe.poll():
                yield from self._lose(worker, "crash", f"the process that read it ended {_ending(worker.process)}")

    def _patience(self) -> float | None:
        if self.timeout is None:
            return None
        ends = [worker.since + self.timeout for worker in self.workers if worker.reading]
        return max(0.0, min(ends) - time.monotonic()) if ends else None

    def _answer(self, worker: _Worker) -> Iterator[tuple[Path | None, Part | None]]:
        try:
            kind, content = worker.pipe.recv()
        except (EOFError, OSError):
            worker.process.join()
            yield from self._lose(worker, "crash", f"the process that read it ended {_ending(worker.process)}")
            return
        if kind == "read" and worker.reading is not None:
            worker.held.append(worker.reading)
            worker.size += _size(worker.reading)
            yield worker.reading, None
            worker.reading = None
            return
        held, worker.held, worker.size, worker.is_making = worker.held, [], 0, False
        if kind == "part":
            yield None, unpack(content)
        elif len(held) > 1:
            self._again(held)
        else:
            yield None, failed_part(held[0], "engine", content)

    def _lose(self, worker: _Worker, code: str, message: str) -> Iterator[tuple[Path | None, Part | None]]:
        """A worker is gone: its file gets a diagnostic, what it held is read again, one file a part."""
        worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        self.workers.remove(worker)
        if worker.reading is not None:
            yield worker.reading, failed_part(worker.reading, code, message)
        elif len(worker.held) == 1:
            yield None, failed_part(worker.held[0], code, message)
            return
        self._again(worker.held)

    def _again(self, files: list[Path]) -> None:
        self.alone.update(files)
        self.waiting.extendleft(reversed(files))


def _ending(process: BaseProcess) -> str:
    code = process.exitcode
    if code is not None and code < 0:
        return f"by {signal.Signals(-code).name}" + ("; it may have run out of memory" if code == -9 else "")
    return f"with exit status {code}"


def cores() -> int:
    """How many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
