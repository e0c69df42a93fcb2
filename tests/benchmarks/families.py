"""Single functions of a chosen size, for growth: the same shape at any number of blocks."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from ssarel.builders.dominators import immediate_dominators
from ssarel.flow import Flow
from tests.flows import make_flow

Succ = list[list[int]]


def diamonds(blocks: int) -> Succ:
    """A chain of if-else."""
    succ: Succ = [[1]]
    for at in range(1, blocks - 3, 4):
        succ += [[at + 1, at + 2], [at + 3], [at + 3], [at + 4]]
    return [*succ, []]


def switch(blocks: int) -> Succ:
    """A switch in a loop, every other case falling through to the next one."""
    cases = blocks - 4
    end = 2 + cases
    succ: Succ = [[1], [*range(2, end + 2)]]
    succ += [[at + 1] if at % 2 and at + 1 < end else [end] for at in range(2, end)]
    return [*succ, [1], []]


def ladder(blocks: int) -> Succ:
    """Early returns: every block goes on or to the end."""
    return [[1], *([at + 1, blocks - 1] for at in range(1, blocks - 2)), [blocks - 1], []]


def nest(blocks: int, deepest: int = 200) -> Succ:
    """Nests of loops one after the other, each 200 deep: a header a level, then a latch a level."""
    succ: Succ = [[1]]
    while len(succ) < blocks - 1:
        first, depth = len(succ), min(deepest, max(1, (blocks - 1 - len(succ)) // 2))
        last = first + 2 * depth
        succ += [[first + at + 1, last - at] for at in range(depth)]
        succ += [[last - 1 - depth - at, first + depth + at + 1] for at in range(depth)]
        for at in range(depth):
            succ[first + at] = [first + at + 1]
            succ[first + depth + at] = [first + depth - 1 - at, first + depth + at + 1]
    return [*succ, []]


def sequence(blocks: int, depth: int = 3) -> Succ:
    """A long chain of if-else inside a few loops."""
    inner = diamonds(blocks - 2 * depth - 1)
    succ: Succ = [[at + 1] for at in range(depth + 1)]
    start = len(succ) - 1
    body = [[target + start for target in targets] for targets in inner]
    succ = [*succ[:-1], *body]
    succ[-1] = [len(succ)]
    for at in range(depth):
        here = len(succ)
        succ.append([depth - at, here + 1])
    return [*succ, []]


def irreducible(blocks: int) -> Succ:
    """Short random jumps, forwards and backwards."""
    chance = Random(1)
    succ: Succ = [[1], *([min(at + 1, blocks - 1)] for at in range(1, blocks - 1)), []]
    for _ in range(blocks // 2):
        at = chance.randrange(1, blocks - 1)
        succ[at].append(min(blocks - 1, max(1, at + chance.randrange(-30, 30))))
    return succ


FAMILIES: dict[str, Callable[[int], Succ]] = {
    "diamonds": diamonds,
    "switch": switch,
    "ladder": ladder,
    "nest": nest,
    "sequence": sequence,
    "irreducible": irreducible,
}


def function(family: str, blocks: int, declared: bool = True) -> Flow:
    """The function with a variable for each 20 blocks, each written in 4 and read in 6 blocks close to each other.

    declared: each variable is written first where its other blocks' dominator paths part, as a declaration in the
              scope around them does. Otherwise many are read where some path has no write, so they are live from the
              entry on, and rows of liveness grow with blocks times variables.
    """
    chance = Random(2)
    succ = FAMILIES[family](blocks)
    count = len(succ)
    reads: list[list[int]] = [[] for _ in succ]
    writes: list[list[int]] = [[] for _ in succ]
    declares: list[list[int]] = [[] for _ in succ]
    graph = make_flow(succ, [[] for _ in succ], 0)
    idom = immediate_dominators(graph)
    depth = _depths(graph, idom)
    variables = max(4, count // 20)
    for variable in range(variables):
        middle = chance.randrange(count)
        places: list[int] = []
        for code, times in ((writes, 4), (reads, 6)):
            for _ in range(times):
                places.append(min(count - 1, max(0, middle + chance.randrange(-40, 40))))
                code[places[-1]].append(variable)
        if declared:
            declares[_common(places, idom, depth)].append(variable)
    code = [[([], declares[at]), (reads[at], list(dict.fromkeys(writes[at])))] for at in range(count)]
    return make_flow(succ, code, variables)


def _common(places: list[int], idom: list[int], depth: list[int]) -> int:
    """The lowest block that dominates all of `places`."""
    common = places[0]
    for place in places[1:]:
        while common != place:
            if depth[common] < depth[place]:
                place = idom[place]
            else:
                common = idom[common]
    return common


def _depths(flow: Flow, idom: list[int]) -> list[int]:
    """How far each block is from the entry in the dominator tree."""
    depth = [0] * len(idom)
    for block in flow.reverse_postorder():
        if block:
            depth[block] = depth[idom[block]] + 1
    return depth
