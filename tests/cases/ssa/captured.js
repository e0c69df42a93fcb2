// seen is captured and reassigned: a cell, never versioned; x is captured only.
function count(xs) {
  let seen = 0;
  for (const x of xs) {
    const bump = () => {
      seen = seen + x;
    };
    bump();
  }
  return seen;
}
