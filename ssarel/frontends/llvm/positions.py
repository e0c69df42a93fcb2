"""Where functions and instructions stand in a text of LLVM IR, which LLVM itself does not tell."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ssarel.frontends.llvm.assembly import Body

_TOKEN = re.compile(
    r"""(?P<skip>\s+|;[^\n]*)|(?P<label>(?:"[^"]*"|[-\w$.]+):)|[%@$!\#]?(?:"[^"]*"|[-\w$.]+)|.""", re.DOTALL
)
_VOID = frozenset(
    {
        "store",
        "br",
        "ret",
        "switch",
        "call",
        "tail",
        "musttail",
        "notail",
        "fence",
        "resume",
        "unreachable",
        "indirectbr",
        "invoke",
        "callbr",
        "cleanupret",
        "catchret",
    }
)
"""Words that begin an instruction without a result."""

_CALL_MARKS = frozenset({"tail", "musttail", "notail"})
_DEBUG = re.compile(r"@llvm\.dbg\.(?:declare|value|assign|label|addr)$")
"""Calls that LLVM reads as debug records, which are no instructions."""


class Place(NamedTuple):
    """line: from 1. col: from 0, in Unicode code points."""

    line: int
    col: int


def from_bytes(text: str, place: Place) -> Place:
    """`place`, whose column counts bytes, with its column in code points."""
    lines = text.split("\n")
    line = lines[place.line - 1] if 0 < place.line <= len(lines) else ""
    return Place(place.line, len(line.encode()[: place.col].decode("utf-8", "ignore")))


def place_printed(lines: Sequence[str], bodies: Sequence[Body]) -> None:
    """Give `bodies` their places in the printed module they were read from."""
    for body in bodies:
        body.line = body.start + 1
        for step in body.steps():
            step.line, step.col = step.start + 1, 2


def place(text: str, bodies: Sequence[Body]) -> None:
    """Give `bodies` their places in `text`, from which LLVM read them.

    LLVM keeps the order. Of a function whose instructions do not come out as many as LLVM's (a text may leave out the
    `%1 =` in front of some) all are placed where it begins.
    Cost: one pass over the tokens.
    """
    starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def at(offset: int) -> Place:
        line = bisect_right(starts, offset)
        return Place(line, offset - starts[line - 1])

    for body, (offset, offsets) in zip(bodies, _functions(text), strict=False):
        body.line, body.col = at(offset)
        steps = list(body.steps())
        if len(offsets) != len(steps):
            offsets = [offset] * len(steps)
        for step, instr_offset in zip(steps, offsets, strict=True):
            step.line, step.col = at(instr_offset)


def _functions(text: str) -> Iterator[tuple[int, list[int]]]:
    """For each definition in `text`, where it and each of its instructions begins."""
    tokens = ((found[0], found.start(), found["label"]) for found in _TOKEN.finditer(text) if found["skip"] is None)
    for token, offset, _ in tokens:
        if token == "define":
            _skip_header(tokens)
            yield offset, _instructions(tokens)


_Tokens = Iterator[tuple[str, int, str | None]]


def _skip_header(tokens: _Tokens) -> None:
    """Pass the brace that opens the body: the first outside brackets behind the parameters that begins no type."""
    depth = 0
    has_params = False
    before = ""
    for token, _, _ in tokens:
        if token in ("(", "[", "{", "<"):
            if token == "{" and has_params and depth == 0 and before not in ("prefix", "prologue", "personality"):
                return
            depth += 1
        elif token in (")", "]", "}", ">"):
            depth -= 1
            has_params = has_params or token == ")"
        before = token


def _instructions(tokens: _Tokens) -> list[int]:
    """Where each instruction up to the closing brace begins."""
    offsets: list[int] = []
    depth = 0
    before = ("", 0)
    for token, offset, label in tokens:
        if depth == 0:
            if token == "}":
                break
            if token == "=" and before[0].startswith("%"):
                offsets.append(before[1])
            elif token in _VOID and label is None and before[0] != "=" and before[0] not in _CALL_MARKS:
                offsets.append(offset)
            elif _DEBUG.match(token):
                offsets.pop()
        if token in ("(", "[", "{"):
            depth += 1
        elif token in (")", "]", "}"):
            depth -= 1
        before = (token, offset)
    return offsets
