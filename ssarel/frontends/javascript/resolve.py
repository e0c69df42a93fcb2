"""One walk over the syntax tree that opens scopes, declares names and resolves every reference; explicit stack."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ssarel.frontends.javascript.scope import (
    HEAD,
    INIT,
    PATTERN,
    READ,
    TOP,
    WRITE,
    FunctionScope,
    Scope,
    close,
)  # fmt: skip
from ssarel.frontends.javascript.source import Source
from ssarel.frontends.javascript.syntax import Node

NAME_ESCAPE = re.compile(r"\\u(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{4}))")

TYPES = frozenset({
    "type_annotation", "type_arguments", "type_parameters", "type_alias_declaration", "interface_declaration",
    "ambient_declaration", "function_signature", "abstract_method_signature", "method_signature", "index_signature",
    "implements_clause", "asserts_annotation", "type_predicate_annotation", "import_attribute", "jsx_namespace_name",
    "jsx_closing_element", "statement_identifier",
})  # fmt: skip
"""Nodes in which no value is read."""

FUNCTIONS = frozenset({
    "function_declaration", "generator_function_declaration", "function_expression", "generator_function",
    "arrow_function", "method_definition",
})  # fmt: skip
DECLARED_FUNCTIONS = frozenset({"function_declaration", "generator_function_declaration"})
CLASSES = frozenset({"class_declaration", "abstract_class_declaration", "class"})
FIELDS = frozenset({"field_definition", "public_field_definition"})
NAMES = frozenset({
    "identifier", "shorthand_property_identifier", "shorthand_property_identifier_pattern", "undefined",
})  # fmt: skip

How = str | int
"""How a pattern binds: the kind of its declaration, or the role of its targets."""

HANDLERS: dict[str, Callable[[Resolver, Node, Scope], None]] = {}
"""Visitors of the nodes that declare or open something, filled by declarations.py."""

Step = tuple[Callable[..., None], Any, Any, Any]


class Resolver:
    """The state of the walk: what is still to visit, in order."""

    def __init__(self, source: Source, is_react: bool) -> None:
        self.source = source
        self.is_react = is_react
        self.stack: list[Step] = []
        self.scopes: list[Scope] = []
        self.names: dict[bytes, str] = {}
        self.warnings: list[tuple[Node, str]] = []
        self.dynamic: list[Scope] = []

    def run(self, root: Node) -> FunctionScope:
        """Resolve a whole file; returns the module scope."""
        is_strict = any(child.type in ("import_statement", "export_statement") for child in root.children)
        module = FunctionScope("module", root, None, is_strict or self.is_strict(root))
        root.scope = module
        stack = self.stack
        stack.append((self.close, module, None, None))
        self.body(root.children, module)
        while stack:
            step, node, scope, extra = stack.pop()
            step(node, scope, extra)
        if not self.is_react:
            for scope in self.dynamic:
                _share_everything(scope)
        return module

    def body(self, statements: list[Node], scope: FunctionScope) -> None:
        """Visit the statements of a function body next."""
        for statement in statements:
            if statement.type == "variable_declaration":
                statement.role = TOP
        self.later(statements, scope)

    def name(self, node: Node) -> str:
        """The name an identifier node spells."""
        spelling = self.source.data[node.start : node.end]
        name = self.names.get(spelling)
        if name is None:
            name = spelling.decode("utf-8")
            if "\\" in name:
                name = NAME_ESCAPE.sub(lambda match: chr(int(match[1] or match[2], 16)), name)
            self.names[spelling] = name
        return name

    def is_strict(self, node: Node) -> bool:
        """Does the body (of a program or function) open with a `use strict` directive?"""
        for child in node.children:
            if child.type != "expression_statement" or not child.children or child.children[0].type != "string":
                return False
            if self.source.data[child.children[0].start + 1 : child.children[0].end - 1] == b"use strict":
                return True
        return False

    def close(self, scope: Scope, _scope: Any, _extra: Any) -> None:
        """Leave `scope`."""
        self.scopes.append(scope)
        close(scope, self.is_react)

    def release(self) -> None:
        """Cut the links from scopes to nodes and variables when the file is lowered.

        Then no cycle is left, and all the memory goes without the help of the garbage collector.
        """
        for scope in self.scopes:
            scope.release()

    def visit(self, node: Node, scope: Scope, extra: Any) -> None:
        """Visit an expression or a statement."""
        kind = node.type
        if kind in NAMES:
            node.name = self.name(node)
            scope.refer(node, READ)
            return
        if kind in TYPES:
            return
        handler = HANDLERS.get(kind)
        if handler is not None:
            handler(self, node, scope)
        elif node.children:
            visit = self.visit
            self.stack.extend([(visit, child, scope, None) for child in reversed(node.children)])

    def later(self, nodes: list[Node], scope: Scope) -> None:
        """Visit `nodes` next, in their order."""
        self.stack.extend([(self.visit, node, scope, None) for node in reversed(nodes)])

    def pattern(self, node: Node, scope: Scope, how: How) -> None:
        """Visit a binding or assignment pattern."""
        kind = node.type
        if kind in NAMES:
            self.bind(node, scope, how)
        elif kind in ("object_pattern", "array_pattern", "rest_pattern", "object", "array", "spread_element"):
            nested = PATTERN if how == WRITE else HEAD if how == READ | HEAD else how
            self.stack.extend([(self.pattern, child, scope, nested) for child in reversed(node.children)])
        elif kind in ("pair_pattern", "pair"):
            key, value = node.fields["key"], node.fields["value"]
            self.stack.append((self.pattern, value, scope, how))
            if key.type == "computed_property_name":
                self.stack.append((self.visit, key, scope, None))
        elif kind in ("assignment_pattern", "object_assignment_pattern", "assignment_expression"):
            self.stack.append((self.visit, node.fields["right"], scope, None))
            self.stack.append((self.pattern, node.fields["left"], scope, how))
        elif kind in ("required_parameter", "optional_parameter"):
            if "value" in node.fields:
                self.stack.append((self.visit, node.fields["value"], scope, None))
            if "pattern" in node.fields:
                self.stack.append((self.pattern, node.fields["pattern"], scope, how))
        elif kind in ("parenthesized_expression", "non_null_expression", "as_expression", "satisfies_expression"):
            self.stack.append((self.pattern, node.children[0], scope, how))
        elif kind not in (",", "this"):
            self.visit(node, scope, None)

    def bind(self, node: Node, scope: Scope, how: How) -> None:
        """Declare or refer to the identifier of a pattern."""
        node.name = self.name(node)
        if isinstance(how, int):
            scope.refer(node, how)
            return
        kind, _, init = how.partition("=")
        if kind == "var":
            scope.function.declare(node.name, kind, node)
            if init:
                scope.refer(node, {"head": HEAD, "top": INIT | TOP}.get(init, INIT))
            else:
                node.scope = scope
            return
        owner = scope.function if kind == "param" else scope
        binding = owner.declare(node.name, kind, node)
        binding.writes += bool(init) or kind in ("param", "catch")
        node.binding = binding
        node.scope = scope

    def open(self, kind: str, node: Node, scope: Scope) -> Scope:
        """Open a scope for `node` and close it after everything pushed from now on."""
        inner = Scope(kind, node, scope)
        node.scope = inner
        self.stack.append((self.close, inner, None, None))
        return inner

    def open_function(self, kind: str, node: Node, scope: Scope, body: Node | None) -> FunctionScope:
        """Open the scope of a function-like node."""
        is_strict = scope.function.is_strict or scope.kind == "class" or (body is not None and self.is_strict(body))
        inner = FunctionScope(kind, node, scope, is_strict)
        node.scope = inner
        self.stack.append((self.close, inner, None, None))
        return inner


def _share_everything(scope: Scope | None) -> None:
    """Make every variable visible from `scope` a cell: text evaluated at run time may touch it."""
    while scope is not None:
        visible = list(scope.bindings.values())
        if isinstance(scope, FunctionScope):
            visible += scope.params.values()
        for binding in visible:
            binding.context = binding.kind != "import"
        scope = scope.parent


def parameters(node: Node) -> list[Node]:
    """The parameter nodes of a function, a TypeScript `this` parameter left out."""
    if "parameter" in node.fields:
        return [node.fields["parameter"]]
    formal = node.fields.get("parameters")
    if formal is None:
        return []
    return [child for child in formal.children if child.type != "decorator" and param_target(child).type != "this"]


def param_target(param: Node) -> Node:
    """A parameter without its TypeScript wrapping."""
    return param.fields.get("pattern", param) if param.type.endswith("_parameter") else param


def is_component(name: str) -> bool:
    """Is a JSX tag of this name a variable rather than a builtin element?"""
    return "A" <= name[:1] <= "Z"
