// Unreachable: the call after return, and the write after continue. The end of the endless loop holds no code.
function f(n) {
  for (;;) {
    if (n) {
      continue;
      n = 1;
    }
    return n;
    use(n);
  }
}
