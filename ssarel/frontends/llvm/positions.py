"""Where functions and instructions stand in a text of LLVM IR, which LLVM itself does not tell."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ssarel.frontends.llvm.assembly import Body

_SKIPPED = r';[^\n]*|[%@$!\#]?"[^"]*"'
_OUTSIDE = re.compile(rf"{_SKIPPED}|(?P<define>(?<![-\w$.@%])define(?![-\w$.]))")
_HEADER = re.compile(rf"{_SKIPPED}|(?P<data>prefix|prologue|personality)\s*\{{|[(\[{{<>}}\])]")
_INSIDE = re.compile(
    rf"""(?P<result>%(?:"[^"]*"|[-\w$.]+)\s*=)|{_SKIPPED}
    |(?<![-\w$.%@!\#])(?P<void>store|br|ret|switch|call|tail|musttail|notail|fence|resume|unreachable|indirectbr|invoke
        |callbr|cleanupret|catchret)(?![-\w$.:])
    |(?P<debug>@llvm\.dbg\.(?:declare|value|assign|label|addr)(?![-\w$.]))
    |[(\[{{}}\])]""",
    re.VERBOSE,
)
"""What begins an instruction: a result, or one of the words that begin one without; calls that LLVM reads as debug
records, which are no instructions; brackets."""

_CALL_MARKS = frozenset({"tail", "musttail", "notail"})


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
    Cost: one pass over the text.
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
    at = 0
    while (found := _OUTSIDE.search(text, at)) is not None:
        at = found.end()
        if found["define"]:
            offsets, at = _instructions(text, _body(text, at))
            yield found.start(), offsets


def _body(text: str, at: int) -> int:
    """The offset behind the brace that opens a body: the first one behind the parameters that opens no constant."""
    depth = 0
    has_params = False
    for token in _HEADER.finditer(text, at):
        if token["data"] or token[0] in ("(", "[", "{", "<"):
            if token[0] == "{" and has_params and depth == 0:
                return token.end()
            depth += 1
        elif token[0] in (")", "]", "}", ">"):
            depth -= 1
            has_params = has_params or token[0] == ")"
    return len(text)


def _instructions(text: str, at: int) -> tuple[list[int], int]:
    """Where each instruction of the body from `at` on begins, and where the body ends."""
    offsets: list[int] = []
    depth = 0
    behind_result = -1
    for token in _INSIDE.finditer(text, at):
        kind = token.lastgroup
        if kind is None:
            if token[0] in ("(", "[", "{"):
                depth += 1
            elif token[0] in (")", "]", "}"):
                depth -= 1
                if depth < 0:
                    return offsets, token.end()
        elif depth == 0:
            if kind == "debug":
                offsets.pop()
            elif kind == "result" or not _only_space(text, behind_result, token.start()):
                offsets.append(token.start())
            if kind == "result" or token[0] in _CALL_MARKS:
                behind_result = token.end()
    return offsets, len(text)


def _only_space(text: str, start: int, stop: int) -> bool:
    return start >= 0 and not text[start:stop].strip()
