"""Explanations as text for people, and as Mermaid flowcharts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ssarel.explain.facts import UNDEF_VALUE, FunctionFacts
from ssarel.explain.why import Explanation, Reading

MANY = 8
"""Longer lists are cut in text; JSON has all."""


def answer(facts: FunctionFacts, var: int, blocks: Sequence[Explanation], reads: Sequence[Reading]) -> Iterator[str]:
    """Lines about one variable of a function."""
    name, kind = facts.variables[var]
    yield f"{name} ({kind}) in {facts.name}, {facts.path}:{facts.line}"
    if not blocks:
        yield f"\nNo phi: no two paths of {facts.name} join."
    for item in blocks:
        yield ""
        yield from block(facts, item)
    if reads:
        yield ""
    for item in reads:
        yield from reading(facts, item)


def block(facts: FunctionFacts, item: Explanation) -> Iterator[str]:
    """Lines about one block; the first says it all in short."""
    name, here = facts.variables[item.var][0], _at(facts, item.block)
    match item.verdict:
        case "phi":
            args = ", ".join(f"{facts.blocks[pred]}: {facts.value_name(arg)}" for pred, arg in item.merges)
            value = facts.value_name(facts.phi_value[item.block, item.var])
            yield f"{here} has a phi: {value} = phi({args})"
            yield from _chain(facts, item)
            yield from _life(facts, item)
            yield from _merges(facts, item)
        case "dead":
            yield f"{here} has no phi: definitions of {name} meet there, but nothing reads it from there on"
            yield from _chain(facts, item)
            if item.written is not None:
                yield f"  not live: the block writes it before any read, {_step(facts, item.written)}"
            else:
                yield f"  not live: {facts.blocks[item.block]} does not read it, and no successor has it live"
        case "not_in_frontier":
            yield f"{here} has no phi: it is in the iterated frontier of no definition of {name}"
            yield from _frontiers(facts, item)
            if item.value is not None:
                yield f"  on every path {name} is {_value(facts, item.value)}"
        case "cell":
            yield f"{here} has no phi: {name} is a cell; a closure captures it and something reassigns it, so it lives"
            yield "  in memory and is not versioned"
        case _:
            yield f"{here} has no phi: no path from the entry leads there"


def _chain(facts: FunctionFacts, item: Explanation) -> Iterator[str]:
    if item.definition is not None:
        where = facts.blocks[facts.steps[item.definition].block]
        yield f"  written in {where}, {_step(facts, item.definition)}"
    for hop in item.hops:
        here, pred, frontier = (facts.blocks[block] for block in (hop.block, hop.pred, hop.frontier))
        what = f"{here}, which precedes" if here == pred else f"{here} dominates {pred}, which precedes"
        strictly = "and no block strictly dominates itself" if here == frontier else "but does not dominate it"
        yield f"  {frontier} is in the frontier of {here}: {what} {frontier}, {strictly}"
    for hop in item.hops[:-1]:
        yield f"  a phi in {facts.blocks[hop.frontier]} would be a definition too, so the frontier goes on from there"


def _life(facts: FunctionFacts, item: Explanation) -> Iterator[str]:
    if item.read is not None:
        way = " -> ".join(_cut([facts.blocks[here] for here in item.path]))
        over = f", over {way}" if len(item.path) > 1 else ""
        yield f"  read before any write in {facts.blocks[item.path[-1]]}{over}, {_step(facts, item.read[0])}"


def _merges(facts: FunctionFacts, item: Explanation) -> Iterator[str]:
    shown = item.merges if len(item.merges) <= MANY else item.merges[:MANY]
    for pred, arg in shown:
        yield f"  from {facts.blocks[pred]} comes {_value(facts, arg)}"
    if len(item.merges) > MANY:
        yield f"  ... and {len(item.merges) - MANY} more"


def _frontiers(facts: FunctionFacts, item: Explanation) -> Iterator[str]:
    if not item.frontiers:
        yield "  nothing reachable writes it"
    writers = set(facts.def_block[item.var])
    for number, (here, frontiers) in enumerate(item.frontiers.items()):
        if number == MANY:
            yield f"  ... and {len(item.frontiers) - MANY} more"
            break
        names = ", ".join(_cut([facts.blocks[frontier] for frontier in frontiers])) or "nothing"
        strictly = here != item.block and facts.dominates(here, item.block)
        note = f"; it dominates {facts.blocks[item.block]}" if strictly else ""
        what = "written in" if here in writers else "from there"
        yield f"  {what} {_at(facts, here)}: its frontier is {names}{note}"


def reading(facts: FunctionFacts, item: Reading) -> Iterator[str]:
    """Lines about one read."""
    step = facts.steps[item.instr]
    yield f"{facts.blocks[step.block]}, {_step(facts, item.instr)} reads {facts.value_name(item.value)}"
    through = [facts.value_name(value) for value in item.phis if value != item.value]
    if through:
        yield f"  through {', '.join(_cut(through))}"
    shown = item.origins if len(item.origins) <= MANY else item.origins[:MANY]
    for value in shown:
        yield f"  reached by {_value(facts, value)}"
    if len(item.origins) > MANY:
        yield f"  ... and {len(item.origins) - MANY} more"


def _at(facts: FunctionFacts, block: int) -> str:
    line = facts.block_line(block)
    return f"{facts.blocks[block]} (line {line})" if line else facts.blocks[block]


def _step(facts: FunctionFacts, instr: int) -> str:
    step = facts.steps[instr]
    return f"line {step.line}: {step.shown}" if step.line else step.shown


def _value(facts: FunctionFacts, value: int) -> str:
    if value == UNDEF_VALUE:
        return "undef: a path without a definition"
    made = facts.values[value]
    name = facts.value_name(value)
    return (
        f"{name}, {_step(facts, made.instr)}"
        if made.instr is not None
        else f"{name}, the phi of {facts.blocks[made.block]}"
    )


def _cut(names: list[str]) -> list[str]:
    return names if len(names) <= MANY else [*names[: MANY - 1], "...", names[-1]]


def mermaid(facts: FunctionFacts, blocks: Sequence[Explanation], reads: Sequence[Reading]) -> Iterator[str]:
    """A flowchart: blocks are rounded, phis hexagons; dotted arrows are the way to the read."""
    chart = _Chart(facts)
    for item in blocks:
        chart.explained(item)
    for item in reads:
        chart.reading(item)
    yield "flowchart TD"
    yield from chart.lines


class _Chart:
    """Nodes and arrows, each once, in order of mention."""

    def __init__(self, facts: FunctionFacts) -> None:
        self.facts = facts
        self.lines: dict[str, None] = {}

    def node(self, name: str, text: str, left: str = "[", right: str = "]") -> str:
        for char, safe in (("&", "&amp;"), ('"', "&quot;"), ("<", "&lt;"), (">", "&gt;")):
            text = text.replace(char, safe)
        self.lines[f'  {name}{left}"{text}"{right}'] = None
        return name

    def arrow(self, source: str, target: str, kind: str = "-->", label: str = "") -> None:
        self.lines[f"  {source} {kind}{f'|{label}|' if label else ''} {target}"] = None

    def block(self, block: int) -> str:
        return self.node(f"b{block}", _at(self.facts, block), "([", "])")

    def instr(self, instr: int) -> str:
        return self.node(f"i{instr}", _step(self.facts, instr))

    def value(self, value: int) -> str:
        if value == UNDEF_VALUE:
            return self.node("undef", "undef")
        made = self.facts.values[value]
        if made.instr is None:
            return self.node(f"v{value}", f"{self.facts.value_name(value)} = phi", "{{", "}}")
        return self.node(f"v{value}", f"{self.facts.value_name(value)}, {_step(self.facts, made.instr)}")

    def explained(self, item: Explanation) -> None:
        here = self.block(item.block)
        verdict = self.node(f"w{item.block}", item.verdict.replace("_", " "), "{{", "}}")
        self.arrow(here, verdict, "---")
        if item.definition is not None:
            self.arrow(self.instr(item.definition), self.block(item.hops[0].block), "---")
        for hop in item.hops:
            self.arrow(self.block(hop.block), self.block(hop.frontier), "-->", "frontier")
        for source, target in pairwise(item.path):
            self.arrow(self.block(source), self.block(target), "-.->")
        if item.read is not None:
            self.arrow(self.block(item.path[-1]), self.instr(item.read[0]), "-.->", "reads")

    def reading(self, item: Reading) -> None:
        self.arrow(self.value(item.value), self.instr(item.instr), "-->", "reaches")
        for phi in item.phis:
            for _, arg in self.facts.args[phi]:
                self.arrow(self.value(arg), self.value(phi))
