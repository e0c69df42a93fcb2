// f holds a, b and c at once, g one variable.
function f(p) {
  const a = p.a, b = p.b, c = p.c;
  if (a) use(a);
  return [a, b, c];
}
function g(x) {
  if (x) return 1;
  return x;
}
