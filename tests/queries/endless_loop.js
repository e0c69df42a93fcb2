// The first loop has a break, the second a return; the third has neither.
function f(n) {
  for (;;) {
    if (n()) break;
  }
  while (true) {
    if (n()) return 1;
  }
}
function g(n) {
  for (;;) {
    n();
  }
}
