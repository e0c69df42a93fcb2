"""Why is there a phi here, why not there, which definitions reach this use: answered from the relations alone."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import duckdb

from ssarel.explain import find, words
from ssarel.explain.facts import FunctionFacts, load
from ssarel.explain.why import Explanation, Reading, as_data, explain_block, readings

__all__ = ["Answer", "Explanation", "FunctionFacts", "Reading", "explain", "explain_block", "load", "readings"]


@dataclass(slots=True)
class Answer:
    """What there is to say about one variable of a function: of blocks, and of the reads on a line or in a block."""

    facts: FunctionFacts
    var: int
    blocks: list[Explanation]
    reads: list[Reading]

    def __str__(self) -> str:
        return "\n".join(words.answer(self.facts, self.var, self.blocks, self.reads))

    def _repr_html_(self) -> str:
        """What a notebook shows: the text."""
        return f"<pre>{html.escape(str(self))}</pre>"

    def as_mermaid(self) -> str:
        """The chains as a Mermaid flowchart: definition, frontiers, phi, and the way to the read."""
        return "\n".join(words.mermaid(self.facts, self.blocks, self.reads))

    def as_json(self) -> dict[str, Any]:
        """Keys function, variable, blocks, reads.

        Blocks, instructions and values are ids of the database, with name and line beside them. Each block and read
        has `facts`: claims about relations, of which the rest is told.
        """
        facts = self.facts
        name, kind = facts.variables[self.var]
        return {
            "function": {"func": facts.func, "name": facts.name, "path": facts.path, "line": facts.line},
            "variable": {"var": self.var, "name": name, "kind": kind},
            "blocks": [self._block(item) for item in self.blocks],
            "reads": [self._read(item) for item in self.reads],
        }

    def _block(self, item: Explanation) -> dict[str, Any]:
        facts = self.facts
        return {
            "block": self._named(item.block),
            "verdict": item.verdict,
            "text": " ".join(line.strip() for line in words.block(facts, item)),
            "definition": None if item.definition is None else self._instr(item.definition),
            "frontiers": [
                {"block": self._named(hop.block), "pred": self._named(hop.pred), "frontier": self._named(hop.frontier)}
                for hop in item.hops
            ],
            "path": [self._named(here) for here in item.path],
            "read": None if item.read is None else self._instr(item.read[0]),
            "merges": [{"pred": self._named(pred), **self._value(arg)} for pred, arg in item.merges],
            "written": None if item.written is None else self._instr(item.written),
            "value": None if item.value is None else self._value(item.value),
            "facts": [as_data(fact) for fact in item.facts],
        }

    def _read(self, item: Reading) -> dict[str, Any]:
        return {
            **self._instr(item.instr),
            "pos": item.pos,
            **self._value(item.value),
            "phis": [self._value(value) for value in item.phis],
            "definitions": [self._value(value) for value in item.origins],
            "facts": [as_data(fact) for fact in item.facts],
        }

    def _named(self, block: int) -> dict[str, Any]:
        return {"block": block, "name": self.facts.blocks[block], "line": self.facts.block_line(block)}

    def _instr(self, instr: int) -> dict[str, Any]:
        step = self.facts.steps[instr]
        return {"instr": instr, "block": step.block, "line": step.line, "text": step.shown}

    def _value(self, value: int) -> dict[str, Any]:
        made = self.facts.values.get(value)
        maker = {} if made is None or made.instr is None else {"made": self._instr(made.instr)}
        return {"value": value, "name": self.facts.value_name(value), **maker}


def explain(
    connection: duckdb.DuckDBPyConnection, function: str, variable: str, place: str | int | None = None
) -> Answer:
    """Explain the phis of `variable` in `function`: where there are some and where there are none, and why.

    function: a name, `PATH:NAME`, or `PATH:LINE[:COL]`. variable: a name, `NAME#ID`, or a value such as `i.2`.
    place:    a block (`bb3`) or a line. None: all its phis, or if it has none, all blocks where paths join.

    Raises: UsageError if a name or place is unknown or ambiguous; DatabaseError if a relation is missing.
    """
    found = find.one_of(find.find_functions(find.functions(connection), function), function)
    facts = load(connection, [found.func])[found.func]
    var, of_phi = find.find_variable(facts, variable)
    if place is not None:
        blocks, line = find.find_blocks(facts, str(place))
    else:
        blocks, line = [of_phi] if of_phi is not None else facts.phi[var] or facts.joins(), None
    return Answer(facts, var, *_about(facts, var, blocks, line, place is not None))


def _about(
    facts: FunctionFacts, var: int, blocks: Iterable[int], line: int | None, wants_reads: bool
) -> tuple[list[Explanation], list[Reading]]:
    blocks = list(blocks)
    explained = [explain_block(facts, var, block) for block in blocks]
    if not wants_reads:
        return explained, []
    steps = (step for block in blocks for step in facts.steps_of[block])
    return explained, readings(facts, var, [step.instr for step in steps if line in (None, step.line)])
