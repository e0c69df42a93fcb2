"""Constants and executable edges, on both engines, against their definition and against programs that run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count, product
from pathlib import Path
from random import Random

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssarel import batch, facts
from ssarel.construct import rename_all, to_ssa
from ssarel.engines import get_engine
from ssarel.interpret import run
from ssarel.ir import Function, Instr, Var
from ssarel.operations import FALSE, LIMIT, TRUE, UNDEFINED
from ssarel.sources import Source
from ssarel.ssa_facts import ssa_tables
from tests import constants
from tests.bril_programs import lower, program, programs

ENGINES = ("duckdb", pytest.param("souffle", marks=pytest.mark.souffle))
CASES = Path(__file__).with_name("cases")


def relations(sources: Sequence[Source]) -> dict[str, pa.Table]:
    """Everything that the rules of constants read about `sources`."""
    emitted = facts.emit(sources)
    derived = get_engine("duckdb").run(emitted.tables, ("idom", "phi"))
    return {**emitted.tables, **ssa_tables(emitted.units, rename_all(emitted.units, derived["idom"], derived["phi"]))}


def bril(texts: Iterable[str]) -> dict[str, pa.Table]:
    return relations([Source(str(at), "bril", "", lower(text)) for at, text in enumerate(texts)])


def random_programs(seed: int, number: int) -> list[str]:
    return [program(Random(seed + at).randrange) for at in range(number)]


def javascript(text: str, tmp_path: Path) -> dict[str, pa.Table]:
    path = tmp_path / "program.js"
    path.write_text(text, "utf-8")
    return relations([batch.read(path, "default")])


NUMBERS = (0, 1, 2, 3, 4, 7, 10, 31_622, 31_623, 44_721, 99_999, LIMIT // 2, LIMIT - 2, LIMIT - 1)


@pytest.mark.parametrize("engine", ENGINES)
def test_operators_are_those_of_javascript(engine: str) -> None:
    """Each operator on each pair of constants; every instruction writes a variable and a value of its own number."""
    operands = [*NUMBERS, *(-number for number in NUMBERS[1:]), FALSE, TRUE, UNDEFINED]
    asked = list(product((*constants.OPERATORS, "no operator of ours"), operands, operands))
    first = len(operands)
    end = first + len(asked)
    rows: constants.Rows = {
        "entry": [(0, 0)],
        "block_instr": [(0, instr, instr) for instr in range(end)],
        "literal": list(enumerate(operands)),
        "operation": [(instr, instr, operator) for instr, (operator, _, _) in enumerate(asked, first)],
        "ssa_def": [(instr, instr) for instr in range(end)],
        "ssa_use": [
            (instr, pos, operands.index(operand))
            for instr, (_, *pair) in enumerate(asked, first)
            for pos, operand in enumerate(pair)
        ],
        "value_var": [(instr, instr, 1) for instr in range(end)],
    }
    found = dict(constants.derive(engine, constants.tables(rows))["constant"])
    wanted = {question: constants.apply(*question) for question in asked}
    wrong = {
        question: (found.get(instr), wanted[question])
        for instr, question in enumerate(asked, first)
        if found.get(instr) != wanted[question]
    }
    assert wrong == {}


@pytest.mark.parametrize("engine", ENGINES)
def test_random_programs_have_the_constants_of_the_definition(engine: str) -> None:
    tables = bril(random_programs(0, 250))
    wanted = constants.by_definition(tables)
    assert constants.derive(engine, tables) == wanted
    edges = set(zip(*(column.to_pylist() for column in tables["edge"].columns), strict=True))
    assert len(edges - wanted["executable_edge"]) > 100
    phis = set(tables["ssa_phi"].column("value").to_pylist())
    assert len([value for value, _ in wanted["constant"] if value in phis]) > 50


@settings(max_examples=8, deadline=None)
@given(st.lists(programs(), min_size=1, max_size=4))
def test_any_program_has_the_constants_of_the_definition(texts: list[str]) -> None:
    tables = bril(texts)
    assert constants.derive("duckdb", tables) == constants.by_definition(tables)


@pytest.mark.parametrize("engine", ENGINES)
def test_programs_in_every_language_have_the_constants_of_the_definition(engine: str) -> None:
    files = [path for kind in ("js", "bril", "ll", "hir") for path in sorted((CASES / kind).rglob(f"*.{kind}"))]
    assert len(files) > 50
    tables = relations([batch.read(path, "default") for path in files])
    assert constants.derive(engine, tables) == constants.by_definition(tables)


def watch(function: Function, values: Iterator[int], claims: dict[int, int]) -> None:
    """Let `function`, in SSA form, print the number and the value of each value of `claims` where it is made.

    values: the numbers of values in the relations, from the function's first one on.
    """
    labels = count(function.next_id)

    def reports(made: Iterable[Var]) -> list[Instr]:
        steps: list[Instr] = []
        for var in made:
            number = next(values)
            if number in claims:
                label = Var(next(labels))
                steps += [Instr("const", [], [label], f"int {number}"), Instr("print", [label, var], [Var(-2)])]
        return steps

    entry = reports(param.var for param in function.params)
    for block in function.blocks.values():
        if block.id != function.entry and not block.preds:
            continue
        body = [*(entry if block.id == function.entry else ()), *reports(phi.target for phi in block.phis)]
        for instr in block.instrs:
            after = reports(instr.defs)
            body += after if instr.op == "print" else [instr, *after]
        block.instrs = body


def test_programs_compute_the_constants_whenever_they_run() -> None:
    texts = random_programs(1000, 200)
    claims = dict(constants.derive("duckdb", bril(texts))["constant"])
    programs = [lower(text) for text in texts]
    to_ssa([function for functions in programs for function in functions])
    values, seen = count(), 0
    for text, functions in zip(texts, programs, strict=True):
        watch(functions[0], values, claims)
        for args in ((0, False), (3, True)):
            for line in run(functions, args, max_steps=3000).output:
                number, value = line.split()
                found = {"false": FALSE, "true": TRUE}.get(value) or int(value)
                assert found == claims[int(number)], (text, line)
                seen += 1
    assert seen > 5_000


PROGRAM = """
function f(p) {
  let x = 5; let y = x + 2; x = 10; const z = x + y;
  let w; const had = w === undefined;
  w ??= 3;
  const e = p?.q;
  let n = 0; n++; --n; const old = n++;
  if (false) y = 8;
  while (0) y = 9;
  const half = 1 / 2, minus = -0, big = 999999999 + 1, nan = 0 / 0, text = "1" + 1;
  for (const item of [1]) x = 10;
  const t = 1, none = 0, both = t && 4, left = none && 5, either = none || 6, first = t || 7;
  let all = true;
  for (const item of p) all = all && item();
  return y ? z : w + all;
}
"""


def test_javascript_says_what_it_means(tmp_path: Path) -> None:
    tables = javascript(PROGRAM, tmp_path)
    found = dict(constants.derive("duckdb", tables)["constant"])
    names = dict(zip(*(tables["var_name"].column(name).to_pylist() for name in ("var", "name")), strict=True))
    got: dict[str, list[int | None]] = {}
    for value, var, _ in zip(*(column.to_pylist() for column in tables["value_var"].columns), strict=True):
        if not names[var].startswith("$"):
            got.setdefault(names[var], []).append(found.get(value))
    varies = [None]
    assert got == {
        "f": varies,
        "p": varies,
        "x": [5, 10, 10],
        "y": [7, None, 7],  # `y = 8` never runs
        "z": [17],
        "w": [UNDEFINED, 3, None],  # what `??` asks is not followed
        "had": [TRUE],
        "e": varies,
        "n": [0, 1, 0, 1],
        "old": [0],
        "half": varies,
        "minus": varies,
        "big": varies,
        "nan": varies,
        "text": varies,
        "item": [None, None],
        "t": [1],
        "none": [0],
        "both": [4],
        "left": [0],
        "either": [6],
        "first": [1],
        "all": [TRUE, None, None],
    }
