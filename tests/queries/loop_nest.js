// Two loops side by side in one, and one more in the second.
function f(n) {
  for (;;) {
    while (n()) use(1);
    for (const a of n) {
      do use(a);
      while (n());
    }
    if (n) break;
  }
}
