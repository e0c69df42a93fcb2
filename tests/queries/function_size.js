// f: two loops, one in the other. g: one block.
function f(n) {
  for (let i = 0; i < n; i++) {
    while (n(i)) use(i);
  }
}
function g(n) {
  return n;
}
