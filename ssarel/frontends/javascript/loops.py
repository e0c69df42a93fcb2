"""Loops."""

from __future__ import annotations

from ssarel.frontends.javascript.builder import Builder, Exit
from ssarel.frontends.javascript.dispatch import Steps, expression, statement, statement_handler, unwrap
from ssarel.frontends.javascript.patterns import assign
from ssarel.frontends.javascript.resolve import NAMES
from ssarel.frontends.javascript.scope import Binding
from ssarel.frontends.javascript.syntax import Node
from ssarel.ir import Block, Var


def labels_of(node: Node) -> tuple[str, ...]:
    """The labels in front of a loop."""
    return getattr(node, "labels", ())


def loop_body(b: Builder, node: Node, block: Block, again: Block, after: Block) -> Steps:
    """Lower the body of a loop into `block`."""
    outer = b.enter(block)
    b.exits.append(Exit("loop", labels_of(node), after.id, again.id))
    yield statement(b, node.fields["body"])
    b.exits.pop()
    b.leave(b.goto(node, again, "Continue"), outer)


def constant(b: Builder, node: Node) -> bool | None:
    """The truth of a test that is a literal; React draws both edges all the same."""
    node = unwrap(node)
    if b.is_react:
        return None
    if node.type in ("true", "false"):
        return node.type == "true"
    if node.type == "number" and b.unit.text(node) in ("0", "1"):
        return b.unit.text(node) == "1"
    return None


def close_test(b: Builder, node: Node, body: Block, after: Block, fallthrough: Block) -> Steps:
    """Lower the test of a loop in the open block and branch on it."""
    condition = node.fields["condition"]
    known = constant(b, condition)
    test: Var = yield expression(b, condition)
    if known is None:
        b.close(b.branch(node, test, body, after, fallthrough), after)
    else:
        b.close(b.goto(node, body if known else after), after)


@statement_handler("while_statement")
def lower_while(b: Builder, node: Node) -> Steps:
    """`while`."""
    test = b.reserve("loop")
    after = b.reserve("block")
    body = b.reserve("block")
    yield from loop_body(b, node, body, test, after)
    links: dict[str, int | None] = {"loop": body.id, "fallthrough": after.id}
    b.close(b.terminal(node, "While", [], [test.id], links), test)
    yield from close_test(b, node, body, after, test)


@statement_handler("do_statement")
def lower_do(b: Builder, node: Node) -> Steps:
    """`do ... while`."""
    test = b.reserve("loop")
    after = b.reserve("block")
    body = b.reserve("block")
    yield from loop_body(b, node, body, test, after)
    links: dict[str, int | None] = {"test": test.id, "fallthrough": after.id}
    b.close(b.terminal(node, "DoWhile", [], [body.id], links), test)
    yield from close_test(b, node, body, after, test)


@statement_handler("for_statement")
def lower_for(b: Builder, node: Node) -> Steps:
    """`for (init; test; update)`."""
    fields = node.fields
    test = b.reserve("loop")
    after = b.reserve("block")
    init = b.reserve("loop")
    outer = b.enter(init)
    initializer = fields.get("initializer")
    if initializer is None or not initializer.type.endswith("_declaration"):
        b.refuse(node, "Todo: Handle non-variable initialization in ForStatement")
    if initializer is not None:
        yield statement(b, initializer)
    b.leave(b.goto(node, test), outer)
    update: Block | None = None
    cells = [] if b.is_react or node.scope is None else [x for x in node.scope.bindings.values() if x.context]
    if "increment" in fields or cells:
        update = b.reserve("loop")
        outer = b.enter(update)
        for binding in cells:
            renew(b, node, binding)
        if "increment" in fields:
            yield expression(b, fields["increment"])
        b.leave(b.goto(node, test), outer)
    body = b.reserve("block")
    yield from loop_body(b, node, body, update or test, after)
    links: dict[str, int | None] = {
        "test": test.id,
        "loop": body.id,
        "update": update.id if update else None,
        "fallthrough": after.id,
    }
    b.close(b.terminal(node, "For", [], [init.id], links), test)
    condition = fields.get("condition")
    if condition is None or condition.type == "empty_statement":
        b.refuse(node, "Todo: Handle empty test in ForStatement")
        b.close(b.goto(node, body), after)
    else:
        yield from close_test(b, node, body, after, after)


def renew(b: Builder, node: Node, binding: Binding) -> None:
    """Each round has its own cell for a captured loop variable, with the value that the round before left."""
    var = b.resolve(binding)
    b.emit(node, "StoreContext", [var, b.emit(node, "LoadContext", [var])], "Let")


@statement_handler("for_in_statement")
def lower_for_in(b: Builder, node: Node) -> Steps:
    """`for ... of`, `for await ... of` and `for ... in`. React's body goes back to where the iterator is made."""
    fields = node.fields
    is_of = fields["operator"].type == "of"
    if "value" in fields:
        initial: Var = yield expression(b, fields["value"])
        yield assign(b, "Var", fields["left"], initial, "assignment")
    after = b.reserve("block")
    init = b.reserve("loop")
    test = b.reserve("loop") if is_of else init
    body = b.reserve("block")
    stores_early = b.is_react or is_fresh(node)
    entry = body if stores_early else b.reserve("block")
    yield from loop_body(b, node, body, init if b.is_react else test, after)
    collection: Var = yield expression(b, fields["right"])
    links: dict[str, int | None] = {"loop": entry.id, "fallthrough": after.id}
    if is_of:
        links = {"test": test.id, **links}
    b.close(b.terminal(node, "ForOf" if is_of else "ForIn", [], [init.id], links), init)
    if is_of:
        iterator = b.emit(node, "GetIterator", [collection])
        b.close(b.goto(node, test), test)
        item = b.emit(node, "IteratorNext", [iterator, collection])
        if "await" in node.tokens:
            b.refuse(node, "Todo: Handle for-await loops")
            item = b.emit(node, "Await", [item])
    else:
        item = b.emit(node, "NextPropertyOf", [collection])
    kind = head_kind(b, node)
    if stores_early:
        item = yield assign(b, kind, fields["left"], item, "assignment")
        b.close(b.branch(node, item, body, after, after), after)
    else:
        b.close(b.branch(node, item, entry, after, after), entry)
        yield assign(b, kind, fields["left"], item, "assignment")
        b.close(b.goto(node, body), after)


def head_kind(b: Builder, node: Node) -> str:
    """How the head stores each item: React stores any declaration as `Let`."""
    kind = node.fields.get("kind")
    if kind is None:
        return "Reassign"
    return "Var" if kind.type == "var" and not b.is_react else "Let"


def is_fresh(node: Node) -> bool:
    """Does the head declare one variable that only its own iteration can see?

    Only then may the item be stored ahead of the test for the end, as React does: nobody sees the store of the round
    that finds the end.
    """
    kind = node.fields.get("kind")
    return kind is not None and kind.type != "var" and node.fields["left"].type in NAMES
