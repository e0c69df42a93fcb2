"""Building the control-flow graph, and React Compiler's passes over it."""

from __future__ import annotations

import random
import re
from copy import copy
from pathlib import Path

import networkx as nx
import pytest
from goldens import FILES, functions
from structure import snapshot

from ssarel import cfg, text
from ssarel.errors import Rejected
from ssarel.ir import Block, Function, Terminal
from ssarel.react_passes import (
    drop_manual_memoization,
    inline_immediately_invoked,
    merge_consecutive_blocks,
    prepare,
    prune_maybe_throws,
)


def graph(*blocks: tuple[int, Terminal], kind: str = "block") -> Function:
    """Recorded blocks, the entry first."""
    return Function("f", [], {id: Block(id, kind, [], copy(terminal)) for id, terminal in blocks}, blocks[0][0])


def goto(target: int) -> Terminal:
    return Terminal("Goto", [], [target], attr="")


def branch(op: str, *targets: int, **links: int | None) -> Terminal:
    return Terminal(op, [], list(targets), dict(links))


LEAVE = Terminal("Return", [], [])


def test_unreachable_code_influences_the_order() -> None:
    function = graph(
        (0, branch("For", 3, test=1, loop=5, update=4, fallthrough=2)),
        (3, goto(1)),
        (4, goto(1)),
        (5, branch("If", 7, 9, fallthrough=6)),
        (7, goto(4)),
        (8, goto(6)),
        (9, LEAVE),
        (10, goto(6)),
        (6, goto(4)),
        (1, branch("Branch", 5, 2, fallthrough=2)),
        (2, LEAVE),
        (11, LEAVE),
    )
    dropped = cfg.build(function)
    assert list(function.blocks) == [0, 3, 1, 5, 7, 9, 6, 4, 2]
    assert [block.id for block in dropped] == [8, 10, 11]
    assert function.blocks[6].terminal.op == "Unreachable"
    assert {id: block.preds for id, block in function.blocks.items()} == {
        0: [], 3: [0], 1: [3, 4], 5: [1], 7: [5], 9: [5], 6: [], 4: [7], 2: [1]
    }  # fmt: skip
    assert [block.terminal.number for block in function.blocks.values()] == list(range(1, 10))


def test_unreachable_blocks_can_be_kept() -> None:
    function = graph(
        (0, branch("If", 1, 2, fallthrough=3)),
        (1, LEAVE),
        (2, LEAVE),
        (9, goto(3)),
        (3, goto(4)),
        (4, goto(3)),
        (5, goto(1)),
    )
    assert cfg.build(function, keep_unreachable=True) == []
    assert list(function.blocks) == [0, 1, 2, 3, 4, 5, 9]
    assert [block.terminal.op for block in function.blocks.values()].count("Unreachable") == 0
    assert function.blocks[3].preds == function.blocks[4].preds == []
    assert function.blocks[1].preds == [0]
    assert function.blocks[9].terminal.number == 7


def test_dead_structure_goes() -> None:
    loop = graph(
        (0, branch("For", 1, test=2, loop=3, update=4, fallthrough=5)),
        (1, goto(2)),
        (2, branch("Branch", 3, 5, fallthrough=5)),
        (3, LEAVE),
        (4, goto(2)),
        (5, LEAVE),
    )
    cfg.build(loop)
    assert loop.blocks[0].terminal.links["update"] is None
    once = graph((0, branch("DoWhile", 1, test=2, fallthrough=3)), (1, LEAVE), (2, LEAVE), (3, LEAVE))
    cfg.build(once)
    assert (once.blocks[0].terminal.op, once.blocks[0].terminal.targets) == ("Goto", [1])
    assert once.blocks[3].terminal.op == "Unreachable"
    calm = graph((0, branch("Try", 1, handler=2, fallthrough=3)), (1, goto(3)), (2, goto(3)), (3, LEAVE))
    cfg.build(calm)
    assert (calm.blocks[0].terminal.op, list(calm.blocks)) == ("Goto", [0, 1, 3])


@pytest.mark.parametrize("seed", range(60))
def test_order_numbers_and_predecessors_on_any_graph(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.randint(1, 25)
    blocks: list[tuple[int, Terminal]] = []
    for id in range(size):
        targets = [rng.randrange(1, size) for _ in range(rng.randrange(3))] if size > 1 else []
        links: dict[str, int | None] = {"fallthrough": rng.randrange(1, size)} if targets and rng.random() < 0.3 else {}
        blocks.append((id, Terminal("Jump", [], targets, links)))
    function = graph(*blocks)
    edges = nx.DiGraph((id, target) for id, terminal in blocks for target in terminal.targets)
    edges.add_nodes_from(range(size))
    reachable = {0} | nx.descendants(edges, 0)
    kept = graph(*blocks)
    cfg.build(kept, keep_unreachable=True)
    assert set(kept.blocks) == set(range(size))
    assert set(list(kept.blocks)[: len(reachable)]) == reachable
    dropped = cfg.build(function)
    assert {id for id, block in function.blocks.items() if block.terminal.op != "Unreachable"} == reachable
    assert set(function.blocks) | {block.id for block in dropped} == set(range(size))
    for built in (function, kept):
        for id in reachable:
            assert set(built.blocks[id].preds) == set(edges.predecessors(id)) & reachable
        numbers = [step.number for block in built.blocks.values() for step in block.steps()]
        assert numbers == list(range(1, len(numbers) + 1))


def test_a_long_chain_needs_no_recursion() -> None:
    size = 100_000
    function = graph(*((id, goto(id + 1)) for id in range(size)), (size, LEAVE))
    cfg.build(function)
    assert list(function.blocks) == list(range(size + 1))
    assert function.blocks[size].preds == [size - 1]


# React Compiler's passes


def first_passes(function: Function) -> None:
    prune_maybe_throws(function)
    drop_manual_memoization(function)


STEPS = (
    (first_passes, "DropManualMemoization"),
    (inline_immediately_invoked, "InlineImmediatelyInvokedFunctionExpressions"),
    (merge_consecutive_blocks, "MergeConsecutiveBlocks"),
)


def block_ids(printed: str) -> set[int]:
    return {int(id) for id in re.findall(r"^ *bb([0-9]+) \(", printed, re.MULTILINE)}


def parse_counted(dumps: dict[str, str]) -> Function:
    """The function after HIR; dumps do not show how many blocks were counted, but what the first new one is called."""
    (function,) = text.parse(dumps["HIR"], "react")
    fresh = block_ids(dumps.get("InlineImmediatelyInvokedFunctionExpressions", "")) - block_ids(dumps["HIR"])
    function.next_block = min(fresh, default=0)
    return function


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_pass_prints_as_in_react_compiler(path: Path) -> None:
    for dumps in functions(path):
        function = parse_counted(dumps)
        for step, name in STEPS:
            step(function)
            assert text.format(function, "react") == dumps[name], name
        again = parse_counted(dumps)
        prepare(again)
        assert snapshot(again) == snapshot(function)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_building_again_changes_nothing_but_what_unreachable_code_did(path: Path) -> None:
    for dumps in functions(path):
        if "Unreachable" in dumps["HIR"]:
            continue
        (function,) = text.parse(dumps["HIR"], "react")
        before = snapshot(function)
        for body in cfg.bodies(function):
            assert cfg.build(body) == []
        assert snapshot(function) == before


BAD_HOOKS = {
    "UseMemo: Expected the first argument to be an inline function expression": """\
f(g$0): $9
bb0 (block):
  [1] $1 = LoadGlobal(global) useMemo
  [2] $2 = Call $1(g$0)
  [3] Return Void $2""",
    "UseMemo: Expected a callback function to be passed to useMemo": """\
f(g$0): $9
bb0 (block):
  [1] $1 = LoadGlobal import { useMemo } from 'react'
  [2] $2 = Call $1()
  [3] Return Void $2""",
    "Invariant: Unexpected terminal in optional (Unexpected MaybeThrow)": """\
f(g$0): $9
bb0 (block):
  [1] Optional (optional=true) test:bb1 fallthrough=bb2
bb1 (value):
  [2] $1 = LoadLocal g$0
  [3] MaybeThrow continuation=bb2 handler=bb2
bb2 (block):
  [4] Return Void g$0""",
}


@pytest.mark.parametrize("message", BAD_HOOKS)
def test_what_react_compiler_refuses(message: str) -> None:
    (function,) = text.parse(BAD_HOOKS[message])
    with pytest.raises(Rejected) as refused:
        prepare(function)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    "imported", ["{ useMemo } from 'other'", "{ memo as useMemo } from 'react'", "* as useMemo from 'react'"]
)
def test_hooks_of_other_origin_stay(imported: str) -> None:
    printed = f"""\
f(g$0): $9
bb0 (block):
  [1] $1 = LoadGlobal import {imported}
  [2] $2 = Call $1(g$0)
  [3] Return Void $2"""
    (function,) = text.parse(printed)
    prepare(function)
    assert text.format(function) == printed
