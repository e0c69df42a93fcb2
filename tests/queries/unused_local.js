// a, written twice, and c. Not: b, which is read; helper, which another function calls; what is exported.
function helper() {}
export function f(p) {
  let a = p;
  const b = 1;
  const c = helper();
  a = b;
}
