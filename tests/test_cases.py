"""Goldens beside their inputs: one golden judges every engine and builder.

Each input of tests/cases/ssa has an `.expected` with the sections `[idom]` (dominator block), `[dom_frontier]` (block
frontier), `[phi]` (block, variable and the source of each operand) and `[ssa]` (the text). `pytest --bless` rewrites
them; the diff is the review.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from ssarel import batch, facts, text
from ssarel.builders import BUILDERS
from ssarel.builders.cytron import dominance_frontiers
from ssarel.builders.dominators import immediate_dominators
from ssarel.construct import to_ssa
from ssarel.engines import get_engine
from ssarel.facts import Facts
from ssarel.ir import UNDEF, Function, all_functions
from ssarel.sources import Source

CASES = Path(__file__).parent / "cases" / "ssa"
INPUTS = sorted(path for path in CASES.iterdir() if path.suffix != ".expected")
ENGINES = ("duckdb", pytest.param("souffle", marks=pytest.mark.souffle))

Sections = dict[str, list[str]]


def read_expected(path: Path) -> Sections:
    sections: Sections = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("[") and line.endswith("]"):
            sections[line[1:-1]] = []
        elif line and not line.startswith("#"):
            sections[list(sections)[-1]].append(line)
    return sections


def lower(path: Path) -> Source:
    source = batch.read(path)
    assert not batch.is_failed(source), source.diagnostics
    return source


def block_names(emitted: Facts) -> dict[int, str]:
    """`function/bbN` for each block id of the relations."""
    names: dict[int, str] = {}
    for unit in emitted.units:
        assert unit.function is not None
        for number, block in zip(unit.blocks, unit.function.blocks, strict=True):
            names[number] = f"{unit.function.title}/bb{block}"
    return names


def phi_rows(roots: list[Function]) -> list[str]:
    rows: list[str] = []
    for function, _ in all_functions(roots):
        for block in function.blocks.values():
            for phi in block.phis:
                args = " ".join(
                    f"bb{pred}:{'undef' if value is UNDEF else repr(value)}" for pred, value in phi.args.items()
                )
                rows.append(f"{function.title}/bb{block.id} {phi.target!r} {args}")
    return rows


def ssa_sections(path: Path, builder: str) -> Sections:
    functions = lower(path).functions
    to_ssa(functions, builder)
    lines = "\n".join(text.format(root) for root in functions if root.kind != "module").splitlines()
    return {"phi": phi_rows(functions), "ssa": [line for line in lines if line]}


def tree_sections(path: Path, engine: str | None) -> Sections:
    """Dominance by `engine`, or by the imperative builders if None."""
    emitted = facts.emit([lower(path)])
    names = block_names(emitted)
    parents: list[tuple[int, int]] = []
    frontiers: list[tuple[int, int]] = []
    if engine is None:
        for unit in emitted.units:
            idom = immediate_dominators(unit.flow)
            parents += [(unit.blocks[up], unit.blocks[block]) for block, up in enumerate(idom) if up >= 0]
            for block, found in enumerate(dominance_frontiers(unit.flow, idom)):
                frontiers += [(unit.blocks[block], unit.blocks[target]) for target in found]
    else:
        derived = get_engine(engine).run(emitted.tables, ("idom", "dom_frontier"))
        parents = [(row["dominator"], row["block"]) for row in derived["idom"].to_pylist()]
        frontiers = [(row["block"], row["frontier"]) for row in derived["dom_frontier"].to_pylist()]
    return {
        "idom": [f"{names[upper]} {names[lower]}" for upper, lower in sorted(parents)],
        "dom_frontier": [f"{names[block]} {names[target]}" for block, target in sorted(frontiers)],
    }


def check(path: Path, found: Sections, bless: bool) -> None:
    golden = path.with_suffix(".expected")
    expected = read_expected(golden) if golden.exists() else {}
    if bless:
        expected |= found
        order = ("idom", "dom_frontier", "phi", "ssa")
        parts = [f"[{name}]\n" + "".join(f"{row}\n" for row in expected[name]) for name in order if name in expected]
        golden.write_text("\n".join(parts), encoding="utf-8")
    for section, rows in found.items():
        assert expected[section] == rows, section


@pytest.mark.parametrize("builder", [*BUILDERS, *ENGINES])
@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_ssa(path: Path, builder: str, pytestconfig: pytest.Config) -> None:
    check(path, ssa_sections(path, builder), bool(pytestconfig.getoption("--bless")) and builder == "braun")


@pytest.mark.parametrize("engine", [None, *ENGINES])
@pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
def test_dominance(path: Path, engine: str | None, pytestconfig: pytest.Config) -> None:
    check(path, tree_sections(path, engine), bool(pytestconfig.getoption("--bless")) and engine is None)


def test_every_golden_has_its_input() -> None:
    inputs = {path.stem for path in INPUTS}
    assert {path.stem for path in CASES.glob("*.expected")} == inputs
