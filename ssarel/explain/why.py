"""Why a block has a phi for a variable, or has none; which definitions a read sees. Pure functions of the relations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from ssarel.explain.facts import UNDEF_VALUE, FunctionFacts


@dataclass(frozen=True, slots=True)
class Fact:
    """A claim about one relation that a query can check.

    row:  values by column, of some columns or of all.
    rows: None claims that the relation `holds` such a row, or has none; else, that these, and no others, are what the
          remaining columns are in the rows that match.
    func: None, or the function whose blocks alone count: closures share the variables that they capture.
    """

    relation: str
    row: dict[str, int | str]
    holds: bool = True
    rows: tuple[dict[str, int], ...] | None = None
    func: int | None = None


@dataclass(frozen=True, slots=True)
class Hop:
    """`frontier` is in the frontier of `block`, which dominates `pred`, a predecessor, but not strictly `frontier`."""

    block: int
    frontier: int
    pred: int


@dataclass(slots=True)
class Explanation:
    """Why `block` has a phi for `var`, or has none.

    verdict:     phi; not_in_frontier; dead (in the iterated frontier, but not live); cell; unreachable.
    definition:  the instruction whose writing starts the chain of `hops` to `block`: for phi and dead.
    path, read:  blocks from `block` to the one that reads, and (instruction, operand position) there: for phi.
    merges:      (predecessor, value) for each operand: for phi.
    written:     for dead, the first instruction of `block` that writes `var`, if there is one.
    frontiers:   for not_in_frontier, each definition's block, and each block that a phi of pruning's first half could
                 stand in, with its frontier: all the ways there are, and none leads to `block`.
    value:       what the variable is at the start of `block`, where that is one value and something reads it.
    """

    block: int
    var: int
    verdict: str
    definition: int | None = None
    hops: list[Hop] = field(default_factory=list[Hop])
    path: list[int] = field(default_factory=list[int])
    read: tuple[int, int] | None = None
    merges: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    written: int | None = None
    frontiers: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    value: int | None = None
    facts: list[Fact] = field(default_factory=list[Fact])


@dataclass(slots=True)
class Reading:
    """The `pos`-th operand of `instr` is `value`. It comes from `origins`, definitions or undef, through `phis`."""

    instr: int
    pos: int
    var: int
    value: int
    phis: list[int]
    origins: list[int]
    facts: list[Fact]


def explain_block(facts: FunctionFacts, var: int, block: int) -> Explanation:
    """Why `block` has a phi for `var` or has none. Cost: O(frontiers + edges) of the function."""
    if facts.variables[var][1] == "captured":
        row: dict[str, int | str] = {"var": var, "kind": "captured"}
        claims = [Fact("var_name", row), Fact("def", {"var": var}, False), Fact("use", {"var": var}, False)]
        return Explanation(block, var, "cell", facts=claims)
    if block not in facts.reachable:
        return Explanation(block, var, "unreachable", facts=[Fact("reachable", {"block": block}, False)])
    ways = _frontier_ways(facts, var)
    if block not in ways:
        return _not_in_frontier(facts, var, block, set(ways))
    found = _reached(facts, var, block, ways)
    if block in facts.live_in[var]:
        _live(facts, found)
    else:
        _dead(facts, found)
    return found


def _frontier_ways(facts: FunctionFacts, var: int) -> dict[int, int]:
    """Each block of the iterated frontier of `var`, with the block before it on a shortest chain from a definition."""
    before: dict[int, int] = {}
    level = list(facts.def_block[var])
    while level:
        reached: list[int] = []
        for block in level:
            for frontier in facts.frontier.get(block, ()):
                if frontier not in before:
                    before[frontier] = block
                    reached.append(frontier)
        level = reached
    return before


def _reached(facts: FunctionFacts, var: int, block: int, before: dict[int, int]) -> Explanation:
    """The chain of frontiers to `block`. A definition block may be in the frontier itself: the chain ends there."""
    chain = [block, before[block]]
    while chain[-1] not in facts.def_block[var]:
        chain.append(before[chain[-1]])
    chain.reverse()
    start = chain[0]
    definition = next(instr for instr in reversed(facts.defs[var]) if facts.steps[instr].block == start)
    found = Explanation(block, var, "phi", definition)
    found.facts += [
        Fact("def", {"instr": definition, "var": var}),
        Fact("block_instr", {"block": start, "instr": definition}),
        Fact("def_block", {"block": start, "var": var}),
    ]
    for here, frontier in pairwise(chain):
        pred = next(pred for pred in facts.preds(frontier) if facts.dominates(here, pred))
        found.hops.append(Hop(here, frontier, pred))
        found.facts += [
            Fact("dom_frontier", {"block": here, "frontier": frontier}),
            Fact("edge", {"src": pred, "dst": frontier}),
            Fact("dom", {"dominator": here, "block": pred}),
        ]
        if here != frontier:
            found.facts.append(Fact("dom", {"dominator": here, "block": frontier}, False))
    return found


def _live(facts: FunctionFacts, found: Explanation) -> None:
    """The use that keeps the variable live, and a path to it; the operands."""
    block, var = found.block, found.var
    upward, written, live = set(facts.upward[var]), set(facts.def_block[var]), set(facts.live_in[var])
    before = {block: block}
    queue = [block]
    for here in queue:
        if here in upward:
            break
        for succ in facts.succ.get(here, ()) if here not in written else ():
            if succ in live and succ not in before:
                before[succ] = here
                queue.append(succ)
    else:
        raise ValueError(f"live_in holds {found.var} in block {block}, but no path reads it")
    path = [here]
    while path[-1] != block:
        path.append(before[path[-1]])
    found.path = path[::-1]
    reader = path[0]
    found.read = next((instr, pos) for instr, pos in facts.uses[var] if facts.steps[instr].block == reader)
    found.facts.append(Fact("live_in", {"block": block, "var": var}))
    for here, succ in pairwise(found.path):
        found.facts += [Fact("edge", {"src": here, "dst": succ}), Fact("def_block", {"block": here, "var": var}, False)]
    found.facts += [
        Fact("upward_use", {"block": reader, "var": var}),
        Fact("use", {"instr": found.read[0], "pos": found.read[1], "var": var}),
        Fact("block_instr", {"block": reader, "instr": found.read[0]}),
        Fact("phi", {"block": block, "var": var}),
    ]
    value = facts.phi_value[block, var]
    found.merges = facts.args[value]
    found.facts += [
        Fact("ssa_phi", {"block": block, "value": value}),
        Fact("ssa_phi_arg", {"value": value}, rows=tuple({"pred": pred, "arg": arg} for pred, arg in found.merges)),
    ]


def _dead(facts: FunctionFacts, found: Explanation) -> None:
    block, var = found.block, found.var
    found.verdict = "dead"
    found.facts += [
        Fact("live_in", {"block": block, "var": var}, False),
        Fact("upward_use", {"block": block, "var": var}, False),
        Fact("phi", {"block": block, "var": var}, False),
    ]
    if block in facts.def_block[var]:
        found.written = next(instr for instr in facts.defs[var] if facts.steps[instr].block == block)
        found.facts += [
            Fact("def", {"instr": found.written, "var": var}),
            Fact("def_block", {"block": block, "var": var}),
        ]
        return
    succs = facts.succ.get(block, [])
    found.facts.append(Fact("edge", {"src": block}, rows=tuple({"dst": succ} for succ in succs)))
    found.facts += [Fact("live_in", {"block": succ, "var": var}, False) for succ in succs]


def _not_in_frontier(facts: FunctionFacts, var: int, block: int, iterated: set[int]) -> Explanation:
    found = Explanation(block, var, "not_in_frontier")
    writers = facts.def_block[var]
    found.frontiers = {here: facts.frontier.get(here, []) for here in [*writers, *sorted(iterated - set(writers))]}
    found.facts.append(Fact("phi", {"block": block, "var": var}, False))
    listed = tuple({"block": here} for here in writers)
    found.facts.append(Fact("def_block", {"var": var}, rows=listed, func=facts.func))
    for here, frontiers in found.frontiers.items():
        listed = tuple({"frontier": frontier} for frontier in frontiers)
        found.facts.append(Fact("dom_frontier", {"block": here}, rows=listed))
    if block in facts.live_in[var]:
        _at_start(facts, found)
    return found


def _at_start(facts: FunctionFacts, found: Explanation) -> None:
    """The value that the closest strict dominator with a definition or a phi gives; undef if there is none."""
    block, var = found.block, found.var
    writers, placed = set(facts.def_block[var]), set(facts.phi[var])
    found.value = UNDEF_VALUE
    above = facts.idom.get(block)
    while above is not None:
        found.facts.append(Fact("dom", {"dominator": above, "block": block}))
        found.facts.append(Fact("def_block", {"block": above, "var": var}, above in writers))
        if above in writers:
            instr = next(instr for instr in reversed(facts.defs[var]) if facts.steps[instr].block == above)
            found.value = facts.made[instr, var]
            found.facts.append(Fact("ssa_def", {"instr": instr, "value": found.value}))
            return
        found.facts.append(Fact("phi", {"block": above, "var": var}, above in placed))
        if above in placed:
            found.value = facts.phi_value[above, var]
            found.facts.append(Fact("ssa_phi", {"block": above, "value": found.value}))
            return
        above = facts.idom.get(above)


def readings(facts: FunctionFacts, var: int, instrs: Iterable[int]) -> list[Reading]:
    """What each of `instrs` reads of `var`. Instructions of unreachable blocks read no values."""
    wanted = set(instrs)
    return [
        _reading(facts, var, instr, pos)
        for instr, pos in facts.uses[var]
        if instr in wanted and (instr, pos) in facts.read
    ]


def _reading(facts: FunctionFacts, var: int, instr: int, pos: int) -> Reading:
    """The definitions that reach a read: its value, looked through phis. Every operand of a phi reaches it."""
    value = facts.read[instr, pos]
    claims = [Fact("ssa_use", {"instr": instr, "pos": pos, "value": value})]
    seen = {value: None}
    queue = [value]
    for here in queue:
        args = facts.args.get(here, ()) if here != UNDEF_VALUE else ()
        if args:
            listed = tuple({"pred": pred, "arg": arg} for pred, arg in args)
            claims.append(Fact("ssa_phi_arg", {"value": here}, rows=listed))
        for _, arg in args:
            if arg not in seen:
                seen[arg] = None
                queue.append(arg)
    phis = [here for here in seen if here != UNDEF_VALUE and facts.values[here].instr is None]
    origins = sorted(seen.keys() - set(phis))
    makers = ((here, facts.values[here].instr) for here in origins if here != UNDEF_VALUE)
    claims += [Fact("ssa_def", {"instr": maker, "value": here}) for here, maker in makers if maker is not None]
    return Reading(instr, pos, var, value, phis, origins, claims)


def as_data(fact: Fact) -> dict[str, Any]:
    """The fact for JSON: relation, row, either holds or rows, and func where only blocks of that function count."""
    claim: dict[str, Any] = {"holds": fact.holds} if fact.rows is None else {"rows": list(fact.rows)}
    scope = {} if fact.func is None else {"func": fact.func}
    return {"relation": fact.relation, "row": fact.row, **scope, **claim}
