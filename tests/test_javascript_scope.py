"""Scopes: which declaration a name means, and which variables are cells."""

from __future__ import annotations

import pytest

from ssarel import text
from ssarel.frontends.javascript import lower
from ssarel.ir import Function, Var, all_functions


def functions(source: str, path: str = "a.js") -> list[Function]:
    return [function for function, _ in all_functions(lower(source.encode(), path).functions)]


def hir(source: str, path: str = "a.js") -> str:
    """The text of the first function that is not the module."""
    return text.format(lower(source.encode(), path).functions[1])


def variables(source: str, name: str, path: str = "a.js") -> dict[int, Var]:
    """The distinct variables called `name`, by id."""
    found: dict[int, Var] = {}
    for function in functions(source, path):
        if function.kind == "module":
            continue
        for var in [param.var for param in function.params] + [
            var for block in function.blocks.values() for step in block.steps() for var in (*step.uses, *step.defs)
        ]:
            if var.name == name:
                found[var.id] = var
    return found


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("function f(x) { var x = 1; return x; }", 1),
        ("function f(x) { var x; { var x = 2; } return x; }", 1),
        ("function f(x, g = () => x) { var x = 1; return g(x); }", 2),
        ("function f(x) { { let x = 1; g(x); } return x; }", 2),
        ("function f(e) { try { g(); } catch (e) { h(e); } return e; }", 2),
        ("function f(e) { try { g(); } catch (e) { var e = 1; } return e; }", 2),
        ("function f(x) { switch (x) { case 1: let x = 2; return x; } }", 2),
        ("function f(x) { for (let x = 0; x < 1; x++) g(x); return x; }", 2),
        ("function f(x) { for (const x of x) g(x); return x; }", 2),
        ("function f() { x = 1; { function x() {} } return x; }", 2),
    ],
)
def test_number_of_variables(source: str, count: int) -> None:
    assert len(variables(source, "x") or variables(source, "e")) == count


def test_a_parameter_default_does_not_see_the_body() -> None:
    assert "LoadGlobal(global) x" in hir("function f(a = x) { const x = 1; return [a, x]; }")


def test_the_name_of_a_function_expression_is_defined_inside() -> None:
    (inner,) = (f for f in functions("function g() { return function me() { return me; }; }") if f.name == "me")
    printed = text.format(inner)
    assert "= Self\n" in printed
    assert "StoreLocal Const me$" in printed


def test_a_body_variable_hides_the_name_of_a_function_expression() -> None:
    (inner,) = (f for f in functions("const g = function me() { var me = 1; return me; };") if f.name == "me")
    assert "Self" not in text.format(inner)


def test_escaped_names_are_the_same_variable() -> None:
    assert len(variables("function f() { let \\u0061b = 1; a\\u{62} = 2; return ab; }", "ab")) == 1


@pytest.mark.parametrize("name", ["__proto__", "constructor", "hasOwnProperty", "toString"])
def test_names_of_object_members_are_plain_names(name: str) -> None:
    assert len(variables(f"function f({name}) {{ if ({name}) {name} = 1; return {name}; }}", name)) == 1


@pytest.mark.parametrize(
    ("source", "is_cell"),
    [
        ("function f(x) { return () => x; }", False),
        ("function f(x) { x = 1; return () => x; }", True),
        ("function f(x) { return () => { x = 1; }; }", True),
        ("function f(x) { [x] = [1]; return () => x; }", True),
        ("function f() { let x = 1; return () => x; }", False),
        ("function f() { let x; x = 1; return () => x; }", True),
        ("function f() { const g = () => x; const x = 1; return g; }", True),
        ("function f() { var x = 1; return () => x; }", False),
        ("function f() { var g = () => x; var x = 1; return g; }", True),
        ("function f() { g(); var x = 1; function g() { return x; } }", True),
        ("function f(a) { if (a) { var x = 1; } return () => x; }", True),
        ("function f(a) { for (var x of a) { g(() => x); } }", True),
        ("function f(a) { for (const x of a) { g(() => x); } }", False),
        ("function f(a) { for (let x = 0; x < a; x++) { g(() => x); } }", True),
        ("function f(x) { x++; return <X y={x} />; }", False),
        ("function f(x) { arguments[0] = 1; return x; }", True),
        ("function f(x) { (() => { arguments[0] = 1; })(); return x; }", True),
        ("function f(x) { (function () { arguments[0] = 1; })(); return x; }", False),
        ("function f(x) { 'use strict'; arguments[0] = 1; return x; }", False),
        ("function f(x) { eval(''); return x; }", True),
        ("function f(x) { with (y) { x = 1; } return x; }", True),
    ],
)
def test_cells(source: str, is_cell: bool) -> None:
    assert {var.cell for var in variables(source, "x", "a.jsx").values()} == {is_cell}


def test_module_variables_are_cells_only_if_a_function_may_see_them_change() -> None:
    lowered = lower(b"let a = 1, b = 2; const f = () => a + b; a = 3; f();", "a.js").functions
    module, f = lowered
    cells = {
        var.name: var.cell
        for block in module.blocks.values()
        for step in block.instrs
        for var in (*step.uses, *step.defs)
        if var.name in ("a", "b")
    }
    assert cells == {"a": True, "b": False}
    assert "LoadGlobal(module) a" in text.format(f)


def test_a_function_used_before_its_statement_is_made_first() -> None:
    printed = hir("function f() { g(); function g() { return 1; } }")
    assert printed.index("Function g") < printed.index("Call")
    assert "DeclareContext" not in printed


def test_a_function_behind_a_return_is_made_first() -> None:
    printed = hir("function f() { return g; function g() {} }")
    assert printed.index("StoreLocal Function g") < printed.index("Return Explicit")


def test_the_last_of_two_function_declarations_wins() -> None:
    printed = hir("function f() { function g() { return 1; } h(g); function g() { return 2; } }")
    assert printed.count("StoreLocal Function g") == 2
    assert printed.rindex("StoreLocal Function g") < printed.index("LoadGlobal(global) h")


def test_a_sloppy_block_function_is_a_variable_of_its_function_too() -> None:
    printed = hir("function f(a) { if (a) { function g() {} } return g; }")
    assert "DeclareLocal Var g" in printed
    assert "StoreLocal Var g" in printed
    strict = hir("'use strict'; function f(a) { if (a) { function g() {} } return g; }")
    assert "LoadGlobal(global) g" in strict


def test_imports_and_globals_are_told_apart() -> None:
    source = (
        "import d, { a as b, c } from 'm'; import * as n from 'o'; let x; export function f() { d(b, c, n, x, y); }"
    )
    printed = hir(source)
    for line in (
        "LoadGlobal import d from 'm'",
        "LoadGlobal import { a as b } from 'm'",
        "LoadGlobal import { c } from 'm'",
        "LoadGlobal import * as n from 'o'",
        "LoadGlobal(module) x",
        "LoadGlobal(global) y",
    ):
        assert line in printed


def test_a_body_variable_over_a_parameter_is_declared_before_it_is_stored() -> None:
    printed = hir("function f({ q }, g) { var q; g(() => { q = 1; }); return q; }")
    assert printed.index("DeclareContext Var q$") < printed.index("StoreContext Var q$")
