"""Random flows for tests, and what is true of them by definition."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from ssarel.flow import Flow

UNDEFINED = -1


def make_flow(succ: list[list[int]], code: list[list[tuple[list[int], list[int]]]], variables: int) -> Flow:
    """A flow from successor lists and, for each block, (reads, writes) of its instructions."""
    succ = [list(dict.fromkeys(targets)) for targets in succ]
    first = [0]
    for steps in code:
        first.append(first[-1] + len(steps))
    uses = [reads for steps in code for reads, _ in steps]
    defs = [writes for steps in code for _, writes in steps]
    flow = Flow(succ, [[] for _ in succ], first, uses, defs, variables)
    for source, reached in enumerate(flow.reachable()):
        if reached:
            for target in succ[source]:
                flow.pred[target].append(source)
    return flow


@st.composite
def flows(draw: st.DrawFn, max_blocks: int = 8, max_variables: int = 3) -> Flow:
    """Any control flow below an entry without predecessors: irreducible, self loops, unreachable blocks and cycles."""
    blocks = draw(st.integers(1, max_blocks))
    variables = draw(st.integers(0, max_variables))
    targets = st.lists(st.integers(1, blocks), max_size=3)
    succ = [draw(st.lists(st.integers(1, blocks), min_size=1, max_size=2)), *(draw(targets) for _ in range(blocks))]
    names = st.integers(0, variables - 1) if variables else st.nothing()
    step = st.tuples(st.lists(names, max_size=2), st.lists(names, max_size=2)) if variables else st.just(([], []))
    code = [draw(st.lists(step, min_size=1, max_size=3)) for _ in succ]
    return make_flow(succ, code, variables)


def reach(flow: Flow, without: int | None = None) -> set[int]:
    """Blocks that a path from the entry leads to, not through `without`."""
    seen = set() if without == 0 else {0}
    stack = list(seen)
    while stack:
        for target in flow.succ[stack.pop()]:
            if target != without and target not in seen:
                seen.add(target)
                stack.append(target)
    return seen


def dominators(flow: Flow) -> dict[int, set[int]]:
    """For each reachable block, the blocks whose removal makes it unreachable."""
    reached = reach(flow)
    result: dict[int, set[int]] = {block: set() for block in reached}
    for block in reached:
        for lost in reached - reach(flow, without=block):
            result[lost].add(block)
    return result


def reaching(flow: Flow) -> dict[tuple[int, int], set[int]]:
    """For each (instruction, read position) of reachable code, the definitions that a path brings there.

    By the classical dataflow equations over sets; UNDEFINED stands for a path without a definition.
    """
    reached = reach(flow)
    at_start: dict[int, set[tuple[int, int]]] = {block: set() for block in reached}
    at_start[0] = {(variable, UNDEFINED) for variable in range(flow.variables)}
    result: dict[tuple[int, int], set[int]] = {}
    changed = True
    while changed:
        changed = False
        for block in reached:
            state = set(at_start[block])
            for instr in flow.block(block):
                for pos, variable in enumerate(flow.uses[instr]):
                    result[instr, pos] = {site for name, site in state if name == variable}
                for variable in flow.defs[instr]:
                    state = {pair for pair in state if pair[0] != variable} | {(variable, instr)}
            for target in flow.succ[block]:
                if not state <= at_start[target]:
                    at_start[target] |= state
                    changed = True
    return result


def random_flow(chance: Random, max_blocks: int, max_variables: int) -> Flow:
    """A flow of the same kinds as `flows`, drawn at once: for batches of many."""
    blocks = chance.randint(1, max_blocks)
    variables = chance.randint(0, max_variables)

    def some(most: int, least: int = 0) -> list[int]:
        return [chance.randint(1, blocks) for _ in range(chance.randint(least, most))]

    def names() -> list[int]:
        return [chance.randrange(variables) for _ in range(chance.randint(0, 2))] if variables else []

    succ = [some(2, 1), *(some(3) for _ in range(blocks))]
    code = [[(names(), names()) for _ in range(chance.randint(1, 3))] for _ in succ]
    return make_flow(succ, code, variables)
