"""Assignment expressions: plain, compound, logical, updates."""

from __future__ import annotations

from ssarel.frontends.javascript.builder import Builder
from ssarel.frontends.javascript.dispatch import Steps, expression, expression_handler, unwrap
from ssarel.frontends.javascript.expressions import MEMBERS, lower_name
from ssarel.frontends.javascript.patterns import (
    WRAPPERS,
    assign,
    assign_name,
    load_member,
    member_key,
    store_member,
)  # fmt: skip
from ssarel.frontends.javascript.resolve import NAMES
from ssarel.frontends.javascript.syntax import Node
from ssarel.ir import Var

SHORT_CIRCUIT = frozenset({"&&=", "||=", "??="})


@expression_handler("assignment_expression")
def lower_assignment(b: Builder, node: Node) -> Steps:
    """`target = value`; React evaluates the value before the object of a member target."""
    left, right = unwrap(node.fields["left"]), node.fields["right"]
    if left.type in MEMBERS and not b.is_react:
        obj: Var = yield expression(b, left.fields["object"])
        key = yield from member_key(b, left)
        v: Var = yield expression(b, right)
        return store_member(b, node, obj, key, v)
    is_pattern = left.type in ("object_pattern", "array_pattern", "object", "array")
    v = yield expression(b, right)
    result: Var = yield assign(b, "Reassign", left, v, "destructure" if is_pattern else "assignment")
    return result if b.is_react else v


@expression_handler("augmented_assignment_expression")
def lower_compound(b: Builder, node: Node) -> Steps:
    """`target op= value`."""
    operator = node.fields["operator"].type
    left, right = node.fields["left"], node.fields["right"]
    while left.type in WRAPPERS:
        left = left.children[0]
    if operator in SHORT_CIRCUIT:
        b.refuse(node, f"Todo: Handle {operator} operators in AssignmentExpression")
        return (yield from lower_logical_assignment(b, node, left, right))
    if left.type in MEMBERS:
        obj: Var = yield expression(b, left.fields["object"])
        key = yield from member_key(b, left)
        old = load_member(b, left, obj, key)
        w: Var = yield expression(b, right)
        return store_member(b, node, obj, key, b.emit(node, "Binary", [old, w], operator[:-1]))
    v: Var = yield expression(b, left)
    w = yield expression(b, right)
    value = b.emit(node, "Binary", [v, w], operator[:-1])
    if left.type not in NAMES:
        return (yield assign(b, "Reassign", left, value, "assignment"))
    binding = left.binding
    if binding is None or not b.is_local(binding):
        return assign_name(b, "Reassign", left, value)
    if not b.is_react:
        assign_name(b, "Reassign", left, value)
        return value
    var = b.resolve(binding)
    if binding.context:
        b.emit(node, "StoreContext", [var, value], "Reassign")
        return b.emit(node, "LoadContext", [var])
    b.store(node, "Reassign", var, value)
    return b.emit(node, "LoadLocal", [var])


def lower_logical_assignment(b: Builder, node: Node, left: Node, right: Node) -> Steps:
    """`target ??= value` and its likes: the target is stored only if its value asks for it."""
    after = b.reserve()
    test = b.reserve("value")
    result = b.temporary()
    old = b.temporary()
    operator = node.fields["operator"].type[:-1]
    b.close(b.terminal(node, "Logical", [], [test.id], {"fallthrough": after.id}, operator), test)
    obj: Var | None = None
    key: Var | str = ""
    if left.type in MEMBERS:
        obj = yield expression(b, left.fields["object"])
        key = yield from member_key(b, left)
        assert obj is not None
        v = load_member(b, left, obj, key)
    else:
        v = yield expression(b, left)
    b.append(node, "LoadLocal", [v], old)
    keep = b.reserve("value")
    change = b.reserve("value")
    b.close(b.branch(node, old, keep, change, after), keep)
    b.store_temporary(left, result, old)
    b.close(b.goto(node, after), change)
    w: Var = yield expression(b, right)
    if obj is not None:
        store_member(b, node, obj, key, w)
    else:
        yield assign(b, "Reassign", left, w, "assignment")
    b.store_temporary(right, result, w)
    b.close(b.goto(node, after), after)
    return result


@expression_handler("update_expression")
def lower_update(b: Builder, node: Node) -> Steps:
    """`x++`, `--o.p`."""
    fields = node.fields
    operator = fields["operator"].type
    target = fields["argument"]
    is_prefix = fields["operator"].start < target.start
    while target.type in WRAPPERS:
        target = target.children[0]
    if target.type in MEMBERS:
        obj: Var = yield expression(b, target.fields["object"])
        key = yield from member_key(b, target)
        old = load_member(b, target, obj, key)
        if b.is_react:
            new = b.emit(node, "Binary", [old, b.primitive(node, "1")], operator[0])
        else:
            old, new = counted(b, node, old, operator)
        stored = store_member(b, node, obj, key, new)
        return stored if is_prefix else old
    if target.type not in NAMES:
        v: Var = yield expression(b, target)
        b.report(node, "warning", "unsupported", f"{operator} of {target.type} is not modelled")
        return b.emit(node, "UnsupportedNode", [v], "update_expression")
    return update_name(b, node, target, operator, is_prefix)


def update_name(b: Builder, node: Node, target: Node, operator: str, is_prefix: bool) -> Var:
    """`x++` on a variable.

    One instruction; but a cell or a global needs a load and a store, and inside `try` (default profile) the conversion
    to a number, which can throw, comes before the store, so that a handler sees the old value.
    """
    binding = target.binding
    is_local = b.is_local(binding)
    if not is_local:
        b.refuse(node, "Todo: Support UpdateExpression where argument is a global")
    elif binding is not None and binding.context:
        b.refuse(node, "Todo: Handle UpdateExpression to variables captured within lambdas")
    elif binding is not None and binding.kind == "const":
        b.refuse(node, "Syntax: Cannot reassign a `const` variable")
    is_plain = binding is not None and not binding.context and binding.kind not in ("const", "local") and not b.handlers
    if binding is not None and is_local and (is_plain or b.is_react):
        var = b.resolve(binding)
        return b.emit(node, "PrefixUpdate" if is_prefix else "PostfixUpdate", [var], operator, [var])
    old, new = counted(b, node, lower_name(b, target), operator)
    assign_name(b, "Reassign", target, new)
    return new if is_prefix else old


def counted(b: Builder, node: Node, v: Var, operator: str) -> tuple[Var, Var]:
    """`v` as a number, which may be a big one, and the number after or before it."""
    old = b.emit(node, "ToNumeric", [v])
    return old, b.emit(node, "Increment" if operator == "++" else "Decrement", [old])
