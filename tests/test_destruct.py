"""Out of SSA form: by what programs do, before, in SSA form and after."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import count, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssarel import text
from ssarel.construct import to_ssa
from ssarel.destruct import destruct, destruct_all, sequentialize
from ssarel.emit.bril import emit
from ssarel.frontends.hir import lower as lower_hir
from ssarel.interpret import Value, run
from ssarel.ir import Block, Function, Instr, Param, Phi, Terminal, Var, set_predecessors
from tests.bril_programs import check_same, fold_copies, lower, program, programs, ssa_faults

CASES = sorted((Path(__file__).parent / "cases" / "bril").glob("*.bril"))
ENGINES = ("duckdb", pytest.param("souffle", marks=pytest.mark.souffle))
ARGUMENTS: Sequence[Sequence[Value]] = ((3, True), (-1, False))


def round_trips(source: str, args: Sequence[Value], forms: Sequence[list[Function]]) -> str:
    """Execute `source` as it is, and each of `forms` (its SSA form, four times) in every stage and syntax.

    Returns: how the original ended.
    """
    expected = run(lower(source), args, max_steps=100)
    plain, coalesced, separate, unfolded = forms
    assert not [fault for function in plain for fault in ssa_faults(function)]
    kind = check_same(expected, plain, args)
    check_same(expected, lower(emit(plain)), args)
    check_same(expected, lower(emit(plain, "bril-phi")), args)
    for function in (*coalesced, *separate):
        fold_copies(function)
        assert not ssa_faults(function)
    check_same(expected, coalesced, args)
    check_same(expected, lower(emit(coalesced)), args)
    kept = destruct_all(coalesced, engine=None)
    made = destruct_all(separate, coalesce=False)
    assert kept <= made
    assert destruct_all(unfolded, engine=None) == 0, "versions of one variable need no copies"
    for functions in (coalesced, separate, unfolded):
        assert not any(block.phis for function in functions for block in function.blocks.values())
        check_same(expected, functions, args, is_exact=functions is separate)
    check_same(expected, lower(emit(coalesced, "bril-json")), args, is_exact=False)
    return kind


def in_ssa(source: str, builder: str = "braun") -> list[list[Function]]:
    """The SSA form of a program, four times."""
    forms = [lower(source) for _ in range(4)]
    to_ssa([function for functions in forms for function in functions], builder)
    return forms


@pytest.mark.parametrize("builder", ["braun", "cytron"])
@settings(max_examples=1000, deadline=None)
@given(source=programs(), args=st.sampled_from(ARGUMENTS))
def test_programs_do_the_same_in_every_form(source: str, args: Sequence[Value], builder: str) -> None:
    round_trips(source, args, in_ssa(source, builder))


@pytest.mark.parametrize("engine", ENGINES)
def test_programs_do_the_same_when_rules_place_the_phis(engine: str) -> None:
    sources = [program(random.Random(seed).randrange) for seed in range(200)]
    lowered = [[lower(source)[0] for source in sources] for _ in range(4)]
    to_ssa([function for functions in lowered for function in functions], engine)
    endings = [
        round_trips(source, ARGUMENTS[0], [[functions[at]] for functions in lowered])
        for at, source in enumerate(sources)
    ]
    assert endings.count("returned") > 60
    assert {"returned", "steps", "undefined", "division by zero"} == set(endings)


@pytest.mark.parametrize("engine", ENGINES)
def test_programs_do_the_same_when_rules_coalesce(engine: str) -> None:
    sources = [program(random.Random(seed).randrange) for seed in range(300)]
    by_rules, by_bits = ([lower(source)[0] for source in sources] for _ in range(2))
    to_ssa([*by_rules, *by_bits], "braun")
    for function in (*by_rules, *by_bits):
        fold_copies(function)
    assert destruct_all(by_rules, engine=engine) == destruct_all(by_bits, engine=None) > 100
    assert emit(by_rules) == emit(by_bits)
    for source, function in zip(sources, by_rules, strict=True):
        check_same(run(lower(source), ARGUMENTS[0], max_steps=100), [function], ARGUMENTS[0], is_exact=False)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_cases_do_the_same_in_every_form(path: Path) -> None:
    source = path.read_text("utf-8")
    kinds = {"bool": (False, True), "int": (0, 1, 5)}
    (function,) = lower(source)
    for args in product(*(kinds[function.notes.types[param.var.id]] for param in function.params)):
        round_trips(source, args, in_ssa(source))


def from_text(source: str) -> Function:
    """A function in SSA form; its predecessors are given, so that its phis are read."""
    (function,) = text.parse(source)
    set_predecessors(function)
    return function


def copies_of(function: Function) -> list[str]:
    return [
        f"bb{block.id}: {instr.result!r} = {instr.uses[0]!r}"
        for block in function.blocks.values()
        for instr in block.instrs
        if instr.op == "LoadLocal"
    ]


SWAP = """main(p$0, n$1)
bb0 (block):
  [1] x$2 = const "int 1"
  [2] y$3 = const "int 2"
  [3] one$4 = const "int 1"
  [4] Goto bb1
bb1 (block):
  predecessor blocks: bb0 bb1
  x$5: phi(bb0: x$2, bb1: y$6)
  y$6: phi(bb0: y$3, bb1: x$5)
  n$7: phi(bb0: n$1, bb1: n$8)
  [5] $9 = print(x$5, y$6)
  [6] n$8 = sub "int"(n$7, one$4)
  [7] c$10 = gt "bool"(n$8, one$4)
  [8] If(c$10) bb1, bb2
bb2 (block):
  predecessor blocks: bb1
  [9] $11 = print(x$5, y$6)
  [10] Return"""


def test_swap_takes_one_temporary() -> None:
    function = from_text(SWAP)
    expected = run([from_text(SWAP)], (True, 4))
    assert expected.output == ["1 2", "2 1", "1 2", "1 2"]
    assert destruct(function) == 3
    assert len({line.split()[1] for line in copies_of(function)}) == 3
    assert run([function], (True, 4)).output == expected.output


def test_lost_copy_keeps_the_old_value() -> None:
    source = """main()
bb0 (block):
  [1] x$0 = const "int 1"
  [2] one$1 = const "int 1"
  [3] three$2 = const "int 3"
  [4] Goto bb1
bb1 (block):
  predecessor blocks: bb0 bb1
  x$3: phi(bb0: x$0, bb1: x$4)
  [5] x$4 = add "int"(x$3, one$1)
  [6] c$5 = lt "bool"(x$4, three$2)
  [7] If(c$5) bb1, bb2
bb2 (block):
  predecessor blocks: bb1
  [8] $6 = print(x$3)
  [9] Return"""
    function = from_text(source)
    assert run([function]).output == ["2"]
    assert destruct(function) == 1
    assert run([function]).output == ["2"]
    assert list(function.blocks) == [0, 1, 3, 2], "the copy stands on the split back edge"
    assert copies_of(function) == ["bb3: x$0 = x$4"]
    assert function.blocks[1].preds == [0, 3]
    assert function.blocks[1].terminal.targets == [3, 2]


def test_an_edge_without_copies_is_not_split() -> None:
    path = next(path for path in CASES if path.stem.startswith("13"))
    (function,) = in_ssa(path.read_text("utf-8"))[0]
    before = {block.id: (block.preds, block.terminal.targets) for block in function.blocks.values()}
    assert destruct(function) == 0
    assert {block.id: (block.preds, block.terminal.targets) for block in function.blocks.values()} == before


@pytest.mark.parametrize("coalesce", [True, False])
def test_edges_that_cannot_be_split_get_a_variable_for_each_phi(coalesce: bool) -> None:
    function = from_text(SWAP.replace("If(c$10) bb1, bb2", 'Jump "indirectbr"(c$10) bb1, bb2'))
    destruct(function, coalesce)
    assert list(function.blocks) == [0, 1, 2]
    assert not function.blocks[1].phis
    function.blocks[1].terminal.op = "If"
    assert run([function], (True, 4)).output == ["1 2", "2 1", "1 2", "1 2"]


def test_a_terminal_reads_before_the_copies_of_its_only_edge() -> None:
    source = """main(p$0, q$1)
bb0 (block):
  [1] Goto bb1
bb1 (block):
  predecessor blocks: bb0 bb1
  c$2: phi(bb0: p$0, bb1: q$1)
  [2] $3 = print(c$2)
  [3] Switch (c$2)
    Case q$1: bb1
    Default: bb1
    Fallthrough: bb1"""
    function = from_text(source)
    destruct(function, coalesce=False)
    (switch,) = [block for block in function.blocks.values() if block.terminal.op == "Switch"]
    assert [instr.op for instr in switch.instrs] == ["print"], "no copy may stand before the test"


def test_closures_keep_the_variables_that_they_capture() -> None:
    source = b"""f(a$0): $1
bb0 (block):
  [1] $2 = Function g @context[a$0]
      g(): $3
      bb0 (block):
        [1] $4 = LoadLocal a$0
        [2] Return Explicit $4
  [3] If ($2) then:bb1 else:bb2 fallthrough=bb2
bb1 (block):
  [4] a$0 = StoreLocal Reassign a$0 = $2
  [5] Goto bb2
bb2 (block):
  [6] Return Explicit a$0"""
    (function,) = lower_hir(source.replace(b"a$0 = StoreLocal", b"$5 = StoreLocal"), "text.hir").functions
    to_ssa([function], "braun")
    captured = function.blocks[0].instrs[0].uses
    destruct(function)
    (inner,) = function.nested()
    assert function.blocks[0].instrs[0].uses == captured == inner.context
    assert inner.blocks[0].instrs[0].uses == captured


@given(st.lists(st.integers(0, 5), min_size=6, max_size=6))
@settings(max_examples=500, deadline=None)
def test_sequential_copies_do_what_parallel_ones_do(reads: list[int]) -> None:
    variables = [Var(number) for number in range(6)]
    ids = count(6)
    made: list[Var] = []

    def fresh(_: Var) -> Var:
        made.append(Var(next(ids)))
        return made[-1]

    order = sequentialize([(variables[at], variables[read]) for at, read in enumerate(reads)], fresh)
    env = {var: var.id for var in variables}
    for written, read in order:
        env[written] = env[read]
    assert [env[var] for var in variables] == reads
    assert len(order) == sum(at != read for at, read in enumerate(reads)) + len(made)
    assert len(made) == closed_cycles(reads)


def closed_cycles(reads: list[int]) -> int:
    """Cycles of at least two variables, none of which anybody outside the cycle reads."""
    cycles: set[frozenset[int]] = set()
    for start in range(len(reads)):
        seen = [start]
        while reads[seen[-1]] not in seen:
            seen.append(reads[seen[-1]])
        cycle = frozenset(seen[seen.index(reads[seen[-1]]) :])
        outside = {read for at, read in enumerate(reads) if at not in cycle}
        if len(cycle) > 1 and not cycle & outside:
            cycles.add(cycle)
    return len(cycles)


def test_rotation_and_a_second_cycle_take_a_temporary_each() -> None:
    a, b, c, d, e, f = (Var(number, name) for number, name in enumerate("abcdef"))
    temporaries = [Var(6, "t"), Var(7, "u")]
    unused = iter(temporaries)
    order = sequentialize([(a, b), (b, c), (c, a), (d, e), (e, d), (f, f)], lambda _: next(unused))
    t, u = temporaries
    assert order == [(t, a), (a, b), (b, c), (c, t), (u, d), (d, e), (e, u)]


def test_a_long_loop_of_many_variables_is_quick() -> None:
    """1000 variables that rotate around a loop: one cycle, one temporary."""
    size = 1000
    entry = [Var(at, "x") for at in range(size)]
    looped = [Var(size + at, "x") for at in range(size)]
    phis = [Phi(var, {0: entry[at], 1: looped[(at + 1) % size]}) for at, var in enumerate(looped)]
    blocks = {
        0: Block(0, "block", [], Terminal("Goto", [], [1], attr=""), [], []),
        1: Block(
            1,
            "block",
            [Instr("print", [looped[0]], [Var(2 * size)])],
            Terminal("If", [looped[1]], [1, 2]),
            [0, 1],
            phis,
        ),
        2: Block(2, "block", [], Terminal("Return", [], [], attr="Implicit"), [1]),
    }
    function = Function("main", [Param(var) for var in entry], blocks, 0, next_id=2 * size + 1)
    assert destruct(function) == size + 1
