"""`try`: handlers, and `finally` blocks that every way out runs through.

A `finally` block is lowered once. Each way into it (the end of the body, an exception, `return`, `break`, `continue`)
stores its number in a selector variable; the switch behind the block reads it and goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ssarel.frontends.javascript.builder import Builder, Exit, Finalizer, Handler
from ssarel.frontends.javascript.dispatch import Steps, expression, statement_handler
from ssarel.frontends.javascript.patterns import assign
from ssarel.frontends.javascript.resolve import NAMES
from ssarel.frontends.javascript.statements import lower_list
from ssarel.frontends.javascript.syntax import Node
from ssarel.ir import Block, Terminal, Var

Part = Callable[[], Any]


@statement_handler("try_statement")
def lower_try(b: Builder, node: Node) -> Steps:
    """`try` with a handler, a `finally` block, or a handler inside a `finally`."""
    fields = node.fields
    if "finalizer" not in fields:
        yield from lower_try_catch(b, node)
        return
    b.refuse(node, "Todo: Handle TryStatement with a finalizer ('finally') clause")
    final = fields["finalizer"].fields["body"]

    def body() -> Any:
        return lower_try_catch(b, node) if "handler" in fields else statement_list(b, fields["body"])

    yield from lower_finally(b, node, body, lambda: statement_list(b, final))


def statement_list(b: Builder, block: Node) -> Steps:
    """The statements of a block."""
    yield from lower_list(b, block.children, block.scope)


def lower_try_catch(b: Builder, node: Node) -> Steps:
    """`try ... catch`; the handler is lowered before the body."""
    fields = node.fields
    catch = fields["handler"]
    after = b.reserve("block")
    parameter = catch.fields.get("parameter")
    binding: Var | None = None
    if parameter is not None:
        binding = b.temporary(promoted=True)
        b.emit(parameter, "DeclareLocal", [], "Catch", [binding])
    handler = b.reserve("catch")
    outer = b.enter(handler)
    if parameter is not None and binding is not None:
        if parameter.type not in NAMES:
            b.refuse(parameter, "Invariant: Could not find binding for declaration.")
        yield assign(b, "Catch", parameter, binding, "assignment")
    yield from lower_list(b, catch.fields["body"].children, catch.scope)
    b.leave(b.goto(node, after), outer)
    body = b.reserve("block")
    outer = b.enter(body)
    b.handlers.append(Handler(handler.id, binding))
    yield from statement_list(b, fields["body"])
    b.handlers.pop()
    b.leave(b.goto(node, after), outer)
    close_try(b, node, body, handler, binding, after)


def close_try(b: Builder, node: Node, body: Block, handler: Block, binding: Var | None, after: Block) -> None:
    """Close the open block with a Try."""
    links: dict[str, int | None] = {"handler": handler.id, "fallthrough": after.id}
    b.close(b.terminal(node, "Try", [] if binding is None else [binding], [body.id], links), after)


def lower_finally(b: Builder, node: Node, lower_body: Part, lower_final: Part) -> Steps:
    """Run `lower_final` after `lower_body`, however that ends."""
    value = b.temporary(promoted=True)
    selector = b.temporary(promoted=True)
    b.emit(node, "DeclareLocal", [], "Catch", [value])
    after = b.reserve("block")
    final = b.reserve("block")
    handler = b.reserve("catch")
    finalizer = Finalizer(final.id, selector, value)
    outer = b.enter(handler)
    b.enter_finally(node, finalizer, ("throw",), None)
    b.block = outer
    body = b.reserve("block")
    outer = b.enter(body)
    b.handlers.append(Handler(handler.id, value))
    b.exits.append(Exit("finally", finalizer=finalizer))
    yield lower_body()
    b.exits.pop()
    b.handlers.pop()
    b.enter_finally(node, finalizer, ("goto", after.id, ""), None)
    b.block = final
    yield lower_final()
    dispatch(b, node, finalizer, after)
    b.block = outer
    close_try(b, node, body, handler, value, after)


def dispatch(b: Builder, node: Node, finalizer: Finalizer, after: Block) -> None:
    """Close the end of a `finally` block: go on along the way that control came in."""
    tests = [b.primitive(node, str(number)) for number in finalizer.ways.values()]
    test = b.emit(node, "LoadLocal", [finalizer.selector])
    switch = b.block
    targets: list[int] = []
    for way in finalizer.ways:
        if way[:2] == ("goto", after.id):
            targets.append(after.id)
            continue
        case = b.reserve("block")
        targets.append(case.id)
        b.block = case
        if way[0] == "goto":
            b.jump(node, way, None, exit_depth(b, way[1]))
        else:
            value = b.emit(node, "LoadLocal", [finalizer.value])
            if way[0] == "throw":
                b.throw(node, value)
            else:
                b.jump(node, way, value, 0)
    links: dict[str, int | None] = {"fallthrough": after.id}
    switch.terminal = b.terminal(node, "Switch", [test, *tests], targets, links, (False,) * len(targets))
    finalizer.dispatch = switch.id
    finalizer.numbers = list(finalizer.ways.values())
    b.finalizers.append(finalizer)


def exit_depth(b: Builder, target: int) -> int:
    """Where on the stack of exits the statement stands that a jump to `target` leaves; its own exit stays."""
    for depth in range(len(b.exits) - 1, -1, -1):
        if target in (b.exits[depth].after, b.exits[depth].again):
            return depth + 1
    return 0


def drop_dead_ways(b: Builder, entry: int) -> None:
    """Remove the cases of `finally` switches that no reachable block selects: those edges are never taken."""
    changed = bool(b.finalizers)
    while changed:
        changed = False
        reachable = reach(b.blocks, entry)
        for finalizer in b.finalizers:
            block = b.blocks[finalizer.dispatch]
            live = [number for number in finalizer.numbers if reachable.intersection(finalizer.sources.get(number, ()))]
            if len(live) < len(finalizer.numbers) and live:
                keep_cases(block, [finalizer.numbers.index(number) for number in live])
                finalizer.numbers = live
                changed = True


def keep_cases(block: Block, kept: list[int]) -> None:
    """Keep these cases of a Switch; a single one needs no test."""
    old = block.terminal
    targets = [old.targets[at] for at in kept]
    if len(kept) == 1:
        block.terminal = Terminal("Goto", [], targets, None, "", old.line, old.col)
    else:
        uses = [old.uses[0], *(old.uses[1 + at] for at in kept)]
        block.terminal = Terminal("Switch", uses, targets, old.links, (False,) * len(kept), old.line, old.col)


def reach(blocks: dict[int, Block], entry: int) -> set[int]:
    """The blocks that edges lead to from `entry`."""
    seen = {entry}
    stack = [entry]
    while stack:
        for target in blocks[stack.pop()].terminal.targets:
            if target not in seen:
                seen.add(target)
                stack.append(target)
    return seen


@statement_handler("using")
def lower_using(b: Builder, node: Node) -> Steps:
    """`using x = e;` and what follows in its block: x is disposed of however the block ends."""
    for declarator in node.fields["declaration"].children:
        if declarator.type != "variable_declarator":
            continue
        name = declarator.fields["name"]
        v: Var = yield expression(b, declarator.fields["value"])
        yield assign(b, "Const", name, v, "assignment")

    def dispose() -> Any:
        return lower_disposal(b, node.fields["declaration"])

    yield from lower_finally(b, node, lambda: lower_list(b, node.children, None), dispose)


def lower_disposal(b: Builder, declaration: Node) -> Steps:
    """Dispose of the declared resources, the last one first."""
    for declarator in reversed(declaration.children):
        if declarator.type == "variable_declarator":
            v: Var = yield expression(b, declarator.fields["name"])
            b.emit(declarator, "Dispose", [v])
