"""Imperative SSA builders to compare the rules with. They share the IR and its flow, never the rules."""

from __future__ import annotations

from collections.abc import Callable

from ssarel.builders import braun, cytron
from ssarel.flow import Flow
from ssarel.ssa import Ssa

BUILDERS: dict[str, Callable[[Flow], Ssa]] = {
    "cytron": cytron.build,
    "braun": braun.build,
}
"""Builders by name; each takes a function in normal form and returns its minimal pruned SSA form."""
