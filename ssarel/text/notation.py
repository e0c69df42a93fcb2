"""The words of the printed IR: names, places, and patterns made of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

from ssarel.errors import UsageError
from ssarel.ir import UNDEF, Var

NAME = r"#?[^\s\x00-#%-/:-@[-^`{-\xa0]+"
"""A name that stands without quotes: no space, control or ASCII punctuation but `$` and `_`, after an optional `#`."""

HEADING = r"bb([0-9]+) \((\w+)\):"
"""The first line of a block."""

STRING = r'"(?:[^"\\]|\\.)*"'
EFFECT = "<unknown> "

_BARE = re.compile(NAME)
_SURROGATE = re.compile("[\ud800-\udfff]")


def quote(text: str) -> str:
    """Return `text` as a JSON string; all but controls, `"`, `\\` and lone surrogates stands as it is."""
    quoted = json.dumps(text, ensure_ascii=False)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def unquote(text: str) -> str:
    """Return the text that `quote` printed. Raises ValueError if it is no JSON string."""
    return json.loads(text, strict=False)


@lru_cache(1 << 16)
def bare_or_quoted(name: str) -> str:
    """Return `name`, in quotes unless it reads back without them."""
    return name if _BARE.fullmatch(name) else quote(name)


class Parts(NamedTuple):
    """What a value's or terminal's text says; `defs` lacks the instruction's own result."""

    op: str
    uses: list[Var]
    defs: list[Var]
    attr: Any = None
    targets: list[int] | None = None
    links: dict[str, int | None] | None = None


Place = Callable[[str], Var]
"""Looks up the variable that a printed place names."""


@dataclass(frozen=True, eq=False)
class Notation:
    """How one profile prints names, places and fixed shapes.

    is_react:    exactly as React Compiler 1.0.0 prints; else the short form, in which nothing is ambiguous.
    place:       pattern of a printed place, without groups.
    name:        pattern of a printed property or global name.
    write_place: returns a variable as printed where it is read or written.
    """

    is_react: bool
    place: str
    name: str
    write_place: Callable[[Var], str]

    def write_name(self, name: str) -> str:
        """Return a property, global or function name as printed."""
        return name if self.is_react else bare_or_quoted(name)

    def read_name(self, text: str) -> str:
        """Undo `write_name`."""
        return unquote(text) if text.startswith('"') and not self.is_react else text


def _place(var: Var) -> str:
    name = var.name
    if name is None:
        return f"${var.id}"
    return "undef" if var is UNDEF else f"{bare_or_quoted(name)}${var.id}"


def _react_place(var: Var) -> str:
    return "undef" if var is UNDEF else f"{EFFECT}{var.name or ''}${var.id}"


@cache
def notation(profile: str) -> Notation:
    """Return the notation of `profile`: `default` or `react`. Raises UsageError for another one."""
    if profile not in ("default", "react"):
        raise UsageError(f"unknown profile {profile!r}; there are default and react")
    if profile == "react":
        return Notation(True, rf"{EFFECT}(?:{NAME})?\$[0-9]+", r"[^\s=]+", _react_place)
    return Notation(False, rf"(?:(?:{STRING}|{NAME})?\$[0-9]+|undef)", rf"{NAME}|{STRING}", _place)


@cache
def compile_pattern(pattern: str, words: Notation) -> re.Pattern[str]:
    """Compile `pattern`, in which %P is a place, %S a JSON string, %N a printed name and %A a list of arguments."""
    argument = rf"(?:\.\.\.)?{words.place}"
    parts = {"P": words.place, "S": STRING, "N": f"(?:{words.name})", "A": f"(?:{argument}(?:, {argument})*)?"}
    return re.compile(re.sub("%([PSNA])", lambda match: parts[match[1]], pattern), re.DOTALL)
