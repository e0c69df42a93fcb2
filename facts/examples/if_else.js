// Two branches write one variable: its values meet in a phi after the branch.
function choose(c, x) {
  let y = 0;
  if (c) {
    y = x;
  } else {
    y = 2;
  }
  return y;
}

// One branch leaves early, so only the other one reaches the end, and nothing needs a phi.
function clamp(n, limit) {
  let result = n;
  if (n > limit) {
    return limit;
  }
  return result;
}
