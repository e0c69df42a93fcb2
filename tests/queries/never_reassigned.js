// Could be const: a, and c of the loop's head. Not: b is written again, d is a constant, e is declared without a value, and
// p, q, r, s are written by patterns, heads of loops, or the caller.
function f(p, q = 1, { r }) {
  let a = p;
  let b = 1;
  b = 2;
  const d = a;
  let e;
  e = b;
  for (let i = 0, c = 9; i < c; i++) use(d, e, q, r);
  for (let s of a) use(s);
}
