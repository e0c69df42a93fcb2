"""SSA renaming on the dominator tree and the phi sites that the rules derived."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
        for instr in flow.block(block):
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
