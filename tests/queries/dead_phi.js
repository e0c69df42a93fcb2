// x meets after the branch, where nothing reads it: dead. y is read there: a phi, not dead.
function f(p) {
  let x = 0;
  let y = 0;
  if (p) {
    x = 1;
    y = 1;
  }
  return y;
}
