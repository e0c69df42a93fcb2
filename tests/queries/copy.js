// b and d, and c when it is written again. Not: e, which is computed.
function f(a) {
  let b = a;
  let c = 1;
  const d = b;
  const e = d + 1;
  c = e;
  return c;
}
