"""Syntax errors: where they are, which lie in types that mean nothing at run time, and which statements they take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

TYPES = frozenset({
    "type_annotation", "type_arguments", "type_parameters", "type_alias_declaration", "interface_declaration",
    "function_signature", "abstract_method_signature", "method_signature", "implements_clause", "asserts_annotation",
    "type_predicate_annotation",
})  # fmt: skip
"""Nodes in which no code stands."""

CODE = frozenset({
    "arrow_function", "assignment_expression", "call_expression", "class", "const", "export", "for", "function",
    "function_expression", "if", "let", "new_expression", "return", "statement_block", "switch", "throw", "try", "var",
    "variable_declarator", "while",
})  # fmt: skip
"""Nodes and words of code. An error in a type that holds one of them has run on into the code behind it."""

BRACKETS = {"{": 1, "${": 1, "}": -1}


@dataclass(frozen=True, slots=True)
class Fault:
    """A syntax error.

    offset:  in bytes.
    is_type: it lies in a type; nothing that runs is lost.
    """

    offset: int
    what: str
    is_type: bool = False


def find_faults(tree: Tree, data: bytes) -> tuple[list[Fault], set[int]]:
    """Find the first error of each top-level statement, and each type with an error.

    Returns: the faults, and the offsets of the top-level statements that are lost: those with an error in code, and
             all behind an error at top level that opens a block, up to its end.
    """
    faults: list[Fault] = []
    lost: set[int] = set()
    depth = 0
    for statement in tree.root_node.children:
        if statement.is_error:
            depth = max(0, depth + sum(BRACKETS.get(leaf.type, 0) for leaf in _leaves(statement)))
        found = _faults_in(statement, data) if statement.has_error or statement.is_missing else []
        if depth or any(not fault.is_type for fault in found):
            lost.add(statement.start_byte)
        faults += found
    if tree.root_node.is_error:
        faults = [*faults, _fault(tree.root_node, data, False)][:1]
    return faults, lost


def _faults_in(statement: Node, data: bytes) -> list[Fault]:
    """The errors in types, or only the first error in code, if there is one."""
    types: list[Fault] = []
    stack = [statement]
    while stack:
        node = stack.pop()
        if node.type in TYPES and not _has_code(node):
            types.append(_fault(node, data, True))
        elif node.is_error or node.is_missing:
            return [_fault(node, data, False)]
        else:
            stack.extend(child for child in reversed(node.children) if child.has_error or child.is_missing)
    return types


def _fault(node: Node, data: bytes, is_type: bool) -> Fault:
    """What is wrong at the first error in `node`."""
    stack = [node]
    while stack:
        node = stack.pop()
        if node.is_missing:
            return Fault(node.start_byte, f"expected {node.type}", is_type)
        if node.is_error:
            inner = next((child for child in node.children if child.has_error or child.is_error), node)
            words = data[inner.start_byte : inner.start_byte + 40].decode("utf-8", "ignore").split()
            return Fault(inner.start_byte, f"unexpected {words[0]}" if words else "unexpected end", is_type)
        stack.extend(child for child in reversed(node.children) if child.has_error or child.is_missing)
    return Fault(0, "unexpected text", is_type)


def _has_code(node: Node) -> bool:
    """Does an error in `node` hold code?"""
    stack = [node]
    while stack:
        node = stack.pop()
        if node.is_error:
            if any(leaf.type in CODE for leaf in _leaves(node)):
                return True
        elif node.has_error:
            stack.extend(node.children)
    return False


def _leaves(node: Node) -> list[Node]:
    """All nodes below `node`."""
    found: list[Node] = []
    stack = list(node.children)
    while stack:
        node = stack.pop()
        found.append(node)
        stack.extend(node.children)
    return found
