"""Random Bril programs, and what tests do with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from hypothesis import strategies as st

from ssarel.frontends import bril
from ssarel.interpret import Trace, Value, run
from ssarel.ir import UNDEF, Function, Var

Pick = Callable[[int], int]
"""A number from 0 on, below the given one."""

INTS = ("a", "b", "c", "d")
BOOLS = ("p", "q")
ARITHMETIC = ("add", "sub", "mul", "div")
COMPARISONS = ("eq", "lt", "gt", "le", "ge")


def program(pick: Pick) -> str:
    """A program of 1 to 7 blocks with any control flow; most variables are set at the start, many loops end."""
    blocks = 1 + pick(7)
    lines = ["@main(a: int, p: bool) {"]
    lines += [f"  {name}: int = const {pick(7) - 3};" for name in INTS[1:] if pick(20)]
    lines += ["  q: bool = const true;"] if pick(20) else []
    lines += [f"  fuel: int = const {2 + pick(4)};", "  one: int = const 1;"]
    for block in range(blocks):
        lines.append(f".b{block}:")
        for _ in range(pick(5)):
            lines += [f"  {instr};" for instr in _instrs(pick)]
        lines += _terminator(pick, blocks) if block + 1 < blocks else ["  print a b c d;"]
    return "\n".join([*lines, "}"])


def _instrs(pick: Pick) -> list[str]:
    """An instruction, or the copies that swap or rotate variables."""
    if pick(6):
        return [_instr(pick)]
    first, second, *rest = INTS[pick(3) :] + INTS[:1]
    cycle = [first, second, *rest[: pick(2)]]
    return [f"t: int = id {first}", *(f"{a}: int = id {b}" for a, b in pairwise([*cycle, "t"]))]


def _instr(pick: Pick) -> str:
    def one(names: Sequence[str]) -> str:
        return names[pick(len(names))]

    match pick(9):
        case 0 | 1 | 2:
            return f"{one(INTS)}: int = id {one(INTS)}"
        case 3 | 4:
            return f"{one(INTS)}: int = {one(ARITHMETIC)} {one(INTS)} {one(INTS)}"
        case 5:
            return f"{one(BOOLS)}: bool = {one(COMPARISONS)} {one(INTS)} {one(INTS)}"
        case 6:
            return f"{one(BOOLS)}: bool = not {one(BOOLS)}" if pick(2) else f"{one(BOOLS)}: bool = id {one(BOOLS)}"
        case 7:
            return f"{one(INTS)}: int = const {pick(9) - 4}"
        case _:
            return f"print {one(INTS)} {one(INTS)}"


def _terminator(pick: Pick, blocks: int) -> list[str]:
    match pick(9):
        case 0:
            return []
        case 1:
            return ["  ret;"]
        case 2:
            return [f"  jmp .b{pick(blocks)};"]
        case 3 | 4 | 5:
            test = ["  fuel: int = sub fuel one;", "  q: bool = lt one fuel;"]
            return [*test, f"  br q .b{pick(blocks)} .b{pick(blocks)};"]
        case _:
            return [f"  br {BOOLS[pick(2)]} .b{pick(blocks)} .b{pick(blocks)};"]


@st.composite
def programs(draw: st.DrawFn) -> str:
    return program(lambda stop: draw(st.integers(0, stop - 1)))


def lower(text: str) -> list[Function]:
    lowered = bril.lower(text.encode(), "text.bril")
    assert not lowered.diagnostics, (lowered.diagnostics, text)
    return lowered.functions


def fold_copies(function: Function) -> None:
    """In SSA form, read every copied value where its copy was read: so phis of one block read each other's values."""
    source: dict[Var, Var] = {}
    for block in function.blocks.values():
        if block.preds or block.id == function.entry:
            source |= {instr.result: instr.uses[0] for instr in block.instrs if instr.op == "id"}
            block.instrs = [instr for instr in block.instrs if instr.op != "id"]

    def origin(var: Var) -> Var:
        while var in source:
            var = source[var]
        return var

    for block in function.blocks.values():
        for phi in block.phis:
            phi.args = {pred: origin(arg) for pred, arg in phi.args.items()}
        for step in block.steps():
            step.uses = [origin(var) for var in step.uses]


def check_same(expected: Trace, functions: list[Function], args: Sequence[Value], is_exact: bool = True) -> str:
    """Run `functions` and compare with `expected`; returns how the run ended.

    A run that was cut off must agree as far as it went. is_exact: an undefined value is one here too; where variables
    share a place it may have turned into another value, and the run may go on.
    """
    found = run(functions, args, max_steps=3 * expected.steps + 100)
    kind = expected.ending.partition(":")[0]
    length = len(expected.output)
    if "steps" in (kind, found.ending):
        length = min(length, len(found.output))
        assert found.output[:length] == expected.output[:length]
    elif kind == "undefined" and not is_exact:
        assert found.output[:length] == expected.output
    else:
        assert found.output == expected.output
        assert found.value == expected.value
        assert found.ending.partition(":")[0] == kind
    return kind


def ssa_faults(function: Function) -> list[str]:
    """What is wrong with an SSA form on its face: a value with two definitions, or operands that fit no predecessor."""
    faults: list[str] = []
    defined = {param.var for param in function.params}
    for block in function.blocks.values():
        if not block.preds and block.id != function.entry:
            continue
        faults += [
            f"{phi.target!r} of bb{block.id} has operands {list(phi.args)}, predecessors {block.preds}"
            for phi in block.phis
            if list(phi.args) != block.preds
        ]
        written = [phi.target for phi in block.phis] + [var for step in block.steps() for var in step.defs]
        for var in written:
            if var in defined or var is UNDEF:
                faults.append(f"{var!r} is defined twice")
            defined.add(var)
    return faults
