"""SSA construction of whole inputs: solve with any builder, then put the names into the IR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

import numpy as np
import pyarrow as pa

from ssarel import builders, facts
from ssarel.builders import react
from ssarel.engines import get_engine
from ssarel.errors import Rejected, UsageError
from ssarel.facts import Facts, Unit
from ssarel.ir import Function, Var, all_functions
from ssarel.rename import rename
from ssarel.sources import Source
from ssarel.ssa import Ssa, rewrite

ENGINES = ("duckdb", "souffle")


def solve(emitted: Facts, builder: str, options: Mapping[str, Any] | None = None) -> list[Ssa]:
    """The SSA form of each unit of `emitted`. `builder` is an engine, cytron or braun; `options` go to the engine.

    Raises: UsageError if there is no such builder; EngineError as the engines do.
    """
    if builder in builders.BUILDERS:
        return [builders.BUILDERS[builder](unit.flow) for unit in emitted.units]
    if builder not in ENGINES:
        raise UsageError(f"no builder {builder!r}; there are {', '.join((*ENGINES, *builders.BUILDERS))}")
    derived = get_engine(builder, **(options or {})).run(emitted.tables, ("idom", "phi"))
    return rename_all(emitted.units, derived["idom"], derived["phi"])


def to_ssa(roots: Sequence[Function], builder: str = "duckdb", options: Mapping[str, Any] | None = None) -> None:
    """Bring `roots` and all functions nested in them into minimal pruned SSA form, in place.

    Values are numbered per root from `next_id` on: functions in source preorder, blocks in layout order.
    Raises: as `solve`.
    """
    emitted = facts.emit([Source("", "", "", list(roots))])
    solved = solve(emitted, builder, options)
    forms = {id(unit.function): (unit, form) for unit, form in zip(emitted.units, solved, strict=True)}
    contexts: dict[int, dict[Var, Var]] = {}
    root_of: dict[int, Function] = {}
    ids = {id(root): count(root.next_id) for root in roots}
    for function, parent in all_functions(list(roots)):
        is_root = function.root or parent is None
        root = root_of[id(function)] = function if is_root else root_of[id(parent)]
        unit, form = forms[id(function)]
        numbers = ids.setdefault(id(root), count(root.next_id))
        for inner, context in rewrite(function, unit.flow, form, numbers, contexts.get(id(function), {})):
            contexts[id(inner)] = context
    for root in {id(root): root for root in root_of.values()}.values():
        root.next_id = next(ids[id(root)])


def to_react_ssa(
    roots: Sequence[Function], builder: str = "duckdb", options: Mapping[str, Any] | None = None
) -> dict[Function, Rejected]:
    """Bring `roots` and all functions nested in them into SSA form with the ids of React Compiler, in place.

    builder: as for `solve`, who places the phis; or `react`, which places them as the compiler does.

    Returns: the roots that the compiler would reject, and why; they are left half done.
    Raises:  as `solve`; SsarelError if the builder's phis cannot be right.
    """
    phis: dict[Function, list[tuple[int, Var]]] = {}
    if builder != "react":
        emitted = facts.emit([Source("", "", "", list(roots))])
        for unit, form in zip(emitted.units, solve(emitted, builder, options), strict=True):
            if unit.function is not None and form.phis:
                ids = list(unit.function.blocks)
                phis[unit.function] = [(ids[block], unit.flow.vars[variable]) for block, variable in form.phis]
    rejected: dict[Function, Rejected] = {}
    for function, parent in all_functions(list(roots)):
        if function.root or parent is None:
            try:
                if builder == "react":
                    react.build_ssa(function)
                else:
                    react.react_numbered(function, phis)
            except Rejected as error:
                rejected[function] = error
    return rejected


def rename_all(units: Sequence[Unit], idom: pa.Table, phi: pa.Table) -> list[Ssa]:
    """The SSA form of each of `units` from the relations idom(dominator, block) and phi(block, var) over all of them.

    Cost: O(rows + operands).
    """
    ids = np.fromiter((block for unit in units for block in unit.blocks), np.int64)
    local = np.fromiter((at for unit in units for at in range(len(unit.blocks))), np.int64)
    owner = np.repeat(np.arange(len(units)), [len(unit.blocks) for unit in units])
    order = np.argsort(ids, kind="stable")

    def position(blocks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        return order[np.searchsorted(ids[order], blocks)]

    parents = np.full(len(ids), -1, np.int64)
    parents[position(idom.column("block").to_numpy())] = local[position(idom.column("dominator").to_numpy())]
    parent_list = parents.tolist()
    sites: dict[int, list[tuple[int, int]]] = {}
    at = position(phi.column("block").to_numpy())
    for unit, block, var in zip(
        owner[at].tolist(), local[at].tolist(), phi.column("var").to_numpy().tolist(), strict=True
    ):
        sites.setdefault(unit, []).append((block, var))
    forms: list[Ssa] = []
    start = 0
    for number, unit in enumerate(units):
        stop = start + len(unit.blocks)
        placed = sites.get(number, ())
        if placed:
            variable = {var: index for index, var in enumerate(unit.vars)}
            placed = [(block, variable[var]) for block, var in placed]
        forms.append(rename(unit.flow, parent_list[start:stop], placed))
        start = stop
    return forms
