"""Array and object literals."""

from __future__ import annotations

from ssarel.frontends.javascript.builder import Builder
from ssarel.frontends.javascript.dispatch import EXPRESSIONS, Steps, expression, expression_handler, unwrap
from ssarel.frontends.javascript.expressions import MEMBERS, lower_name
from ssarel.frontends.javascript.patterns import elements, key_text
from ssarel.frontends.javascript.resolve import NAMES
from ssarel.frontends.javascript.syntax import Node
from ssarel.ir import Var


@expression_handler("array")
def lower_array(b: Builder, node: Node) -> Steps:
    """An array literal."""
    uses: list[Var] = []
    shape: list[str] = []
    for item in elements(node):
        if item is None:
            shape.append("-")
            continue
        is_spread = item.type == "spread_element"
        v: Var = yield expression(b, item.children[0] if is_spread else item)
        uses.append(v)
        shape.append("..." if is_spread else ".")
    return b.emit(node, "Array", uses, tuple(shape))


@expression_handler("object")
def lower_object(b: Builder, node: Node) -> Steps:
    """An object literal, property by property."""
    uses: list[Var] = []
    shape: list[tuple[str, str | None]] = []
    for child in node.children:
        if child.type == "spread_element":
            v: Var = yield expression(b, child.children[0])
            uses.append(v)
            shape.append(("spread", None))
        elif child.type == "shorthand_property_identifier":
            uses.append(lower_name(b, child))
            shape.append(("prop", child.name))
        elif child.type == "pair":
            key = yield from lower_key(b, child.fields["key"])
            v = yield expression(b, child.fields["value"])
            uses.extend([v] if isinstance(key, str) else [key, v])
            shape.append(("prop", key if isinstance(key, str) else None))
        elif child.type == "method_definition":
            yield from lower_method(b, child, uses, shape)
    return b.emit(node, "Object", uses, tuple(shape))


def lower_method(b: Builder, node: Node, uses: list[Var], shape: list[tuple[str, str | None]]) -> Steps:
    """A method or accessor of an object literal; React evaluates its computed key after making the function."""
    kind = next((token for token in node.tokens if token in ("get", "set")), "method")
    if kind != "method":
        b.refuse(node, f"Todo: Handle {kind} functions in ObjectExpression")
    if b.is_react:
        v: Var = yield EXPRESSIONS["method_definition"](b, node)
        key: Var | str = yield from lower_key(b, node.fields["name"])
    else:
        key = yield from lower_key(b, node.fields["name"])
        v = yield EXPRESSIONS["method_definition"](b, node)
    uses.extend([v] if isinstance(key, str) else [key, v])
    shape.append((kind, key if isinstance(key, str) else None))


def lower_key(b: Builder, key: Node) -> Steps:
    """A property key: its printed text, or the variable of a computed one."""
    if key.type != "computed_property_name":
        return key_text(b, key)
    inner = unwrap(key.children[0])
    if inner.type == "string":
        return key_text(b, inner)
    if inner.type not in NAMES and inner.type not in MEMBERS:
        b.refuse(key, f"Todo: Expected Identifier, got {inner.type} key in ObjectExpression")
    return (yield expression(b, inner))
