"""What runs ahead of its statement: function declarations, and variables that closures mention before they exist."""

from __future__ import annotations

from bisect import bisect_right

from ssarel.frontends.javascript.builder import Builder
from ssarel.frontends.javascript.resolve import DECLARED_FUNCTIONS
from ssarel.frontends.javascript.scope import JSX, PATTERN, READ, WRITE, Binding, Scope
from ssarel.frontends.javascript.syntax import Node

LOOPS = frozenset({"for_statement", "for_in_statement", "while_statement", "do_statement"})
HOISTABLE = {
    "const": "HoistedConst",
    "let": "HoistedLet",
    "class": "HoistedConst",
    "catch": "HoistedLet",
    "function": "HoistedFunction",
}


def functions_first(statements: list[Node], is_switch: bool) -> list[Node]:
    """Move the function declarations that can run before their statement to the front, as the language does.

    Those are functions used before their statement, declared twice, behind a jump, or in a switch.
    """
    first: list[Node] = []
    jumped = is_switch
    for node in statements:
        inner = exported(node)
        if inner.type in DECLARED_FUNCTIONS:
            name = inner.fields["name"]
            binding = name.binding
            if binding is not None and (jumped or binding.count > 1 or is_used_before(binding, inner)):
                first.append(node)
        elif inner.type in JUMPS or (inner.type in JUMPING and contains_jump(inner)):
            jumped = True
    if not first:
        return statements
    moved = set(map(id, first))
    return first + [node for node in statements if id(node) not in moved]


JUMPS = frozenset({"return_statement", "throw_statement", "break_statement", "continue_statement"})
JUMPING = frozenset({
    "if_statement", "statement_block", "try_statement", "switch_statement", "labeled_statement", "for_statement",
    "while_statement", "do_statement", "for_in_statement", "with_statement",
})  # fmt: skip
INSIDE = JUMPING | {
    "else_clause",
    "switch_body",
    "switch_case",
    "switch_default",
    "catch_clause",
    "finally_clause",
}


def contains_jump(node: Node) -> bool:
    """May control leave this statement otherwise than at its end? (or never: an endless loop)"""
    stack = [node]
    while stack:
        inner = stack.pop()
        if inner.type in JUMPS or inner.type in LOOPS:
            return True
        if inner.type in INSIDE:
            stack.extend(inner.children)
    return False


def is_used_before(binding: Binding, declaration: Node) -> bool:
    """Does anything before the declaration mention the function?"""
    return any(ref.start < declaration.start for ref in binding.refs) or binding.reassigned


def exported(node: Node) -> Node:
    """The declaration inside an export statement, else the statement itself."""
    if node.type == "export_statement":
        return node.fields.get("declaration", node)
    return node


def hoists(b: Builder, statements: list[Node], scope: Scope) -> dict[int, list[Binding]]:
    """By index of a statement, the variables that a closure in it mentions ahead of their declaration."""
    order = sorted(range(len(statements)), key=lambda at: statements[at].start)
    starts = [statements[at].start for at in order]

    def index(offset: int) -> int:
        at = bisect_right(starts, offset) - 1
        return order[at] if at >= 0 and offset < statements[order[at]].end else -1

    found: dict[int, list[tuple[int, Binding]]] = {}
    for binding in scope.bindings.values():
        if binding.kind not in HOISTABLE or not binding.refs or not (binding.captured or binding.kind == "function"):
            continue
        declared = index(binding.node.start)
        if declared < 0 and not b.is_react:
            continue  # a catch parameter: React takes it for a variable declared later
        best: tuple[int, int] | None = None
        for ref in binding.refs:
            at = index(ref.start)
            if at < 0 or (declared >= 0 and at > declared) or not needs_hoist(b, ref, scope, binding, statements[at]):
                continue
            if best is None or (at, ref.start) < best:
                best = (at, ref.start)
        if best is not None:
            found.setdefault(best[0], []).append((best[1], binding))
    return {at: [binding for _, binding in sorted(pairs, key=lambda pair: pair[0])] for at, pairs in found.items()}


def needs_hoist(b: Builder, ref: Node, scope: Scope, binding: Binding, statement_: Node) -> bool:
    """Is `ref` read by a closure made in `statement_`, or (React) any mention of a function?"""
    role = ref.role & ~JSX
    if not role or (b.is_react and not role & (READ | WRITE)):
        return False
    inside = ref.scope is not None and ref.scope.function is not scope.function
    return inside or (b.is_react and binding.kind == "function" and role & ~PATTERN != 0)


def hoist(b: Builder, node: Node, binding: Binding) -> None:
    """Declare a variable ahead of its statement; it is a cell from now on."""
    if binding.hoisted:
        return
    binding.hoisted = True
    kind = HOISTABLE[binding.kind]
    var = b.resolve(binding)
    b.share(binding)
    if binding.kind == "class":
        b.refuse(node, "Todo: Unsupported declaration type for hoisting")
    b.emit(node, "DeclareContext", [], (kind, var))
