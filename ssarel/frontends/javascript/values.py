"""Expressions with control flow inside: conditionals, short circuits, comma, optional chains."""

from __future__ import annotations

from ssarel.frontends.javascript.builder import Builder
from ssarel.frontends.javascript.dispatch import Steps, expression, expression_handler, unwrap
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
    """An optional chain, from its outermost link. React tests at every link; in fact only `?.` does."""
    if b.is_react or has_question(node):
        _, value = yield tested_link(b, node, None)
        return value
    result = b.temporary()
    after = b.reserve()
    nothing = empty_end(b, node, result, after)
    chain = b.reserve("value")
    outer = b.enter(chain)
    _, value = yield link(b, node, nothing)
    b.store_temporary(node, result, value)
    b.leave(b.goto(node, after), outer)
    b.close(b.terminal(node, "Optional", [], [chain.id], {"fallthrough": after.id}, False), after)
    return result


@expression_handler("callee chain")
def lower_callee_chain(b: Builder, node: Node) -> Steps:
    """The chain of `(a?.b)(c)`: the object, which the call gets as `this`, and the callee."""
    receiver = b.temporary()
    result = b.temporary()
    after = b.reserve()
    nothing = empty_end(b, node, result, after, receiver)
    chain = b.reserve("value")
    outer = b.enter(chain)
    head, value = yield link(b, node, nothing)
    b.store_temporary(node, receiver, head)
    b.store_temporary(node, result, value)
    b.leave(b.goto(node, after), outer)
    b.close(b.terminal(node, "Optional", [], [chain.id], {"fallthrough": after.id}, False), after)
    return receiver, result


def link(b: Builder, node: Node, nothing: Block) -> Steps:
    """One link inside a chain, which goes on in block `nothing` where it gives undefined.

    Returns: the object of a member (None for a call) and the value of the link.
    """
    if b.is_react or has_question(node):
        return (yield from tested_link(b, node, nothing))
    receiver, head = yield from chain_head(b, node, nothing)
    value = yield from follow(b, node, receiver, head)
    return None if node.type == "call_expression" else head, value


def tested_link(b: Builder, node: Node, nothing: Block | None) -> Steps:
    """A link with a test of its object or callee; the outermost one (`nothing` is None) makes the end of the chain."""
    result = b.temporary()
    after = b.reserve()
    taken = b.reserve("value")
    if nothing is None:
        nothing = empty_end(b, node, result, after)
    test = b.reserve("value")
    outer = b.enter(test)
    receiver, head = yield from chain_head(b, node, nothing)
    b.leave(b.branch(node, head, taken, nothing, after), outer)
    outer = b.enter(taken)
    value = yield from follow(b, node, receiver, head)
    b.store_temporary(node, result, value)
    b.leave(b.goto(node, after), outer)
    links: dict[str, int | None] = {"fallthrough": after.id}
    b.close(b.terminal(node, "Optional", [], [test.id], links, has_question(node)), after)
    return None if node.type == "call_expression" else head, result


def has_question(node: Node) -> bool:
    """Does this link itself have `?.`?"""
    return "optional_chain" in node.fields


def empty_end(b: Builder, node: Node, result: Var, after: Block, receiver: Var | None = None) -> Block:
    """The block where a chain ends early, with undefined."""
    nothing = b.reserve("value")
    outer = b.enter(nothing)
    undefined = b.primitive(node, "<undefined>")
    if receiver is not None:
        b.store_temporary(node, receiver, undefined)
    b.store_temporary(node, result, undefined)
    b.leave(b.goto(node, after), outer)
    return nothing


def chain_head(b: Builder, node: Node, nothing: Block) -> Steps:
    """What a link starts from: the receiver of a method call, else None; and the object or callee."""
    is_call = node.type == "call_expression"
    head = node.fields["function" if is_call else "object"]
    if has_question(node) or (is_call and not unwrap(head).chain):
        head = unwrap(head)  # parentheses end a chain only where the next link has no `?.`
    while head.type == "non_null_expression" and not b.is_react:
        head = head.children[0]
    if head.chain and (head.type in MEMBERS or head.type == "call_expression"):
        receiver, value = yield link(b, head, nothing)
        return receiver if is_call else None, value
    if is_call and head.type in MEMBERS:
        receiver = yield expression(b, head.fields["object"])
        key = yield from member_key(b, head)
        return receiver, load_member(b, head, receiver, key)
    return None, (yield expression(b, head))


def follow(b: Builder, node: Node, receiver: Var | None, head: Var) -> Steps:
    """Load the property, or call. React gives a call its result after its arguments."""
    if node.type != "call_expression":
        key = yield from member_key(b, node)
        return load_member(b, node, head, key)
    uses, spreads = yield from lower_arguments(b, node.fields["arguments"])
    if receiver is None:
        return b.emit(node, "Call", [head, *uses], tuple(spreads))
    return b.emit(node, "MethodCall", [receiver, head, *uses], tuple(spreads))
