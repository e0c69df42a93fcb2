// The smallest variable that a loop carries: i has a phi in the header, n has none since nothing changes it.
function count_to(n) {
  let i = 0;
  while (i < n) {
    i = i + 1;
  }
  return i;
}

// last is written in the loop only: if the loop never runs, its value is that of the declaration.
function last_of(items) {
  let last;
  for (const item of items) {
    last = item;
  }
  return last;
}
