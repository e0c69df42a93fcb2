"""A small interpreter of the IR, for the programs that come from Bril: integers, truth values, print and calls.

It runs a function at any stage: with source variables, in SSA form (the phis of a block take their values at the same
time), and after destruction. So two stages can be compared by what they do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ssarel.errors import UsageError
from ssarel.ir import UNDEF, Block, Function, Instr, Var

Value = int | bool | None
"""None is the undefined value: it may be copied; any other use ends the run."""


@dataclass(slots=True)
class Trace:
    """What a run did.

    output: the lines that it printed.
    ending: `returned`, `steps` if there were too many, or what went wrong.
    value:  what the first function returned.
    steps:  instructions and terminals executed, phis not counted.
    """

    output: list[str] = field(default_factory=list[str])
    ending: str = "returned"
    value: Value = None
    steps: int = 0


class _Stop(Exception):
    """The run ends here; the text says why."""


@dataclass(slots=True)
class _Frame:
    """A function being run: where it is, and its variables. `result` gets the value of the call that it waits for."""

    function: Function
    block: Block
    env: dict[Var, Value]
    at: int = 0
    result: Var | None = None


def run(
    functions: Sequence[Function], args: Sequence[Value] = (), name: str = "main", max_steps: int = 10_000
) -> Trace:
    """Call the function `name` of `functions`.

    Arithmetic is that of 64-bit two's complement; division truncates towards zero.
    Raises: UsageError if there is no such function or it takes another number of arguments.
    """
    by_name = {function.name: function for function in functions}
    if name not in by_name or len(by_name[name].params) != len(args):
        raise UsageError(f"no function {name!r} of {len(args)} parameters")
    trace = Trace()
    stack = [_call(by_name[name], args)]
    try:
        while stack:
            if trace.steps == max_steps:
                raise _Stop("steps")
            trace.steps += 1
            _step(stack, by_name, trace)
    except _Stop as stop:
        trace.ending = str(stop)
    return trace


def _call(function: Function, args: Sequence[Value]) -> _Frame:
    env = dict(zip((param.var for param in function.params), args, strict=True))
    return _Frame(function, function.blocks[function.entry], env)


def _step(stack: list[_Frame], functions: dict[str | None, Function], trace: Trace) -> None:
    """Execute the next instruction or terminal of the innermost call."""
    frame = stack[-1]
    if frame.at < len(frame.block.instrs):
        instr = frame.block.instrs[frame.at]
        frame.at += 1
        if instr.op == "call":
            _, _, name = (instr.attr or "").rpartition("@")
            args = [_read(frame, var) for var in instr.uses]
            if name not in functions or len(functions[name].params) != len(args):
                raise _Stop(f"no function @{name} of {len(args)} parameters")
            frame.result = instr.result
            stack.append(_call(functions[name], args))
        elif instr.op == "print":
            trace.output.append(" ".join(_show(_read(frame, var)) for var in instr.uses))
        else:
            frame.env[instr.result] = _compute(frame, instr)
        return
    terminal = frame.block.terminal
    match terminal.op:
        case "Goto":
            _enter(frame, terminal.targets[0])
        case "If":
            _enter(frame, terminal.targets[0 if _read(frame, terminal.uses[0]) else 1])
        case "Return":
            value = _read(frame, terminal.uses[0]) if terminal.uses else None
            stack.pop()
            if not stack:
                trace.value = value
            elif (result := stack[-1].result) is not None:
                stack[-1].env[result] = value
        case op:
            raise _Stop(f"cannot run {op}")


def _enter(frame: _Frame, target: int) -> None:
    """Go to block `target`; all its phis read before any of them writes."""
    source, block = frame.block.id, frame.function.blocks[target]
    frame.env |= {phi.target: frame.env.get(phi.args[source]) for phi in block.phis}
    frame.block, frame.at = block, 0


def _read(frame: _Frame, var: Var) -> int | bool:
    value = None if var is UNDEF else frame.env.get(var)
    if value is None:
        raise _Stop(f"undefined: {var.name or var}")
    return value


def _show(value: Value) -> str:
    return str(value).lower()


def _wrap(value: int) -> int:
    return (value + 2**63) % 2**64 - 2**63


def _divide(a: int, b: int) -> int:
    if b == 0:
        raise _Stop("division by zero")
    quotient = abs(a) // abs(b)
    return _wrap(quotient if (a < 0) == (b < 0) else -quotient)


_BINARY: dict[str, Callable[[int, int], int | bool]] = {
    "add": lambda a, b: _wrap(a + b),
    "sub": lambda a, b: _wrap(a - b),
    "mul": lambda a, b: _wrap(a * b),
    "div": _divide,
    "eq": lambda a, b: a == b,
    "lt": lambda a, b: a < b,
    "gt": lambda a, b: a > b,
    "le": lambda a, b: a <= b,
    "ge": lambda a, b: a >= b,
    "and": lambda a, b: bool(a and b),
    "or": lambda a, b: bool(a or b),
}


def _compute(frame: _Frame, instr: Instr) -> Value:
    match instr.op, len(instr.uses):
        case "const", 0:
            return _literal(instr.attr or "")
        case "id" | "LoadLocal", 1:
            return frame.env.get(instr.uses[0])
        case "undef" | "nop", 0:
            return None
        case "not", 1:
            return not _read(frame, instr.uses[0])
        case op, 2 if op in _BINARY:
            return _BINARY[op](*(_read(frame, var) for var in instr.uses))
        case op, count:
            raise _Stop(f"cannot run {op} with {count} operands")


def _literal(text: str) -> int | bool:
    """The value of a constant, from its type and its text."""
    kind, _, word = text.rpartition(" ")
    if word in ("true", "false"):
        return word == "true"
    if kind not in ("", "int") or not word.lstrip("+-").isdecimal():
        raise _Stop(f"cannot run const of {text}")
    return _wrap(int(word))
