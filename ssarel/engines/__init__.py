"""Rule engines: base relations in, derived relations out. Both evaluate rules/ and give the same sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import pyarrow as pa

from ssarel import schema
from ssarel.errors import UsageError

Tables = Mapping[str, pa.Table]
"""Relations by name."""

DEFAULT_OUTPUTS = tuple(schema.DERIVED)
"""What an engine derives if nothing else is asked for."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one relation took: its rows, seconds, and for a recursive one how often its rules ran.

    iterations: 0 if the relation is not recursive; None if the engine does not say.
    """

    relation: str
    rows: int
    seconds: float
    iterations: int | None = None


class Engine(Protocol):
    """Evaluates rules/ over base relations.

    Both engines return the same sets for the same input; rows come in no particular order.
    """

    name: str

    def run(self, base: Tables, outputs: Sequence[str] = DEFAULT_OUTPUTS) -> dict[str, pa.Table]:
        """The derived relations `outputs`.

        base:   the base relations that rules read; others are ignored.
        Raises: SchemaError if there is no such relation or `base` lacks one; EngineUnavailable if the engine cannot be
                started; EngineError if it fails, with what was being run.
        """
        ...


def get_engine(name: str, **options: Any) -> Engine:
    """The engine `name`, duckdb or souffle, with its options (see the classes).

    Raises: UsageError if there is no such engine or option; EngineUnavailable.
    """
    from ssarel.engines.duckdb import DuckDBEngine
    from ssarel.engines.souffle import SouffleEngine

    engines = {"duckdb": DuckDBEngine, "souffle": SouffleEngine}
    if name not in engines:
        raise UsageError(f"no engine {name!r}; there are {', '.join(engines)}")
    return engines[name](**options)
