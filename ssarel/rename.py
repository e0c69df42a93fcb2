"""SSA renaming on the dominator tree and the phi sites that the rules derived."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from ssarel.facts import Unit
from ssarel.flow import CELL, Flow
from ssarel.ssa import UNDEFINED, Ssa, phi_site


def rename(flow: Flow, idom: Sequence[int], phis: Iterable[tuple[int, int]]) -> Ssa:
    """Find for each read the definition or phi that reaches it.

    flow: a function whose entry, block 0, has no predecessors.
    idom: for each block its parent in the dominator tree; negative for the entry and for unreachable blocks.
    phis: (block, variable) sites, in any order.

    Returns: the SSA form; equal inputs give equal results, children are walked in layout order.
    Raises:  ValueError if `idom` does not reach every block that it gives a parent.
    Cost:    O(blocks + operands + phi operands). The stack is explicit and the reaching definitions are undone on the
             way up, never copied.
    Source:  Cytron et al., TOPLAS 13(4), 1991, figure 12 (the renaming walk).
    """
    sites = sorted(phis)
    args: list[list[int]] = [[UNDEFINED] * len(flow.pred[block]) for block, _ in sites]
    phi_at: list[list[tuple[int, int]]] = [[] for _ in flow.succ]
    for number, (block, variable) in enumerate(sites):
        phi_at[block].append((number, variable))
    children: list[list[int]] = [[] for _ in flow.succ]
    for block, parent in enumerate(idom):
        if parent >= 0:
            children[parent].append(block)
    position = [{source: at for at, source in enumerate(sources)} for sources in flow.pred]
    use_site: list[list[int] | None] = [None] * len(flow.uses)
    current = [UNDEFINED] * flow.variables
    undo: list[tuple[int, int]] = []
    stack = [(0, 0)]
    visited = 0
    while stack:
        block, mark = stack.pop()
        if block < 0:
            while len(undo) > mark:
                variable, site = undo.pop()
                current[variable] = site
            continue
        visited += 1
        stack.append((-1, len(undo)))
        for _, variable in phi_at[block]:
            undo.append((variable, current[variable]))
            current[variable] = phi_site(block)
        for instr in range(flow.first[block], flow.first[block + 1]):
            use_site[instr] = [UNDEFINED if variable == CELL else current[variable] for variable in flow.uses[instr]]
            for variable in flow.defs[instr]:
                if variable != CELL:
                    undo.append((variable, current[variable]))
                    current[variable] = instr
        for target in flow.succ[block]:
            if phi_at[target]:
                at = position[target][block]
                for number, variable in phi_at[target]:
                    args[number][at] = current[variable]
        stack.extend((child, 0) for child in reversed(children[block]))
    if visited != 1 + sum(parent >= 0 for parent in idom):
        raise ValueError("idom is not a tree over the reachable blocks")
    return Ssa(sites, args, use_site)


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
    for unit, block, var in zip(owner[at].tolist(), local[at].tolist(), phi.column("var").to_pylist(), strict=True):
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
