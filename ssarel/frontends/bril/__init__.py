"""Bril as an input language, text or JSON: https://capra.cs.cornell.edu/bril."""

from __future__ import annotations

import json
from typing import Any

from ssarel.errors import SyntaxFault
from ssarel.frontends import Lowered
from ssarel.frontends.bril import lowering, notation
from ssarel.ir import Diagnostic


def lower(source: bytes, path: str, profile: str = "default") -> Lowered:
    """Read the functions of a program, in JSON if its first character is `{`, else in text.

    `profile` changes nothing here. Both SSA forms are read, as the copies that they mean: a shadow variable carries the
    value from `set` to `get`, and from the end of a predecessor to `phi`. So the input may be in SSA form already.
    A function that does not follow Bril's rules is left out with an error; so is the whole file if it does not parse.
    """
    try:
        text = source.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        message = f"byte {error.start} is not UTF-8: {error.reason}"
        return Lowered([], [Diagnostic("error", "undecodable", message, line)])
    try:
        program = _read_json(text) if text.lstrip().startswith("{") else notation.parse(text)
        return lowering.lower_program(program)
    except SyntaxFault as fault:
        return Lowered([], [lowering.diagnostic(fault)])


def _read_json(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise SyntaxFault(f"{error.lineno}:{error.colno - 1}: no JSON: {error.msg}") from None
    except RecursionError:
        raise SyntaxFault("0:0: the JSON is nested too deeply; a Bril program needs few levels") from None
