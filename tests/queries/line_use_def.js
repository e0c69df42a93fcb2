// -p path=line_use_def.js -p line=6: p is the parameter, x a phi, z declared only.
function f(p) {
  let x = 1;
  if (p)
    x = 2;
  return x + p + z;
  var z = 1;
}
