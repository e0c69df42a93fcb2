// a is live in both branches and after them, p nowhere but in the entry, b after them.
function f(a, p) {
  let b = 0;
  if (p) {
    b = 1;
  }
  return a + b;
}
