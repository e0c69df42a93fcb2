"""The interpreter by hand-computed answers."""

from __future__ import annotations

import pytest

from ssarel.errors import UsageError
from ssarel.interpret import Value, run
from tests.bril_programs import lower


def evaluate(*steps: str) -> str:
    """What a program of these instructions prints for r, or why it does not."""
    body = "\n".join(f"  {step};" for step in steps)
    trace = run(lower(f"@main {{\n{body}\n  print r;\n}}"))
    return trace.output[0] if trace.ending == "returned" else trace.ending


@pytest.mark.parametrize(
    ("a", "op", "b", "expected"),
    [
        (9223372036854775807, "add", 1, "-9223372036854775808"),
        (-9223372036854775808, "sub", 1, "9223372036854775807"),
        (4294967296, "mul", 4294967296, "0"),
        (3037000500, "mul", 3037000500, "-9223372036709301616"),
        (7, "div", -2, "-3"),
        (-7, "div", 2, "-3"),
        (-7, "div", -2, "3"),
        (-9223372036854775808, "div", -1, "-9223372036854775808"),
        (7, "div", 0, "division by zero"),
        (2, "eq", 2, "true"),
        (2, "lt", 2, "false"),
        (2, "le", 2, "true"),
        (3, "gt", 2, "true"),
        (1, "ge", 2, "false"),
    ],
)
def test_arithmetic_is_that_of_64_bits(a: int, op: str, b: int, expected: str) -> None:
    kind = "int" if op in ("add", "sub", "mul", "div") else "bool"
    assert evaluate(f"a: int = const {a}", f"b: int = const {b}", f"r: {kind} = {op} a b") == expected


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        (("a: bool = const true", "b: bool = not a", "r: bool = or a b"), "true"),
        (("a: bool = const true", "b: bool = not a", "r: bool = and a b"), "false"),
        (("a: int = undef", "b: int = id a", "r: int = const 5"), "5"),
        (("a: int = undef", "r: int = id a"), "undefined: r"),
        (("a: int = undef", "r: int = add a a"), "undefined: a"),
        (("r: int = id nobody",), "undefined: r"),
        (("r: int = const 9223372036854775808",), "-9223372036854775808"),
        (("r: float = const 4",), "cannot run const of float 4"),
        (("r: char = const 'x'",), "cannot run const of char 'x'"),
        (("r: ptr<int> = alloc r",), "cannot run alloc with 1 operands"),
        (("r: int = call @other",), "no function @other of 0 parameters"),
    ],
)
def test_values_and_faults(steps: tuple[str, ...], expected: str) -> None:
    assert evaluate(*steps) == expected


FACTORIAL = """@main(n: int) {
  r: int = call @factorial n;
  print r n;
  call @say;
}
@say {
  print;
}
@factorial(n: int): int {
  one: int = const 1;
  is_small: bool = le n one;
  br is_small .end .more;
.more:
  m: int = sub n one;
  r: int = call @factorial m;
  n: int = mul n r;
  ret n;
.end:
  ret one;
}
"""


@pytest.mark.parametrize(("n", "expected"), [(1, "1 1"), (5, "120 5"), (21, "-4249290049419214848 21")])
def test_calls_have_variables_of_their_own(n: Value, expected: str) -> None:
    assert run(lower(FACTORIAL), (n,)).output == [expected, ""]


def test_deep_calls_need_no_recursion() -> None:
    trace = run(lower(FACTORIAL), (20_000,), max_steps=1_000_000)
    assert (trace.ending, trace.output) == ("returned", ["0 20000", ""])


def test_a_returned_value_is_the_value_of_the_run() -> None:
    trace = run(lower(FACTORIAL), (4,), name="factorial")
    assert (trace.value, trace.output, trace.ending) == (24, [], "returned")


def test_an_endless_loop_ends() -> None:
    trace = run(lower("@main {\n.l:\n  nop;\n  jmp .l;\n}"), max_steps=7)
    assert (trace.ending, trace.steps) == ("steps", 7)


def test_what_does_not_exist_cannot_be_called() -> None:
    with pytest.raises(UsageError, match="no function 'main' of 2 parameters"):
        run(lower(FACTORIAL), (1, 2))
