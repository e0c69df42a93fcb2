// Only b: a is read, c by a closure, d to write it again.
function f(a, b, c, d) {
  d++;
  return () => a + c;
}
