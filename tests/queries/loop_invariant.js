// a * b and the sum of it in the outer loop; i * a in the inner loop only. Not: i + 1, what is called.
function f(a, b, n) {
  for (let i = 0; i < n; i = i + 1) {
    let k = a * b;
    let m = k + 1;
    while (use(m)) {
      use(i * a);
      use(get() + 1);
    }
  }
}
