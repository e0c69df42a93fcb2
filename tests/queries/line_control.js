// -p path=line_control.js -p line=6: the branch of line 5 decides, and it alone; that of line 4 decides about line 5.
function f(a, b) {
  let x = 0;
  if (a) {
    if (b) {
      x = 1;
    }
  }
  return x;
}
