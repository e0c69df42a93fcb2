"""Every check can fail: planted faults are found, and nothing is found without one."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssarel import analysis, database, verify
from ssarel.flow import Flow
from ssarel.ssa_facts import SHAPES
from tests.check.mutations import MUTATIONS, Mutation
from tests.check.relations import ALL, DERIVED, relations
from tests.flows import dominators, flows, random_flow

EXAMPLES = Path(__file__).resolve().parents[2] / "facts" / "examples"
BY_NAME = {check.name: check for check in verify.checks()}
IDOM_CHECKS = ("idom_not_tree", "idom_not_dominator", "idom_not_closest")


def connect(some: list[Flow]) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect(config={"threads": 1})
    database.load_tables(connection, relations(some))
    return connection


def broken(connection: duckdb.DuckDBPyConnection, names: Iterable[str] = BY_NAME) -> set[str]:
    """Those of the checks `names` that find something."""
    return {found.check.name for found in verify.verify(connection, map(BY_NAME.__getitem__, names)) if found.total}


@pytest.fixture(scope="module")
def databases() -> Iterator[dict[str, duckdb.DuckDBPyConnection]]:
    whole = duckdb.connect(config={"threads": 1})
    database.load(whole, analysis.analyze([EXAMPLES]).tables)
    opened = {"examples": whole, "flows": connect([random_flow(random.Random(seed), 10, 3) for seed in range(60)])}
    yield opened
    for connection in opened.values():
        connection.close()


def test_right_databases_are_clean(databases: dict[str, duckdb.DuckDBPyConnection]) -> None:
    outcomes = list(verify.verify(databases["examples"]))
    assert [outcome.check.name for outcome in outcomes if outcome.total or outcome.missing] == []
    assert broken(databases["flows"]) == set()


@pytest.mark.parametrize(
    ("mutation", "name"),
    [
        pytest.param(mutation, name, id=f"{mutation.fault} ({name})")
        for mutation in MUTATIONS
        for name in ("examples", "flows")
        if mutation.only in ("", name)
    ],
)
def test_a_fault_is_caught(databases: dict[str, duckdb.DuckDBPyConnection], mutation: Mutation, name: str) -> None:
    connection = databases[name]
    connection.execute("begin")
    try:
        connection.execute(mutation.sql)
        assert broken(connection, mutation.caught_by) == set(mutation.caught_by)
    finally:
        connection.execute("rollback")


def test_every_check_has_a_fault() -> None:
    assert {name for mutation in MUTATIONS for name in mutation.caught_by} == BY_NAME.keys()


@given(st.lists(flows(), min_size=1, max_size=6))
@settings(max_examples=15, deadline=None)
def test_what_is_right_by_definition_is_clean(some: list[Flow]) -> None:
    with connect(some) as connection:
        assert broken(connection) == set()


@given(flows(max_blocks=6), st.data())
@settings(max_examples=40, deadline=None)
def test_any_wrong_row_is_caught(flow: Flow, data: st.DataObject) -> None:
    """Derived and SSA relations follow from the base relations, so any row more, less or twice is a fault."""
    with connect([flow]) as connection:
        name = data.draw(st.sampled_from((*DERIVED, *SHAPES)))
        rows = connection.execute(f'from "{name}" order by all').fetchall()
        kind = data.draw(st.sampled_from(("delete", "repeat", "insert") if rows else ("insert",)))
        if kind == "insert":
            most = {"var": 3, "value": 9, "pos": 2, "version": 9, "instr": len(flow.uses)}
            row = tuple(data.draw(st.integers(0, most.get(column, len(flow.succ)))) for column in ALL[name])
        else:
            row = data.draw(st.sampled_from(rows))
        if kind == "delete":
            connection.execute(f'delete from "{name}" where {" and ".join(f"{key} = ?" for key in ALL[name])}', row)
        else:
            connection.execute(f'insert into "{name}" values ({", ".join("?" * len(row))})', row)
        assert broken(connection), (name, kind, row)


@pytest.mark.parametrize("seed", range(8))
def test_wrong_dominator_trees_are_caught_and_right_ones_are_not(seed: int) -> None:
    chance = random.Random(seed)
    some = [random_flow(chance, chance.choice((4, 8, 14)), 0) for _ in range(100)]
    wrong: set[int] = set()
    with connect(some) as connection:
        parents = {int(block): int(parent) for parent, block in connection.execute("from idom").fetchall()}
        start = 0
        for func, flow in enumerate(some):
            above = dominators(flow)
            own = [block for block in sorted(above) if block]
            changed = {}
            if own and chance.random() < 0.4:
                changed = {block: chance.choice(sorted(above[block] - {block})) for block in own}
            elif own and chance.random() < 0.4:
                changed = {chance.choice(own): chance.randrange(len(flow.succ))}
            for block, parent in changed.items():
                if parents[start + block] != start + parent:
                    parents[start + block] = start + parent
                    wrong.add(func)
            start += len(flow.succ)
        connection.execute("delete from idom")
        connection.executemany("insert into idom values (?, ?)", [(parent, block) for block, parent in parents.items()])
        owner = dict(connection.execute("select block, func from func_block").fetchall())
        found: set[int] = set()
        for outcome in verify.verify(connection, map(BY_NAME.__getitem__, IDOM_CHECKS)):
            found |= {owner[row[outcome.columns.index("block")]] for row in outcome.rows}
    assert found == wrong
