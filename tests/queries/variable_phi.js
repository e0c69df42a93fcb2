// x has three writes and two phis, y two writes and one. Not: z.
function f(p) {
  let x = 0;
  let y = 0;
  const z = 1;
  if (p) {
    x = 1;
    y = 1;
  }
  while (p(x, y, z)) x = 2;
}
