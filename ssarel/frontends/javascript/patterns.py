"""Assignment targets: names, members, patterns, defaults."""

from __future__ import annotations

from typing import Any

from ssarel.frontends.javascript.builder import Builder
from ssarel.frontends.javascript.dispatch import Steps, expression, unwrap
from ssarel.frontends.javascript.literals import number_text, string_text, unescape
from ssarel.frontends.javascript.reorder import check_reorderable
from ssarel.frontends.javascript.resolve import NAMES
from ssarel.frontends.javascript.scope import Binding
from ssarel.frontends.javascript.syntax import Node
from ssarel.ir import Var

WRAPPERS = frozenset({"parenthesized_expression", "non_null_expression", "as_expression", "satisfies_expression"})
REST = frozenset({"rest_pattern", "spread_element"})
DEFAULTS = frozenset({"assignment_pattern", "object_assignment_pattern"})


def assign(b: Builder, kind: str, target: Node, v: Var, mode: str) -> Any:
    """Assign `v` to a target.

    kind: Const, Let, Var, Reassign, Catch, Function or Class.
    mode: `destructure` for pattern declarations and assignments, else `assignment`; it decides where cells may stand.
    Yields: the result of the store.
    """
    while target.type in WRAPPERS:
        target = target.children[0]
    if target.type in NAMES:
        return assign_name(b, kind, target, v)
    handler = TARGETS.get(target.type)
    if handler is None:
        b.report(target, "warning", "unsupported", f"assignment to {target.type} is not modelled")
        return b.emit(target, "UnsupportedNode", [v], target.type)
    return handler(b, kind, target, v, mode)


def assign_name(b: Builder, kind: str, node: Node, v: Var) -> Var:
    """Store into a variable."""
    binding = node.binding
    if binding is None or not b.is_local(binding):
        return b.emit(node, "StoreGlobal", [v], node.name)
    if kind == "Reassign" and (binding.kind == "const" or (binding.kind == "local" and not b.is_react)):
        b.refuse(node, "Syntax: Cannot reassign a `const` variable")
        return b.emit(node, "ConstAssignment", [v], node.name)
    return store(b, kind, node, binding, v)


def store(b: Builder, kind: str, node: Node, binding: Binding, v: Var) -> Var:
    """Store into a local variable or cell."""
    var = b.resolve(binding)
    if binding.context:
        return b.emit(node, "StoreContext", [var, v], kind)
    return b.emit(node, "StoreLocal", [v], kind, [var])


def declare_later(b: Builder, node: Node, kind: str) -> None:
    """`let x;`: the variable is undefined from here on."""
    binding = node.binding
    if binding is None:
        b.refuse(node, "Syntax: Expected variable declaration to be an identifier if no initializer was provided")
        return
    var = b.resolve(binding)
    if not binding.context:
        b.emit(node, "DeclareLocal", [], kind, [var])
    elif b.is_react or not binding.hoisted:
        b.emit(node, "DeclareContext", [], (kind, var))


def _member(b: Builder, kind: str, node: Node, v: Var, mode: str) -> Steps:
    obj: Var = yield expression(b, node.fields["object"])
    key = yield from member_key(b, node)
    return store_member(b, node, obj, key, v)


def member_key(b: Builder, node: Node) -> Steps:
    """The property of a member: its name if it is fixed, else the variable of the lowered key."""
    if node.type == "member_expression":
        return b.unit.text(node.fields["property"])
    index = unwrap(node.fields["index"])
    if index.type == "number" and not b.unit.text(index).endswith("n"):
        return number_text(b.unit.text(index))
    return (yield expression(b, index))


def store_member(b: Builder, node: Node, obj: Var, key: Var | str, v: Var) -> Var:
    """Store into a property."""
    if isinstance(key, str):
        return b.emit(node, "PropertyStore", [obj, v], key)
    return b.emit(node, "ComputedStore", [obj, key, v])


def load_member(b: Builder, node: Node, obj: Var, key: Var | str) -> Var:
    """Load a property."""
    if isinstance(key, str):
        return b.emit(node, "PropertyLoad", [obj], key)
    return b.emit(node, "ComputedLoad", [obj, key])


def elements(node: Node) -> list[Node | None]:
    """The elements of an array literal or pattern, None for holes."""
    items: list[Node | None] = []
    is_open = True
    for child in node.children:
        if child.type == ",":
            if is_open:
                items.append(None)
            is_open = True
        else:
            items.append(child)
            is_open = False
    return items


def _is_plain(b: Builder, target: Node, cells_force: bool) -> bool:
    """Does this element of a reassigning pattern let the whole pattern write its variables directly?"""
    if target.type not in NAMES:
        return False
    return b.is_local(target.binding) and not (cells_force and target.binding is not None and target.binding.context)


def _direct(b: Builder, target: Node, forced: bool, mode: str, cells: bool) -> Binding | None:
    """The variable that a pattern may write itself; None if the value must pass through a temporary.

    cells: mode *assignment* lets a cell stand in the pattern (React). Never so in the default profile, where a pattern
    that can throw, inside `try`, writes no source variable either.
    """
    if forced or target.type not in NAMES:
        return None
    binding = target.binding
    if binding is None or not b.is_local(binding):
        return None
    if not b.is_react:
        return None if binding.context or b.handlers or binding.kind == "local" else binding
    return binding if not binding.context or (cells and mode == "assignment") else None


def _array(b: Builder, kind: str, node: Node, v: Var, mode: str) -> Steps:
    items = elements(node)
    forced = kind == "Reassign" and not all(item is not None and _is_plain(b, item, True) for item in items)
    shape: list[str] = []
    targets: list[Var] = []
    queue: list[tuple[Var, Node]] = []
    for item in items:
        if item is None:
            shape.append("-")
            continue
        is_rest = item.type in ("rest_pattern", "spread_element")
        target = item.children[0] if is_rest else item
        shape.append("..." if is_rest else ".")
        targets.append(_slot(b, target, forced, mode, True, queue))
    result = b.emit(node, "Destructure", [v], (kind, "array", tuple(shape)), targets)
    for value, target in queue:
        yield assign(b, kind, target, value, mode)
    return result


def _slot(b: Builder, target: Node, forced: bool, mode: str, cells: bool, queue: list[tuple[Var, Node]]) -> Var:
    """What a pattern writes for one target: the variable itself, or a temporary that `queue` remembers."""
    binding = _direct(b, target, forced, mode, cells)
    if binding is not None:
        return b.resolve(binding)
    slot = b.temporary(promoted=True)
    queue.append((slot, target))
    return slot


def _object(b: Builder, kind: str, node: Node, v: Var, mode: str) -> Steps:
    """An object pattern, in several pieces if a computed key must wait for a default before it.

    Not so in React's profile, and not before a rest, which must know every key.
    """
    properties = node.children
    forced = kind == "Reassign" and not all(_is_plain(b, property_target(child), False) for child in properties)
    start = 0
    if not b.is_react and not (properties and properties[-1].type in REST):
        for at, child in enumerate(properties):
            if _has_computed_key(child) and any(map(_runs_code, properties[start:at])):
                yield from _properties(b, kind, node, properties[start:at], v, mode, forced)
                start = at
    return (yield from _properties(b, kind, node, properties[start:], v, mode, forced))


def _has_computed_key(child: Node) -> bool:
    return "key" in child.fields and child.fields["key"].type == "computed_property_name"


def _runs_code(child: Node) -> bool:
    """Does assigning this property evaluate anything: a default, a nested pattern, a member?"""
    return child.type not in REST and property_target(child).type not in NAMES


def _properties(b: Builder, kind: str, node: Node, properties: list[Node], v: Var, mode: str, forced: bool) -> Steps:
    """One Destructure for some properties of an object pattern, then what their targets need."""
    shape: list[tuple[str, str | None]] = []
    targets: list[Var] = []
    keys: list[Var] = []
    queue: list[tuple[Var, Node]] = []
    for child in properties:
        if child.type in REST:
            shape.append(("rest", None))
            targets.append(_slot(b, child.children[0], forced, mode, False, queue))
            continue
        key = child.fields.get("key", child)
        if key.type == "computed_property_name":
            b.refuse(key, "Todo: Handle computed properties in ObjectPattern")
            computed: Var = yield expression(b, key.children[0])
            keys.append(computed)
            shape.append(("prop", None))
        else:
            shape.append(("prop", key_text(b, key)))
        targets.append(_slot(b, property_target(child), forced, mode, True, queue))
    result = b.emit(node, "Destructure", [v, *keys], (kind, "object", tuple(shape)), targets)
    for value, target in queue:
        yield assign(b, kind, target, value, mode)
    return result


def property_target(child: Node) -> Node:
    """The target of an object pattern's property; the rest pattern itself."""
    return child.fields["value"] if child.type in ("pair_pattern", "pair") else child


def key_text(b: Builder, key: Node) -> str:
    """A property key as the IR keeps it: bare, a string in double quotes, a number as text."""
    if key.type in DEFAULTS:
        key = key.fields["left"]
    if key.type == "string":
        return string_text(unescape(b.unit.source.text(key.start + 1, key.end - 1)))
    if key.type == "number":
        return number_text(b.unit.text(key))
    return key.name or b.unit.text(key)


def _default(b: Builder, kind: str, node: Node, v: Var, mode: str) -> Steps:
    value = yield from with_default(b, node, node.fields["right"], v)
    return (yield assign(b, kind, node.fields["left"], value, mode))


def with_default(b: Builder, node: Node, default: Node, v: Var) -> Steps:
    """`v`, or the value of `default` if `v` is undefined."""
    value = b.temporary()
    test = b.reserve("value")
    after = b.reserve()
    missing = b.reserve("value")
    outer = b.enter(missing)
    check_reorderable(b, default)
    d: Var = yield expression(b, default)
    b.store_temporary(default, value, d)
    b.leave(b.goto(default, after), outer)
    given = b.reserve("value")
    outer = b.enter(given)
    b.store_temporary(node, value, v)
    b.leave(b.goto(node, after), outer)
    b.close(b.terminal(node, "Ternary", [], [test.id], {"fallthrough": after.id}), test)
    undefined = b.primitive(node, "<undefined>")
    is_missing = b.emit(node, "Binary", [v, undefined], "===")
    b.close(b.branch(node, is_missing, missing, given, after), after)
    return value


TARGETS = {
    "member_expression": _member,
    "subscript_expression": _member,
    "array_pattern": _array,
    "array": _array,
    "object_pattern": _object,
    "object": _object,
    **dict.fromkeys(DEFAULTS, _default),
}
