"""The dumps of React Compiler 1.0.0: every engine and builder places its phis and, numbered as it numbers, its text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from goldens import CASES as BUNDLED
from goldens import sections

from ssarel import batch, react_passes, text
from ssarel.builders import BUILDERS
from ssarel.construct import to_react_ssa
from ssarel.errors import Rejected
from ssarel.ir import Function, all_functions

SHARED = Path(__file__).resolve().parents[2] / "shared" / "cases" / "js"
ALL = ("react", *BUILDERS, "duckdb", pytest.param("souffle", marks=pytest.mark.souffle))

Phis = set[tuple[str, int, str]]


def dump(path: Path, wanted: str) -> list[str]:
    return [found for name, found in sections(path) if name == wanted]


def cases() -> Iterator[tuple[Path, Path, Path]]:
    """(source, dump that has the HIR, dump after EliminateRedundantPhi), bundled ones first."""
    for source in sorted(BUNDLED.glob("*.js")):
        yield source, source.with_suffix(".txt"), source.with_suffix(".txt")
    for source in sorted(SHARED.glob("*.js")):
        before, after = (SHARED / "react" / f"{source.stem[:2]}.{kind}.txt" for kind in ("hir", "erp"))
        if before.is_file() and after.is_file():
            yield source, before, after


CASES = list(cases())


def phis(functions: list[Function]) -> Phis:
    return {
        (function.title, block.id, repr(phi.target))
        for function, _ in all_functions(functions)
        for block in function.blocks.values()
        for phi in block.phis
    }


def build(functions: list[Function], builder: str) -> list[str]:
    """The functions' texts after React's passes and SSA construction by `builder`; rejected ones left out."""
    for function in functions:
        try:
            react_passes.prepare(function)
        except Rejected:
            continue
    rejected = to_react_ssa(functions, builder)
    return [text.format(found, "react").rstrip("\n") for found in functions if found not in rejected]


@pytest.mark.parametrize("builder", ALL)
@pytest.mark.parametrize(("source", "before", "after"), CASES, ids=[source.stem for source, _, _ in CASES])
def test_source_to_react_ssa(source: Path, before: Path, after: Path, builder: str) -> None:
    lowered = [found for found in batch.read(source, "react").functions if found.kind != "module"]
    assert [text.format(found, "react").rstrip("\n") for found in lowered] == dump(before, "HIR")
    expected = dump(after, "EliminateRedundantPhi")
    built = build(lowered, builder)
    assert phis(lowered) == phis([found for one in expected for found in text.parse(one, "react")])
    assert built == expected


def test_there_are_cases() -> None:
    assert len(CASES) >= len(list(BUNDLED.glob("*.js"))) >= 30
