// count is written twice and read or closed over three times, in two functions. step is never reassigned.
function f(step) {
  let count = 0;
  const bump = () => {
    count = count + step;
    return count;
  };
  return bump;
}
