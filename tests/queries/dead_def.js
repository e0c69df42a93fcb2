// Dead: `a`, the first and the last value of `b`, `c`, and `alone`. Alive: what is exported, what a function of the file
// reads, what only a phi reads, what only a closure reads.
export const shared = 1;
const limit = 2;
const alone = 3;
export function f(a, p) {
  let b = 0;
  b = p;
  let c = limit;
  let d = 1;
  if (b) d = 2;
  const e = 5;
  use(d, () => e);
  b = 3;
}
