"""JavaScript taken into SSA form and out of it again does what the source does."""

from __future__ import annotations

from pathlib import Path

import javascript_run
import pytest
import test_javascript_meaning as meaning
from javascript_fuzz import Writer

from ssarel.construct import to_ssa
from ssarel.destruct import destruct
from ssarel.frontends.javascript import lower
from ssarel.ir import UNDEF, Block, Function, Terminal, Var, all_functions

NOTHING = Var(10**9)
"""A variable that nobody writes, for operands without value."""


class Translator(javascript_run.Translator):
    """Looks through the blocks that stand on split edges where it looks for the blocks of a loop or a handler."""

    def function(self, function: Function) -> str:
        outer, self.behind = getattr(self, "behind", {}), through(function)
        text = super().function(function)
        self.behind = outer
        return text

    def block(
        self,
        function: Function,
        block: Block,
        handlers: dict[int | None, str],
        meaning: tuple[set[object], dict[int | None, str]],
    ) -> str:
        handlers = handlers | {id: handlers[to] for id, to in self.behind.items() if to in handlers}
        return super().block(function, block, handlers, meaning)

    def terminal(self, function: Function, terminal: Terminal, loops: set[object], tests: dict[int | None, str]) -> str:
        if tuple(self.behind.get(target, target) for target in terminal.targets) in loops:
            loops = {*loops, tuple(terminal.targets)}
        return super().terminal(function, terminal, loops, tests)


def through(function: Function) -> dict[int, int]:
    """The blocks that only copy, and where they lead."""
    return {
        id: block.terminal.targets[0]
        for id, block in function.blocks.items()
        if block.terminal.op == "Goto" and all(instr.op == "LoadLocal" for instr in block.instrs)
    }


def destructed(source: bytes, coalesce: bool) -> tuple[str, int]:
    """The program of a source that defines f, through SSA form, and how many phis that had."""
    functions = lower(source + b"\nglobalThis.found = f;", "a.js").functions
    to_ssa(functions, "braun")
    every = [function for function, _ in all_functions(functions)]
    phis = sum(len(block.phis) for function in every for block in function.blocks.values())
    for function, parent in all_functions(functions):
        if function.root or parent is None:
            destruct(function, coalesce)
    for function in every:
        for block in function.blocks.values():
            assert not block.phis
            for step in block.steps():
                step.uses = [NOTHING if var is UNDEF else var for var in step.uses]
    return Translator(functions[0]).program() + "found", phis


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
