// -p path=line_dominator.js -p line=8: the start, the test and the else branch's first line. Not the other branch.
function f(a) {
  use(1);
  if (a) {
    use(2);
  } else {
    use(3);
    use(4);
  }
}
