// total is captured and reassigned, so it lives in memory: LoadContext and StoreContext, never a phi. step is captured
// but never reassigned, so it is an ordinary value in both functions.
function make_counter(step) {
  let total = 0;
  const bump = (times) => {
    let left = times;
    while (left > 0) {
      total = total + step;
      left--;
    }
    return total;
  };
  bump(1);
  return bump;
}

// A read that a path reaches with nothing written but the declaration, and a write that nobody reads.
function describe(options) {
  let label;
  let unused = options.size;
  if (options.name) {
    label = options.name;
  }
  unused = 0;
  return label;
}
