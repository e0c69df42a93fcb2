"""EnterSSA and the elimination of redundant phis as in React Compiler 1.0.0."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import networkx as nx
import pytest
from goldens import FILES, functions
from structure import snapshot

from ssarel import cfg, text
from ssarel.builders.react import build_ssa, eliminate_redundant_phis, enter_ssa, react_numbered
from ssarel.errors import Rejected, SsarelError
from ssarel.ir import Block, Function, Instr, Terminal, Var

HOISTING = (
    "Todo: [hoisting] EnterSSA: Expected identifier to be defined before being used (Identifier x$2 is undefined)"
)


def before_ssa(dumps: dict[str, str]) -> Function:
    (function,) = text.parse(dumps["MergeConsecutiveBlocks"], "react")
    earlier = (text.parse(dump, "react")[0].next_id for dump in (dumps["HIR"], dumps["DropManualMemoization"]))
    function.next_id = max(function.next_id, *earlier)
    return function


def frontier_phis(function: Function) -> dict[Function, set[tuple[int, Var]]]:
    """The iterated dominance frontier of each variable's definitions, by networkx."""
    found: dict[Function, set[tuple[int, Var]]] = {}
    for body in cfg.bodies(function):
        graph = nx.DiGraph((pred, id) for id, block in body.blocks.items() for pred in block.preds)
        graph.add_node(body.entry)
        frontier = nx.dominance_frontiers(graph, body.entry)
        sites: dict[Var, set[int]] = {param.var: {body.entry} for param in body.params}
        for id, block in body.blocks.items():
            for step in block.steps():
                for var in step.defs:
                    sites.setdefault(var, set()).add(id)
        for var, defined in sites.items():
            # A variable also has the value it comes with.
            pending = [*defined, body.entry]
            phis: set[int] = set()
            while pending:
                new = frontier.get(pending.pop(), set()) - phis
                phis |= new
                pending += new
            found.setdefault(body, set()).update((id, var) for id in phis)
    return found


def live_frontier_phis(function: Function, make: Callable[[], Function]) -> dict[Function, set[tuple[int, Var]]]:
    """`frontier_phis` where EnterSSA, on another copy of the function, finds the variable live."""
    phis = frontier_phis(function)
    live = make()
    enter_ssa(live)
    joins = {
        (block.id, phi.target.decl) for body in cfg.bodies(live) for block in body.blocks.values() for phi in block.phis
    }
    return {body: {(id, var) for id, var in sites if (id, var.id) in joins} for body, sites in phis.items()}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_ssa_prints_as_in_react_compiler(path: Path) -> None:
    for dumps in functions(path):
        function = before_ssa(dumps)
        if "SSA" not in dumps:
            with pytest.raises(Rejected) as refused:
                enter_ssa(function)
            assert str(refused.value) == HOISTING
            continue
        enter_ssa(function)
        assert text.format(function, "react") == dumps["SSA"]
        eliminate_redundant_phis(function)
        assert text.format(function, "react") == dumps["EliminateRedundantPhi"]
        again = before_ssa(dumps)
        build_ssa(again)
        assert snapshot(again) == snapshot(function)
        assert again.next_id == function.next_id


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_frontier_phis_with_react_numbers_print_as_in_react_compiler(path: Path) -> None:
    for dumps in functions(path):
        if "SSA" not in dumps:
            continue
        function = before_ssa(dumps)
        phis = live_frontier_phis(function, partial(before_ssa, dumps))
        react_numbered(function, phis)
        assert text.format(function, "react") == dumps["EliminateRedundantPhi"]


D10 = """\
f(a$0): $9
bb0 (block):
  [1] x$2 = 0
  [2] If (a$0) then:bb1 else:bb2 fallthrough=bb2
bb1 (block):
  predecessor blocks: bb0
  [3] x$2 = 1
  [4] Goto bb2
bb2 (block):
  predecessor blocks: bb1 bb0
  [5] Return Explicit x$2"""


def test_a_missing_phi_is_noticed() -> None:
    (function,) = text.parse(D10)
    with pytest.raises(SsarelError, match=r"a phi is missing: x\$13 would have to stand for each of x\$11, x\$12"):
        react_numbered(function, {})


def test_a_dead_phi_is_noticed() -> None:
    (function,) = text.parse(D10)
    with pytest.raises(SsarelError, match=r"f: there are phis where their variable is not live: \[\(1, 2\)\]"):
        react_numbered(function, {function: {(1, Var(2)), (2, Var(2))}})


def test_a_redundant_phi_that_is_wanted_stays() -> None:
    (function,) = text.parse(D10.replace("x$2 = 1", "$3 = 1"))
    react_numbered(function, {function: {(2, Var(2))}})
    (phi,) = function.blocks[2].phis
    assert {id: arg.id for id, arg in phi.args.items()} == {1: 11, 0: 11}


def random_function(rng: random.Random) -> Function:
    """Any graph, irreducible ones too, every variable defined at the entry."""
    size = rng.randint(2, 12)
    names = [Var(id, f"v{id}") for id in range(4)]
    blocks: dict[int, Block] = {}
    for id in range(size):
        targets = list(dict.fromkeys(rng.randrange(1, size) for _ in range(rng.randint(0, 3))))
        instrs = [Instr("Def", [], [var]) for var in names] if id == 0 else []
        instrs += [Instr("Move", [rng.choice(names)], [rng.choice(names)]) for _ in range(rng.randrange(3))]
        blocks[id] = Block(id, "block", instrs, Terminal("Jump", [rng.choice(names)], targets))
    function = Function("any", [], blocks, 0, next_id=4)
    cfg.build(function)
    return function


def phi_sites(function: Function) -> set[tuple[int, int]]:
    return {(block.id, phi.target.decl) for block in function.blocks.values() for phi in block.phis}


@pytest.mark.parametrize("seed", range(150))
def test_any_graph(seed: int) -> None:
    def make() -> Function:
        return random_function(random.Random(seed))

    minimal = make()
    phis = live_frontier_phis(minimal, make)
    react_numbered(minimal, phis)
    wanted = {(id, var.id) for id, var in phis[minimal]}
    assert phi_sites(minimal) == wanted
    built = make()
    build_ssa(built)
    reachable = nx.DiGraph((pred, id) for id, block in built.blocks.items() for pred in block.preds)
    assert phi_sites(built) >= wanted
    if all(reducible(reachable, built.entry)):
        assert snapshot(built) == snapshot(minimal)


def reducible(graph: nx.DiGraph[int], entry: int) -> list[bool]:
    """For each retreating edge whether its target dominates its source."""
    graph.add_node(entry)
    idom = nx.immediate_dominators(graph, entry)
    order = {id: at for at, id in enumerate(reversed(list(nx.dfs_postorder_nodes(graph, entry))))}

    def dominates(above: int, below: int | None) -> bool:
        while below is not None and below != above:
            below = idom.get(below) if below != entry else None
        return below == above

    return [dominates(target, source) for source, target in graph.edges if order[target] <= order[source]]


def test_long_chains_need_no_recursion() -> None:
    size = 30_000
    var = Var(0, "x")
    blocks = {id: Block(id, "block", [], Terminal("Goto", [], [id + 1], attr="")) for id in range(size)}
    blocks[0].instrs.append(Instr("Def", [], [var]))
    blocks[size] = Block(size, "block", [], Terminal("Return", [var], []))
    function = Function("chain", [], blocks, 0, next_id=1)
    cfg.build(function)
    build_ssa(function)
    assert function.blocks[size].terminal.uses[0] is function.blocks[0].instrs[0].defs[0]


def test_long_ladders_need_no_recursion() -> None:
    size = 3_000
    var = Var(0, "x")
    blocks = {3 * size: Block(3 * size, "block", [], Terminal("Return", [var], []))}
    for id in range(0, 3 * size, 3):
        blocks[id] = Block(id, "block", [], Terminal("Jump", [], [id + 1, id + 2]))
        blocks[id + 1] = Block(id + 1, "block", [], Terminal("Jump", [], [id + 3]))
        blocks[id + 2] = Block(id + 2, "block", [], Terminal("Jump", [], [id + 3]))
    blocks[0].instrs.append(Instr("Def", [], [var]))
    function = Function("ladder", [], blocks, 0, next_id=1)
    cfg.build(function)
    enter_ssa(function)
    assert len(phi_sites(function)) == size
    eliminate_redundant_phis(function)
    assert not phi_sites(function)


def test_deep_closures_need_no_recursion() -> None:
    var = Var(0, "x")
    inner: Function | None = None
    for level in range(3_000):
        made = [] if inner is None else [Instr("Function", [var], [Var(level + 1)], inner)]
        use = Instr("LoadLocal", [var], [Var(10_000 + level)])
        block = Block(level, "block", [use, *made], Terminal("Return", [var], []))
        inner = Function(None, [], {level: block}, level, context=[var], root=level == 2_999)
    assert inner is not None
    inner.next_id = 20_000
    inner.blocks[2_999].instrs.insert(0, Instr("Def", [], [var]))
    build_ssa(inner)
    assert {body.context[0].id for body in cfg.bodies(inner) if not body.root} == {20_000}
