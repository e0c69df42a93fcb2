import d, { n, default as dd, 'str-x' as sx } from "it's"; import * as ns from "ns";
const outer = 1;
export async function zoo(a, ...rest) { "use zoo"; const { x, "k\"e\ny": y, 7: z, ...r } = a; const [p, , q = a, ...s] = rest;
  const o = { a, "b-c": x, 0x10: y, [p]: z, m() { return `t${a}
  two\`${x}` ; }, ...r }; const t = `one
two ${a} \${x} $${y}`; const g = String.raw`abc
d`;
  const e = <div data-a="1" {...o} e:f={x}>text{y}<ns.B/><x:y/><></></div>; const em = <A/>;
  o.k = 1e21; o[p] = "\u2028\u0000\ud800\"\\\u007f"; delete o.k; delete o[p]; let c = /a\/`b"/gi; 
  const v = (q as any) satisfies number; const w = [] as string[]; const u = await fetch(d, ...rest); debugger; import.meta; let n2 = 0; n2++; --n2; new ns.X(...s, 1.5);
  dd; sx; n; outer; undefined; $; glob = -a; return typeof { } + [] + !em + w + v + t + g + e + u + (a.b.c?.[0]?.(x)); }
