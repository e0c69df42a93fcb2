"""Random functions in LLVM IR for tests: integer slots, any control flow, an end after a bounded number of blocks."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Sequence
from typing import Any

import llvmlite.binding as llvm
from hypothesis import strategies as st

SLOTS = 3
FUEL = 40
"""Blocks that a function runs through before it must end."""

llvm.initialize_native_target()
llvm.initialize_native_asmprinter()


@st.composite
def functions(draw: st.DrawFn, name: str = "f") -> str:
    """`i32 @name(i32, i32)` over slots that are written before they are read; blocks jump anywhere, also at once twice.

    It returns a hash of its slots. One slot counts down so that it ends.
    """
    blocks = draw(st.integers(1, 7))
    lines = [
        f"define i32 @{name}(i32 %p, i32 %q) {{",
        "entry:",
        "  %fuel = alloca i32",
        f"  store i32 {FUEL}, i32* %fuel",
    ]
    lines += [f"  %s{slot} = alloca i32" for slot in range(SLOTS)]
    lines += [f"  store i32 {'%p' if slot else '%q'}, i32* %s{slot}" for slot in range(SLOTS)]
    lines.append("  br label %b0")
    for block in range(blocks):
        lines += [
            f"b{block}:",
            f"  %f{block} = load i32, i32* %fuel",
            f"  %g{block} = sub i32 %f{block}, 1",
            f"  store i32 %g{block}, i32* %fuel",
            f"  %z{block} = icmp eq i32 %g{block}, 0",
            f"  br i1 %z{block}, label %out, label %w{block}",
            f"w{block}:",
        ]
        for number in range(draw(st.integers(0, 4))):
            lines += _step(draw, f"v{block}.{number}")
        lines += _end(draw, block, blocks)
    if draw(st.booleans()):
        lines += ["orphan:", "  store i32 9, i32* %s0", "  br label %out"]
    lines += ["out:", "  %h = load i32, i32* %s0"]
    for slot in range(1, SLOTS):
        before = "%h" if slot == 1 else f"%h{slot - 1}"
        lines += [f"  %o{slot} = load i32, i32* %s{slot}", f"  %m{slot} = mul i32 {before}, 31"]
        lines += [f"  %h{slot} = add i32 %m{slot}, %o{slot}"]
    return "\n".join([*lines, f"  ret i32 %h{SLOTS - 1}", "}", ""])


def modules(count: int) -> st.SearchStrategy[str]:
    """A module of `count` such functions, `f0` and so on."""
    return st.tuples(*(functions(f"f{number}") for number in range(count))).map("\n".join)


def _slot(draw: st.DrawFn) -> int:
    return draw(st.integers(0, SLOTS - 1))


def _step(draw: st.DrawFn, name: str) -> list[str]:
    target = f"i32* %s{_slot(draw)}"
    load = f"  %{name} = load i32, i32* %s{_slot(draw)}"
    match draw(st.sampled_from(("constant", "copy", "parameter", "add"))):
        case "constant":
            return [f"  store i32 {draw(st.integers(-2, 2))}, {target}"]
        case "parameter":
            return [f"  store i32 %p, {target}"]
        case "copy":
            return [load, f"  store i32 %{name}, {target}"]
        case _:
            other = f"  %{name}.r = load i32, i32* %s{_slot(draw)}"
            return [load, other, f"  %{name}.a = add i32 %{name}, %{name}.r", f"  store i32 %{name}.a, {target}"]


def _end(draw: st.DrawFn, block: int, blocks: int) -> list[str]:
    def target() -> str:
        return draw(st.sampled_from([f"label %b{number}" for number in range(blocks)] + ["label %out"]))

    test = [f"  %t{block} = load i32, i32* %s{_slot(draw)}"]
    match draw(st.sampled_from(("jump", "branch", "branch", "switch"))):
        case "jump":
            return [f"  br {target()}"]
        case "branch":
            test.append(f"  %c{block} = icmp slt i32 %t{block}, {draw(st.integers(-1, 3))}")
            return [*test, f"  br i1 %c{block}, {target()}, {target()}"]
        case _:
            cases = " ".join(f"i32 {number}, {target()}" for number in range(draw(st.integers(0, 3))))
            return [*test, f"  switch i32 %t{block}, {target()} [ {cases} ]"]


def structured(statements: list[Any], name: str = "f") -> str:
    """A function of nested `if`s, loops and assignments; `statements` are drawn from `STATEMENTS`."""
    lines = [f"define i32 @{name}(i32 %p, i32 %q) {{", "entry:"]
    lines += [f"  %s{slot} = alloca i32\n  store i32 {'%p' if slot else '%q'}, i32* %s{slot}" for slot in range(SLOTS)]
    fresh = iter(range(10**6))

    def emit(block: list[Any]) -> None:
        for kind, slot, other, *inner in block:
            at = next(fresh)
            if kind == "add":
                lines.append(f"  %a{at} = load i32, i32* %s{slot}\n  %b{at} = load i32, i32* %s{other}")
                lines.append(f"  %c{at} = add i32 %a{at}, %b{at}\n  store i32 %c{at}, i32* %s{slot}")
            elif kind == "set":
                lines.append(f"  store i32 {other}, i32* %s{slot}")
            elif kind == "if":
                lines.append(f"  %a{at} = load i32, i32* %s{slot}\n  %c{at} = icmp slt i32 %a{at}, {other}")
                lines.append(f"  br i1 %c{at}, label %then{at}, label %else{at}\nthen{at}:")
                emit(inner[0])
                lines.append(f"  br label %end{at}\nelse{at}:")
                emit(inner[1])
                lines.append(f"  br label %end{at}\nend{at}:")
            else:
                lines.append(f"  %n{at} = alloca i32\n  br label %init{at}\ninit{at}:\n  br label %head{at}\nhead{at}:")
                lines.append(f"  %k{at} = phi i32 [ 0, %init{at} ], [ %l{at}, %tail{at} ]")
                lines.append(f"  %c{at} = icmp slt i32 %k{at}, {other}")
                lines.append(f"  br i1 %c{at}, label %body{at}, label %end{at}\nbody{at}:")
                emit(inner[0])
                lines.append(f"  br label %tail{at}\ntail{at}:\n  %l{at} = add i32 %k{at}, 1")
                lines.append(f"  br label %head{at}\nend{at}:")

    emit(statements)
    lines += [f"  %r{slot} = load i32, i32* %s{slot}" for slot in range(SLOTS)]
    lines.append("  %x = mul i32 %r0, 31\n  %y = add i32 %x, %r1\n  %z = xor i32 %y, %r2\n  ret i32 %z\n}\n")
    return "\n".join(lines)


_SLOT = st.integers(0, SLOTS - 1)
STATEMENTS = st.recursive(
    st.lists(
        st.tuples(st.just("add"), _SLOT, _SLOT) | st.tuples(st.just("set"), _SLOT, st.integers(-2, 2)), max_size=3
    ),
    lambda inner: st.lists(
        st.tuples(st.just("add"), _SLOT, _SLOT)
        | st.tuples(st.just("if"), _SLOT, st.integers(-1, 3), inner, inner)
        | st.tuples(st.just("loop"), st.just(0), st.integers(0, 3), inner),
        max_size=3,
    ),
    max_leaves=8,
)


def call(text: str, name: str, *arguments: int) -> int:
    """Compile the module `text` and call `i32 @name(i32...)`; a condition is passed as 0 or 1."""
    return call_each(text, name, [arguments])[0]


def call_each(text: str, name: str, arguments: Sequence[tuple[int, ...]]) -> list[int]:
    """The same with several arguments, compiled once."""
    module = llvm.parse_assembly(text, llvm.create_context())
    module.verify()
    target = llvm.Target.from_default_triple().create_target_machine()
    module.data_layout = str(target.target_data)  # an older LLVM writes another one
    with llvm.create_mcjit_compiler(module, target) as engine:
        engine.finalize_object()
        signature = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_int32] * len(arguments[0]))
        return list(itertools.starmap(signature(engine.get_function_address(name)), arguments))
