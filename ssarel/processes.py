"""How worker processes come to be: forked, where that is possible, from one that has imported what they need."""

from __future__ import annotations

import multiprocessing
from multiprocessing import forkserver
from typing import Any

NEEDED = ["ssarel.workers", "ssarel.batch", "pandas"]
"""What workers import; pandas because pyarrow does when it makes its first array."""

IS_FORKED = "forkserver" in multiprocessing.get_all_start_methods()


def context() -> Any:
    """The context of `multiprocessing` that starts workers."""
    found = multiprocessing.get_context("forkserver" if IS_FORKED else "spawn")
    if IS_FORKED:
        found.set_forkserver_preload(NEEDED)
    return found


def prepare() -> None:
    """Start importing what workers need, in the process they will be forked from, while this one does other things."""
    if IS_FORKED:
        context()
        forkserver.ensure_running()
