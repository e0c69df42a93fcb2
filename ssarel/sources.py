"""Inputs as front ends leave them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ssarel.ir import Diagnostic, Function


@dataclass(slots=True)
class Source:
    """One input as a front end leaves it: its root functions, what a person should know about it, its lines."""

    path: str
    language: str
    sha256: str
    functions: list[Function]
    diagnostics: list[Diagnostic] = field(default_factory=list[Diagnostic])
    lines: Sequence[str] = ()


def clean(value: str) -> str:
    """`value` with lone surrogates written as `\\udxxx`, so that it can be stored as UTF-8."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-8", "backslashreplace").decode()
    return value
