// Assigned in a loop, never read: pruned SSA has no phi for x.
function dead(a) {
  let x = 0;
  while (a()) {
    x = 1;
  }
  return a;
}
