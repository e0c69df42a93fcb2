"""The dumps of React Compiler 1.0.0 in cases/hir, cut into functions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

CASES = Path(__file__).parent / "cases" / "hir"
FILES = sorted(CASES.glob("*.txt"))


def sections(path: Path) -> Iterator[tuple[str, str]]:
    """Yield (pass, text of one function) in file order. Dumps hold any character, so only \\n ends a line."""
    with path.open(encoding="utf-8", newline="") as file:
        dump = file.read()
    for section in re.split(r"^=== ", dump, flags=re.MULTILINE)[1:]:
        name, _, text = section.partition("\n")
        yield name, text.rstrip("\n")


def functions(path: Path) -> list[dict[str, str]]:
    """For each function of a dump, its text after each pass."""
    found: list[dict[str, str]] = []
    for name, text in sections(path):
        if name == "HIR":
            found.append({})
        found[-1][name] = text
    return found
