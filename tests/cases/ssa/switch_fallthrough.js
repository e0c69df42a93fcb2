// A phi where case 1 falls into the default.
function sw(k, o) {
  let s = 0;
  switch (k) {
    case 1:
      s = 1;
    default:
      s = s + 2;
      break;
    case 2:
      return s;
  }
  return s;
}
