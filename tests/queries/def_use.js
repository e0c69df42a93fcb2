// Each definition with its reads, into a closure too. b is captured and reassigned: memory, without definitions.
function f(a, c) {
  let b = a;
  if (c) {
    b = 2;
  }
  const g = () => b + a;
  return g;
}

// The read sees a phi, and the phi is what it is listed under.
function h(a) {
  let b = 1;
  if (a) b = 2;
  return b;
}
