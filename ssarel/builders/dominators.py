"""Dominator trees by Semi-NCA."""

from __future__ import annotations

from ssarel.flow import Flow

NONE = -1


def immediate_dominators(flow: Flow) -> list[int]:
    """The parent of each block in the dominator tree; NONE for the entry and for unreachable blocks.

    Cost:   near linear in practice, O(blocks^2) at worst; explicit stacks.
    Source: Georgiadis, "Linear-time algorithms for dominators and related problems", 2005 (SNCA): Lengauer and
            Tarjan's semidominators by path compression, then each block's parent is its nearest ancestor in the
            tree built so far whose number is at most the semidominator's.
    """
    order, parent = _depth_first(flow)
    number = [NONE] * len(flow.succ)
    for at, block in enumerate(order):
        number[block] = at
    count = len(order)
    semi = list(range(count))
    label = list(range(count))
    ancestor = [NONE] * count
    preds = [[number[pred] for pred in flow.pred[block]] for block in order]
    for at in range(count - 1, 0, -1):
        best = at
        for pred in preds[at]:
            if pred == NONE:
                continue
            if ancestor[pred] != NONE:
                _compress(pred, ancestor, label, semi)
            reached = semi[label[pred]] if ancestor[pred] != NONE else pred
            best = min(best, reached)
        semi[at] = best
        ancestor[at] = parent[at]
    idom = list(parent)
    for at in range(1, count):
        dominator = idom[at]
        while dominator > semi[at]:
            dominator = idom[dominator]
        idom[at] = dominator
    result = [NONE] * len(flow.succ)
    for at in range(1, count):
        result[order[at]] = order[idom[at]]
    return result


def _depth_first(flow: Flow) -> tuple[list[int], list[int]]:
    """Reachable blocks in depth-first preorder, and the preorder number of each one's tree parent."""
    order: list[int] = []
    parent: list[int] = []
    seen = [False] * len(flow.succ)
    stack = [(0, NONE)]
    while stack:
        block, above = stack.pop()
        if seen[block]:
            continue
        seen[block] = True
        at = len(order)
        order.append(block)
        parent.append(above)
        stack.extend((target, at) for target in reversed(flow.succ[block]) if not seen[target])
    return order, parent


def _compress(block: int, ancestor: list[int], label: list[int], semi: list[int]) -> None:
    """Make `label[block]` the block of least semidominator on the forest path above it, shortening that path."""
    path: list[int] = []
    while ancestor[ancestor[block]] != NONE:
        path.append(block)
        block = ancestor[block]
    for lower in reversed(path):
        upper = ancestor[lower]
        if semi[label[upper]] < semi[label[lower]]:
            label[lower] = label[upper]
        ancestor[lower] = ancestor[upper]
