// -p path=line_def_use.js -p line=3: x is read on two lines; y by a phi only, so without a reader.
function f(p) {
  let x = p, y = 1;
  use(x);
  if (p) y = 2;
  return x + y;
}
