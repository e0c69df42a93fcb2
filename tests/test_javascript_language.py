"""Every construct of the language is lowered; nothing is dropped."""

from __future__ import annotations

from pathlib import Path

import pytest
import tree_sitter_javascript
import tree_sitter_typescript
from tree_sitter import Language, Node, Parser

from ssarel import text
from ssarel.frontends.javascript import lower
from ssarel.ir import Function, all_functions

CASES = Path(__file__).parent / "cases" / "js"
FILES = sorted((CASES / "language").iterdir()) + sorted((CASES / "reported").glob("[0-9]*.js"))

FUNCTIONS = frozenset({
    "function_declaration", "generator_function_declaration", "function_expression", "generator_function",
    "arrow_function", "method_definition", "class_static_block",
})  # fmt: skip
FIELDS = frozenset({"field_definition", "public_field_definition"})


def functions(source: str, path: str = "a.js", profile: str = "default") -> list[Function]:
    return [function for function, _ in all_functions(lower(source.encode(), path, profile).functions)]


def printed(source: str, path: str = "a.js") -> str:
    """The text of all functions of a file."""
    return "\n".join(text.format(function) for function in lower(source.encode(), path).functions)


def functions_in_tree(path: Path) -> int:
    """How many functions the file has, by a walk of tree-sitter's own tree; the module is one."""
    is_typed = path.suffix == ".tsx"
    language = tree_sitter_typescript.language_tsx() if is_typed else tree_sitter_javascript.language()
    stack: list[Node] = [Parser(Language(language)).parse(path.read_bytes()).root_node]
    count = 1
    while stack:
        node = stack.pop()
        is_field = node.type in FIELDS and node.child_by_field_name("value") is not None
        is_namespace = node.type == "internal_module"
        count += (node.type in FUNCTIONS and node.is_named) or is_field or is_namespace
        stack.extend(node.children)
    return count


@pytest.mark.parametrize("profile", ["default", "react"])
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_function_is_dropped_and_nothing_is_unsupported(path: Path, profile: str) -> None:
    lowered = lower(path.read_bytes(), path.name, profile)
    found = [function for function, _ in all_functions(lowered.functions)]
    assert len(found) == functions_in_tree(path)
    assert not [d for d in lowered.diagnostics if d.code in ("unsupported", "syntax")]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_text_reads_back(path: Path) -> None:
    lowered = lower(path.read_bytes(), path.name).functions
    whole = "\n".join(text.format(function) for function in lowered)
    assert "\n".join(text.format(function) for function in text.parse(whole)) == whole


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("this.x;", ["This", "PropertyLoad $0.x"]),
        ("function f() { return new.target; }", ["MetaProperty new.target"]),
        ("import.meta.url;", ["MetaProperty import.meta"]),
        ("import('x');", ["ImportCall($0)"]),
        ("class A extends B { m() { super.m(); super.n = 1; } }", ["Super", "PropertyStore"]),
        ("class A extends B { constructor() { super(1); } }", ["constructor constructor()", "Call $0($1)"]),
        ("class A { #p = 1; has(o) { return #p in o; } }", ['PrivateIn "#p"($1)', "field #p()"]),
        ("class A { static { this.x = 1; } }", ["static <<anonymous>>()"]),
        (
            "class A { [k] = 1; get a() { return 1; } set a(v) {} }",
            ["LoadGlobal(global) k", "getter a()", "setter a(v$0)"],
        ),
        ("x = class Named { m() { return Named; } };", ['ClassExpression "Named"']),
        (
            "@d class A { @e m() {} }",
            ["LoadGlobal(global) d", "LoadGlobal(global) e", 'ClassExpression "A"($0, $1, $2)'],
        ),
        ("function* g() { const x = yield 1; yield* x; yield; }", ["Yield($0)", "YieldDelegate(", "= Yield\n"]),
        ("async function f(a) { for await (const x of a) await x; }", ["ForOf", "Await"]),
        ("a ??= 1;", ["Logical ??", "StoreGlobal a"]),
        ("a.b ||= 1;", ["Logical ||", "PropertyStore"]),
        ("a[b] &&= 1;", ["Logical &&", "ComputedStore"]),
        ("const { [k()]: v } = o;", ["Destructure Const { [$2]: v$"]),
        ("f`a${1}b\\n`;", ["`a${$1}b\\n`"]),
        ("10n ** 2n;", ["= 10n", "Binary $0 ** $1"]),
        ("with (o) { x; }", ["With($0)"]),
        ("x = { get a() { return 1; }, set a(v) {}, async *m() {} };", ["get a: ", "set a: ", "method m: "]),
        ("delete x;", ["Delete("]),
        ("<a.b c={1} {...d}>{...e}<f:g/></a.b>;", ["JSX", '"f:g"']),
        ("for (x of y) ;", ["IteratorNext", "StoreGlobal x"]),
        ("for (x.y in z) ;", ["NextPropertyOf", "PropertyStore"]),
        ("for (;;) ;", ["For init=", "update=bbnull"]),
        ("{ using r = open(); r.x(); }", ["Dispose(", "Try block="]),
        ("let x = 1; export { x as y }; export default x; x = 2;", ['Export "y"(', 'Export "default"(']),
        ("export const { a, b: [c] } = o;", ['Export "a"(', 'Export "c"(']),
        ("(function f() { return f; })();", ["= Self\n"]),
        ("const c = 1; c = 2;", ['ConstAssignment "c"(']),
    ],
)
def test_construct(source: str, expected: list[str]) -> None:
    found = printed(source, "a.jsx")
    assert [line for line in expected if line not in found] == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("enum E { A, B = A + 1 }", ['EnumMember "A"', "LoadLocal A$", 'Enum "E"(']),
        ("namespace N { export const x = 1; f(x); } N;", ["Function N", "StoreLocal Const N$"]),
        ("class A { constructor(private x: number, readonly y = 1) {} }", ["PropertyStore $", ".x = ", ".y = "]),
        (
            "let a = <string[]>b, c = d as number, e = f satisfies T, g = h!;",
            ["TypeCast $0: :TObject<BuiltInArray>", ":TPrimitive"],
        ),
        ("function f(this: T, a: number) { return a; }", ["f(a$0)"]),
        ("declare const a: number; type T = typeof a; interface I { m(): void }", ["Return Void"]),
        ("a?.b!.c;", ["Optional (optional=false)", "Optional (optional=true)"]),
        ("import x = require('m'); x;", ["LoadGlobal import * as x from 'm'"]),
        ("export = a;", ['Export "="(']),
        ("abstract class A { abstract m(): void; declare x: number; y?: string; }", ['ClassExpression "A"']),
    ],
)
def test_typescript_construct(source: str, expected: list[str]) -> None:
    found = printed(source, "a.ts")
    assert [line for line in expected if line not in found] == []


@pytest.mark.parametrize(
    "source",
    [
        "class A { accessor x = f(() => 1); static accessor #y; }",
        "interface A<in out T> {} type B<out T, /* c */ in U> = T; class C<in T> { m() {} }",
        "export type * from 'm'; function f() {}",
    ],
)
def test_words_newer_than_the_grammar(source: str) -> None:
    lowered = lower(source.encode(), "a.ts")
    assert lowered.diagnostics == []
    assert lowered.functions


def test_functions_have_kind_flags_directives_and_position() -> None:
    members = ["async *m() { 'use x'; }", "get g() {}", "set g(v) {}", "f = 1;", "static {}", "constructor() {}"]
    source = "class A {\n  " + "\n  ".join(members) + "\n}\n(() => 0);"
    found = {(f.kind, f.line, f.col): f for f in functions(source)}
    assert list(found) == [
        ("module", 1, 0), ("method", 2, 2), ("getter", 3, 2), ("setter", 4, 2), ("field", 5, 2), ("static", 6, 2),
        ("constructor", 7, 2), ("arrow", 9, 1),
    ]  # fmt: skip
    method = found["method", 2, 2]
    assert (method.is_async, method.is_generator, method.directives) == (True, True, ["use x"])


def test_nested_functions_share_ids_and_roots_do_not() -> None:
    module, f, g = lower(
        b"function f() { return () => { const x = 1; return x; }; }\nfunction g() {}", "a.js"
    ).functions
    (inner,) = f.nested()
    assert (module.root, f.root, g.root, inner.root) == (True, True, True, False)
    assert f.entry == g.entry == 0
    ids = [var.id for function in (f, inner) for b in function.blocks.values() for s in b.instrs for var in s.defs]
    assert len(ids) == len(set(ids))
    assert f.next_id > max(ids)


def test_unreachable_code_is_kept_with_its_functions() -> None:
    found = functions("function f() { return 1; g(() => 2); }")
    assert len(found) == 3
    _, f, _ = found
    dead = [block for block in f.blocks.values() if block.id != f.entry and not block.preds]
    assert [step.op for block in dead for step in block.instrs] == ["LoadGlobal", "Function", "Call", "Primitive"]


def test_only_what_can_throw_has_an_edge_to_the_handler() -> None:
    (_, f) = functions(
        "function f(a) { let x = 1; try { x = a; x = [x, () => 1]; x = a.b; x = 2; } catch { return x; } }"
    )[:2]
    throwing = [block for block in f.blocks.values() if block.terminal.op == "MaybeThrow"]
    assert [block.instrs[-1].op for block in throwing] == ["PropertyLoad"]


def test_dynamic_scope_is_reported() -> None:
    lowered = lower(b"function f(x) { eval(x); with (x) y; }", "a.js")
    assert [d.code for d in lowered.diagnostics] == ["dynamic-scope", "dynamic-scope"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("!a!.b", "!a.b"),
        ("x && y!.z(1)[2]!.w", "x && y.z(1)[2].w"),
        ("a + b! * c!", "a + b * c"),
        ("a! + b!", "a + b"),
        ("typeof a! === b!.c", "typeof a === b.c"),
        ("new a!.b!.c(1)", "new a.b.c(1)"),
        ("new a!()", "new a()"),
        ("++a!.b", "++a.b"),
        ("(x && y)!.z", "(x && y).z"),
    ],
)
@pytest.mark.parametrize("profile", ["default", "react"])
def test_a_postfix_bang_belongs_to_the_last_operand(written: str, meant: str, profile: str) -> None:
    found, expected = (
        [
            text.format(function, profile)
            for function in functions(f"function f(a, b, x, y) {{ {e}; }}", "a.ts", profile)
        ]
        for e in (written, meant)
    )
    assert found == expected


def test_react_calls_a_parenthesised_member_as_a_method() -> None:
    for callee in ("(a.p)(c)", "(a[c])(c)", "(a.p)?.(c)"):
        bare = callee.replace("(a.p)", "a.p").replace("(a[c])", "a[c]")
        texts = [functions(f"function f(a, c) {{ return {e}; }}", "a.js", "react")[1] for e in (callee, bare)]
        assert text.format(texts[0], "react") == text.format(texts[1], "react")
        assert "MethodCall" in text.format(texts[0], "react")


@pytest.mark.parametrize("profile", ["default", "react"])
def test_a_parenthesised_chain_goes_on_behind_a_question_mark(profile: str) -> None:
    for written, meant in (("(p?.a)?.b", "p?.a?.b"), ("(p?.a)?.()", "p?.a?.()"), ("(p?.a)?.b[1].c", "p?.a?.b[1].c")):
        found, expected = (functions(f"function f(p) {{ return {e}; }}", "a.js", profile)[1] for e in (written, meant))
        assert text.format(found, profile) == text.format(expected, profile)


@pytest.mark.parametrize("written", ["e as a.b.C", "e satisfies a.b.c.D", "[e as a.b.C<number>]"])
def test_names_of_a_qualified_type_are_no_members(written: str) -> None:
    assert "PropertyLoad" not in printed(f"function f(e: any) {{ return {written}; }}", "a.ts")
    assert "PropertyLoad" in printed(f"function f(e: any) {{ return ({written}).k; }}", "a.ts")
