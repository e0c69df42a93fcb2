"""Printed IR as an input language: ssarel's own text, or a dump of React Compiler 1.0.0."""

from __future__ import annotations

import re

from ssarel import text
from ssarel.cfg import bodies
from ssarel.errors import SyntaxFault
from ssarel.frontends import Lowered
from ssarel.ir import Diagnostic, Function, set_predecessors

_REACT_HEADER = re.compile(r"^[^\n]*\): <unknown> \$[0-9]+$", re.MULTILINE)


def lower(source: bytes, path: str, profile: str = "default") -> Lowered:
    """Read the functions of a text; which of the two notations it is in shows in its first header.

    `profile` changes nothing here: the text says what was lowered. Predecessor lines may be left out. A function that
    has phis is in SSA form already and is left out with an error.
    """
    try:
        decoded = source.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        message = f"byte {error.start} is not UTF-8: {error.reason}"
        return Lowered([], [Diagnostic("error", "undecodable", message, line)])
    notation = "react" if _REACT_HEADER.search(decoded) else "default"
    try:
        functions = text.parse(decoded, notation, path)
    except SyntaxFault as fault:
        line, col, message = str(fault).removeprefix(f"{path}:").split(":", 2)
        return Lowered([], [Diagnostic("error", "syntax", message.strip(), int(line), int(col))])
    lowered = Lowered([], [])
    for function in functions:
        problem = _problem(function)
        if problem is None:
            lowered.functions.append(function)
        else:
            lowered.diagnostics.append(problem)
    return lowered


def _problem(function: Function) -> Diagnostic | None:
    """Why `function` cannot be analysed; sets its predecessors."""
    for body in bodies(function):
        place = body.line, body.col, body.title
        if any(block.phis for block in body.blocks.values()):
            message = f"{body.title} has phis and so is in SSA form already; give its text before that"
            return Diagnostic("error", "already-ssa", message, *place)
        given = {block.id: block.preds for block in body.blocks.values()}
        set_predecessors(body)
        if any(given.values()):
            for block in body.blocks.values():
                if set(block.preds) != set(given[block.id]):
                    found = " ".join(f"bb{pred}" for pred in block.preds) or "none"
                    message = f"the predecessor blocks of bb{block.id} in {body.title} are {found}"
                    return Diagnostic("error", "syntax", message, *place)
    return None
