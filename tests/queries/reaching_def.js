// -p path=reaching_def.js -p line=12: x comes from either branch or, round the loop, from the
// write after the read; y from its only write.
function f(p) {
  let x = 0;
  const y = p;
  if (p) {
    x = 1;
  } else {
    x = 2;
  }
  while (p) {
    use(x, y);
    x = 3;
  }
}
