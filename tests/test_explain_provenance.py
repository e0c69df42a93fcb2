"""Explanations and Soufflé's own provenance: it proves what they claim and has no proof of what they deny."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import ssarel
from tests.provenance import REFUSED, SHAPES, Claim, Prover, Row

pytestmark = pytest.mark.souffle

EXAMPLES = Path(__file__).resolve().parents[1] / "facts" / "examples"


@pytest.fixture(scope="module")
def examples() -> Iterator[ssarel.Database]:
    with ssarel.analyze(EXAMPLES) as database:
        yield database


@pytest.fixture(scope="module")
def prover(examples: ssarel.Database, tmp_path_factory: pytest.TempPathFactory) -> Prover:
    return Prover(examples.connection, tmp_path_factory.mktemp("provenance"))


def explained(database: ssarel.Database) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each local and parameter, with the explanation of each block where paths of its function join."""
    places = database.connection.execute(
        "select path || ':' || line || ':' || col, var_name.name || '#' || var, block_name.name"
        " from var_name inner join func_place on func_id = func inner join func_block using (func)"
        " inner join reachable using (block) inner join block_name using (block)"
        " where kind in ('local', 'param') and block in (select dst from edge group by dst having count(*) > 1)"
    ).fetchall()
    for place in places:
        data = database.explain(*place).as_json()
        yield data["variable"]["var"], data["blocks"][0]


def claims_of(prover: Prover, facts: list[dict[str, Any]]) -> tuple[set[Claim], set[Claim]]:
    """What `facts` say is in the relations up to phi, and what is not. Dominance is a path in the dominator tree."""
    parents = {block: dominator for dominator, block in prover.tables["idom"]}
    held, denied = set[Claim](), set[Claim]()
    for fact in facts:
        name, row, holds = fact["relation"], fact["row"], fact.get("holds", True)
        if name == "dom":
            above = [row["block"]]
            while above[-1] in parents and not (holds and above[-1] == row["dominator"]):
                above.append(parents[above[-1]])
            assert (row["dominator"] in above) == holds
            held |= {("idom", (dominator, block)) for block, dominator in pairwise(above)}
        elif name in SHAPES:
            columns = [column for column, _ in SHAPES[name].columns]
            for rest in fact.get("rows", [{}]):
                told = {columns.index(column): value for column, value in {**row, **rest}.items()}
                rows = {made for made in prover.tables[name] if all(made[at] == told[at] for at in told)}
                assert bool(rows) == holds
                held |= {(name, made) for made in rows}
                if not holds:
                    denied.add((name, tuple(told[at] for at in range(len(columns)))))
    return held, denied


def chain_of(var: int, block: dict[str, Any]) -> set[Claim]:
    """What the rules need and make on the way to the phi, along the chain, and to the read that asks for it."""
    here = block["block"]["block"]
    hops = [(hop["block"]["block"], hop["frontier"]["block"]) for hop in block["frontiers"]]
    path = [step["block"] for step in block["path"]]
    assert hops[-1][1] == path[0] == here
    assert all(hop[1] == following[0] for hop, following in pairwise(hops))
    steps = {("def_block", (hops[0][0], var)), ("upward_use", (path[-1], var)), ("phi", (here, var))}
    for hop in hops:
        steps |= {("dom_frontier", hop), ("phi_candidate", (hop[1], var))}
    return steps | {(name, (end, var)) for name in ("live_in", "phi_demand") for end in (here, path[-1])}


def test_the_given_tree_is_one_that_its_rules_make(prover: Prover) -> None:
    levels = {block: level for _, block, level in prover.tables["bfs_tree"]}
    starts = {(-1, block, 0) for _, block in prover.tables["entry"]}
    assert len(levels) == len(prover.tables["bfs_tree"])
    for parent, block, level in prover.tables["bfs_tree"] - starts:
        assert (parent, block) in prover.tables["edge"]
        assert levels[parent] == level - 1


def test_souffle_proves_what_explanations_claim(prover: Prover, examples: ssarel.Database) -> None:
    held, denied, phis, verdicts = set[Claim](), set[Claim](), set[Row](), set[str]()
    for var, block in explained(examples):
        verdicts.add(block["verdict"])
        claims = claims_of(prover, block["facts"])
        held |= claims[0]
        denied |= claims[1]
        if block["verdict"] == "phi":
            phis.add((block["block"]["block"], var))
            held |= chain_of(var, block)
    assert phis == prover.tables["phi"]
    assert verdicts == {"phi", "not_in_frontier", "dead"}
    assert {"idom", "dom_frontier", "def_block", "upward_use", "live_in", "phi"} <= {name for name, _ in held}
    assert prover.unproved(held) == []
    assert {"def_block", "live_in", "phi"} <= {name for name, _ in denied}
    assert [proof for proof in prover.ask(denied) if proof != REFUSED] == []


def test_a_claim_without_a_proof_and_a_leaf_without_a_row_are_seen(
    prover: Prover, monkeypatch: pytest.MonkeyPatch
) -> None:
    block, var = min(prover.tables["phi"])
    assert prover.unproved([("phi", (block, var)), ("phi", (0, var))]) == [f"phi(0, {var})"]
    monkeypatch.setitem(prover.axioms, "use", set())
    assert [leaf.split("(")[0] for leaf in prover.unproved([("phi", (block, var))])] == ["use"]
    start = min(prover.tables["entry"])[1]
    assert [prover.holds(leaf) for leaf in (f"!entry(0, {start})", "!idom(0, 0)", "4 <= 3")] == [False, True, False]
