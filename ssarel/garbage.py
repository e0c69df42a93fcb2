"""Python's garbage collector, kept out of the way of runs that build large structures without cycles."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def young_garbage_only() -> Generator[None, None, None]:
    """Stop the collector from walking over and over what a run keeps: that was more than half of the time of lowering.

    Who leaves garbage in cycles behind calls `gc.collect(0)` now and then; what is kept is not looked at again.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
