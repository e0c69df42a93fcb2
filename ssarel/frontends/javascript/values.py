"""Expressions with control flow inside: conditionals, short circuits, comma, optional chains."""

from __future__ import annotations

from ssarel.frontends.javascript.builder import Builder
from ssarel.frontends.javascript.dispatch import Steps, expression, expression_handler
from ssarel.frontends.javascript.expressions import MEMBERS, lower_arguments
from ssarel.frontends.javascript.patterns import load_member, member_key
from ssarel.frontends.javascript.syntax import Node
from ssarel.ir import Block, Var


@expression_handler("ternary_expression")
def lower_ternary(b: Builder, node: Node) -> Steps:
    """`a ? b : c`."""
    fields = node.fields
    after = b.reserve()
    test = b.reserve("value")
    result = b.temporary()
    then = yield from arm(b, fields["consequence"], result, after)
    other = yield from arm(b, fields["alternative"], result, after)
    b.close(b.terminal(node, "Ternary", [], [test.id], {"fallthrough": after.id}), test)
    v: Var = yield expression(b, fields["condition"])
    b.close(b.branch(node, v, then, other, after), after)
    return result


def arm(b: Builder, node: Node, result: Var, after: Block) -> Steps:
    """Lower one arm of a value expression into a block of its own."""
    block = b.reserve("value")
    outer = b.enter(block)
    v: Var = yield expression(b, node)
    b.store_temporary(node, result, v)
    b.leave(b.goto(node, after), outer)
    return block


@expression_handler("logical")
def lower_logical(b: Builder, node: Node) -> Steps:
    """`a && b`, `a || b`, `a ?? b`: the same shape, the then branch keeps the left value."""
    fields = node.fields
    after = b.reserve()
    test = b.reserve("value")
    result = b.temporary()
    left = b.temporary()
    keep = b.reserve("value")
    outer = b.enter(keep)
    b.store_temporary(fields["left"], result, left)
    b.leave(b.goto(node, after), outer)
    other = yield from arm(b, fields["right"], result, after)
    operator = fields["operator"].type
    b.close(b.terminal(node, "Logical", [], [test.id], {"fallthrough": after.id}, operator), test)
    v: Var = yield expression(b, fields["left"])
    b.append(fields["left"], "LoadLocal", [v], left)
    b.close(b.branch(node, left, keep, other, after), after)
    return result


@expression_handler("sequence_expression")
def lower_sequence(b: Builder, node: Node) -> Steps:
    """`a, b, c`."""
    after = b.reserve()
    result = b.temporary()
    block = b.reserve("sequence")
    outer = b.enter(block)
    last = result
    for part in sequence_parts(node):
        last: Var = yield expression(b, part)
    b.store_temporary(node, result, last)
    b.leave(b.goto(node, after), outer)
    b.close(b.terminal(node, "Sequence", [], [block.id], {"fallthrough": after.id}), after)
    return result


def sequence_parts(node: Node) -> list[Node]:
    """The parts of a comma expression; one grammar nests them to the right."""
    parts: list[Node] = []
    stack = [node]
    while stack:
        inner = stack.pop()
        if inner.type == "sequence_expression":
            stack.extend(reversed(inner.children))
        else:
            parts.append(inner)
    return parts


@expression_handler("chain")
def lower_chain(b: Builder, node: Node) -> Steps:
    """The outermost link of an optional chain."""
    _, _, value = yield link(b, node, None)
    return value


def link(b: Builder, node: Node, nothing: Block | None) -> Steps:
    """One link of an optional chain.

    nothing: the block where the chain gives undefined; None for the outermost link, which makes it.
    Returns: the object and the key's value (calls: None) and the value of the link.
    """
    if node.type == "call_expression":
        return link_call(b, node, nothing)
    return link_member(b, node, nothing)


def is_link(node: Node) -> bool:
    """Does the chain go on in this object or callee?"""
    return node.chain and (node.type in MEMBERS or node.type == "call_expression")


def open_link(b: Builder, node: Node, nothing: Block | None) -> tuple[Var, Block, Block, Block, Block]:
    """Reserve the blocks of a link: result, after, taken, nothing, test."""
    result = b.temporary()
    after = b.reserve()
    taken = b.reserve("value")
    if nothing is None:
        nothing = b.reserve("value")
        outer = b.enter(nothing)
        b.store_temporary(node, result, b.primitive(node, "<undefined>"))
        b.leave(b.goto(node, after), outer)
    return result, after, taken, nothing, b.reserve("value")


def has_question(node: Node) -> bool:
    """Does this link itself have `?.`?"""
    return "optional_chain" in node.fields


def link_member(b: Builder, node: Node, nothing: Block | None) -> Steps:
    """`o?.p`, or `o.p` inside a chain."""
    result, after, taken, nothing, test = open_link(b, node, nothing)
    outer = b.enter(test)
    target = node.fields["object"]
    if is_link(target):
        _, _, obj = yield link(b, target, nothing)
    else:
        obj = yield expression(b, target)
    b.leave(b.branch(node, obj, taken, nothing, after), outer)
    outer = b.enter(taken)
    key = yield from member_key(b, node)
    value = load_member(b, node, obj, key)
    b.store_temporary(node, result, value)
    b.leave(b.goto(node, after), outer)
    links: dict[str, int | None] = {"fallthrough": after.id}
    b.close(b.terminal(node, "Optional", [], [test.id], links, has_question(node)), after)
    return obj, value, result


def link_call(b: Builder, node: Node, nothing: Block | None) -> Steps:
    """`f?.()`, or `f()` inside a chain."""
    result, after, taken, nothing, test = open_link(b, node, nothing)
    callee = node.fields["function"]
    receiver: Var | None = None
    outer = b.enter(test)
    if is_link(callee):
        receiver, _, value = yield link(b, callee, nothing)
        if callee.type == "call_expression":
            receiver = None
        function: Var = value
    elif callee.type in MEMBERS:
        receiver = yield expression(b, callee.fields["object"])
        key = yield from member_key(b, callee)
        assert receiver is not None
        function = load_member(b, callee, receiver, key)
    else:
        function = yield expression(b, callee)
    b.leave(b.branch(node, function, taken, nothing, after), outer)
    outer = b.enter(taken)
    arguments = node.fields["arguments"]
    uses, spreads = yield from lower_arguments(b, arguments)
    call = b.temporary()
    if receiver is None:
        b.append(node, "Call", [function, *uses], call, tuple(spreads))
    else:
        b.append(node, "MethodCall", [receiver, function, *uses], call, tuple(spreads))
    b.store_temporary(node, result, call)
    b.leave(b.goto(node, after), outer)
    links: dict[str, int | None] = {"fallthrough": after.id}
    b.close(b.terminal(node, "Optional", [], [test.id], links, has_question(node)), after)
    return None, None, result
