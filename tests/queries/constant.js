// The example of the first issue, branches that are never taken, and a variable that is 1 in spite of them.

function seed() {
  let x = 5;
  let y = x + 2;
  x = 10;
  const z = x + y;
  return z;
}

function branches(n) {
  let x = 1;
  while (0) {
    x = 2;
  }
  if (false) x = 9;
  const debug = n === n && x > 1;
  if (x > 1) {
    n = x / 2;
  } else if (n) {
    x = 3 - 2;
  }
  return [x, n, debug, x === undefined];
}

function loop() {
  let i = 1;
  let j = 1;
  let k = 0;
  while (k < 100) {
    if (j < 20) {
      j = i;
      k = k + 1;
    } else {
      j = k;
      k = k + 2;
    }
  }
  return j;
}
