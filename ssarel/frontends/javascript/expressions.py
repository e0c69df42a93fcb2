"""Expressions that run straight through: literals, operators, members, calls, object and array literals."""

from __future__ import annotations

from typing import Any

from ssarel.frontends.javascript.builder import Builder
from ssarel.frontends.javascript.dispatch import EXPRESSIONS, Steps, expression, expression_handler, unwrap
from ssarel.frontends.javascript.literals import number_text, string_text, template_raw, unescape
from ssarel.frontends.javascript.patterns import load_member, member_key
from ssarel.frontends.javascript.resolve import NAMES
from ssarel.frontends.javascript.scope import Binding
from ssarel.frontends.javascript.syntax import Node
from ssarel.ir import GlobalRef, Var

LITERALS = frozenset({"number", "string", "true", "false", "null", "undefined"})
PRIMITIVE_TYPES = frozenset({"boolean", "null", "number", "string", "symbol", "undefined", "void"})
MEMBERS = frozenset({"member_expression", "subscript_expression"})


@expression_handler(*NAMES)
def lower_name(b: Builder, node: Node) -> Var:
    """Read a variable."""
    binding = node.binding
    if binding is None:
        if node.name == "arguments" and not b.is_react and b.scope.kind == "function":
            return b.emit(node, "Arguments", [])
        return b.emit(node, "LoadGlobal", [], GlobalRef("global", node.name))
    return load(b, node, binding)


def load(b: Builder, node: Node, binding: Binding) -> Var:
    """Read a bound variable: a local, a cell, a module's or an import."""
    if b.is_local(binding):
        var = b.resolve(binding)
        return b.emit(node, "LoadContext" if binding.context else "LoadLocal", [var])
    return b.emit(node, "LoadGlobal", [], binding.imported or GlobalRef("module", binding.name))


@expression_handler("number")
def lower_number(b: Builder, node: Node) -> Var:
    """A number or a bigint."""
    text = number_text(b.unit.text(node))
    if text.endswith("n"):
        b.refuse(node, "Todo: Handle BigIntLiteral expressions")
    return b.primitive(node, text)


@expression_handler("string")
def lower_string(b: Builder, node: Node) -> Var:
    """A string literal."""
    return b.primitive(node, string_text(unescape(b.unit.source.text(node.start + 1, node.end - 1))))


@expression_handler("true", "false", "null")
def lower_constant(b: Builder, node: Node) -> Var:
    """`true`, `false`, `null`."""
    return b.primitive(node, node.type)


@expression_handler("regex")
def lower_regex(b: Builder, node: Node) -> Var:
    """A regular expression literal."""
    return b.emit(node, "RegExp", [], b.unit.text(node))


@expression_handler("this")
def lower_this(b: Builder, node: Node) -> Var:
    """`this`."""
    b.refuse(node, "Todo: Handle ThisExpression expressions")
    return b.emit(node, "This", [])


@expression_handler("super")
def lower_super(b: Builder, node: Node) -> Var:
    """`super`, as a callee or the object of a member."""
    b.refuse(node, "Todo: Handle Super expressions")
    return b.emit(node, "Super", [])


@expression_handler("meta_property")
def lower_meta(b: Builder, node: Node) -> Var:
    """`import.meta`, `new.target`."""
    text = "".join(b.unit.text(node).split())
    if text != "import.meta":
        b.refuse(node, "Todo: Handle MetaProperty expressions other than import.meta")
    return b.emit(node, "MetaProperty", [], text)


@expression_handler("unary_expression")
def lower_unary(b: Builder, node: Node) -> Steps:
    """A prefix operator."""
    operator = node.fields["operator"].type
    argument = node.fields["argument"]
    if operator == "delete":
        return (yield from lower_delete(b, node, unwrap(argument)))
    v: Var = yield expression(b, argument)
    return b.emit(node, "Unary", [v], operator)


def lower_delete(b: Builder, node: Node, target: Node) -> Steps:
    """`delete`."""
    if target.type not in MEMBERS or target.chain:
        b.refuse(node, "Syntax: Only object properties can be deleted")
        v: Var = yield expression(b, target)
        return b.emit(node, "Delete", [v])
    obj: Var = yield expression(b, target.fields["object"])
    key = yield from member_key(b, target)
    if isinstance(key, str):
        return b.emit(node, "PropertyDelete", [obj], key)
    return b.emit(node, "ComputedDelete", [obj, key])


@expression_handler("binary_expression")
def lower_binary(b: Builder, node: Node) -> Steps:
    """An infix operator; the short-circuiting ones are in values.py."""
    fields = node.fields
    operator = fields["operator"].type
    if operator in ("&&", "||", "??"):
        return (yield EXPRESSIONS["logical"](b, node))
    left = fields["left"]
    if left.type == "private_property_identifier":
        obj: Var = yield expression(b, fields["right"])
        return b.emit(node, "PrivateIn", [obj], b.unit.text(left))
    v: Var = yield expression(b, left)
    w: Var = yield expression(b, fields["right"])
    return b.emit(node, "Binary", [v, w], operator)


@expression_handler("await_expression")
def lower_await(b: Builder, node: Node) -> Steps:
    """`await`."""
    v: Var = yield expression(b, node.children[0])
    return b.emit(node, "Await", [v])


@expression_handler("yield_expression")
def lower_yield(b: Builder, node: Node) -> Steps:
    """`yield`, `yield*`."""
    b.refuse(node, "Todo: Handle YieldExpression expressions")
    uses: list[Var] = []
    if node.children:
        v: Var = yield expression(b, node.children[0])
        uses.append(v)
    return b.emit(node, "YieldDelegate" if "*" in node.tokens else "Yield", uses)


@expression_handler("as_expression", "satisfies_expression", "type_assertion")
def lower_cast(b: Builder, node: Node) -> Steps:
    """`e as T`, `e satisfies T`, `<T>e`."""
    e, written = node.children[0], node.children[-1]
    if node.type == "type_assertion":
        e, written = written, e.children[0]
    v: Var = yield expression(b, e)
    text = b.unit.text(written) if written is not e else ""
    printed = ""
    if text in PRIMITIVE_TYPES:
        printed = ":TPrimitive"
    elif written.type == "array_type" or text.startswith("Array<"):
        printed = ":TObject<BuiltInArray>"
    return b.emit(node, "TypeCast", [v], printed)


@expression_handler("non_null_expression", "instantiation_expression")
def lower_wrapped(b: Builder, node: Node) -> Any:
    """`e!`, `f<T>`: just the expression."""
    return expression(b, node.children[0])


def substitutions(node: Node) -> list[Node]:
    """The `${...}` of a template."""
    return [child for child in node.children if child.type == "template_substitution"]


def template_parts(b: Builder, node: Node) -> tuple[str, ...]:
    """The raw texts of a template, one more than its substitutions."""
    parts: list[str] = []
    start = node.start + 1
    for child in substitutions(node):
        parts.append(template_raw(b.unit.source.text(start, child.start)))
        start = child.end
    parts.append(template_raw(b.unit.source.text(start, node.end - 1)))
    return tuple(parts)


def is_literal(node: Node) -> bool:
    """Does the expression always mean the same, so that it may be computed at any time?"""
    node = unwrap(node)
    if node.type == "unary_expression":
        return node.fields["operator"].type in ("-", "+") and node.fields["argument"].type == "number"
    return node.type in LITERALS or (node.type == "template_string" and not substitutions(node))


@expression_handler("template_string")
def lower_template(b: Builder, node: Node) -> Steps:
    """A template literal."""
    uses: list[Var] = []
    for child in substitutions(node):
        v: Var = yield expression(b, child.children[0])
        uses.append(v)
    return b.emit(node, "TemplateLiteral", uses, template_parts(b, node))


def lower_arguments(b: Builder, node: Node) -> Steps:
    """Arguments left to right: their variables, and which are spread."""
    uses: list[Var] = []
    spreads: list[bool] = []
    for child in node.children:
        is_spread = child.type == "spread_element"
        v: Var = yield expression(b, child.children[0] if is_spread else child)
        uses.append(v)
        spreads.append(is_spread)
    return uses, spreads


@expression_handler("call_expression")
def lower_call(b: Builder, node: Node) -> Steps:
    """A call, a method call, a tagged template, `import()`."""
    if node.chain:
        return (yield EXPRESSIONS["chain"](b, node))
    callee = node.fields["function"]
    arguments = node.fields["arguments"]
    if arguments.type == "template_string":
        return (yield from lower_tagged(b, node, callee, arguments))
    if callee.type == "import":
        b.refuse(node, "Todo: Handle Import expressions")
        uses, _ = yield from lower_arguments(b, arguments)
        return b.emit(node, "ImportCall", uses)
    if callee.type == "parenthesized_expression" and unwrap(callee).type in MEMBERS:
        callee = unwrap(callee)  # still a method call
        if callee.chain and not b.is_react:
            receiver, method = yield EXPRESSIONS["callee chain"](b, callee)
            uses, spreads = yield from lower_arguments(b, arguments)
            return b.emit(node, "MethodCall", [receiver, method, *uses], tuple(spreads))
    if callee.type in MEMBERS and not callee.chain:
        obj: Var = yield expression(b, callee.fields["object"])
        key = yield from member_key(b, callee)
        method = load_member(b, callee, obj, key)
        uses, spreads = yield from lower_arguments(b, arguments)
        return b.emit(node, "MethodCall", [obj, method, *uses], tuple(spreads))
    v: Var = yield expression(b, callee)
    uses, spreads = yield from lower_arguments(b, arguments)
    if callee.type == "identifier" and callee.name == "eval" and callee.binding is None:
        b.refuse(node, "UnsupportedSyntax: The 'eval' function is not supported")
    return b.emit(node, "Call", [v, *uses], tuple(spreads))


def lower_tagged(b: Builder, node: Node, tag: Node, template: Node) -> Steps:
    """A tagged template."""
    v: Var = yield expression(b, tag)
    parts = template_parts(b, template)
    uses = [v]
    for child in substitutions(template):
        w: Var = yield expression(b, child.children[0])
        uses.append(w)
    if len(parts) > 1:
        b.refuse(node, "Todo: Handle tagged template with interpolations")
    elif "\\" in "".join(parts):
        b.refuse(node, "Todo: Handle tagged template where cooked value differs from raw value")
    return b.emit(node, "TaggedTemplate", uses, parts)


@expression_handler("new_expression")
def lower_new(b: Builder, node: Node) -> Steps:
    """`new`."""
    v: Var = yield expression(b, node.fields["constructor"])
    uses: list[Var] = []
    spreads: list[bool] = []
    if "arguments" in node.fields:
        uses, spreads = yield from lower_arguments(b, node.fields["arguments"])
    return b.emit(node, "New", [v, *uses], tuple(spreads))


@expression_handler("member_expression", "subscript_expression")
def lower_member(b: Builder, node: Node) -> Steps:
    """A property read."""
    if node.chain:
        return (yield EXPRESSIONS["chain"](b, node))
    obj: Var = yield expression(b, node.fields["object"])
    key = yield from member_key(b, node)
    return load_member(b, node, obj, key)


@expression_handler("*")
def lower_unsupported(b: Builder, node: Node) -> Steps:
    """A node no handler knows: read every variable inside, make the functions inside, say so."""
    b.report(node, "warning", "unsupported", f"{node.type} is not modelled: its variables are read, no more")
    uses: list[Var] = []
    stack = [node]
    while stack:
        inner = stack.pop()
        if inner.type in NAMES and inner.scope is not None:
            uses.append(lower_name(b, inner))
        elif inner.type in EXPRESSIONS and inner is not node:
            v: Var = yield expression(b, inner)
            uses.append(v)
        else:
            stack.extend(reversed(inner.children))
    return b.emit(node, "UnsupportedNode", uses, node.type)
