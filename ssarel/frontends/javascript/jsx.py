"""JSX."""

from __future__ import annotations

from typing import Any

from ssarel.frontends.javascript.builder import Builder
from ssarel.frontends.javascript.dispatch import Steps, expression, expression_handler
from ssarel.frontends.javascript.expressions import lower_name
from ssarel.frontends.javascript.literals import string_text, trim_jsx_text, unescape_entities
from ssarel.frontends.javascript.resolve import is_component
from ssarel.frontends.javascript.syntax import Node
from ssarel.ir import Var

ELEMENTS = frozenset({"jsx_element", "jsx_self_closing_element", "jsx_fragment"})


@expression_handler("jsx_element", "jsx_self_closing_element", "jsx_fragment")
def lower_element(b: Builder, node: Node) -> Steps:
    """An element or a fragment: tag, attributes, children, left to right."""
    opening = node.fields.get("open_tag", node)
    name = opening.fields.get("name")
    if name is None:
        children: list[Var] = yield from lower_children(b, node)
        return b.emit(node, "JsxFragment", children)
    uses: list[Var] = []
    tag = b.unit.text(name)
    if name.type == "jsx_namespace_name":
        uses.append(b.primitive(name, string_text("".join(tag.split()))))
    elif name.type != "identifier" or is_component(name.name):
        v: Var = yield lower_tag(b, name)
        uses.append(v)
    builtin = None if uses else tag
    names: list[str | None] = []
    for attribute in opening.children:
        if attribute is not name and attribute.type in ("jsx_attribute", "jsx_expression"):
            yield from lower_attribute(b, attribute, uses, names)
    children = [] if node.type == "jsx_self_closing_element" else (yield from lower_children(b, node))
    uses.extend(children)
    return b.emit(node, "JsxExpression", uses, (builtin, tuple(names), len(children) or None))


def lower_tag(b: Builder, name: Node) -> Any:
    """Read the component that a tag names."""
    path: list[Node] = []
    while name.type != "identifier" and name.children:
        path.append(name.children[-1])
        name = name.children[0]
    if name.type == "this":
        return lower_tag_path(b, path, b.emit(name, "This", []))
    return lower_tag_path(b, path, lower_name(b, name))


def lower_tag_path(b: Builder, path: list[Node], v: Var) -> Var:
    """`a.b.c` as a tag: loads from left to right."""
    for part in reversed(path):
        v = b.emit(part, "PropertyLoad", [v], b.unit.text(part))
    return v


def lower_attribute(b: Builder, node: Node, uses: list[Var], names: list[str | None]) -> Steps:
    """One attribute or spread."""
    if node.type == "jsx_expression":
        for child in node.children:
            v: Var = yield expression(b, child.children[0] if child.type == "spread_element" else child)
            uses.append(v)
            names.append(None)
        return
    name = node.children[0]
    names.append("".join(b.unit.text(name).split()))
    if len(node.children) == 1:
        uses.append(b.primitive(node, "true"))
        return
    value = node.children[1]
    if value.type == "string":
        text = unescape_entities(b.unit.source.text(value.start + 1, value.end - 1))
        uses.append(b.primitive(value, string_text(text)))
        return
    if value.type == "jsx_expression":
        value = value.children[0]
    elif value.type in ELEMENTS and value.fields.get("open_tag", value).fields.get("name") is None:
        b.refuse(value, "Todo: Handle JSXFragment attribute values in JSXElement")
    v = yield expression(b, value)
    uses.append(v)


def lower_children(b: Builder, node: Node) -> Steps:
    """The children of an element; the text between them is what the source has there."""
    uses: list[Var] = []
    opening = node.fields.get("open_tag")
    closing = node.fields.get("close_tag")
    start = opening.end if opening is not None else node.start
    for child in node.children:
        if child is opening or child is closing or child.type in ("jsx_text", "html_character_reference"):
            continue
        lower_text(b, child, start, child.start, uses)
        start = child.end
        if child.type in ELEMENTS:
            v: Var = yield expression(b, child)
            uses.append(v)
            continue
        for inner in child.children:
            if inner.type == "spread_element":
                b.refuse(inner, "Todo: Unhandled JsxElement, got: JSXSpreadChild")
                inner = inner.children[0]
            v = yield expression(b, inner)
            uses.append(v)
    if closing is not None:
        lower_text(b, closing, start, closing.start, uses)
    return uses


def lower_text(b: Builder, node: Node, start: int, end: int, uses: list[Var]) -> None:
    """The text before `node`, if any is left after trimming."""
    if start >= end:
        return
    raw = b.unit.source.text(start, end)
    text = trim_jsx_text(unescape_entities(raw)) if "&" in raw else trim_jsx_text(raw)
    if text is not None:
        uses.append(b.emit(node, "JSXText", [], string_text(text)))
