"""The react profile prints what React Compiler 1.0.0 prints after HIR."""

from __future__ import annotations

from pathlib import Path

import pytest

from ssarel import text
from ssarel.frontends.javascript import lower
from ssarel.ir import Diagnostic

CASES = Path(__file__).parent / "cases" / "js"
EXAMPLES = sorted((CASES / "react").glob("*.jsx"))
REPORTED = sorted((CASES / "reported").glob("*.hir"))


def printed(source: bytes, path: str) -> list[str]:
    functions = lower(source, path, "react").functions
    return [text.format(function, "react").rstrip("\n") for function in functions if function.kind != "module"]


def read(path: Path) -> str:
    return path.read_bytes().decode().rstrip("\n")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_worked_example(path: Path) -> None:
    assert printed(path.read_bytes(), path.name) == [read(path.with_suffix(".hir"))]


@pytest.mark.parametrize("path", REPORTED, ids=lambda path: path.stem)
def test_reported_case(path: Path) -> None:
    (source,) = path.parent.glob(f"{path.stem}-*.js")
    expected = [part.rstrip("\n") for part in read(path).split("=== HIR\n")[1:]]
    assert printed(source.read_bytes(), source.name) == expected


def first(source: str) -> str:
    return printed(source.encode(), "a.tsx")[0]


def test_shadowing_variables_get_numbered_names() -> None:
    hir = first("function f(x) { { const x = 1; { const x = 2; g(x); } g(x); } return x; }")
    assert "StoreLocal Const <unknown> x_1$" in hir
    assert "StoreLocal Const <unknown> x_0$" in hir
    assert "Let" not in hir


def test_a_function_with_a_parameter_of_its_name_is_stored_into_the_parameter() -> None:
    hir = first("function f() { function g(g) { return g; } return g(1); }")
    assert "StoreLocal Function <unknown> g$0 = " in hir
    assert "LoadLocal <unknown> g_0$" in hir


def test_a_closure_ahead_of_its_variable_makes_it_a_cell() -> None:
    hir = first("function f() { const get = () => x; const x = 1; return get(); }")
    assert "DeclareContext HoistedConst <unknown> x$0" in hir
    assert "StoreContext Const <unknown> x$0" in hir


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("function f() { var x = 1; return x; }", "Handle var kinds"),
        ("function f() { try { g(); } finally { h(); } }", "finalizer"),
        ("function f() { try { throw 1; } catch (e) { return e; } }", "ThrowStatement inside of try/catch"),
        ("function f(a) { a ??= 1; return a; }", "Handle ??= operators"),
        ("function f(a) { const { b = a.c } = a; return b; }", "cannot be safely reordered"),
        ("function f() { return this; }", "ThisExpression"),
        ("function f() { return g(); function g() {} }", "unreachable code"),
    ],
)
def test_what_react_refuses_is_lowered_with_a_note(source: str, reason: str) -> None:
    lowered = lower(source.encode(), "a.js", "react")
    assert [function.name for function in lowered.functions] == [None, "f"]
    assert any(reason in note.message for note in lowered.diagnostics if note.code == "react-refuses")


def test_nothing_is_refused_in_the_default_profile() -> None:
    source = b"function f() { var x = 1; try { throw x; } finally { x ??= 2; } }"
    assert lower(source, "a.js").diagnostics == list[Diagnostic]()


def test_unreachable_code_goes_with_its_object_methods_but_not_with_its_functions() -> None:
    with_method = first("function f(b) { return; while (b) { h({ m(x) { h(x); } }); } }")
    assert "ObjectMethod" not in with_method
    assert "While" not in with_method
    assert " = Function" in first("function f(b) { return; while (b) { h(function (x) { h(x); }); } }")
