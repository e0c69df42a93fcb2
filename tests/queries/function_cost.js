// f: the variable i crosses two loops. g: one block, of which the rules derive nothing.
function f(n) {
  for (let i = 0; i < n; i++) {
    while (n(i)) use(i);
  }
}
function g(n) {
  return n;
}
