// The handler sees the value before the call that throws, never the one stored after it.
function safe(run) {
  let out = null;
  try {
    out = 1;
    out = run();
  } catch (err) {
    return [out, err];
  }
  return out;
}
