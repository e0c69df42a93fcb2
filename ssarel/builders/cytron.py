"""Cytron et al. 1991: dominators, dominance frontiers, phi placement by worklists, renaming; pruned by liveness."""

from __future__ import annotations

from ssarel.builders.dominators import immediate_dominators
from ssarel.flow import CELL, Flow
from ssarel.rename import rename
from ssarel.ssa import Ssa


def build(flow: Flow) -> Ssa:
    """The minimal pruned SSA form of `flow`, whose entry has no predecessors.

    Cost: near linear on code; frontiers can be quadratic.
    """
    idom = immediate_dominators(flow)
    return rename(flow, idom, place_phis(flow, idom))


def place_phis(flow: Flow, idom: list[int]) -> list[tuple[int, int]]:
    """The (block, variable) sites of the phis.

    Candidates are the iterated frontiers of a variable's definitions; liveness is computed for variables that have
    one, and a phi is kept where its variable is live, so that no dead phi makes another one.
    Cost:   O(sum of frontiers met + blocks in which the candidates are live).
    Source: Cytron et al. 1991, figure 11; Choi, Cytron & Ferrante, POPL 1991, for pruning.
    """
    frontier = dominance_frontiers(flow, idom)
    def_blocks, upward_uses = _accesses(flow, idom)
    sites: list[tuple[int, int]] = []
    for variable, defined in enumerate(def_blocks):
        if not any(frontier[block] for block in defined):
            continue
        live = _live_in(flow, upward_uses[variable], defined)
        placed: set[int] = set()
        worklist = list(defined)
        while worklist:
            for block in frontier[worklist.pop()]:
                if block not in placed and block in live:
                    placed.add(block)
                    worklist.append(block)
        sites.extend((block, variable) for block in placed)
    return sites


def dominance_frontiers(flow: Flow, idom: list[int]) -> list[list[int]]:
    """The dominance frontier of each block, by climbing from each predecessor of a block up to the block's parent.

    Source: Cooper, Harvey & Kennedy 2001, figure 5, without its test for two predecessors: the entry has none.
    """
    frontier: list[list[int]] = [[] for _ in flow.succ]
    for block, preds in enumerate(flow.pred):
        for runner in preds:
            while runner != idom[block]:
                if block in frontier[runner][-1:]:
                    break
                frontier[runner].append(block)
                runner = idom[runner]
    return frontier


def _accesses(flow: Flow, idom: list[int]) -> tuple[list[list[int]], list[list[int]]]:
    """For each variable the reachable blocks that define it, and those that read it before any definition there."""
    def_blocks: list[list[int]] = [[] for _ in range(flow.variables)]
    upward_uses: list[list[int]] = [[] for _ in range(flow.variables)]
    for block in range(len(flow.succ)):
        if block and idom[block] < 0:
            continue
        for instr in flow.block(block):
            for variable in flow.uses[instr]:
                if variable != CELL and block not in def_blocks[variable][-1:]:
                    upward_uses[variable].append(block)
            for variable in flow.defs[instr]:
                if variable != CELL and block not in def_blocks[variable][-1:]:
                    def_blocks[variable].append(block)
    return def_blocks, upward_uses


def _live_in(flow: Flow, upward_uses: list[int], defined: list[int]) -> set[int]:
    """The blocks at whose start a variable is live: backwards from its upward-exposed reads to its definitions."""
    stop = set(defined)
    live = set(upward_uses)
    worklist = list(live)
    while worklist:
        for pred in flow.pred[worklist.pop()]:
            if pred not in stop and pred not in live:
                live.add(pred)
                worklist.append(pred)
    return live
