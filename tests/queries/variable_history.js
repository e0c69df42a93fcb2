// -p variable=x: in f three writes and two phis, in g one write.
function f(p) {
  let x = 0;
  if (p) {
    x = 1;
  }
  while (x) {
    x = p;
  }
}
function g() {
  let x = 5;
  return x;
}
