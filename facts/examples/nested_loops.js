// Two loops, three loop-carried variables. sum has a phi in both headers, column starts afresh in each row, and the
// names rows and columns stay one value each although both loops read them.
function fill(rows, columns) {
  let sum = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (column === row) {
        continue;
      }
      sum += row * column;
    }
  }
  return sum;
}
