"""Large, deep, odd and broken files."""

from __future__ import annotations

import time

import pytest

from ssarel.frontends import frontend_for, language_of
from ssarel.frontends.javascript import lower
from ssarel.ir import Diagnostic, Function, all_functions

DEEP = {
    "5,000 terms": "return " + " + ".join(["a"] * 5000) + ";",
    "2,000 and": "return " + " && ".join(["(x = a)"] * 2000) + ";",
    "1,500 parentheses": "return " + "(" * 1500 + "a" + ")" * 1500 + ";",
    "1,500 arrays": "return " + "[" * 1500 + "]" * 1500 + ";",
    "1,500 calls": "return " + "a(" * 1500 + ")" * 1500 + ";",
    "1,500 members": "return a" + ".b" * 1500 + ";",
    "1,500 optional members": "return a" + "?.b" * 1500 + ";",
    "1,000 conditionals": "return " + "a ? a : " * 1000 + "a;",
    "1,500 else if": "".join(f"if (a === {n}) x = {n}; else " for n in range(1500)) + "x = 0;",
    "800 ifs": "if (a) { x = x + 1; " * 800 + "}" * 800,
    "300 functions": "return " + "() => " * 300 + "a;",
    "500 assignments": "return " + "x = " * 500 + "a;",
    "500 patterns": "let " + "[" * 500 + "y" + "]" * 500 + " = a;",
    "200 tries": "try { " * 200 + "a();" + "} finally { x = 1; }" * 200,
    "1,000 labels": "".join(f"L{n}: " for n in range(1000)) + "{ break L0; }",
    "1,000 templates": "return " + "`${" * 300 + "a" + "}`" * 300 + ";",
}


@pytest.mark.parametrize("name", DEEP)
@pytest.mark.parametrize("profile", ["default", "react"])
def test_deep_nesting_is_lowered(name: str, profile: str) -> None:
    lowered = lower(f"function f(a) {{ let x = 0; {DEEP[name]} }}".encode(), "deep.js", profile)
    assert lowered.functions[1].name == "f"
    assert not [d for d in lowered.diagnostics if d.severity != "note"]


def seconds(statements: int) -> float:
    source = ("function f(n) { let x = n;" + "x = x + 1;" * statements + "return x; }").encode()
    started = time.process_time()
    lower(source, "long.js")
    return time.process_time() - started


def test_time_grows_with_the_number_of_statements_only() -> None:
    seconds(1000)
    small = min(seconds(1000) for _ in range(5)) / 1000
    large = min(seconds(10000) for _ in range(3)) / 10000
    assert large < 1.5 * small


@pytest.mark.parametrize(
    "body",
    [
        "let s = '" + "x" * 3_000_000 + "'; if (c) s = '';",
        "switch (c) {" + "".join(f"case {n}: c = c + {n};" for n in range(2000)) + "}",
        "".join(f"let b{n} = 0; if (c > {n}) b{n} = c;" for n in range(500)),
        "".join(f"for (let i{n} = 0; i{n} < c; i{n}++) {{" for n in range(60)) + "}" * 60,
        "é = '日本';" * 3000,
    ],
    ids=["3 MB line", "2,000 cases", "500 diamonds", "60 loops", "3,000 wide names in a line"],
)
def test_large_functions_take_seconds(body: str) -> None:
    started = time.process_time()
    assert len(lower(f"function f(c) {{ {body} return c; }}".encode(), "large.js").functions) == 2
    assert time.process_time() - started < 10


def diagnostic(source: bytes, path: str = "a.js") -> Diagnostic:
    lowered = lower(source, path)
    assert lowered.functions == list[Function]()
    (found,) = lowered.diagnostics
    return found


def test_syntax_errors_are_located() -> None:
    found = diagnostic(b"function f(c) {\n  let x = ;\n}")
    assert (found.severity, found.code, found.line) == ("error", "syntax", 2)
    assert diagnostic(b"function f(c) { if (c) { return 1;\n").code == "syntax"


def titles(source: bytes, path: str = "a.ts") -> list[str | None]:
    return [function.name for function in lower(source, path).functions]


def test_a_syntax_error_takes_its_top_level_statement_only() -> None:
    source = b"function f() {}\nfunction g() { let x = ; }\nfunction h() {}"
    for path in ("a.js", "a.ts"):
        lowered = lower(source, path)
        assert titles(source, path) == [None, "f", "h"]
        assert [(found.severity, found.code, found.line) for found in lowered.diagnostics] == [("error", "syntax", 2)]


def test_statements_of_a_block_that_an_error_opens_are_not_made_top_level_ones() -> None:
    assert "h" not in titles(b"function f() {}\nif (( { function h() { a(); }", "a.js")


@pytest.mark.parametrize(
    "written",
    [
        "interface A { m<B = C = D>(): E }",
        "type A = { <B>(x: B): (y) => C\n <B>(x: B, y): C }",
        "declare const k: { <B>(x: B): (y) => C\n <B>(x: B, y): C };",
    ],
)
def test_errors_in_types_lose_nothing(written: str) -> None:
    source = f"{written}\nfunction f() {{}}".encode()
    assert titles(source) == [None, "f"]
    assert {(found.severity, found.code) for found in lower(source, "a.ts").diagnostics} == {("warning", "syntax-type")}


def test_const_type_parameters_are_no_errors() -> None:
    lowered = lower(b"function f<const T, const U extends V>(x: T) { return x; }", "a.ts")
    assert len(lowered.functions) == 2
    assert lowered.diagnostics == list[Diagnostic]()


TANGLED = r"""
   * ```
 * ```ts import.m.v
 * c.t(c.f(c, (s) => {
 * o.i(c.l(c.e())) // => t
 * ```
   * ```ts import.m.v
   * ```
   * ```ts import.m.v
   * d const n: c.n<c.n<s>>
   * type Flattened2 = c.c.f<typeof n> // c.n<s>
   * ```
 * import { c } from "e"
 * const [b, a] = c.s(c, 3)
   * const f = c.f(
   *   (x): x is s => typeof x === "s"
"""
"""Takes the parser of the grammar more than a minute."""


def test_error_recovery_of_the_parser_is_bounded() -> None:
    for path in ("a.js", "a.ts"):
        started = time.process_time()
        assert diagnostic(TANGLED.encode(), path).code == "syntax"
        assert time.process_time() - started < 10


def test_undecodable_bytes_are_located_by_offset() -> None:
    found = diagnostic(b"let s = 'caf\xe9';")
    assert (found.code, found.line, found.col) == ("undecodable", 1, 12)
    assert "byte 12 (0xe9)" in found.message
    assert diagnostic("let x;".encode("utf-16")).code == "undecodable"


def test_an_empty_file_is_a_module_that_returns() -> None:
    for source in (b"", b"\xef\xbb\xbf", b"// nothing\n", b"#!/usr/bin/env node"):
        (module,) = lower(source, "a.js").functions
        assert module.kind == "module"
        assert [step.op for block in module.blocks.values() for step in block.steps()] == ["Primitive", "Return"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", "\u2029"], ids=["lf", "crlf", "cr", "ls", "ps"])
def test_every_line_end_counts_and_ends_comments_and_statements(end: str) -> None:
    lines = ["// comment", "let a = 1", "let b = 2", "function f() { return a + b }"]
    module, f = lower(end.join(lines).encode(), "a.js").functions
    assert (f.line, f.col) == (4, 0)
    assert sum(step.op == "StoreLocal" for block in module.blocks.values() for step in block.instrs) == 3


def test_columns_count_code_points() -> None:
    _, f = lower("\ufeff'😀é'; function f() {}".encode(), "a.js").functions
    assert (f.line, f.col) == (1, 6)


@pytest.mark.parametrize(
    ("literal", "printed"),
    [
        ("'a\0b'", '"a\\u0000b"'),
        (r"'\ud800'", r'"\ud800"'),
        (r"'\ud83d\ude00'", '"😀"'),
        (
            r"'\x41\u{42}\103\0\
'",
            '"ABC\\u0000"',
        ),
        ("0x10", "16"),
        ("1e21", "1e+21"),
        ("0.000001", "0.000001"),
        ("1e-7", "1e-7"),
        ("123456789012345680000", "123456789012345680000"),
        ("1e400", "null"),
        ("0b11", "3"),
        ("1_000.5", "1000.5"),
        ("017", "15"),
        ("089", "89"),
        ("0xFFn", "255n"),
        ("5e-324", "5e-324"),
    ],
)
def test_literals(literal: str, printed: str) -> None:
    (module,) = lower(f"x({literal})".encode(), "a.js").functions
    (found,) = (
        step.attr
        for block in module.blocks.values()
        for step in block.instrs
        if step.op == "Primitive" and step.attr != "<undefined>"
    )
    assert found == printed


def test_html_comments_are_comments() -> None:
    lowered = lower(b"<!-- one\nlet x = 1 <!-- two\n--> three\nlet y = '<!--';", "a.js")
    (module,) = lowered.functions
    assert sum(step.op == "StoreLocal" for block in module.blocks.values() for step in block.instrs) == 2
    assert not any(step.op == "Binary" for block in module.blocks.values() for step in block.instrs)


def test_two_hundred_nested_functions_have_two_hundred_functions() -> None:
    source = "".join(f"function f{n}(a{n}) {{ let x{n} = a{n}; " for n in range(200)) + "return x0;" + "}" * 200
    assert sum(1 for _ in all_functions(lower(source.encode(), "a.js").functions)) == 201


def test_front_ends_are_found_by_extension() -> None:
    assert frontend_for("a/b.MJS") is lower
    assert [language_of(f"a{extension}") for extension in (".js", ".jsx", ".ts", ".tsx", ".md")] == [
        "javascript", "jsx", "typescript", "tsx", None,
    ]  # fmt: skip
