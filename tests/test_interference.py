"""Interference by the rules of both engines, by bit sets and by definition."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssarel.flow import Flow
from ssarel.interference import Copying, by_bit_sets, by_rules
from tests.flows import flows, random_flow, reach

ENGINES = ("duckdb", pytest.param("souffle", marks=pytest.mark.souffle))


def with_copies(graph: Flow, choose: Random) -> Copying:
    """`graph` with half of its instructions made parallel copies."""
    copies: list[tuple[int, int, int]] = []
    for instr in range(graph.first[-1]):
        graph.defs[instr] = list(dict.fromkeys(graph.defs[instr]))
        if choose.random() < 0.5 and graph.variables:
            written = choose.sample(range(graph.variables), choose.randint(1, graph.variables))
            graph.defs[instr] = written
            graph.uses[instr] = [choose.randrange(graph.variables) for _ in written]
            copies += [(instr, var, read) for var, read in zip(written, graph.uses[instr], strict=True)]
    return Copying(graph, copies)


def by_definition(part: Copying) -> set[tuple[int, int]]:
    """The relation from paths through instructions, and from what each copy leaves where."""
    graph = part.flow
    block_of = graph.block_of()

    def following(instr: int) -> list[int]:
        last = graph.first[block_of[instr] + 1] - 1
        return [graph.first[block] for block in graph.succ[block_of[instr]]] if instr == last else [instr + 1]

    def is_read_behind(instr: int, var: int) -> bool:
        seen: set[int] = set()
        stack = following(instr)
        while stack:
            at = stack.pop()
            if at in seen:
                continue
            seen.add(at)
            if var in graph.uses[at]:
                return True
            if var not in graph.defs[at]:
                stack += following(at)
        return False

    found: set[tuple[int, int]] = set()
    for block in reach(graph):
        for instr in graph.block(block):
            holds = {var: f"before {var}" for var in range(graph.variables)}
            holds |= {var: f"written {var}" for var in graph.defs[instr]}
            holds |= {var: f"before {read}" for at, var, read in part.copies if at == instr}
            found |= {
                (var, other)
                for var in graph.defs[instr]
                for other in range(graph.variables)
                if other in graph.defs[instr] or is_read_behind(instr, other)
                if holds[var] != holds[other]
            }
    return found


def pairs(conflicts: list[int]) -> set[tuple[int, int]]:
    return {(var, other) for var, bits in enumerate(conflicts) for other in range(len(conflicts)) if bits >> other & 1}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", range(2))
def test_rules_and_bit_sets_give_the_definition(seed: int, engine: str) -> None:
    choose = Random(seed)
    parts = [with_copies(random_flow(choose, 7, 5), choose) for _ in range(400)]
    wanted = [by_definition(part) for part in parts]
    assert list(map(pairs, by_rules(parts, engine))) == wanted
    assert [pairs(by_bit_sets(part)) for part in parts] == wanted
    assert sum(map(len, wanted)) > 1000


@settings(max_examples=30, deadline=None)
@given(st.lists(flows(max_blocks=8), min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_rules_and_bit_sets_give_the_definition_on_any_flows(some: list[Flow], choose: Random) -> None:
    parts = [with_copies(graph, choose) for graph in some]
    wanted = [by_definition(part) for part in parts]
    assert list(map(pairs, by_rules(parts, "duckdb"))) == wanted
    assert [pairs(by_bit_sets(part)) for part in parts] == wanted
