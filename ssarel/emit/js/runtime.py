"""Helpers that printed programs call, written out once each where needed."""

from __future__ import annotations

HELPERS = {
    "call": """(f, self, args) => {
  if (typeof f !== "function") f();
  return Reflect.apply(f, self, args);
}""",
    "keys": """function* (object) {
  for (const key in object) yield key;
}""",
    "iterate": """(items) => {
  const iterator = items[Symbol.iterator]();
  if (Object(iterator) !== iterator) throw new TypeError(`Result of the Symbol.iterator method is not an object`);
  return { iterator, next: iterator.next };
}""",
    "step": """({ iterator, next }) => {
  const result = Reflect.apply(next, iterator, []);
  if (Object(result) !== result) throw new TypeError(`Iterator result ${result} is not an object`);
  return result.done ? undefined : [result.value];
}""",
    "leave": """({ iterator }) => {
  const close = iterator.return;
  if (close === undefined || close === null) return;
  const result = Reflect.apply(close, iterator, []);
  if (Object(result) !== result) throw new TypeError(`${result} is not an object`);
}""",
    "abandon": """({ iterator }) => {
  try {
    const close = iterator.return;
    if (close !== undefined && close !== null) Reflect.apply(close, iterator, []);
  } catch {}
}""",
    "numeric": "(value) => value++",
    "add": "(value) => ++value",
    "subtract": "(value) => --value",
    "constant": """() => {
  throw new TypeError("Assignment to constant variable.");
}""",
    "accessor": """(object, key, kind, value) => {
  Object.defineProperty(object, key, {
    [kind]: value, enumerable: true, configurable: true, ...(kind === "value" && { writable: true }),
  });
}""",
}
"""By name: a function expression. `leave` ends an iterator for a jump, `abandon` for an exception, whose own wins."""
