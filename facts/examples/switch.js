// Fall-through: the body of "b" is reached from its own label and from the end of "a", with two values of score.
function grade(letter) {
  let score = 0;
  let comment = "none";
  switch (letter) {
    case "a":
      score = 10;
    case "b":
      score = score + 5;
      break;
    default:
      score = -1;
  }
  return score;
}
