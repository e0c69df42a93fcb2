"""How far a run over many files is: a bar for a person, a line now and then for a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

INTERVAL = 30.0
"""Seconds between two lines of a log."""


def progress(files: Iterable[Path], total: int, what: str) -> Iterable[Path]:
    """Pass `files` on; say on standard error how many of `total` are done, how fast, and how long the rest takes."""
    return _bar(files, total, what) if sys.stderr.isatty() else _lines(files, total, what)


def _bar(files: Iterable[Path], total: int, what: str) -> Iterator[Path]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed or 0:.1f} files/s")

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(), Remaining())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        yield from shown.track(files, total, description=what)


def _lines(files: Iterable[Path], total: int, what: str) -> Iterator[Path]:
    start = last = time.monotonic()
    for done, file in enumerate(files, 1):
        yield file
        now = time.monotonic()
        if now - last >= INTERVAL and done < total:
            last = now
            left = (total - done) * (now - start) / done
            rate = f"{done / (now - start):.1f} files/s, {left:.0f} s left"
            print(f"{what}: {done} of {total} files, {rate}", file=sys.stderr)
