"""What single instructions compute, as far as the rules of constant propagation follow it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ssarel.ir import Function, GlobalRef, Instr

LIMIT = 1_000_000_000
"""Integers below it in magnitude are constants that stand for themselves."""

FALSE, TRUE, UNDEFINED = range(LIMIT, LIMIT + 3)
"""The other constants."""

_WORDS = {"false": FALSE, "true": TRUE, "<undefined>": UNDEFINED}
_INTEGER = re.compile(r"0|-?[1-9]\d{0,8}")


def _literal(text: str) -> int | None:
    """The constant that prints as `text`: `null` is none, it may be an infinite number."""
    return int(text) if _INTEGER.fullmatch(text) else _WORDS.get(text)


def _bril_literal(attr: str | None) -> int | None:
    kind, _, text = (attr or "").rpartition(" ")
    return _literal(text) if kind in ("int", "bool") else None


LITERALS: dict[str, Callable[[Any], int | None]] = {
    "Primitive": _literal,
    "const": _bril_literal,
    "DeclareLocal": lambda kind: UNDEFINED if kind in ("Let", "Var") else None,
    "LoadGlobal": lambda name: UNDEFINED if name == GlobalRef("global", "undefined") else None,
}
"""The constant that an instruction writes, by its opcode, from its attr."""

_COPY = ("copy", "copy")
_UNARY = {"-": "negate", "+": "number", "!": "!"}
_BINARY = ("+", "-", "*", "/", "%", "===", "!==", "==", "!=", "<", "<=", ">", ">=")
_UPDATE = {"++": "increment", "--": "decrement"}
_BRIL_INT = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
_BRIL_BOOL = {"not": "!", "eq": "===", "lt": "<", "gt": ">", "le": "<=", "ge": ">="}

OPERATIONS: dict[str, dict[Any, tuple[str, ...]] | tuple[str, ...]] = {
    "LoadLocal": _COPY,
    "StoreLocal": _COPY,
    "TypeCast": _COPY,
    "Unary": {attr: (operator,) for attr, operator in _UNARY.items()},
    "Binary": {operator: (operator,) for operator in _BINARY},
    "PrefixUpdate": {attr: (operator, operator) for attr, operator in _UPDATE.items()},
    "PostfixUpdate": {attr: (operator, "number") for attr, operator in _UPDATE.items()},
    "id": dict.fromkeys(("int", "bool", None), ("copy",)),
    **{op: {"int": (operator,)} for op, operator in _BRIL_INT.items()},
    **{op: {"bool": (operator,)} for op, operator in _BRIL_BOOL.items()},
}
"""The operator that makes each of an instruction's results, by its opcode, or by that and its attr.

Other languages have opcodes of the same name: Bril's are known by their types. A division with a remainder is nobody's
constant, so it does not matter that Bril drops it.
"""


def operators(step: Instr) -> tuple[str, ...]:
    """The operator that makes each of the results of `step`; none if the rules do not follow it."""
    found = OPERATIONS.get(step.op, ())
    return found if isinstance(found, tuple) else found.get(step.attr, ())


def truth_tests(function: Function) -> list[tuple[int, ...]]:
    """For each block in layout and each of its terminal's targets: is it taken if the operand is true (1) or false (0)?

    Empty if that is not what is asked: by `??` and `?.`, and by what is no branch. The first target of `&&` is taken if
    the left operand is false. The branches of for-of and for-in get an operand that is no constant.
    """
    terminals = [block.terminal for block in function.blocks.values()]
    others: dict[int | None, tuple[int, ...]] = {}
    for terminal in terminals:
        if terminal.op in ("Logical", "Optional"):
            others[terminal.links["fallthrough"]] = {"&&": (0, 1), "||": (1, 0)}.get(terminal.attr, ())
    tests: list[tuple[int, ...]] = []
    for terminal in terminals:
        is_branch = terminal.op in ("If", "Branch")
        asked = others.get(terminal.links["fallthrough"], (1, 0)) if terminal.op == "Branch" else (1, 0)
        tests.append(asked if is_branch else ())
    return tests
