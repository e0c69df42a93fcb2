#!/usr/bin/env node
// everything in one file
class A extends (class {}) {
  static #count = 0; #x = 1; y = () => this.#x; static z;
  static { A.#count++; let q = 1; this.z = q; }
  constructor(v, ...rest) { super(v); this.v = new.target; rest.length; }
  get [Symbol.iterator]() { return super.foo; } set p(v) { super.p = v; }
  static async *gen(n) { for await (const [a, { b = 1 }] of n) { yield a; yield* b; await a; } }
  has(o) { return #x in o && o.#x === this.#x; }
  'quoted'() {} 123() {} async m() {} *g() {}
}
const B = class Named { self() { return Named; } };
label: { if (A) break label; }
outer: inner: for (;;) { continue outer; }
var o = { get a() { return 1; }, set a(v) {}, async *m() {}, ['k' + 1]: 2, __proto__: null, ...B, async, get: 1 };
const async = 1n, big = 0xFFn;
var { [o.a]: q, ...others } = o, [x = 1, , ...[y, z]] = [];
tag`a${1}b${2}\n`; o?.a?.[1]?.(2).b; delete o?.a; delete o.a; void 0; typeof undefinedName;
import('x').then((m) => m.default);
function sloppy() { with (o) { a = 1; b(); } eval('x = 1'); return arguments.length; }
x ||= 1; o.a &&= 2; o[x] ??= 3; x **= 2; o.b++; ({ x, y: o.c = 5 } = o); [o.d, ...o.e] = [1];
for (var i = 0, j = 1; i < 2; i++, j--) ; for (x.y of [1]) ; for (const k in o) ; for (let [a, b] of []) ;
try { throw 1; } catch { } finally { x = 2; }
switch (x) { case f(): function f() {} default: let c = 1; case c: }
do x--; while (x); while (0) ; if (x) ; else if (y) { } debugger;
async () => { for await (x of y) ; await using1; };
function* gg() { const r = yield; return yield* r; }
new A; new A(...[1]); (0, o.a)(); `a${`b${x}`}`; /re[/]g/giu.test('s'); "\u{1F600}\x41\
";
if (x) function decl() {}
export_: while (1) break export_;
a: b: c: ;
(function me() { return me; })(); !function () {}(); (() => {})?.();
var \u0061b = 1; ab;
x = y = z; x = (1, 2, 3); x ? y : z ? 1 : 2;
