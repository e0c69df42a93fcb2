// An assignment on the right of && happens on one path only.
function both(a, b) {
  let x = 0;
  if (a && (x = b)) {
    return x;
  }
  return [x];
}
