// a twice. Not: b, which is never written; c, a local with a default value; d, a cell.
function f(a, b, c = 1, d) {
  a = b;
  a++;
  c = 2;
  d = 3;
  return [a, c, () => d];
}
