// Two phis of one header that read each other.
function swap(n) {
  let a = 1;
  let b = 2;
  let t;
  while (n) {
    t = a;
    a = b;
    b = t;
    n = n - 1;
  }
  return [a, b];
}
