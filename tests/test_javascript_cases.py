"""Reported faults of other tools: the phis that JavaScript's meaning asks for."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ssarel.builders import cytron
from ssarel.flow import flow
from ssarel.frontends.javascript import lower
from ssarel.ir import all_functions

CASES = Path(__file__).parent / "cases" / "js" / "reported"

PHIS: dict[str, dict[str, int]] = {
    "01": {"v": 1},
    "02": {"a": 1},
    "04": {"e": 1},
    "06": {"i": 1, "s": 2},
    "07": {},
    "09": {},
    "11": {"y": 3},
    "12": {"x": 1, "y": 1},
    "14": {"i": 1, "t": 2},
    "16": {"x": 1},
    "17": {},
    "19": {"a": 1},
    "21": {"x": 1},
    "22": {"o": 1, "p": 1, "n": 2},
    "24": {"n": 2},
    "26": {"props": 1, "ref": 1},
    "27": {"n": 1, "depth": 1},
    "29": {},
    "31": {},
    "32": {},
    "34": {},
    "36": {"__proto__": 1, "hasOwnProperty": 1},
    "37": {"n": 1, "dead": 1},
    "39": {"x": 1},
    "41": {"x": 1},
    "42": {"ab": 1},
    "44": {"x": 1},
    "46": {"s": 1},
    "49": {"x": 2},
    "51": {},
    "52": {},
    "54": {"r": 1},
    "56": {"d": 2, "e": 4},
    "57": {},
    "59": {},
    "61": {"x": 1},
    "62": {"a": 5},
    "64": {"x": 1},
    "66": {},
    "67": {"s": 1},
    "69": {},
    "71": {"seen": 1},
}
"""By case, how many phis each source variable needs in all functions of the file."""


def source_of(case: str) -> Path:
    (path,) = CASES.glob(f"{case}-*.js")
    return path


@pytest.mark.parametrize("case", PHIS)
def test_phis_of_source_variables(case: str) -> None:
    path = source_of(case)
    found: Counter[str] = Counter()
    for function, _ in all_functions(lower(path.read_bytes(), path.name).functions):
        graph = flow(function)
        names = (graph.vars[variable].name or "#" for _, variable in cytron.build(graph).phis)
        found.update(name for name in names if not name.startswith("#"))
    assert dict(found) == PHIS[case]


@pytest.mark.parametrize(("case", "name"), [("32", "items"), ("51", "sum"), ("52", "i"), ("69", "s"), ("71", "i")])
def test_captured_and_reassigned_variables_are_cells(case: str, name: str) -> None:
    path = source_of(case)
    functions = [function for function, _ in all_functions(lower(path.read_bytes(), path.name).functions)]
    found = [
        var
        for function in functions
        for block in function.blocks.values()
        for step in block.instrs
        for var in (*step.uses, *step.defs)
        if var.name == name
    ]
    assert found
    assert all(var.cell for var in found)
