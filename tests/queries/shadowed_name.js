// The inner x hides that of outer, its n that of the module. Not: the sibling's y, names of one function.
const n = 1;
function outer(x) {
  const inner = (x) => {
    let n = x;
    return n;
  };
  return inner(x);
}
function sibling(y) {
  for (let y = 0; y < n; y++) use(y);
}
function other(y) {
  return y;
}
