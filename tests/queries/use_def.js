// The read in the loop sees the phi, the one before it the declaration; a module variable is no operand of f.
let base = 1;
function f(n) {
  let i = n;
  g(i);
  while (i > 0) {
    i = i - base;
  }
}
