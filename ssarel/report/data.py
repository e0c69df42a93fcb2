"""One function as the data of its page: small lists of small numbers, no database ids."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ssarel.explain import FunctionFacts, explain_block
from ssarel.explain.facts import UNDEF_VALUE, Step
from ssarel.explain.words import block as words_about
from ssarel.resources import folder

Part = str | list[int]
"""A piece of an instruction's text: plain, [0, block], [1, variable, value] written or [2, variable, value] read."""

BLOCK, WRITTEN, READ = 0, 1, 2

SIZES = folder("queries") / "report" / "size.sql"
LINES = folder("queries") / "report" / "line.sql"

_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|(?<![\w$#])(?:(bb\d+)\b|(#?[^\W\d][\w$]*?|#t\d+|)\$(\d+)(?![\w$]))')
_CLOSING = re.compile(r"[\s)\]};,]*")


class Numbers:
    """Positions of ids in the page's lists."""

    def __init__(self, facts: FunctionFacts) -> None:
        self.block = {block: at for at, block in enumerate(facts.blocks)}
        self.var = {var: at for at, var in enumerate(facts.variables)}
        self.value = {value: at for at, value in enumerate(facts.values)} | {UNDEF_VALUE: UNDEF_VALUE}
        self.instr = {instr: at for at, instr in enumerate(facts.steps)}


def parts(facts: FunctionFacts, step: Step) -> Iterator[Part]:
    """The text of `step` with its variables and blocks marked, by database ids; undef is value -1.

    A variable that the instruction reads and writes is written first in the text, as the notation has it.
    """
    blocks = {name: block for block, name in facts.blocks.items()}
    written, read = _accesses(facts, step)
    names = {facts.variables[var][0]: var for var in (*written, *read)}
    pieces = list(_PIECE.finditer(step.text))
    count = {var: sum(_variable(names, piece) == var for piece in pieces) for var in names.values()}
    at = 0
    for piece in pieces:
        var = _variable(names, piece)
        if piece[1] in blocks:
            yield step.text[at : piece.start()]
            yield [BLOCK, blocks[piece[1]]]
        elif var is not None:
            yield step.text[at : piece.start()]
            reads = len(read.get(var, ()))
            is_read = var not in written or count[var] <= reads
            count[var] -= 1
            value = read[var][0] if is_read and reads else written.get(var, UNDEF_VALUE)
            yield [READ if is_read else WRITTEN, var, value]
        else:
            continue
        at = piece.end()
    yield step.text[at:]


def _variable(names: dict[str, int], piece: re.Match[str]) -> int | None:
    return None if piece[3] is None else names.get(piece[2] or f"${piece[3]}")


def _accesses(facts: FunctionFacts, step: Step) -> tuple[dict[int, int], dict[int, list[int]]]:
    """The value that `step` writes to each variable, and the values that it reads of each."""
    return facts.written_by.get(step.instr, {}), facts.read_by.get(step.instr, {})


def function(facts: FunctionFacts, source: Sequence[str]) -> dict[str, Any]:
    """The page's data about one function. source: the lines of its file.

    Keys: name, path, line; lines (number of the first, texts); vars (name, kind); values (variable, version, block,
    instruction or -1); blocks, instrs; see the code. Cost: one explanation a phi.
    """
    numbers = Numbers(facts)
    first, last = _extent(facts, source)
    return {
        "name": facts.name,
        "path": facts.path,
        "line": facts.line,
        "lines": [first, list(source[first - 1 : last]) if first else []],
        "vars": [list(variable) for variable in facts.variables.values()],
        "values": [
            [numbers.var[value.var], value.version, numbers.block[value.block], -1]
            if value.instr is None
            else [numbers.var[value.var], value.version, numbers.block[value.block], numbers.instr[value.instr]]
            for value in facts.values.values()
        ],
        "blocks": _blocks(facts, numbers),
        "instrs": [
            [
                numbers.block[step.block],
                step.line,
                step.col,
                [_number(part, numbers) for part in parts(facts, step) if part],
            ]
            for step in facts.steps.values()
        ],
        "back": [[numbers.block[source], numbers.block[target]] for source, target in sorted(facts.back_edges)],
    }


def _number(part: Part, numbers: Numbers) -> Part:
    if isinstance(part, str):
        return part
    if part[0] == BLOCK:
        return [BLOCK, numbers.block[part[1]]]
    return [part[0], numbers.var[part[1]], numbers.value[part[2]]]


def _blocks(facts: FunctionFacts, numbers: Numbers) -> list[dict[str, Any]]:
    """name, reach (0: unreachable), succ, idom or -1, df, in and out (live variables), phis (value, operands, why)."""
    live_in, live_out, phis = _by_block(facts.live_in), _by_block(facts.live_out), _by_block(facts.phi)

    def phi(block: int, var: int) -> list[Any]:
        why = "\n".join(words_about(facts, explain_block(facts, var, block)))
        value = facts.phi_value[block, var]
        args = [[numbers.block[pred], numbers.value[arg]] for pred, arg in facts.args[value]]
        return [numbers.value[value], args, why]

    return [
        {
            "name": name,
            "reach": int(block in facts.reachable),
            "succ": [numbers.block[succ] for succ in facts.succ.get(block, ())],
            "idom": numbers.block[facts.idom[block]] if block in facts.idom else -1,
            "df": [numbers.block[frontier] for frontier in facts.frontier.get(block, ())],
            "in": [numbers.var[var] for var in live_in.get(block, ())],
            "out": [numbers.var[var] for var in live_out.get(block, ())],
            "phis": [
                phi(block, var) for var in sorted(phis.get(block, ()), key=lambda var: facts.phi_value[block, var])
            ],
        }
        for block, name in facts.blocks.items()
    ]


def _by_block(blocks: dict[int, list[int]]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for var, rows in blocks.items():
        for block in rows:
            found.setdefault(block, []).append(var)
    return found


def _extent(facts: FunctionFacts, source: Sequence[str]) -> tuple[int, int]:
    """The first and last line of the function, closing brackets below its code included; 0, 0 if unknown."""
    lines = [step.line for step in facts.steps.values() if step.line]
    if not lines or not source:
        return 0, 0
    first, last = max(1, min([facts.line or lines[0], *lines])), min(max(lines), len(source))
    while last < len(source) and source[last].strip() and _CLOSING.fullmatch(source[last]):
        last += 1
    return first, last
