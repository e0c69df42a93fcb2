"""Functions: parameters, captured variables, bodies."""

from __future__ import annotations

from collections import Counter

from ssarel import cfg
from ssarel.frontends.javascript.builder import Builder, Environment, Unit
from ssarel.frontends.javascript.dispatch import (
    STATEMENTS,
    Steps,
    expression,
    expression_handler,
    run,
    statement_handler,
)
from ssarel.frontends.javascript.exceptions import drop_dead_ways, reach
from ssarel.frontends.javascript.expressions import load
from ssarel.frontends.javascript.patterns import assign, store, with_default
from ssarel.frontends.javascript.resolve import NAMES, param_target, parameters
from ssarel.frontends.javascript.scope import Binding, FunctionScope
from ssarel.frontends.javascript.statements import function_scope, lower_list
from ssarel.frontends.javascript.syntax import Node
from ssarel.ir import Block, Function, Param, Var

KINDS = {"arrow_function": "arrow", "method_definition": "method", "field": "field", "class_static_block": "static"}


@expression_handler("function_expression", "generator_function", "arrow_function")
def lower_function_expression(b: Builder, node: Node) -> Steps:
    """A function as a value."""
    return (yield from make_function(b, node, "Function"))


@expression_handler("method_definition")
def lower_method(b: Builder, node: Node) -> Steps:
    """A method or accessor as a value."""
    return (yield from make_function(b, node, "ObjectMethod"))


@statement_handler("function_declaration", "generator_function_declaration")
def lower_function_declaration(b: Builder, node: Node) -> Steps:
    """A function declaration where it stands, or at the start of its block."""
    v: Var = yield from make_function(b, node, "Function")
    name = node.fields["name"]
    binding = name.binding
    if binding is None:
        return
    if b.is_react:
        scope = function_scope(node)
        binding = scope.params.get(name.name) or scope.bindings.get(name.name) or binding
        store(b, "Function", name, binding, v)
        return
    yield assign(b, "Function", name, v, "assignment")
    annex = binding.copies
    if annex is not None:
        store(b, "Var", name, annex, load(b, name, binding))


def make_function(b: Builder, node: Node, op: str) -> Steps:
    """Lower a nested or root function and emit the instruction that makes it. Returns its variable."""
    scope = function_scope(node)
    function: Function = yield lower_function(b.unit, scope, node, b)
    return b.emit(node, op, list(function.context), function)


def lower_function(unit: Unit, scope: FunctionScope, node: Node, outer: Builder | None) -> Steps:
    """Lower one function completely.

    outer: the builder of the function around it. A root function has its own counters and captures nothing.
    """
    is_root = scope.root is scope
    env = Environment() if is_root or outer is None else outer.env
    name_node = node.fields.get("name")
    b = Builder(unit, scope, env, printed_name(unit, node))
    captured = [] if is_root or outer is None else capture(b, scope)
    entry = b.block.id
    params: list[Param] = []
    yield from lower_parameters(b, node, params)
    if not unit.is_react:
        declare_vars(b, scope, node)
    yield from lower_body(b, node, scope)
    finish(b, node, entry)
    returns = b.temporary()
    name = b.name
    binding = None if name_node is None else name_node.binding
    if unit.is_react and name is not None and binding is not None and binding.renamed:
        name = binding.label
    function = Function(name, params, b.blocks, entry, returns, context=captured, root=is_root)
    describe(b, function, node)
    function.next_id, function.next_block = env.next_id, env.next_block
    loses = loses_functions(b, entry)
    if loses:
        b.refuse(node, "Todo: Support functions with unreachable code that may contain hoisted declarations")
    cfg.build(function, keep_unreachable=loses or not unit.is_react)
    if is_root:
        unit.roots.append(function)
    return function


def finish(b: Builder, node: Node, entry: int) -> None:
    """Return at the end of the body. In the default profile nothing is made up behind a jump."""
    drop_dead_ways(b, entry)
    if b.is_react or b.block.instrs or b.block.id in reach(b.blocks, entry):
        b.block.terminal = b.terminal(node, "Return", [b.primitive(node, "<undefined>")], [], None, "Void")
    if not b.is_react:
        drop_empty(b.blocks, entry)


def drop_empty(blocks: dict[int, Block], entry: int) -> None:
    """Drop unreachable blocks without instructions that no other block names: the ones opened behind jumps."""
    reachable = reach(blocks, entry)
    if len(reachable) == len(blocks):
        return
    named: Counter[int] = Counter()
    for block in blocks.values():
        named.update(names_of(block))
    empty = [id for id, block in blocks.items() if id not in reachable and not block.instrs and not named[id]]
    while empty:
        dropped = blocks.pop(empty.pop())
        for id in names_of(dropped):
            named[id] -= 1
            if not named[id] and id not in reachable and not blocks[id].instrs:
                empty.append(id)


def names_of(block: Block) -> list[int]:
    """The blocks that a block's terminal names."""
    terminal = block.terminal
    return [*terminal.targets, *(id for id in terminal.links.values() if id is not None)]


def loses_functions(b: Builder, entry: int) -> bool:
    """React profile: would dropping unreachable blocks drop a function? Object methods do not count there."""
    if not b.is_react:
        return False
    reachable = reach(b.blocks, entry)
    emptied = {b.blocks[id].terminal.links.get("fallthrough") for id in reachable}
    return any(
        step.op == "Function"
        for block in b.blocks.values()
        if block.id not in reachable and block.id not in emptied
        for step in block.instrs
    )


def printed_name(unit: Unit, node: Node) -> str | None:
    """The name a function prints; React leaves methods and arrows without one."""
    name = node.fields.get("name", node.fields.get("property"))
    if name is None or node.type in ("arrow_function", "program"):
        return None
    if node.type == "method_definition" or name.type not in ("identifier",):
        return None if unit.is_react or name.type == "computed_property_name" else unit.text(name)
    return name.name or unit.text(name)


def describe(b: Builder, function: Function, node: Node) -> None:
    """Set what the text does not show: kind, flags, position; and the directives."""
    function.line, function.col = b.unit.source.position(node.start)
    function.kind = KINDS.get(node.type, "function") if b.scope.kind == "function" else b.scope.kind
    if node.type == "method_definition":
        if "get" in node.tokens:
            function.kind = "getter"
        elif "set" in node.tokens:
            function.kind = "setter"
        elif b.unit.text(node.fields["name"]) == "constructor" and getattr(b.scope.parent, "kind", "") == "class":
            function.kind = "constructor"
    function.is_async = "async" in node.tokens
    function.is_generator = "*" in node.tokens or node.type.startswith("generator")
    body = node if b.scope.kind == "module" else node.fields.get("body")
    if body is None or body.type not in ("statement_block", "program") or b.scope.kind == "static":
        return
    for child in body.children:
        if not is_directive(child):
            break
        text = child.children[0]
        function.directives.append(b.unit.source.text(text.start + 1, text.end - 1))


def is_directive(node: Node) -> bool:
    """A string alone in a statement, as `use strict`."""
    return node.type == "expression_statement" and bool(node.children) and node.children[0].type == "string"


def capture(b: Builder, scope: FunctionScope) -> list[Var]:
    """The captured variables: what the function around it captured (React: all of it), then what it mentions first."""
    bindings: dict[Binding, None] = {}
    if b.is_react:
        chain: list[FunctionScope] = []
        around = scope.outer
        while around is not None and around is not scope.root:
            chain.append(around)
            around = around.outer
        for function in reversed(chain):
            collect(b, function, bindings)
    collect(b, scope, bindings)
    return [b.resolve(binding, renames=False) for binding in bindings]


def collect(b: Builder, function: FunctionScope, bindings: dict[Binding, None]) -> None:
    """Add the local variables that `function` mentions and does not own."""
    for node in function.free:
        if node.binding is not None and b.is_local(node.binding):
            bindings.setdefault(node.binding)


def lower_parameters(b: Builder, node: Node, params: list[Param]) -> Steps:
    """Parameters left to right; patterns and defaults are taken apart from a temporary at once."""
    for param in parameters(node):
        target = param_target(param)
        default = param.fields.get("value") if param.type.endswith("_parameter") else None
        if any(child.type == "accessibility_modifier" for child in param.children):
            b.refuse(param, "Todo: Handle TSParameterProperty parameters")
        if target.type in NAMES and default is None:
            assert target.binding is not None
            params.append(Param(b.resolve(target.binding)))
        elif target.type == "rest_pattern":
            rest = b.temporary()
            params.append(Param(rest, rest=True))
            yield assign(b, "Let", target.children[0], rest, "assignment")
        else:
            slot = b.temporary(promoted=True)
            params.append(Param(slot))
            value = slot if default is None else (yield from with_default(b, param, default, slot))
            yield assign(b, "Let", target, value, "assignment")


def declare_vars(b: Builder, scope: FunctionScope, node: Node) -> None:
    """`var` variables exist from the start, undefined; one that a parameter pattern hides starts as the parameter."""
    for binding in scope.bindings.values():
        if binding.kind != "var":
            continue
        var = b.resolve(binding)
        if binding.context:
            b.emit(node, "DeclareContext", [], ("Var", var))
        elif binding.copies is None:
            b.emit(node, "DeclareLocal", [], "Var", [var])
        if binding.copies is not None:
            store(b, "Var", node, binding, load(b, node, binding.copies))
    if scope.own is not None and scope.own.refs:
        store(b, "Const", node, scope.own, b.emit(node, "Self", []))


def lower_body(b: Builder, node: Node, scope: FunctionScope) -> Steps:
    """The statements of the body, or an arrow's expression as a return."""
    if scope.kind == "module":
        yield from lower_list(b, [child for child in node.children if not is_directive(child)], scope)
        yield STATEMENTS["exports"](b, node)
        return
    if scope.kind == "field":
        v: Var = yield expression(b, node.fields["value"])
        b.jump(node, ("return", "Implicit"), v, 0)
        return
    body = node.fields["body"]
    if body.type == "statement_block":
        statements = body.children
        start = 0
        while start < len(statements) and is_directive(statements[start]):
            start += 1
        yield from parameter_properties(b, node)
        yield from lower_list(b, statements[start:], scope)
        return
    after = b.reserve("block")
    v = yield expression(b, body)
    b.close(b.terminal(body, "Return", [v], [], None, "Implicit"), after)


def parameter_properties(b: Builder, node: Node) -> Steps:
    """TypeScript: `constructor(private x)` also stores the property."""
    for param in parameters(node):
        modified = any(child.type in ("accessibility_modifier", "override_modifier") for child in param.children)
        if not modified and "readonly" not in param.tokens:
            continue
        target = param_target(param)
        if target.type in NAMES:
            this = b.emit(param, "This", [])
            v: Var = yield expression(b, target)
            b.emit(param, "PropertyStore", [this, v], target.name)


def lower_module(unit: Unit, scope: FunctionScope, root: Node) -> None:
    """Lower a file: its body and, on the way, every function in it."""
    run(lower_function(unit, scope, root, None))


def sort_roots(roots: list[Function]) -> list[Function]:
    """Module body first, then in source order."""
    return sorted(roots, key=lambda function: (function.kind != "module", function.line, function.col))
