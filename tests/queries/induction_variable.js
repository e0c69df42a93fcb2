// i by 1, j by -3 in two writes, k by 2. Not: m, which changes on one path only; n, by an unknown number.
function f(p) {
  let j = 100, k = 0, m = 0, n = 0;
  for (let i = 0; i < p; i++) {
    j = j - 1;
    j -= 2;
    k = 2 + k;
    if (k > 5) m++;
    n += p;
  }
  return j + k + m + n;
}
