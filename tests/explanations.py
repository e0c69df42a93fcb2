"""Judges of explanations that know nothing of how they were found."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import duckdb

from ssarel.explain import Explanation, FunctionFacts
from ssarel.explain.why import Fact


def false_claims(connection: duckdb.DuckDBPyConnection, facts: Iterable[Fact]) -> list[Fact]:
    """The claims that a query refutes."""
    return [fact for fact in facts if not _is_true(connection, fact)]


def _is_true(connection: duckdb.DuckDBPyConnection, fact: Fact) -> bool:
    where = " and ".join(f"{column} = ?" for column in fact.row) or "true"
    given = list(fact.row.values())
    if fact.func is not None:
        where += " and block in (select func_block.block from func_block where func_block.func = ?)"
        given.append(fact.func)
    rows = connection.execute(f'select * from "{fact.relation}" where {where}', given).fetchall()
    if fact.rows is None:
        return bool(rows) == fact.holds
    columns = [column[0] for column in connection.description or ()]
    rest = [{name: value for name, value in zip(columns, row, strict=True) if name not in fact.row} for row in rows]
    return sorted(map(_key, rest)) == sorted(map(_key, fact.rows))


def _key(row: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(row.items())


def gaps(facts: FunctionFacts, item: Explanation) -> list[str]:
    """What an explanation of this verdict must have and this one has not: chains must hang together."""
    found: list[str] = []
    claimed = {(fact.relation, *sorted(fact.row.items()), fact.holds) for fact in item.facts}

    def need(relation: str, holds: bool = True, **row: int) -> None:
        if (relation, *sorted(row.items()), holds) not in claimed:
            found.append(f"{relation}({row}) {holds}")

    if item.verdict in ("phi", "dead"):
        ends = [hop.frontier for hop in item.hops]
        starts = [hop.block for hop in item.hops]
        if item.definition is None or not item.hops or ends[-1] != item.block or starts[1:] != ends[:-1]:
            return ["the chain does not hang together"]
        need("def", instr=item.definition, var=item.var)
        need("def_block", block=starts[0], var=item.var)
        need("block_instr", block=starts[0], instr=item.definition)
        for hop in item.hops:
            need("dom_frontier", block=hop.block, frontier=hop.frontier)
            need("dom", dominator=hop.block, block=hop.pred)
            need("edge", src=hop.pred, dst=hop.frontier)
            if hop.block != hop.frontier:
                need("dom", False, dominator=hop.block, block=hop.frontier)
    if item.verdict == "phi":
        if item.read is None or item.path[0] != item.block:
            return [*found, "no path to a read"]
        need("live_in", block=item.block, var=item.var)
        need("upward_use", block=item.path[-1], var=item.var)
        need("use", instr=item.read[0], pos=item.read[1], var=item.var)
        for source, target in pairwise(item.path):
            need("edge", src=source, dst=target)
            need("def_block", False, block=source, var=item.var)
        if [pred for pred, _ in item.merges] != facts.preds(item.block):
            found.append("not every predecessor has an operand")
    if item.verdict == "dead":
        need("live_in", False, block=item.block, var=item.var)
        if item.written is None:
            for succ in facts.succ.get(item.block, ()):
                need("live_in", False, block=succ, var=item.var)
    if item.verdict == "not_in_frontier":
        closed = {**item.frontiers}
        found += [f"frontier of {here} left out" for row in closed.values() for here in row if here not in closed]
        found += [f"definition in {here} left out" for here in facts.def_block.get(item.var, ()) if here not in closed]
        if any(item.block in row for row in closed.values()):
            found.append("the block is in a frontier")
    return found


def wrong_verdict(connection: duckdb.DuckDBPyConnection, item: Explanation) -> str | None:
    """The verdict of the relation phi, if it is not the explanation's."""
    (is_phi,) = connection.execute(
        "select count(*) > 0 from phi where block = ? and var = ?", [item.block, item.var]
    ).fetchall()[0]
    return None if is_phi == (item.verdict == "phi") else f"phi is {is_phi}, the explanation says {item.verdict}"
