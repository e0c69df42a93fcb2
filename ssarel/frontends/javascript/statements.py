"""Statements without loops and exceptions: blocks, declarations, if, switch, labels, jumps."""

from __future__ import annotations

from typing import Any

from ssarel.frontends.javascript.builder import Builder, Exit
from ssarel.frontends.javascript.dispatch import (
    STATEMENTS,
    Steps,
    expression,
    statement,
    statement_handler,
)  # fmt: skip
from ssarel.frontends.javascript.expressions import is_literal
from ssarel.frontends.javascript.hoist import LOOPS, exported, functions_first, hoist, hoists
from ssarel.frontends.javascript.patterns import assign, declare_later
from ssarel.frontends.javascript.reorder import check_reorderable
from ssarel.frontends.javascript.resolve import DECLARED_FUNCTIONS, TYPES
from ssarel.frontends.javascript.scope import FunctionScope, Scope
from ssarel.frontends.javascript.syntax import Node
from ssarel.ir import Block, Var


@statement_handler("statement_block")
def lower_block(b: Builder, node: Node) -> Steps:
    """A block: closures ahead of what they mention, functions ahead of their use."""
    yield from lower_list(b, node.children, node.scope)


def lower_list(b: Builder, statements: list[Node], scope: Scope | None) -> Steps:
    """Lower the statements of a block whose names `scope` declares."""
    ordered = statements if b.is_react or scope is None else functions_first(statements, is_switch=False)
    ahead = hoists(b, ordered, scope) if scope is not None and scope.bindings else {}
    for at, node in enumerate(ordered):
        for binding in ahead.get(at, ()):
            hoist(b, node, binding)
        if node.type == "using_declaration" and not b.is_react:
            yield from STATEMENTS["using"](b, Rest(node, ordered[at + 1 :], scope))
            return
        yield statement(b, node)


class Rest(Node):
    """What follows a `using` declaration in its block, as a node of its own."""

    def __init__(self, declaration: Node, statements: list[Node], scope: Scope | None) -> None:
        super().__init__("using", declaration.start, statements[-1].end if statements else declaration.end)
        self.children = statements
        self.fields = {"declaration": declaration}
        self.scope = scope


@statement_handler("expression_statement")
def lower_expression_statement(b: Builder, node: Node) -> Any:
    """An expression whose value is dropped."""
    child = node.children[0] if node.children else None
    if child is None:
        return None
    if child.type in STATEMENTS:
        return statement(b, child)
    return expression(b, child)


@statement_handler("empty_statement", *TYPES)
def lower_nothing(b: Builder, node: Node) -> None:
    """Nothing happens at run time."""


@statement_handler("debugger_statement")
def lower_debugger(b: Builder, node: Node) -> None:
    """`debugger`."""
    b.emit(node, "Debugger", [])


@statement_handler("lexical_declaration", "variable_declaration", "using_declaration")
def lower_declaration(b: Builder, node: Node) -> Steps:
    """`let`, `const`, `var`: declarators in order."""
    kind = node.fields["kind"].type if "kind" in node.fields else "var"
    if kind == "var":
        b.refuse(node, "Todo: Handle var kinds in VariableDeclaration")
    printed = {"let": "Let", "var": "Var"}.get(kind, "Const")
    for declarator in node.children:
        if declarator.type != "variable_declarator":
            continue
        name = declarator.fields["name"]
        value = declarator.fields.get("value")
        if value is not None:
            v: Var = yield expression(b, value)
            mode = "destructure" if name.type in ("object_pattern", "array_pattern") else "assignment"
            yield assign(b, printed, name, v, mode)
        elif kind != "var":
            declare_later(b, name, printed)


@statement_handler("return_statement")
def lower_return(b: Builder, node: Node) -> Steps:
    """`return`."""
    if node.children:
        v: Var = yield expression(b, node.children[0])
    else:
        v = b.primitive(node, "<undefined>")
    b.jump(node, ("return", "Explicit"), v, 0)


@statement_handler("throw_statement")
def lower_throw(b: Builder, node: Node) -> Steps:
    """`throw`."""
    v: Var = yield expression(b, node.children[0])
    if b.handlers:
        b.refuse(node, "Todo: Support ThrowStatement inside of try/catch")
    b.throw(node, v)


@statement_handler("break_statement", "continue_statement")
def lower_jump(b: Builder, node: Node) -> None:
    """`break` and `continue`, with or without a label."""
    is_continue = node.type == "continue_statement"
    label = b.unit.text(node.fields["label"]) if "label" in node.fields else None
    for depth in range(len(b.exits) - 1, -1, -1):
        out = b.exits[depth]
        matches = label in out.labels if label else out.kind == "loop" or (out.kind == "switch" and not is_continue)
        if matches and (out.again >= 0 if is_continue else out.after >= 0):
            target = out.again if is_continue else out.after
            b.jump(node, ("goto", target, "Continue" if is_continue else ""), None, depth + 1)
            return
    b.report(node, "error", "unsupported", f"{b.unit.text(node)}: nothing to jump to; treated as an endless wait")
    b.close(b.terminal(node, "Unreachable", [], []), b.fresh())


@statement_handler("if_statement")
def lower_if(b: Builder, node: Node) -> Steps:
    """`if`; an `else if` chain is nesting."""
    fields = node.fields
    after = b.reserve("block")
    then = b.reserve("block")
    outer = b.enter(then)
    yield statement(b, fields["consequence"])
    b.leave(b.goto(node, after), outer)
    other = after
    if "alternative" in fields:
        alternative = fields["alternative"]
        other = b.reserve("block")
        outer = b.enter(other)
        yield statement(b, alternative.children[0] if alternative.type == "else_clause" else alternative)
        b.leave(b.goto(node, after), outer)
    test: Var = yield expression(b, fields["condition"])
    links: dict[str, int | None] = {"fallthrough": after.id}
    b.close(b.terminal(node, "If", [test], [then.id, other.id], links), after)


@statement_handler("labeled_statement")
def lower_labeled(b: Builder, node: Node) -> Steps:
    """A label: part of its loop's scope, else a block that `break` can leave."""
    labels: list[str] = []
    body = node
    while body.type == "labeled_statement":
        labels.append(b.unit.text(body.fields["label"]))
        body = body.fields["body"]
    if body.type in LOOPS:
        yield STATEMENTS[body.type](b, Labelled(body, tuple(labels)))
        return
    after = b.reserve("block")
    inner = b.reserve("block")
    outer = b.enter(inner)
    b.exits.append(Exit("label", tuple(labels), after.id))
    yield statement(b, body)
    b.exits.pop()
    b.leave(b.goto(node, after), outer)
    b.close(b.terminal(node, "Label", [], [inner.id], {"fallthrough": after.id}), after)


class Labelled(Node):
    """A loop with the labels in front of it."""

    def __init__(self, loop: Node, labels: tuple[str, ...]) -> None:
        super().__init__(loop.type, loop.start, loop.end)
        self.children = loop.children
        self.fields = loop.fields
        self.tokens = loop.tokens
        self.scope = loop.scope
        self.labels = labels


@statement_handler("switch_statement")
def lower_switch(b: Builder, node: Node) -> Steps:
    """`switch`: cases from the last to the first, so that each can fall into the next."""
    cases = node.fields["body"].children
    if not b.is_react:
        yield from prepare_functions(b, node, cases)
    after = b.reserve("block")
    entries: list[Block] = []
    tests: list[Var | None] = []
    in_order = b.is_react or all(is_literal(case.fields["value"]) for case in cases if "value" in case.fields)
    following = after
    for case in reversed(cases):
        entry = b.reserve("block")
        outer = b.enter(entry)
        b.exits.append(Exit("switch", (), after.id))
        value = case.fields.get("value")
        for child in case.children:
            if child is not value and not (not b.is_react and exported(child).type in DECLARED_FUNCTIONS):
                yield statement(b, child)
        b.exits.pop()
        b.leave(b.goto(case, following), outer)
        if value is not None and in_order:
            check_reorderable(b, value)
            test: Var = yield expression(b, value)
            tests.append(test)
        else:
            tests.append(None)
        entries.append(entry)
        following = entry
    entries.reverse()
    tests.reverse()
    v: Var = yield expression(b, node.fields["value"])
    if in_order:
        close_switch(b, node, v, cases, tests, entries, after)
    else:
        yield from test_in_order(b, node, v, cases, entries, after)


def prepare_functions(b: Builder, node: Node, cases: list[Node]) -> Steps:
    """Make the functions that cases declare before any of them runs, and their closures' variables."""
    body = node.fields["body"]
    statements = [child for case in cases for child in case.children if child is not case.fields.get("value")]
    if body.scope is None or not body.scope.bindings:
        return
    functions = [child for child in statements if child.type in DECLARED_FUNCTIONS]
    ordered = functions + [child for child in statements if child.type not in DECLARED_FUNCTIONS]
    for at, bindings in sorted(hoists(b, ordered, body.scope).items()):
        for binding in bindings:
            hoist(b, ordered[at], binding)
    for function in functions:
        yield statement(b, function)


def close_switch(
    b: Builder, node: Node, v: Var, cases: list[Node], tests: list[Var | None], entries: list[Block], after: Block
) -> None:
    """Close with one Switch terminal."""
    uses = [v, *(test for test in tests if test is not None)]
    targets = [entry.id for entry in entries]
    defaults = [test is None for test in tests]
    if not any(case.type == "switch_default" for case in cases):
        targets.append(after.id)
        defaults.append(True)
    b.close(b.terminal(node, "Switch", uses, targets, {"fallthrough": after.id}, tuple(defaults)), after)


def test_in_order(b: Builder, node: Node, v: Var, cases: list[Node], entries: list[Block], after: Block) -> Steps:
    """Compare with one test after the other, as the language does when a test can have effects."""
    default = after
    for case, entry in zip(cases, entries, strict=True):
        value = case.fields.get("value")
        if value is None:
            default = entry
            continue
        test: Var = yield expression(b, value)
        same = b.emit(value, "Binary", [v, test], "===")
        following = b.reserve("block")
        links: dict[str, int | None] = {"fallthrough": following.id}
        b.close(b.terminal(value, "If", [same], [entry.id, following.id], links), following)
    b.close(b.goto(node, default), after)


@statement_handler("else_clause")
def lower_else(b: Builder, node: Node) -> Any:
    """The statement behind `else`."""
    return statement(b, node.children[0])


@statement_handler("with_statement")
def lower_with(b: Builder, node: Node) -> Steps:
    """`with`: its names may be properties; the variables they may mean are cells."""
    b.refuse(node, "UnsupportedSyntax: JavaScript 'with' syntax is not supported")
    v: Var = yield expression(b, node.fields["object"])
    b.emit(node, "With", [v])
    yield statement(b, node.fields["body"])


@statement_handler("*")
def lower_unknown(b: Builder, node: Node) -> Any:
    """Any other node in statement position: an expression."""
    return expression(b, node)


def function_scope(node: Node) -> FunctionScope:
    """The scope a function-like node opened."""
    assert isinstance(node.scope, FunctionScope)
    return node.scope
