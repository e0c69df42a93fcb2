// Three loops, one inside another; the endless one has no way out.
function f(n) {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    let j = i;
    while (j) {
      j = j - 1;
      sum = sum + j;
    }
  }
  for (;;) {
    use(sum);
  }
}
