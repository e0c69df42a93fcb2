"""JavaScript taken into SSA form and out of it again does what the source does."""

from __future__ import annotations

from pathlib import Path

import pytest
import test_javascript_meaning as meaning
from javascript_fuzz import Writer

from ssarel.construct import to_ssa
from ssarel.destruct import destruct_all
from ssarel.emit import js
from ssarel.frontends.javascript import lower
from ssarel.ir import all_functions


def destructed(source: bytes, coalesce: bool) -> tuple[str, int]:
    """The program of a source that defines f, through SSA form, and how many phis that had."""
    functions = lower(source + b"\nglobalThis.found = f;", "a.js").functions
    to_ssa(functions, "braun")
    every = [function for function, _ in all_functions(functions)]
    phis = sum(len(block.phis) for function in every for block in function.blocks.values())
    destruct_all(functions, coalesce, None)
    for function in every:
        for block in function.blocks.values():
            assert not block.phis
    return js.emit(functions) + "found", phis


@pytest.mark.oracle
@pytest.mark.parametrize("coalesce", [True, False])
def test_programs_do_the_same(coalesce: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    phis = 0

    def program(source: bytes, _: str) -> str:
        nonlocal phis
        text, found = destructed(source, coalesce)
        phis += found
        return text

    monkeypatch.setattr(meaning, "program", program)
    sources = {str(seed): Writer(seed).program() for seed in range(150)}
    sources = {name: source for name, source in sources.items() if len(source) < 4000}
    sources |= {name: f"function f(a, b) {{ {body} }}" for name, body in meaning.SMALL.items()}
    assert meaning.differences(sources, tmp_path) == []
    assert phis > 1000


@pytest.mark.oracle
def test_reported_cases_return_what_they_return(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def program(source: bytes, _: str) -> str:
        return destructed(source, coalesce=True)[0]

    monkeypatch.setattr(meaning, "program", program)
    meaning.test_reported_cases_return_what_they_return(tmp_path)
