// The join after line 4 has a phi of x, that after line 5 none, that of line 6 one of the conditional expression.
function f(p) {
  let x = 0;
  if (p) x = 1;
  if (x) use(x);
  return p ? 1 : 2;
}
