// The closure has a by value, b in memory; the closure inside it passes a on.
function f(a, b) {
  b = a;
  const g = () => {
    b = 1;
    return () => a;
  };
  return g;
}
