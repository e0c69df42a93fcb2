"""Faults planted in LLVM modules, and what LLVM, the front end and the rules say: `python -m tests.check.llvm_mutants`.

The front end asks LLVM's verifier itself, so its verdict is that. The rules judge apart from it: a mutant is read
without the verifier, its values become relations as another tool would give them, and the checks run on these. Three
things of LLVM are not in the relations, and such mutants are counted apart: how often an operand stands for a repeated
edge; operands for unreachable predecessors and phis in unreachable blocks; and rules about other things, such as where
landing pads may stand. Prints a table, one line a kind of fault.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import NamedTuple

import duckdb
import llvmlite.binding as llvm

from ssarel import batch, database, verify
from ssarel.construct import to_ssa
from ssarel.emit.llvm import emit
from ssarel.frontends.llvm.assembly import LOCAL, Body, Step, read
from tests.check.llvm_relations import Relations, fits

CASES = Path(__file__).resolve().parents[1] / "cases" / "ll"
PHI_CHECKS = ("phi_arg_missing", "phi_arg_of_no_pred", "phi_arg_with_two_values")
CHECKS = ("entry_has_pred", *PHI_CHECKS, "use_not_dominated", "value_defined_twice", "value_without_def")
EXPECTED = {
    "phi operand dropped": ("phi_arg_missing",),
    "phi operand of no predecessor": ("phi_arg_of_no_pred",),
    "phi operand of another block": ("phi_arg_of_no_pred", "phi_arg_with_two_values"),
    "phi operand twice": ("phi_arg_with_two_values",),
    "value read elsewhere": ("use_not_dominated", "phi_arg_with_two_values"),
    "definition moved": ("use_not_dominated",),
    "edge into the entry": ("entry_has_pred",),
    "edge moved": (*PHI_CHECKS, "use_not_dominated"),
    "name defined twice": (),
    "name not defined": (),
    "terminator lost": (),
}
"""By kind of fault the checks one of which must find it where LLVM's verifier does; those without a check are ones that
no module that LLVM can read has."""

_SAYS = {
    "Entry block to function must not have predecessors!": ("entry_has_pred",),
    "PHINode should have one entry for each predecessor": PHI_CHECKS,
    "PHI node has multiple entries for the same basic block": PHI_CHECKS,
    "PHI node entries do not match predecessors!": PHI_CHECKS,
    "Instruction does not dominate all uses!": ("use_not_dominated",),
    "Only PHI nodes may reference their own value!": ("use_not_dominated",),
}
"""The first words of what LLVM's verifier says, and the checks that say the same."""


class Mutant(NamedTuple):
    """A module with one fault of a kind in one function; the fault may happen to do no harm."""

    kind: str
    function: str
    text: str


def mutants(text: str, chance: random.Random) -> Iterator[Mutant]:
    """Mutants of a valid module."""
    parsed = llvm.parse_assembly(text, llvm.create_context())
    _name_all(parsed)
    module = read(str(parsed).encode(), "")
    for body in module.bodies:
        types = _types(parsed.get_function(body.name), body)
        for kind, edits in _faults(body, module.lines, types, chance):
            lines = (line for at, old in enumerate(module.lines) for line in edits.get(at, (old,)))
            yield Mutant(kind, body.name, "\n".join(lines))


Fault = tuple[str, dict[int, list[str]]]
"""The kind, and for each line that changes the lines in its place."""


def _faults(body: Body, lines: Sequence[str], types: dict[str, str], chance: random.Random) -> Iterator[Fault]:
    labels = [chunk.label for chunk in body.chunks]

    def some(items: Iterable[str], most: int) -> list[str]:
        found = sorted(items)
        return chance.sample(found, min(most, len(found)))

    for chunk in body.chunks:
        *steps, last = chunk.steps
        for step in chunk.steps:
            line = lines[step.start]
            alike = [name for name in types if types[name] == types.get(step.result or "")]
            if step.op == "phi":
                yield from _phi_faults(step, line, labels, alike, some)
            else:
                for use in dict.fromkeys(step.uses):
                    for other in some({name for name in types if types[name] == types[use]} - {use}, 3):
                        yield "value read elsewhere", _replaced(step, lines, use, other)
            if step.uses and step.op != "phi":
                yield "name not defined", _replaced(step, lines, step.uses[0], "%nowhere")
            if step.result is not None:
                yield "name defined twice", {step.start: [line, line]}
        for step in steps:
            if step.op not in ("phi", "landingpad") and step.result is not None and step.stop == step.start + 1:
                line = lines[step.start]
                for other in chance.sample(body.chunks, min(2, len(body.chunks))):
                    at = other.steps[-1].start
                    yield "definition moved", {step.start: [], at: [line, lines[at]]}
        for target in dict.fromkeys(last.targets):
            yield "edge into the entry", _replaced(last, lines, target, labels[0])
            for other in some(set(labels[1:]) - {target}, 3):
                yield "edge moved", _replaced(last, lines, target, other)
        yield "terminator lost", {at: [] for at in range(last.start, last.stop)}


def _phi_faults(
    phi: Step, line: str, labels: list[str], alike: list[str], some: Callable[[Iterable[str], int], list[str]]
) -> Iterator[Fault]:
    operands = phi.incoming()
    head = line[: line.index("[ ")]

    def with_operands(changed: list[tuple[str, str]]) -> dict[int, list[str]]:
        return {phi.start: [head + ", ".join(f"[ {value}, {label} ]" for value, label in changed)]}

    for at, (value, label) in enumerate(operands):
        rest = operands[:at] + operands[at + 1 :]
        if rest:
            yield "phi operand dropped", with_operands(rest)
        for other in some(set(labels) - {label}, 2):
            yield "phi operand of another block", with_operands([*rest, (value, other)])
        for other in some({*alike, "undef"} - {value}, 3):
            kind = "phi operand twice" if other == "undef" else "value read elsewhere"
            more = [(value, label)] if other == "undef" else []
            yield kind, with_operands([*rest, *more, (other, label)])
    for other in some(set(labels) - {label for _, label in operands}, 2):
        yield "phi operand of no predecessor", with_operands([*operands, (operands[0][0], other)])


def _replaced(step: Step, lines: Sequence[str], old: str, new: str) -> dict[int, list[str]]:
    """The lines of `step` with the name `old` where it is read as `new`."""
    edits: dict[int, list[str]] = {}
    for at in range(step.start, step.stop):
        head, equals, rest = lines[at].partition(" = ") if step.result and at == step.start else ("", "", lines[at])
        edits[at] = [head + equals + LOCAL.sub(lambda name: new if name[0] == old else name[0], rest)]
    return edits


def _name_all(parsed: llvm.ModuleRef) -> None:
    """Name every value and block, so that what moves keeps its name."""
    numbers = count()
    for function in parsed.functions:
        for value in function.arguments:
            value.name = value.name or f"v{next(numbers)}"
        for block in function.blocks:
            block.name = block.name or f"b{next(numbers)}"
            for instr in block.instructions:
                if str(instr.type) != "void":
                    instr.name = instr.name or f"v{next(numbers)}"


def _types(function: llvm.ValueRef, body: Body) -> dict[str, str]:
    """The type of each value of a function."""
    types = {name: str(value.type) for name, value in zip(body.params, function.arguments, strict=True)}
    instrs = (instr for block in function.blocks for instr in block.instructions)
    return types | {
        step.result: str(instr.type) for step, instr in zip(body.steps(), instrs, strict=True) if step.result
    }


@dataclass(slots=True)
class Verdict:
    """What was said of a mutant.

    llvm:      the first words of LLVM's parser or verifier; empty if both accept it.
    is_read:   LLVM's parser accepts it.
    is_failed: the front end rejects it.
    fits:      what LLVM's verifier judges of it is in the relations.
    found:     the checks that find something in its relations.
    """

    mutant: Mutant
    llvm: str
    is_read: bool
    is_failed: bool
    fits: bool = True
    found: set[str] = field(default_factory=set[str])

    @property
    def is_covered(self) -> bool:
        """Whether the relations hold what LLVM judged."""
        return self.is_read and self.fits and (not self.llvm or self.llvm in _SAYS)

    @property
    def is_right(self) -> bool:
        """Whether the rules say what LLVM says, by one of the checks that the kind of fault and LLVM's words allow."""
        if not self.llvm:
            return not self.found
        return bool(self.found & {*_SAYS[self.llvm]} & {*EXPECTED[self.mutant.kind]})


def judge(some: Iterable[Mutant]) -> list[Verdict]:
    """The verdicts of all three on `some`. Cost: LLVM reads each three times; one database holds them all."""
    verdicts = [_by_llvm(mutant) for mutant in some]
    read_ones = [verdict for verdict in verdicts if verdict.is_read]
    relations = Relations()
    for verdict in read_ones:
        module = read(verdict.mutant.text.encode(), "", must_verify=False)
        body = next(body for body in module.bodies if body.name == verdict.mutant.function)
        verdict.fits = fits(body)
        relations.add(body)
    with duckdb.connect(config={"threads": 1}) as connection:
        database.load_tables(connection, relations.tables())
        for outcome in verify.verify(connection, verify.select(verify.checks(), CHECKS), sys.maxsize):
            assert not outcome.missing
            column = next(name for name in outcome.columns if name in relations.owners)
            for row in outcome.rows:
                func = relations.owners[column][row[outcome.columns.index(column)]]
                read_ones[func].found.add(outcome.check.name)
    return verdicts


def _by_llvm(mutant: Mutant) -> Verdict:
    is_failed = batch.is_failed(batch.lower(mutant.text.encode(), "mutant.ll"))
    try:
        parsed = llvm.parse_assembly(mutant.text, llvm.create_context())
    except RuntimeError as error:
        return Verdict(mutant, str(error).strip().split("\n")[-1], False, is_failed)
    try:
        parsed.verify()
    except RuntimeError as error:
        said = str(error).split("\n")[0]
        return Verdict(mutant, next((words for words in _SAYS if said.startswith(words)), said), True, is_failed)
    return Verdict(mutant, "", True, is_failed)


def of_cases(seed: int) -> Iterator[Mutant]:
    """Mutants of every module of tests/cases/ll, as it is and with its slots rewritten."""
    chance = random.Random(seed)
    for path in sorted(CASES.glob("*.ll")):
        functions = batch.read(path).functions
        yield from mutants(path.read_text("utf-8"), chance)
        to_ssa(functions, "cytron")
        yield from mutants(emit(functions), chance)


def table(verdicts: Sequence[Verdict]) -> dict[str, list[int]]:
    """For each kind of fault: planted, rejected by the parser, by the verifier and found, missed, harmless, not in the
    relations.
    """
    rows: dict[str, list[int]] = {}
    for kind in EXPECTED:
        own = [verdict for verdict in verdicts if verdict.mutant.kind == kind]
        covered = [verdict for verdict in own if verdict.is_covered]
        rows[kind] = [
            len(own),
            sum(not verdict.is_read for verdict in own),
            sum(bool(verdict.llvm) and verdict.is_right for verdict in covered),
            sum(not verdict.is_right for verdict in covered),
            sum(not verdict.llvm and verdict.is_right for verdict in covered),
            sum(verdict.is_read and not verdict.is_covered for verdict in own),
        ]
    return rows


if __name__ == "__main__":
    judged = judge(of_cases(0))
    rows = table(judged)
    heads = ("planted", "not parsed", "caught", "missed", "harmless", "not in relations")
    total = {"all": [sum(column) for column in zip(*rows.values(), strict=True)]}
    for kind, counts in {"fault": heads, **rows, **total}.items():
        print(f"{kind:30}" + "".join(f"{item:>17}" for item in counts))
    for verdict in judged:
        if verdict.is_failed != bool(verdict.llvm) or (verdict.is_covered and not verdict.is_right):
            print(f"\nmissed: {verdict.mutant.kind}: {verdict.llvm!r} {verdict.found}\n{verdict.mutant.text}")
    others = Counter(item.llvm for item in judged if item.is_read and item.llvm and item.llvm not in _SAYS)
    for words, times in others.items():
        print(f"LLVM alone: {times} {words}")
