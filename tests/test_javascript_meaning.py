"""Lowered functions, run as JavaScript, do what the source does."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest
from javascript_fuzz import Writer

from ssarel.emit import js
from ssarel.errors import InputError
from ssarel.frontends.javascript import lower

CASES = Path(__file__).parent / "cases" / "js" / "reported"
NOT_RUN = frozenset({"64"})
"""JSX has no meaning without a library."""

HARNESS = r"""
Function.prototype.toString = () => 'fn';
let fuel, out, kept;
const shown = (k, w) => typeof w === 'function' ? 'fn' : w === undefined ? 'undefined' : w;
const str = (v) => typeof v === 'object' && v !== null ? JSON.stringify(v, shown) : String(v);
const fault = (e) => 'throws ' + (e instanceof Error ? e.name : str(e));
const log = (...vs) => { if (out.length < 4000) out.push(vs.map(str).join(',').slice(0, 60)); return vs[0]; };
const risky = (v) => { if (v === 1 || v === null) throw 'risk' + str(v); return v; };
Object.assign(globalThis, {
  str, log, risky, tick: () => fuel-- > 0, obj: (v) => v ? {p: v} : null,
  keep: (f) => { if (kept.length < 50) kept.push(f); }, call: (f, v) => typeof f === 'function' ? f(v) : v,
});
function measure(text, args) {
  fuel = 300; out = []; kept = [];
  const f = (0, eval)(text);
  let result;
  try { result = str(f(...args)); } catch (e) { result = fault(e); }
  for (const k of kept) { fuel = 40; try { out.push(str(k(1))); } catch (e) { out.push(fault(e)); } }
  return JSON.stringify([result, out]);
}
const differences = [];
for (const [name, source, lowered] of require(process.argv[2]))
  for (const args of [[0, 's'], [1, null], [undefined, 3]]) {
    const expected = measure(source, args), found = measure(lowered, args);
    if (expected === found || /ReferenceError|RangeError/.test(expected + found)) continue;
    differences.push([name, expected, found]);
    break;
  }
console.log(JSON.stringify(differences));
"""


def program(source: bytes, path: str) -> str:
    """The lowered file as a program whose value is the source's function f."""
    functions = lower(source + b"\nglobalThis.found = f;", path).functions
    return js.emit(functions, path) + "found"


def differences(sources: dict[str, str], folder: Path) -> list[list[str]]:
    """Run each source and its lowered form: names, expected and found output of those that differ."""
    rows: list[list[str]] = []
    for name, source in sources.items():
        with contextlib.suppress(InputError):  # some yield inside try
            rows.append([name, f"({source})", program(source.encode(), "a.js")])
    assert len(rows) > 0.9 * len(sources)
    (folder / "programs.json").write_text(json.dumps(rows))
    (folder / "harness.js").write_text(HARNESS)
    command = ["node", "harness.js", "./programs.json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=True)
    return json.loads(done.stdout)


@pytest.mark.oracle
def test_reported_cases_return_what_they_return(tmp_path: Path) -> None:
    cases = [path for path in sorted(CASES.glob("[0-9]*.js")) if path.name[:2] not in NOT_RUN and path.stat().st_size]
    expected = dict(line.split(" ", 1) for line in (CASES / "values.txt").read_text().splitlines())
    for path in cases:
        if path.name[:2] in expected:
            text = json.dumps(program(path.read_bytes(), path.name))
            (tmp_path / path.name).write_text(
                f"globalThis.note = note; globalThis.use = use; var f = (0, eval)({text});"
            )
    shutil.copy(CASES / "sample_arguments.js", tmp_path)
    command = ["node", "sample_arguments.js"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True)
    assert dict(line.split(" ", 1) for line in done.stdout.splitlines()) == expected


@pytest.mark.oracle
def test_random_programs_do_the_same(tmp_path: Path) -> None:
    sources = {str(seed): Writer(seed).program() for seed in range(250)}
    assert differences({name: source for name, source in sources.items() if len(source) < 4000}, tmp_path) == []


SMALL = {
    "closures see each round's own variable": "for (let i = 0; i < 3; i++) keep(() => i);",
    "a write in the body reaches the next round only": "for (let i = 0; i < 4; i++) { keep(() => i); i += 1; }",
    "a var is one variable": "for (var i of [1, 2]) keep(() => i);",
    "finally runs after return": "try { return log(1); } finally { log(2); }",
    "return in finally wins": "try { return 1; } finally { return 2; }",
    "break leaves through two finally blocks": (
        "L: try { try { break L; } finally { log(1); } } finally { log(2); } log(3);"
    ),
    "continue leaves through finally": (
        "for (const x of [1, 2]) { try { if (x) continue; } finally { log(x); } log('no'); }"
    ),
    "a throw in a handler runs finally": (
        "try { try { throw 1; } catch (e) { throw e + 1; } finally { log(3); } } catch (e) { log(e); }"
    ),
    "finally sees the value before the throw": "let x = 1; try { x = risky(null); } catch { } finally { log(x); }",
    "an update that throws changes nothing": "let x = Symbol(); try { x++; } catch { log(typeof x); }",
    "a pattern that throws changes nothing": "let x = 1, y; try { ({ x, y } = null); } catch { log(x); }",
    "for-of over an outer variable": "let x = 0; for (x of []) ; log(x); for (x of [7]) ; log(x);",
    "for-in with a pattern": "for (const [k] in { ab: 1 }) log(k);",
    "defaults run in order": "const { p = log(1), [log('q')]: q = log(2) } = {}; return [p, q];",
    "case tests run until one matches": (
        "switch (2) { case log(1): case log(2): log('hit'); case log(3): log('fall'); }"
    ),
    "default in the middle": "switch (9) { case log(1): log('a'); default: log('b'); case log(2): log('c'); }",
    "functions of a later case": "switch (1) { case 1: return g(); case 2: function g() { return 'g'; } }",
    "the object comes before the value": (
        "let o = { n: 1 }; o[log('k')] = log('v'); const p = o; (o.z = (o = null)); return p;"
    ),
    "logical assignment short-circuits": (
        "let o = { x: 1 }; o.x ||= log(1); o.y ??= log(2); a &&= log(3); return [o, a];"
    ),
    "sloppy block functions": "log(typeof g); { log(g()); function g() { return 1; } } return g();",
    "arguments": "return (function () { return arguments.length; })(1, 2);",
    "generators": "function* g() { const x = yield 1; yield x; log('end'); } return [...g()];",
    "the name of a function expression": "return (function me(n) { return n ? n + me(n - 1) : 0; })(3);",
    "tagged templates": "return ((s, ...v) => s.raw.join('|') + v)`a${1}b\\n${2}`;",
    "for-of ends its iterator": (
        "const it = (n) => ({ [Symbol.iterator]: () => ({ next: () => ({ value: n, done: n-- < 1 }),"
        " return: (v) => (log('end'), {}) }) });"
        "for (const x of it(3)) { if (x === 2) break; } for (const x of it(1)) log(x);"
        "L: for (const x of it(2)) { for (const y of it(2)) { log(y); if (x === 2) continue L; break L; } }"
        "try { for (const x of it(2)) { try { risky(null); } finally { log('in'); } } } catch (e) { log(e); }"
        "try { for (const x of it(2)) { (void 0)(); } } catch (e) { log(e.name); }"
        "return (() => { try { for (const x of it(2)) return log(x); } finally { log('out'); } })();"
    ),
    "a generator that is ended ends its loop": (
        "const it = { [Symbol.iterator]: () => ({ next: () => ({ value: 1 }), return: () => (log('end'), {}) }) };"
        "function* g() { for (const x of it) yield x; } const [p] = g(); return p;"
    ),
    "accessors": (
        "const o = { n: 1, get p() { return this.n; }, set p(v) { this.n = v; }, ['q' + 1]: 2 }; o.p = 5;"
        "return [o.p, Object.keys(o)];"
    ),
    "for-in passes over what is deleted": (
        "const o = { a: 1, b: 2, c: 3 }; for (const k in o) { log(k); delete o.b; } for (const k in null) log(k);"
    ),
    "big integers count": "let n = 5n; const o = { n }; o.n++; --o.n; n++; return [String(n), String(o.n)];",
    "a function in its own initialiser": (
        "var g = function (n) { return n ? n + g(n - 1) : 0; }; var h = (() => [typeof h])(), k = () => k;"
        "return [g(3), h, k() === k];"
    ),
    "a member counts as a number": "const o = { n: '5', m: '5' }; return [o.n++, ++o.m, o.n--, o];",
    "spread": "const f = (...xs) => xs; return [...f(1, ...[2, 3]), { ...{ p: 4 }, q: 5 }];",
    "optional chains": "return [a?.b.c.d, null?.[log(1)], ({ m() { return this.n; }, n: 7 }).m?.()];",
    "parentheses around a method keep its receiver": (
        "const o = { n: 7, p: { n: 8, m() { return this.n; } }, m() { return this.n; } };"
        "return [(o.m)(), (o['m'])(), (o.m)?.(), (o?.m)(), (o?.p.m)(), (o?.p)?.m(), (null?.p)?.m()];"
    ),
    "delete and void": "const o = { p: 1, q: 2 }; delete o.p; delete o['q']; return [o, void log(1)];",
    "labels on blocks": "L: { if (a) break L; log(1); } log(2);",
    "comma in for heads": "for (var i = 0, j = 3; i < j; i++, j--) log(i, j);",
    "endless loops": "for (;;) { if (!tick()) break; } while (true) { if (!tick()) return 1; }",
    "parameters apart from the body": "return ((x, g = () => x) => { var x = 2; return [x, g()]; })(1);",
}


@pytest.mark.oracle
def test_small_programs_do_the_same(tmp_path: Path) -> None:
    assert differences({name: f"function f(a, b) {{ {body} }}" for name, body in SMALL.items()}, tmp_path) == []
