"""The rules, on both engines, against hand-written rows, against definitions, and against networkx."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from random import Random

import networkx as nx
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssarel import schema
from ssarel.engines import get_engine
from ssarel.engines.duckdb import DuckDBEngine
from ssarel.flow import Flow
from tests import constants
from tests.flows import flows, make_flow, random_flow
from tests.rules_by_definition import INPUTS, base, expected, rows_of, tables

CASES = sorted(Path(__file__).with_name("rules").glob("*.test"))
ENGINES = ("duckdb", pytest.param("souffle", marks=pytest.mark.souffle))
NUMBER = re.compile(r"-?\d+")
SECTION = re.compile(r"^\[(given|expect) (\w+)\]$")

Rows = dict[str, list[tuple[int, ...]]]


def read_case(text: str) -> tuple[constants.Rows, constants.Rows]:
    """The given and the expected rows. Blocks of one function, laid out by number and with one instruction each, unless
    func_block or block_instr is given."""
    found: dict[str, dict[str, list[tuple[int | str, ...]]]] = {"given": {}, "expect": {}}
    rows: list[tuple[int | str, ...]] = []
    for line in text.splitlines():
        if section := SECTION.match(line):
            rows = found[section[1]].setdefault(section[2], [])
        elif line and not line.startswith("#"):
            rows.append(tuple(int(field) if NUMBER.fullmatch(field) else field for field in line.split()))
    given = found["given"]
    blocks = sorted({block for edge in given["edge"] for block in edge} | {block for _, block in given["entry"]})
    given.setdefault("func_block", [(0, block, pos) for pos, block in enumerate(blocks)])
    given.setdefault("block_instr", [(block, block, 0) for block in blocks])
    return given, found["expect"]


def derive(engine: str, given: constants.Rows, outputs: Sequence[str]) -> Rows:
    if constants.SHAPES.keys() >= {*outputs}:
        found = constants.derive(engine, constants.tables(given), outputs)
        return {name: sorted(rows) for name, rows in found.items()}
    derived = get_engine(engine).run(tables(given, schema.inputs(outputs)), outputs)
    return {name: sorted(rows_of(table)) for name, table in derived.items()}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_case(case: Path, engine: str) -> None:
    given, wanted = read_case(case.read_text("utf-8"))
    assert derive(engine, given, list(wanted)) == {name: sorted(rows) for name, rows in wanted.items()}


def shapes(chance: Random) -> list[Flow]:
    """Chains with jumps back and forth, ladders that are entered at both ends, and deep nests: what `random_flow`,
    which draws edges evenly, hardly makes."""
    made: list[Flow] = []
    for _ in range(60):
        count = chance.randint(5, 16)
        succ = [[1], *([at + 1] if at < count else [] for at in range(1, count + 1))]
        for at in range(1, count + 1):
            if chance.random() < 0.5:
                succ[at].append(max(1, min(count, at + chance.randint(-4, 4))))
            if chance.random() < 0.3:
                succ[at].append(at - 1 or 1)
        if chance.random() < 0.3:
            succ[0].append(count)
        code = [[([chance.randrange(2)], [chance.randrange(2)] * chance.randint(0, 1))] for _ in succ]
        made.append(make_flow(succ, code, 2))
    return made


def differences(found: dict[str, pa.Table], wanted: dict[str, set[tuple[int, ...]]]) -> dict[str, object]:
    result: dict[str, object] = {}
    for name, rows in wanted.items():
        got = rows_of(found[name])
        if sorted(got) != sorted(rows):
            result[name] = sorted(set(got) - rows)[:5], sorted(rows - set(got))[:5], len(got) - len(set(got))
    return result


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", range(3))
def test_every_relation_is_its_definition(seed: int, engine: str) -> None:
    chance = Random(seed)
    some = [random_flow(chance, 9, 3) for _ in range(300)] + shapes(chance)
    assert differences(get_engine(engine).run(tables(base(some))), expected(some)) == {}


@settings(max_examples=40, deadline=None)
@given(st.lists(flows(max_blocks=10), min_size=1, max_size=12))
def test_every_relation_is_its_definition_on_any_flows(some: list[Flow]) -> None:
    assert differences(get_engine("duckdb").run(tables(base(some))), expected(some)) == {}


def large(kind: str, count: int) -> list[tuple[int, int]]:
    """Edges of one function of about `count` blocks whose entry is 0."""
    chance = Random(count)
    chain = [(at, at + 1) for at in range(count - 1)]
    if kind == "diamonds":
        return [(at + a, at + b) for at in range(0, count - 3, 3) for a, b in ((0, 1), (0, 2), (1, 3), (2, 3))]
    if kind == "switch":
        cases = range(3, count - 1)
        falls = [(case, case + 1 if case % 2 else count - 1) for case in cases]
        return [(0, 1), (1, 2), (count - 1, 1), *((2, case) for case in cases), *falls]
    if kind == "early_returns":
        half = count // 2
        return [(at, at + 1) for at in range(half)] + [(at, count - 1) for at in range(half + 1)]
    if kind == "nest":
        depth = min(200, count // 3)
        inner = [(at, at + 1) for at in range(depth)] + [(depth, depth - 1)]
        outer = [(at, 2 * depth - at) for at in range(depth - 1, 0, -1)] + [
            (2 * depth - at, at - 1) for at in range(1, depth)
        ]
        return [(0, 1), *((a + 1, b + 1) for a, b in inner + outer), (1, 2 * depth + 2)]
    if kind == "ladder":
        return chain[1:] + [(b, a) for a, b in chain[1:]] + [(0, 1), (0, count - 1)]
    if kind == "goto":
        return chain + [(chance.randrange(count), chance.randrange(1, count)) for _ in range(count // 2)]
    near = [
        (at, max(1, min(count - 1, at + chance.randint(-30, 30)))) for at in range(1, count) if chance.random() < 0.5
    ]
    return chain + near


KINDS = ("chain", "diamonds", "switch", "early_returns", "nest", "ladder", "goto", "jumps")


@pytest.mark.parametrize("engine", ENGINES)
def test_large_functions_agree_with_networkx(engine: str) -> None:
    given: dict[str, list[tuple[int, ...]]] = {name: [] for name in INPUTS}
    idom: set[tuple[int, int]] = set()
    frontier: set[tuple[int, int]] = set()
    for func, kind in enumerate(KINDS):
        edges = set(large(kind, 1500 if kind == "ladder" else 3000))
        graph = nx.DiGraph(sorted(edges))
        start = len(given["func_block"])
        count = max(graph.nodes) + 1
        given["entry"].append((func, start))
        given["func_block"] += [(func, start + block, block) for block in range(count)]
        given["edge"] += [(start + src, start + dst) for src, dst in sorted(edges)]
        parent = nx.immediate_dominators(graph, 0)
        idom |= {(start + parent[block], start + block) for block in parent if block and parent[block] is not None}
        members = nx.dominance_frontiers(graph, 0)
        frontier |= {(start + block, start + dst) for block, found in members.items() for dst in found}
    found = derive(engine, given, ["idom", "dom_frontier"])
    assert found["idom"] == sorted(idom)
    assert found["dom_frontier"] == sorted(frontier)


def test_a_deep_dominator_tree_is_numbered() -> None:
    count = 20_000
    given = {
        "entry": [(0, 0)],
        "func_block": [(0, block, block) for block in range(count)],
        "edge": [(block, block + 1) for block in range(count - 1)],
    }
    tree = derive("duckdb", given, ["dom_tree"])["dom_tree"]
    assert tree == [(block, block, count - 1, 0) for block in range(count)]


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_order_of_rows_and_threads_do_not_matter(threads: int) -> None:
    chance = Random(threads)
    given = base([random_flow(chance, 12, 3) for _ in range(400)])
    first = DuckDBEngine(threads=1).run(tables(given))
    for rows in given.values():
        chance.shuffle(rows)
    engine = DuckDBEngine(threads=threads)
    again = engine.run(tables(given))
    for name in schema.DERIVED:
        assert sorted(rows_of(first[name])) == sorted(rows_of(again[name])), name
    assert {step.relation: step.rows for step in engine.steps}["phi"] == first["phi"].num_rows


OPTIMIZERS = (
    "join_order",
    "build_side_probe_side",
    "filter_pushdown",
    "join_filter_pushdown",
    "statistics_propagation",
)


@pytest.mark.parametrize("left_out", OPTIMIZERS)
def test_order_of_joins_does_not_matter(left_out: str) -> None:
    chance = Random(7)
    given = tables(base([random_flow(chance, 12, 3) for _ in range(200)] + shapes(chance)))
    wanted = DuckDBEngine().run(given)
    engine = DuckDBEngine()
    engine.config["disabled_optimizers"] = left_out
    found = engine.run(given)
    for name in schema.DERIVED:
        assert sorted(rows_of(wanted[name])) == sorted(rows_of(found[name])), name


def test_demand_is_the_part_of_liveness_that_candidates_need() -> None:
    engine = DuckDBEngine()
    connection = engine.connect()
    some = [random_flow(Random(seed), 12, 4) for seed in range(400)]
    # A loop that writes a variable, and behind it a row of diamonds that do not, before the read: only their tops ask.
    diamonds = [[at + 1, at + 2] if at % 3 == 2 else [at + 2 - (at % 3)] for at in range(2, 302)]
    row = make_flow(
        [[1], [1, 2], *diamonds, [303], []], [[([], [0])], [([0], [0])], *[[([], [])]] * 301, [([0], [])]], 1
    )
    engine.load(connection, tables(base([*some, row])))
    engine.derive(connection, ("reachable", "idom", "dom_frontier", "def_block", "upward_use", "live_in"))
    for rule in schema.STRATA:
        if rule.name in ("phi_candidate", "phi_demand"):
            connection.execute(f"create table {rule.name} as {rule.sql}")
    extra = connection.execute("from phi_demand except from live_in").fetchall()
    lost = connection.execute("(from live_in intersect from phi_candidate) except from phi_demand").fetchall()
    assert (extra, lost) == ([], [])
    first = sum(len(flow.succ) for flow in some)
    counts = [
        connection.execute(f"select count(*) from {name} where block >= {first}").fetchall()[0][0]
        for name in ("live_in", "phi_demand")
    ]
    assert counts == [303, 103]


@pytest.mark.parametrize("engine", ENGINES)
def test_phis_of_real_functions_are_those_of_llvm(engine: str, shared: Path) -> None:
    corpus = shared / "cfg-corpus"
    given = {name: pq.read_table(corpus / f"{name}.parquet") for name in INPUTS}
    derived = get_engine(engine).run(given, ("idom", "phi"))
    assert derived["idom"].num_rows == 234_203
    assert sorted(rows_of(derived["phi"])) == sorted(rows_of(pq.read_table(corpus / "expected_phi.parquet")))
