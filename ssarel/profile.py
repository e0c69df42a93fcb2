"""What the rules cost on given functions: rows and seconds of each relation, and functions too large to try."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from ssarel import schema
from ssarel.builders.dominators import immediate_dominators
from ssarel.compare import Batch
from ssarel.engines import Step, get_engine
from ssarel.engines.duckdb import DuckDBEngine
from ssarel.engines.souffle import SouffleEngine
from ssarel.facts import Unit
from ssarel.flow import CELL, Flow

LARGEST = 10
"""How many of the largest functions are named."""


@dataclass(frozen=True, slots=True)
class TooLarge:
    """A function left out because `relation` would have more than the allowed rows for it alone."""

    unit: Unit
    relation: str


@dataclass(slots=True)
class Profile:
    """costs in the order of evaluation, seconds in all, the largest functions by blocks, and those left out."""

    costs: list[Step]
    seconds: float
    largest: list[Unit]
    left_out: list[TooLarge] = field(default_factory=list[TooLarge])

    @property
    def widest(self) -> Step | None:
        """The relation of most rows."""
        return max(self.costs, key=lambda cost: cost.rows, default=None)


def profile(batch: Batch, engine: str, options: Mapping[str, Any], left_out: list[TooLarge]) -> Profile:
    """Derive every relation of `batch` but for the functions `left_out`. Raises: EngineError as the engine does."""
    tables = without(batch.tables, [item.unit for item in left_out])
    runner = get_engine(engine, **options, **({"profile": True} if engine == "souffle" else {}))
    assert isinstance(runner, DuckDBEngine | SouffleEngine)
    start = time.perf_counter()
    runner.run(tables)
    seconds = time.perf_counter() - start
    largest = sorted(batch.units, key=lambda unit: -len(unit.blocks))[:LARGEST]
    return Profile(runner.steps, seconds, largest, left_out)


def too_large(batch: Batch, max_rows: int) -> list[TooLarge]:
    """The functions for which a relation that can be quadratic would have more than `max_rows` rows.

    Cost: nothing for a function whose blocks times blocks and blocks times variables are below the bound; for others a
          count that ends at the bound.
    """
    found: list[TooLarge] = []
    for unit in batch.units:
        blocks = len(unit.blocks)
        if blocks * max(blocks, unit.flow.variables) > max_rows:
            idom = immediate_dominators(unit.flow)
            counts = {
                "dom_frontier": _frontier_rows(unit.flow, idom),
                "loop_block": _loop_rows(unit.flow, idom),
                "live_in": _live_rows(unit.flow),
            }
            relation = next((name for name, steps in counts.items() if _passes(steps, max_rows)), None)
            if relation is not None:
                found.append(TooLarge(unit, relation))
    return found


def _passes(rows: Iterator[int], bound: int) -> bool:
    total = 0
    for number in rows:
        total += number
        if total > bound:
            return True
    return False


def _frontier_rows(flow: Flow, idom: list[int]) -> Iterator[int]:
    """The rows of dom_frontier, block by block: a climb from each predecessor up to the block's parent."""
    last = [-1] * len(flow.succ)
    for block, preds in enumerate(flow.pred):
        for pred in preds:
            runner, rows = pred, 0
            while runner != idom[block] and last[runner] != block:
                last[runner] = block
                runner = idom[runner]
                rows += 1
            yield rows


def _loop_rows(flow: Flow, idom: list[int]) -> Iterator[int]:
    """The rows of loop_block, header by header: backwards from the sources of back edges."""
    depth = [0] * len(flow.succ)
    for block in _top_down(flow, idom):
        depth[block] = depth[idom[block]] + 1
    for header, preds in enumerate(flow.pred):
        latches = [pred for pred in preds if _dominates(header, pred, idom, depth)]
        if latches:
            yield len(_backwards(flow, [pred for pred in latches if pred != header], {header}))


def _top_down(flow: Flow, idom: list[int]) -> Iterator[int]:
    """The blocks below the entry, each after its parent: a dominator comes earlier on every path."""
    return (block for block in flow.reverse_postorder() if idom[block] >= 0)


def _dominates(upper: int, block: int, idom: list[int], depth: list[int]) -> bool:
    while depth[block] > depth[upper]:
        block = idom[block]
    return block == upper


def _live_rows(flow: Flow) -> Iterator[int]:
    """The rows of live_in, variable by variable: backwards from its reads to its definitions."""
    writes: list[set[int]] = [set() for _ in range(flow.variables)]
    reads: list[set[int]] = [set() for _ in range(flow.variables)]
    for block in flow.reverse_postorder():
        for instr in flow.block(block):
            for variable in flow.uses[instr]:
                if variable != CELL and block not in writes[variable]:
                    reads[variable].add(block)
            for variable in flow.defs[instr]:
                if variable != CELL:
                    writes[variable].add(block)
    for variable in range(flow.variables):
        yield len(_backwards(flow, list(reads[variable]), reads[variable].copy(), writes[variable]))


def _backwards(flow: Flow, starts: list[int], seen: set[int], stop: set[int] | None = None) -> set[int]:
    """`seen`, `starts`, and the blocks from which they are reached, not past `seen` nor into `stop`."""
    worklist = list(starts)
    seen.update(starts)
    while worklist:
        for pred in flow.pred[worklist.pop()]:
            if pred not in seen and (stop is None or pred not in stop):
                seen.add(pred)
                worklist.append(pred)
    return seen


def without(tables: Mapping[str, pa.Table], units: list[Unit]) -> dict[str, pa.Table]:
    """The base relations that rules read, without the rows of `units`."""
    kept: dict[str, pa.Table] = {name: tables[name] for name, shape in schema.BASE.items() if shape.is_input}
    if units:
        lost = {
            "func": np.array([unit.func for unit in units]),
            "block": np.concatenate([unit.blocks for unit in units]),
            "instr": np.concatenate([unit.instrs for unit in units]),
        }
        for name, key, kind in (
            ("entry", "func", "func"),
            ("func_block", "func", "func"),
            ("edge", "src", "block"),
            ("block_instr", "block", "block"),
            ("def", "instr", "instr"),
            ("use", "instr", "instr"),
        ):
            mask = ~np.isin(kept[name].column(key).to_numpy(), lost[kind])
            kept[name] = kept[name].filter(pa.array(mask))
    return kept
