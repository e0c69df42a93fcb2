"""Classes: members are functions of their own, the class is made from them by one instruction."""

from __future__ import annotations

from ssarel.frontends.javascript.builder import Builder
from ssarel.frontends.javascript.dispatch import EXPRESSIONS, Steps, expression, expression_handler, statement_handler
from ssarel.frontends.javascript.functions import lower_function
from ssarel.frontends.javascript.patterns import store
from ssarel.frontends.javascript.resolve import FIELDS
from ssarel.frontends.javascript.statements import function_scope
from ssarel.frontends.javascript.syntax import Node
from ssarel.ir import Function, Var


@expression_handler("class")
def lower_class_expression(b: Builder, node: Node) -> Steps:
    """A class as a value."""
    b.refuse(node, "Todo: Handle ClassExpression expressions")
    v: Var = yield from lower_class(b, node)
    name = node.fields.get("name")
    if name is not None and name.binding is not None and name.binding.refs:
        store(b, "Const", name, name.binding, v)
    return v


@statement_handler("class_declaration", "abstract_class_declaration")
def lower_class_declaration(b: Builder, node: Node) -> Steps:
    """A class declaration."""
    b.refuse(node, "UnsupportedSyntax: Inline `class` declarations are not supported")
    v: Var = yield from lower_class(b, node)
    name = node.fields.get("name")
    if name is not None and name.binding is not None:
        store(b, "Class", name, name.binding, v)


def lower_class(b: Builder, node: Node) -> Steps:
    """Heritage, decorators, each member's computed key and function in order; then one instruction makes the class."""
    uses: list[Var] = []
    for child in node.children:
        if child.type in ("class_heritage", "decorator"):
            yield from lower_parts(b, child, uses)
    for member in node.fields["body"].children:
        for child in member.children if member.type in FIELDS or member.type == "method_definition" else [member]:
            if child.type == "decorator":
                yield from lower_parts(b, child, uses)
        key = member.fields.get("name", member.fields.get("property"))
        if key is not None and key.type == "computed_property_name":
            v: Var = yield expression(b, key.children[0])
            uses.append(v)
        if member.type == "method_definition":
            v = yield EXPRESSIONS["method_definition"](b, member)
            uses.append(v)
        elif member.type == "class_static_block" or (member.type in FIELDS and member.scope is not None):
            function: Function = yield lower_function(b.unit, function_scope(member), member, b)
            uses.append(b.emit(member, "Function", list(function.context), function))
    name = node.fields.get("name")
    return b.emit(node, "ClassExpression", uses, None if name is None else b.unit.text(name))


def lower_parts(b: Builder, node: Node, uses: list[Var]) -> Steps:
    """The expression of an `extends` clause or a decorator."""
    for child in node.children:
        if child.type in ("type_arguments", "implements_clause"):
            continue
        if child.type == "extends_clause":
            yield from lower_parts(b, child, uses)
        else:
            v: Var = yield expression(b, child)
            uses.append(v)
