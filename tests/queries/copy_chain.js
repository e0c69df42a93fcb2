// d comes from a through c and b: three copies, and c through two. f has a phi between.
function f(a, p) {
  const b = a;
  const c = b;
  const d = c;
  let e = d + 1;
  if (p) e = 2;
  const g = e;
  return [d, g];
}
