// g has no value on the path where n is small.
function grade(n) {
  let g;
  if (n > 9) g = "a";
  return g;
}
