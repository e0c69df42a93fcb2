// Never written: x, whose only write comes after the read, and y, which is declared again. z may be written.
function f(p) {
  let y, z;
  use(x, y);
  var x = 1;
  if (p) z = 1;
  return z + x;
}
