// Three variables meet: x is read after, y only before, z only where it is written.
function f(p) {
  let x = 0;
  let y = 0;
  if (p) {
    x = 1;
    let z = 2;
    use(z);
  } else {
    use(y);
    y = 1;
  }
  return x;
}
