"""What the command line prints as JavaScript, and what it says of constructs that have no printed form."""

from __future__ import annotations

import pytest

from ssarel.emit import js
from ssarel.errors import InputError
from ssarel.frontends.javascript import lower


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("x =\n class {};", "a.js:2:1: a class in <<module>>"),
        ("function f() { return <a/>; }", "a.js:1:22: JSX in f"),
        ("function f(o) { return o.t`x`; }", "a.js:1:23: a tagged template whose tag is a method in f"),
        ("function* g() { try { yield 1; } finally { } }", "a.js:1:22: yield inside try in g"),
        ("function* g(a = 1) { }", "a default or pattern among the parameters of a generator in g"),
        ("async function f(a) { for await (const x of a) x(); }", "for await in f"),
        ("function f(a) { a = 1; return arguments[0]; }", "arguments that share a variable with a parameter in f"),
        ("function f(a) { return eval(a); }", "a call of eval in f"),
        ("export let n = 1; export function f() { n = 2; }", "the export n, which functions assign, in <<module>>"),
        ("x = { __proto__: y };", "the property __proto__ in an object literal in <<module>>"),
    ],
)
def test_what_cannot_be_printed_is_named_and_located(source: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        js.emit(lower(source.encode(), "a.jsx").functions[:1], "a.js")
    assert message in str(error.value)


def test_imports_and_exports_stand_around_the_body() -> None:
    printed = js.emit(
        lower(b"import d, { a as b } from './x.js'; export { b as 'c-d' }; export default d;", "a.js").functions
    )
    assert printed.startswith('import d from "./x.js";\nimport { "a" as b } from "./x.js";\n')
    assert printed.endswith('export { $export0 as "default", $export1 as "c-d" };\n')
