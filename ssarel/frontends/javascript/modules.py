"""Imports, exports, and TypeScript's enums and namespaces."""

from __future__ import annotations

from ssarel.frontends.javascript.builder import Builder
from ssarel.frontends.javascript.dispatch import Steps, expression, statement, statement_handler
from ssarel.frontends.javascript.expressions import load, lower_name
from ssarel.frontends.javascript.functions import lower_function
from ssarel.frontends.javascript.literals import unescape
from ssarel.frontends.javascript.patterns import store
from ssarel.frontends.javascript.resolve import NAMES
from ssarel.frontends.javascript.statements import function_scope
from ssarel.frontends.javascript.syntax import Node
from ssarel.ir import Function, Var


@statement_handler("import_statement")
def lower_import(b: Builder, node: Node) -> None:
    """Imports bind names; nothing happens where they stand."""


@statement_handler("export_statement")
def lower_export(b: Builder, node: Node) -> Steps:
    """The exported declaration or value; exported names are read at the end of the module (`lower_exports`)."""
    fields = node.fields
    if "declaration" in fields:
        yield statement(b, fields["declaration"])
    elif "value" in fields:
        v: Var = yield expression(b, fields["value"])
        b.emit(node, "Export", [v], "default")
    elif "source" not in fields:
        for child in node.children:
            if child.type in ("identifier", "member_expression"):
                v = yield expression(b, child)
                b.emit(node, "Export", [v], "=")


@statement_handler("exports")
def lower_exports(b: Builder, program: Node) -> None:
    """What a module exports by name: importers see the variables' last values."""
    for node in program.children:
        if node.type != "export_statement" or "source" in node.fields:
            continue
        if "declaration" in node.fields:
            printed = ["default"] if "default" in node.tokens else []
            for name in declared_names(node.fields["declaration"]):
                if name.binding is not None:
                    b.emit(name, "Export", [load(b, name, name.binding)], printed[0] if printed else name.name)
            continue
        for clause in node.children:
            for specifier in clause.children if clause.type == "export_clause" else []:
                name = specifier.fields["name"]
                if name.scope is not None:
                    b.emit(specifier, "Export", [lower_name(b, name)], exported_name(b, specifier))


def exported_name(b: Builder, specifier: Node) -> str:
    """The name that `a as b` exports."""
    name = specifier.fields.get("alias", specifier.fields["name"])
    return unescape(b.unit.source.text(name.start + 1, name.end - 1)) if name.type == "string" else b.unit.text(name)


def declared_names(declaration: Node) -> list[Node]:
    """The identifiers that a declaration declares, in source order."""
    name = declaration.fields.get("name")
    if name is not None:
        return [name]
    names: list[Node] = []
    stack = [child.fields["name"] for child in reversed(declaration.children) if child.type == "variable_declarator"]
    while stack:
        node = stack.pop()
        if node.type in NAMES:
            names.append(node)
        elif node.type in ("pair_pattern", "assignment_pattern", "object_assignment_pattern"):
            stack.append(node.fields.get("value") or node.fields["left"])
        else:
            stack.extend(reversed(node.children))
    return names


@statement_handler("import_alias")
def lower_import_alias(b: Builder, node: Node) -> Steps:
    """TypeScript: `import A = N.B`."""
    name, value = node.children[0], node.children[-1]
    while value.type == "nested_identifier":
        value = value.children[0]
    v: Var = yield expression(b, value)
    if name.binding is not None:
        store(b, "Const", name, name.binding, v)


@statement_handler("enum_declaration")
def lower_enum(b: Builder, node: Node) -> Steps:
    """TypeScript enums: members are constants, one instruction makes the object."""
    if b.is_react:
        b.emit(node, "UnsupportedNode", [], "TSEnumDeclaration")
        return
    uses: list[Var] = []
    for member in node.fields["body"].children:
        key = member.fields["name"] if member.type == "enum_assignment" else member
        if "value" in member.fields:
            v: Var = yield expression(b, member.fields["value"])
        else:
            v = b.emit(member, "EnumMember", [], b.unit.text(key))
        uses.append(v)
        if key.binding is not None and key.binding.refs:
            store(b, "Const", key, key.binding, v)
    name = node.fields["name"]
    result = b.emit(node, "Enum", uses, name.name)
    if name.binding is not None:
        store(b, "Const", name, name.binding, result)


@statement_handler("internal_module", "module")
def lower_namespace(b: Builder, node: Node) -> Steps:
    """TypeScript namespaces: a function called at once with the namespace object."""
    name = node.fields["name"]
    while name.children and name.type != "string":
        name = name.children[0]
    if "body" not in node.fields or name.binding is None:
        return
    function: Function = yield lower_function(b.unit, function_scope(node), node, b)
    made = b.emit(node, "Function", list(function.context), function)
    result = b.emit(node, "Call", [made], ())
    store(b, "Const", name, name.binding, result)
