// f: one phi of a variable, one of the value of a conditional expression. g: none.
function f(p) {
  let x = 1;
  if (p) x = 2;
  return p ? x : 0;
}
function g(p) {
  return p;
}
