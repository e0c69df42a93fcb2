// Nothing runs after the return: the call is kept in func_block and block_instr, and in no derived relation.
function first(items) {
  return items[0];
  items.sort();
}

// The branch that would write it always throws, so the read after it sees nothing but the declaration.
function broken(input) {
  var parsed;
  if (input) {
    throw input;
    parsed = 1;
  }
  return parsed;
}
