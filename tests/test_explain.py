"""Explanations: every claim is held against the relations, and the words against a reader's eye."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ssarel
from ssarel.cli import app
from ssarel.database import Database
from ssarel.errors import UsageError
from ssarel.explain import FunctionFacts, explain_block, load, readings
from tests.explanations import false_claims, gaps, wrong_verdict

ROOT = Path(__file__).resolve().parents[1]
SOURCE = """\
function merge(a) {
  let x = 1, y = 2, kept = 0;
  if (a) { x = 3; y = 4; } else { x = 5; }
  y = x;
  while (a) { kept = kept + 1; a = a - y; }
  return x;
  y = 9;
}
function merge_cell(a) {
  let c = 0;
  const add = () => { c = c + a; };
  if (a) c = 1;
  return c + add;
}
function shadow(a) { let v = a; { let v = 2; a = v; } return v + a; }
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    source = tmp_path_factory.mktemp("explain") / "merge.js"
    source.write_text(SOURCE)
    with ssarel.analyze(source, source.with_name("db")) as database:
        yield database


@pytest.fixture(scope="module")
def examples() -> Iterator[Database]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        with ssarel.analyze("facts/examples") as database:
            yield database


def all_facts(database: Database) -> dict[int, FunctionFacts]:
    return load(
        database.connection, [row[0] for row in database.connection.execute("select func_id from func").fetchall()]
    )


@pytest.mark.parametrize("name", ["examples", "found"])
def test_every_block_and_variable_is_explained_by_facts_that_hold(name: str, request: pytest.FixtureRequest) -> None:
    database: Database = request.getfixturevalue(name)
    verdicts: set[str] = set()
    for facts in all_facts(database).values():
        for var in facts.variables:
            for block in facts.blocks:
                item = explain_block(facts, var, block)
                verdicts.add(item.verdict)
                assert false_claims(database.connection, item.facts) == []
                assert gaps(facts, item) == []
                assert wrong_verdict(database.connection, item) is None
    assert {"phi", "not_in_frontier", "unreachable", "cell"} <= verdicts


@pytest.mark.parametrize("name", ["examples", "found"])
def test_every_read_is_reached_by_what_the_query_says(name: str, request: pytest.FixtureRequest) -> None:
    database: Database = request.getfixturevalue(name)
    for facts in all_facts(database).values():
        for var, uses in facts.uses.items():
            items = readings(facts, var, [instr for instr, _ in uses])
            reachable = [instr for instr, _ in uses if facts.steps[instr].block in facts.reachable]
            assert [item.instr for item in items] == reachable
            for item in items:
                assert false_claims(database.connection, item.facts) == []
                assert item.origins == sorted(by_paths(facts, var, item.instr))


def by_paths(facts: FunctionFacts, var: int, instr: int) -> set[int]:
    """The definitions of `var` that a walk against the edges from before `instr` meets first."""
    writers = {(facts.steps[at].block, at) for at in facts.defs[var]}
    block = facts.steps[instr].block
    found: set[int] = set()
    pending, seen = [(block, instr)], set[int]()
    while pending:
        here, before = pending.pop()
        earlier = [at for owner, at in writers if owner == here and at < before]
        if earlier:
            found.add(facts.made[max(earlier), var])
        elif not facts.preds(here):
            found.add(-1)
        else:
            pending += [(pred, 1 << 31) for pred in facts.preds(here) if pred not in seen]
            seen.update(facts.preds(here))
    return found


def test_a_false_claim_would_be_seen(examples: Database) -> None:
    facts = next(facts for facts in all_facts(examples).values() if facts.phi)
    var = next(iter(facts.phi))
    item = explain_block(facts, var, facts.phi[var][0])
    for wrong in ("dom_frontier", "edge", "live_in"):
        claim = next(claim for claim in item.facts if claim.relation == wrong)
        claim.row[next(iter(claim.row))] = 1 << 30
    assert len(false_claims(examples.connection, item.facts)) == 3
    item.hops = []
    assert gaps(facts, item) != []


def test_a_phi_is_explained_by_its_frontier_and_its_read(examples: Database) -> None:
    assert str(examples.explain("loop.js:count_to", "i")).split("\n\n")[1].splitlines() == [
        "bb1 (line 4) has a phi: i.2 = phi(bb0: i.1, bb3: i.3)",
        "  written in bb3, line 5: i = i + 1;",
        "  bb1 is in the frontier of bb3: bb3, which precedes bb1, but does not dominate it",
        "  read before any write in bb1, line 4: while (i < n) {",
        "  from bb0 comes i.1, line 3: let i = 0;",
        "  from bb3 comes i.3, line 5: i = i + 1;",
    ]


def test_a_missing_phi_is_explained(found: Database) -> None:
    dead = str(found.explain("merge", "y", "bb1"))
    assert "has no phi: definitions of y meet there, but nothing reads it from there on" in dead
    assert "not live: the block writes it before any read, line 4: y = x;" in dead
    unread = found.explain("merge", "a", 3)
    assert {item.verdict for item in unread.blocks} == {"not_in_frontier"}
    assert "on every path a is a.1, line 1: function merge(a) {" in str(unread)
    assert "is a cell; a closure captures it" in str(found.explain("merge_cell", "c"))


def test_a_line_gives_the_definitions_that_reach_its_reads(examples: Database) -> None:
    assert str(examples.explain("loop.js:count_to", "i", 7)).split("\n\n")[2].splitlines() == [
        "bb2, line 7: return i; reads i.2",
        "  reached by i.1, line 3: let i = 0;",
        "  reached by i.3, line 5: i = i + 1;",
    ]


def test_a_value_names_its_phi(examples: Database) -> None:
    assert [item.verdict for item in examples.explain("loop.js:count_to", "i.2").blocks] == ["phi"]


def test_json_claims_hold_and_mermaid_names_the_chain(examples: Database) -> None:
    answer = examples.explain("loop.js:count_to", "i")
    data = json.loads(json.dumps(answer.as_json()))
    (phi,) = data["blocks"]
    assert phi["verdict"] == "phi"
    assert [(hop["block"]["name"], hop["frontier"]["name"]) for hop in phi["frontiers"]] == [("bb3", "bb1")]
    assert [(item["pred"]["name"], item["name"]) for item in phi["merges"]] == [("bb0", "i.1"), ("bb3", "i.3")]
    assert {"dom_frontier", "dom", "edge", "live_in", "ssa_phi_arg"} <= {fact["relation"] for fact in phi["facts"]}
    chart = answer.as_mermaid()
    assert chart.startswith("flowchart TD\n")
    assert "|frontier|" in chart
    assert "i = i + 1;" in chart


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("count_too", "i"), "there is no function 'count_too'; did you mean count_to"),
        (
            ("count_to", "i"),
            r"2 functions are 'count_to'; give PATH:LINE:COL of one: .*count_to.hir:1:0 count_to; .*loop.js:2:0",
        ),
        (("loop.js:count_to", "total"), "count_to has no variable 'total'; it has i, n"),
        (("loop.js:count_to", "i", "bb9"), "count_to has no block 'bb9'; it has bb0, bb1"),
        (("loop.js:count_to", "i", "99"), "count_to has no code on line 99; its code is on lines 2 to 7"),
    ],
)
def test_unknown_and_ambiguous_names_are_answered_with_candidates(
    examples: Database, words: tuple[str, ...], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        examples.explain(*words)


def test_shadowed_names_are_told_apart(found: Database) -> None:
    with pytest.raises(
        UsageError, match=r"shadow has 2 variables 'v'; give one of them: v#\d+ \(local, from line 15\)"
    ) as error:
        found.explain("shadow", "v")
    first = str(error.value).split("them: ")[1].split(" ")[0]
    assert found.explain("shadow", first).facts.variables


def test_the_command_prints_all_formats(found: Database) -> None:
    path = str(found.path)
    found.close()
    text = CliRunner().invoke(app, ["explain", path, "merge", "x", "bb1"])
    assert (text.exit_code, "x.4 = phi(" in text.output) == (0, True)
    as_json = CliRunner().invoke(app, ["explain", path, "merge", "x", "--format", "json"])
    assert json.loads(as_json.output)["variable"]["name"] == "x"
    chart = CliRunner().invoke(app, ["explain", path, "merge", "x", "--format", "mermaid"])
    assert chart.output.startswith("flowchart TD")
    wrong = CliRunner().invoke(app, ["explain", path, "merg", "x"])
    assert wrong.exit_code == 2
    assert wrong.stderr == "error: there is no function 'merg'; did you mean merge or merge_cell?\n"
