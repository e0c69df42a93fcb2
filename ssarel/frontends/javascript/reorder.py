"""React's test whether an expression may be evaluated at another time than JavaScript would (its section 3.7)."""

from __future__ import annotations

from ssarel.frontends.javascript.builder import Builder
from ssarel.frontends.javascript.resolve import NAMES
from ssarel.frontends.javascript.syntax import Node

ALWAYS = frozenset({"number", "string", "true", "false", "null", "regex"})
FIRST_CHILD = frozenset(
    {"parenthesized_expression", "as_expression", "non_null_expression", "instantiation_expression"}
)


def check_reorderable(b: Builder, node: Node) -> None:
    """React profile: note a refusal unless `node` is reorderable. The test takes the ids of variables it meets."""
    if not b.is_react:
        return
    stack = [(node, True)]
    while stack:
        inner, may_be_local = stack.pop()
        parts = _parts(b, inner, may_be_local)
        if parts is None:
            b.refuse(node, f"Todo: `{inner.type}` cannot be safely reordered")
            return
        stack.extend(reversed(parts))


def _parts(b: Builder, node: Node, may_be_local: bool) -> list[tuple[Node, bool]] | None:
    """What else must be reorderable for `node` to be, None if it is not whatever its parts are."""
    kind, fields = node.type, node.fields
    if kind in ALWAYS:
        return []
    if kind in NAMES:
        if not b.is_local(node.binding):
            return []
        assert node.binding is not None
        b.resolve(node.binding)
        return [] if may_be_local else None
    if kind in FIRST_CHILD:
        return [(node.children[0], may_be_local)]
    if kind == "unary_expression":
        return [(fields["argument"], may_be_local)] if fields["operator"].type in ("!", "+", "-") else None
    if kind == "binary_expression":
        if fields["operator"].type not in ("&&", "||", "??"):
            return None
        return [(fields["left"], may_be_local), (fields["right"], may_be_local)]
    if kind == "ternary_expression":
        return [(fields[part], may_be_local) for part in ("condition", "consequence", "alternative")]
    if kind == "array":
        return _array(node, may_be_local)
    if kind == "object":
        return _object(node, may_be_local)
    if kind in ("member_expression", "subscript_expression"):
        return _member(b, node)
    if kind == "arrow_function":
        body = fields["body"]
        if body.type == "statement_block":
            return None if body.children else []
        return [(body, False)]
    if kind == "call_expression":
        arguments = fields["arguments"].children
        if node.chain or fields["arguments"].type != "arguments" or any(a.type == "spread_element" for a in arguments):
            return None
        return [(fields["function"], may_be_local), *((argument, may_be_local) for argument in arguments)]
    return None


def _array(node: Node, may_be_local: bool) -> list[tuple[Node, bool]] | None:
    elements = [child for child in node.children if child.type != ","]
    commas = len(node.children) - len(elements)
    if commas > len(elements) or any(child.type == "spread_element" for child in elements):
        return None
    return [(child, may_be_local) for child in elements]


def _object(node: Node, may_be_local: bool) -> list[tuple[Node, bool]] | None:
    parts: list[tuple[Node, bool]] = []
    for child in node.children:
        if child.type == "pair" and child.fields["key"].type != "computed_property_name":
            parts.append((child.fields["value"], may_be_local))
        elif child.type == "shorthand_property_identifier":
            parts.append((child, may_be_local))
        else:
            return None
    return parts


def _member(b: Builder, node: Node) -> list[tuple[Node, bool]] | None:
    while node.type in ("member_expression", "subscript_expression", "parenthesized_expression"):
        if node.chain:
            return None
        node = node.children[0]
    if node.type not in NAMES or b.is_local(node.binding):
        return None
    return []
