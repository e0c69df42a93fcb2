// Maybe undefined: x after one branch, y in the first round of the loop, z before its declaration. Never: w.
function f(p) {
  let x, y, w;
  if (p) {
    x = 1;
    w = 1;
  } else {
    w = 2;
  }
  while (p()) {
    use(y);
    y = x;
  }
  return w + z;
  var z = 1;
}
