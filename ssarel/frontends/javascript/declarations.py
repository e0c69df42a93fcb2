"""How each kind of syntax node declares names and opens scopes: the visitors of resolve.py."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable

from ssarel.frontends.javascript.literals import unescape
from ssarel.frontends.javascript.resolve import (
    CLASSES,
    DECLARED_FUNCTIONS,
    FIELDS,
    FUNCTIONS,
    HANDLERS,
    How,
    Resolver,
    is_component,
    param_target,
    parameters,
)  # fmt: skip
from ssarel.frontends.javascript.scope import HEAD, JSX, READ, WRITE, Binding, FunctionScope, Scope
from ssarel.frontends.javascript.syntax import Node
from ssarel.ir import GlobalRef


def _function(walk: Resolver, node: Node, scope: Scope) -> None:
    fields = node.fields
    name = fields.get("name")
    if node.type in DECLARED_FUNCTIONS and name is not None:
        _declare_function(walk, node, name, scope)
    elif node.type == "method_definition":
        decorators = [child for child in node.children if child.type == "decorator"]
        if name is not None and name.type == "computed_property_name":
            decorators.append(name)
        if decorators:
            walk.stack.append((lambda *_: _function_parts(walk, node, scope), None, None, None))
            walk.later(decorators, scope)
            return
    _function_parts(walk, node, scope)


def _function_parts(walk: Resolver, node: Node, scope: Scope) -> None:
    fields = node.fields
    body = fields.get("body")
    inner = walk.open_function("function", node, scope, body if body and body.type == "statement_block" else None)
    if node.type in ("function_expression", "generator_function") and "name" in fields:
        name = fields["name"]
        name.name = walk.name(name)
        inner.own = Binding(name.name, "local", inner, name)
    if body is not None:
        if body.type == "statement_block":
            body.scope = inner
            walk.body(body.children, inner)
        else:
            walk.later([body], inner)
    params = parameters(node)
    inner.is_simple = all(param_target(param).type == "identifier" and "value" not in param.fields for param in params)
    if inner.is_simple:
        where: Scope = inner
    else:
        where = Scope("params", node, inner)
        walk.stack.append((walk.close, where, None, None))
    walk.stack.extend([(walk.pattern, param, where, "param") for param in reversed(params)])


def _declare_function(walk: Resolver, node: Node, name: Node, scope: Scope) -> None:
    name.name = walk.name(name)
    binding = scope.declare(name.name, "function", name)
    binding.writes += 1
    name.binding = binding
    name.scope = scope
    function = scope.function
    if scope is not function and not function.is_strict and not walk.is_react:
        function.sloppy.append((binding, scope))


def _class(walk: Resolver, node: Node, scope: Scope) -> None:
    name = node.fields.get("name")
    if name is not None and node.type != "class":
        name.name = walk.name(name)
        binding = scope.declare(name.name, "class", name)
        binding.writes += 1
        name.binding = binding
        name.scope = scope
    inner = walk.open("class", node, scope)
    if name is not None and node.type == "class":
        name.name = walk.name(name)
        name.binding = inner.declare(name.name, "local", name)
        name.binding.writes += 1
        name.scope = inner
    parts = [child for child in node.children if child is not name]
    walk.later(parts, inner)


def _field(walk: Resolver, node: Node, scope: Scope) -> None:
    fields = node.fields
    value = fields.get("value")
    if value is not None and "declare" not in node.tokens:
        inner = FunctionScope("field", node, scope, True)
        node.scope = inner
        walk.stack.append((walk.close, inner, None, None))
        walk.later([value], inner)
    name = fields.get("name", fields.get("property"))
    before = [child for child in node.children if child.type == "decorator"]
    if name is not None and name.type == "computed_property_name":
        before.append(name)
    walk.later(before, scope)


def _static_block(walk: Resolver, node: Node, scope: Scope) -> None:
    inner = walk.open_function("static", node, scope, None)
    body = node.fields["body"]
    body.scope = inner
    walk.later(body.children, inner)


def _block(walk: Resolver, node: Node, scope: Scope) -> None:
    walk.later(node.children, walk.open("block", node, scope))


def _declaration(walk: Resolver, node: Node, scope: Scope) -> None:
    kind = node.fields["kind"].type if "kind" in node.fields else "var"
    if kind not in ("let", "const", "var"):
        kind = "const"
    for child in reversed(node.children):
        if child.type != "variable_declarator":
            continue
        value = child.fields.get("value")
        if value is not None:
            walk.stack.append((walk.visit, value, scope, None))
        init = "" if value is None else "top" if node.role else "init"
        if init == "top":
            insort(scope.function.ends, child.end)
        walk.stack.append((walk.pattern, child.fields["name"], scope, f"{kind}={init}"))


def _for(walk: Resolver, node: Node, scope: Scope) -> None:
    walk.later(
        [
            part
            for name in ("initializer", "condition", "increment", "body")
            if (part := node.fields.get(name)) is not None
        ],
        walk.open("for", node, scope),
    )


def _for_in(walk: Resolver, node: Node, scope: Scope) -> None:
    fields = node.fields
    inner = walk.open("for", node, scope)
    parts = [fields["right"], fields["body"]]
    if "value" in fields:
        parts.insert(0, fields["value"])
    walk.later(parts, inner)
    kind = fields["kind"].type if "kind" in fields else None
    how: How = READ | HEAD if kind is None else f"{kind if kind in ('let', 'var') else 'const'}=head"
    walk.stack.append((walk.pattern, fields["left"], inner, how))


def _switch(walk: Resolver, node: Node, scope: Scope) -> None:
    body = node.fields["body"]
    walk.later(body.children, walk.open("switch", body, scope))
    walk.later([node.fields["value"]], scope)


def _catch(walk: Resolver, node: Node, scope: Scope) -> None:
    inner = walk.open("catch", node, scope)
    body = node.fields["body"]
    body.scope = inner
    walk.later(body.children, inner)
    if "parameter" in node.fields:
        walk.stack.append((walk.pattern, node.fields["parameter"], inner, "catch"))


def _assignment(walk: Resolver, node: Node, scope: Scope) -> None:
    walk.later([node.fields["right"]], scope)
    role = WRITE if node.type == "assignment_expression" else READ | WRITE
    walk.stack.append((walk.pattern, node.fields["left"], scope, role))


def _update(walk: Resolver, node: Node, scope: Scope) -> None:
    walk.stack.append((walk.pattern, node.fields["argument"], scope, READ | WRITE))


def _jsx_tag(walk: Resolver, node: Node, scope: Scope) -> None:
    name = node.fields.get("name")
    walk.later([child for child in node.children if child is not name], scope)
    if name is None or name.type == "jsx_namespace_name":
        return
    root = name
    while root.type != "identifier" and root.children:
        root = root.children[0]
    if root.type != "identifier":
        return
    root.name = walk.name(root)
    if walk.is_react or root is not name or is_component(root.name):
        scope.refer(root, JSX)


def _call(walk: Resolver, node: Node, scope: Scope) -> None:
    callee = node.fields.get("function")
    if callee is not None and callee.type == "identifier" and walk.name(callee) == "eval":
        walk.warnings.append((node, "direct eval may read and write every variable in scope"))
        walk.dynamic.append(scope)
    walk.later(node.children, scope)


def _with(walk: Resolver, node: Node, scope: Scope) -> None:
    walk.warnings.append((node, "names inside with may be properties of its object"))
    inner = walk.open("block", node.fields["body"], scope)
    walk.dynamic.append(inner)
    walk.later([node.fields["body"]], inner)
    walk.later([node.fields["object"]], scope)


def _export(walk: Resolver, node: Node, scope: Scope) -> None:
    if "source" in node.fields:
        return
    walk.later(node.children, scope)


def _export_specifier(walk: Resolver, node: Node, scope: Scope) -> None:
    name = node.fields["name"]
    if name.type == "identifier":
        walk.visit(name, scope, None)


def _import(walk: Resolver, node: Node, scope: Scope) -> None:
    source = node.fields.get("source")
    stack = list(node.children)
    while stack:
        child = stack.pop()
        if child.type == "import_require_clause":
            _declare_import(walk, child.children[0], scope, "namespace", child.fields["source"], None)
        elif child.type == "import_clause":
            stack.extend(child.children)
        elif child.type == "identifier" and source is not None:
            _declare_import(walk, child, scope, "default", source, None)
        elif child.type == "namespace_import" and source is not None:
            _declare_import(walk, child.children[0], scope, "namespace", source, None)
        elif child.type == "named_imports":
            stack.extend(child.children)
        elif child.type == "import_specifier" and source is not None:
            name = child.fields["name"]
            local = child.fields.get("alias", name)
            _declare_import(walk, local, scope, "import", source, name)


def _declare_import(walk: Resolver, node: Node, scope: Scope, kind: str, source: Node, imported: Node | None) -> None:
    node.name = walk.name(node)
    module = unescape(walk.source.text(source.start + 1, source.end - 1))
    binding = scope.declare(node.name, "import", node)
    original = None
    if imported is not None:
        original = walk.name(imported)
        if imported.type == "string":
            original = unescape(original[1:-1])
    binding.imported = GlobalRef(kind, node.name, module, original)
    node.binding = binding


def _import_alias(walk: Resolver, node: Node, scope: Scope) -> None:
    walk.later([node.children[1]], scope)
    walk.stack.append((walk.pattern, node.children[0], scope, "const=init"))


def _enum(walk: Resolver, node: Node, scope: Scope) -> None:
    name = node.fields["name"]
    name.name = walk.name(name)
    if not walk.is_react:
        name.binding = scope.declare(name.name, "enum", name)
        name.binding.writes += 1
    name.scope = scope
    inner = walk.open("enum", node, scope)
    for member in reversed(node.fields["body"].children):
        key = member.fields["name"] if member.type == "enum_assignment" else member
        if "value" in member.fields:
            walk.later([member.fields["value"]], inner)
        if key.type == "property_identifier":
            key.name = walk.name(key)
            key.binding = inner.declare(key.name, "const", key)
            key.binding.writes += 1
            key.scope = inner


def _namespace(walk: Resolver, node: Node, scope: Scope) -> None:
    name = node.fields["name"]
    body = node.fields.get("body")
    root = name
    while root.children:
        root = root.children[0]
    if root.type == "identifier":
        root.name = walk.name(root)
        root.binding = scope.declare(root.name, "enum", root)
        root.binding.writes += 1
        root.scope = scope
    if body is not None:
        inner = walk.open_function("function", node, scope, None)
        body.scope = inner
        walk.later(body.children, inner)


def _first_child(walk: Resolver, node: Node, scope: Scope) -> None:
    walk.later(node.children[:1], scope)


VISITORS: dict[str, Callable[[Resolver, Node, Scope], None]] = {
    **dict.fromkeys(FUNCTIONS, _function),
    **dict.fromkeys(CLASSES, _class),
    **dict.fromkeys(FIELDS, _field),
    "class_static_block": _static_block,
    "statement_block": _block,
    "lexical_declaration": _declaration,
    "variable_declaration": _declaration,
    "using_declaration": _declaration,
    "for_statement": _for,
    "for_in_statement": _for_in,
    "switch_statement": _switch,
    "catch_clause": _catch,
    "assignment_expression": _assignment,
    "augmented_assignment_expression": _assignment,
    "update_expression": _update,
    "jsx_opening_element": _jsx_tag,
    "jsx_self_closing_element": _jsx_tag,
    "call_expression": _call,
    "with_statement": _with,
    "export_statement": _export,
    "export_specifier": _export_specifier,
    "import_statement": _import,
    "import_alias": _import_alias,
    "enum_declaration": _enum,
    "internal_module": _namespace,
    "module": _namespace,
    "as_expression": _first_child,
    "satisfies_expression": _first_child,
}
HANDLERS.update(VISITORS)
