// The handler may see either value of state: the call before the second write may throw, and so may the one after it.
function load(source) {
  let state = "start";
  let data = null;
  try {
    data = source.open();
    state = "open";
    data = source.read(data);
  } catch (error) {
    return [state, error];
  }
  return [state, data];
}
