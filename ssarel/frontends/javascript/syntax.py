"""The syntax tree: tree-sitter's, copied once into light nodes that Python can walk fast."""

from __future__ import annotations

import re
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING

import tree_sitter_javascript
import tree_sitter_typescript
from tree_sitter import Language, Parser, Query, QueryCursor, Tree

from ssarel.frontends.javascript.faults import Fault, find_faults

if TYPE_CHECKING:
    from ssarel.frontends.javascript.scope import Binding, Scope

TOKENS = frozenset({"async", "static", "get", "set", "*", "await", "default", "declare", "readonly"})
"""Keywords without a field of their own that change the meaning of their parent."""

DROPPED = frozenset({
    "comment", "html_comment", "hash_bang_line", "(", ")", "{", "}", "[", "]", ";", ".", ":", "=", "=>", "...", "${",
    "`", '"', "'", "</", "/>",
})  # fmt: skip
"""Nodes that are never looked at."""

HOLDS_HOLES = frozenset({"array", "array_pattern"})
POSTFIX = frozenset({"non_null_expression", "member_expression", "subscript_expression", "call_expression"})
PREFIX = frozenset({"binary_expression", "unary_expression", "update_expression", "type_assertion"})
"""Operations that bind less tightly than a postfix operator."""

TYPE_ASSERTIONS = frozenset({"as_expression", "satisfies_expression"})

CHAIN_LINKS = {"member_expression": "object", "subscript_expression": "object", "call_expression": "function"}


LONE_CR = re.compile(rb"\r(?!\n)")
"""Old line ends; the grammar inserts no semicolon there."""


NEWER = re.compile(
    rb"(?<=[<,/])(?P<type>\s*(?:in\s+out|in|out)\s)(?=\s*[\w$]+\s*(?:=|,|>|extends\b))"
    rb"|(?<=[<,])(?P<const>\s*const\s)(?=\s*[\w$]+\s*(?:,|>|extends\b))"
    rb"|(?<=[{};\n])(?P<field>[ \t]*(?:static\s+)?accessor[ \t])(?=[ \t]*[#\w$\[\"'])"
    rb"|(?<=\bexport)(?P<names>\s+type)(?=\s*\*)"
)
"""Words of newer language versions that the grammars do not know and that do not change what a file does."""


class Node:
    """A named syntax node.

    start, end: byte offsets.
    children:   named children; in array literals and patterns the commas too, as nodes of type `,`.
    fields:     children by grammar field, operators and keywords included; the last of several.
    tokens:     the keywords of TOKENS that stand directly in it.
    chain:      it is a link of an optional chain (`a?.b.c`).
    name:       identifier nodes: the name, escapes resolved.
    binding:    identifier nodes: what the name is bound to, None for a global.
    scope:      the scope that this node opens; identifier nodes: the scope they stand in.
    role:       identifier nodes: how the variable is used, see scope.py.
    """

    __slots__ = ("binding", "chain", "children", "end", "fields", "name", "role", "scope", "start", "tokens", "type")

    binding: Binding | None
    scope: Scope | None

    def __init__(self, type: str, start: int, end: int) -> None:
        self.type = type
        self.start = start
        self.end = end
        self.children: list[Node] = []
        self.fields: dict[str, Node] = {}
        self.tokens: tuple[str, ...] = ()
        self.chain = False
        self.name = ""
        self.binding = None
        self.scope = None
        self.role = 0

    def __repr__(self) -> str:
        return f"{self.type}@{self.start}"


class _Grammar:
    """A tree-sitter language with its kind and field names in lists."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.kinds = [language.node_kind_for_id(id) or "" for id in range(language.node_kind_count)]
        self.named = [language.node_kind_is_named(id) for id in range(language.node_kind_count)]
        self.dropped = [kind in DROPPED for kind in self.kinds]
        self.fields = [language.field_name_for_id(id) or "" for id in range(language.field_count + 1)]
        has_bang = "non_null_expression" in self.kinds
        self.bangs = Query(language, "(non_null_expression) @bang") if has_bang else None

    def misplaced_bangs(self, tree: Tree) -> list[int]:
        """Offsets of the postfix `!` that the grammar applies to a whole operation, not to its last operand.

        It reads `a && b!.c` as `(a && b)!.c`. Without the `!` it reads what is meant, and `!` does nothing.
        """
        if self.bangs is None:
            return []
        found = QueryCursor(self.bangs).captures(tree.root_node).get("bang", [])
        seen: set[int] = set()
        misplaced: list[int] = []
        for outer in sorted(found, key=lambda node: -node.end_byte):
            bangs: list[int] = []
            node = outer
            while node.type in POSTFIX and node.id not in seen:
                seen.add(node.id)
                if node.type == "non_null_expression":
                    bangs.append(node.end_byte - 1)
                node = node.named_children[0]
            if node.type in PREFIX or (node.type == "new_expression" and not node.child_by_field_name("arguments")):
                misplaced += bangs
        return misplaced


@cache
def _grammar(name: str) -> _Grammar:
    match name:
        case "javascript":
            return _Grammar(Language(tree_sitter_javascript.language()))
        case "typescript":
            return _Grammar(Language(tree_sitter_typescript.language_typescript()))
        case _:
            return _Grammar(Language(tree_sitter_typescript.language_tsx()))


GRAMMARS = {
    ".ts": ("typescript", "javascript"),
    ".mts": ("typescript", "javascript"),
    ".cts": ("typescript", "javascript"),
    ".tsx": ("tsx", "javascript"),
}
"""By extension: the grammars to try in order. The JavaScript grammar is newer than the TypeScript one."""

PATIENCE = 20_000
"""Progress reports of the parser, beyond one for every 16 bytes, until it is given up: its error recovery can take
exponential time. Real files need one report for 80 bytes or more; this many take a second."""

PIECE = 1 << 16
"""Bytes handed to the parser at once. It reports progress only if it reads piece by piece."""


def parse(data: bytes, path: str) -> tuple[Node | None, list[Fault]]:
    """Parse a file.

    Returns: the tree without what is lost to syntax errors, None if that is everything; and what is wrong.
    Cost:    linear; no recursion.
    """
    text = LONE_CR.sub(b"\n", data.replace(b"\0", b"\x01"))
    first: tuple[Tree | None, _Grammar] | None = None
    for name in GRAMMARS.get(PurePath(path).suffix.lower(), ("javascript", "tsx")):
        grammar = _grammar(name)
        # All that matters about a second grammar is whether it takes the file.
        tree = _tree(text, grammar, is_strict=first is not None)
        if tree is not None and not tree.root_node.has_error:
            return _copy(tree, grammar), []
        first = first or (tree, grammar)
    if first is None or first[0] is None:
        return None, [Fault(0, "too many faults to find the first one")]
    tree, grammar = first[0], first[1]
    faults, lost = find_faults(tree, data)
    root = _copy(tree, grammar) if tree.root_node.type == "program" else None
    if root is not None:
        root.children = [child for child in root.children if child.start not in lost]
    return root if root is not None and root.children else None, faults


def _tree(text: bytes, grammar: _Grammar, is_strict: bool) -> Tree | None:
    """The tree, parsed again where the grammar needs help; None if the parser was given up."""
    text = _blank_html_comments(text, grammar, is_strict)
    tree = _parse(text, grammar, is_strict)
    if tree is None or tree.root_node.has_error:
        text = NEWER.sub(_blank_word, text)
        tree = _parse(text, grammar, is_strict)
    while tree is not None and (misplaced := grammar.misplaced_bangs(tree)):
        blanked = bytearray(text)
        for at in misplaced:
            blanked[at] = 32
        text = bytes(blanked)
        tree = _parse(text, grammar, is_strict)
    return tree


def _parse(text: bytes, grammar: _Grammar, is_strict: bool) -> Tree | None:
    """The tree, or None if that takes too long or, with `is_strict`, there is an error."""
    patience = PATIENCE + len(text) // 16

    def give_up(_offset: int, has_error: bool) -> bool:
        nonlocal patience
        patience -= 1
        return patience < 0 or (is_strict and has_error)

    try:
        return Parser(grammar.language).parse(lambda at, _point: text[at : at + PIECE], progress_callback=give_up)
    except ValueError:  # what the parser raises when a callback ends it
        return None


def _blank_word(match: re.Match[bytes]) -> bytes:
    """Blanks in place of a word; a `static` before it stays."""
    word = match[0]
    kept = word.find(b"static") + len(b"static") if b"static" in word else 0
    return word[:kept] + b" " * (len(word) - kept)


def _blank_html_comments(text: bytes, grammar: _Grammar, is_strict: bool) -> bytes:
    """Blank `<!-- ...` comments that follow code on their line; the grammar knows only those at the start of one."""
    at = text.find(b"<!--")
    tree = _parse(text, grammar, is_strict) if at >= 0 else None
    while tree is not None and at >= 0:
        node = tree.root_node.descendant_for_byte_range(at, at + 1)
        if node is not None and node.type == "<":
            end = min((found for mark in (b"\n", b"\r") if (found := text.find(mark, at)) >= 0), default=len(text))
            text = text[:at] + b" " * (end - at) + text[end:]
            tree = _parse(text, grammar, is_strict)
        at = text.find(b"<!--", at + 1)
    return text


def _copy(tree: Tree, grammar: _Grammar) -> Node:
    """Copy the tree; one step a node with a cursor, no recursion."""
    kinds, named, dropped, fields = grammar.kinds, grammar.named, grammar.dropped, grammar.fields
    known = len(kinds)
    cursor = tree.walk()
    root = Node(tree.root_node.type, tree.root_node.start_byte, tree.root_node.end_byte)
    stack: list[Node] = []
    parent = root
    if not cursor.goto_first_child():
        return root
    while True:
        found = cursor.node
        assert found is not None
        id = found.kind_id
        if id < known and not dropped[id]:  # others are errors
            kind = kinds[id]
            field = cursor.field_id
            node = Node(kind, found.start_byte, found.end_byte)
            if named[id] and kind != "optional_chain":
                parent.children.append(node)
                if field:
                    parent.fields[fields[field]] = node
                if cursor.goto_first_child():
                    stack.append(parent)
                    parent = node
                    continue
            elif kind == "?." or kind == "optional_chain":
                # The TypeScript grammar has a bare token where the JavaScript grammar has a node in an optional call.
                parent.fields["optional_chain"] = node
                parent.chain = True
            elif field:
                parent.fields[fields[field]] = node
            elif kind in TOKENS:
                parent.tokens = (*parent.tokens, kind)
            elif kind == "," and parent.type in HOLDS_HOLES:
                parent.children.append(node)
        while not cursor.goto_next_sibling():
            if not stack:
                return root
            cursor.goto_parent()
            child, parent = parent, stack.pop()
            if child.type == "member_expression" and child.fields["object"].type in TYPE_ASSERTIONS:
                _take_back_qualifier(child)
            if child.chain:
                _continue_chain(parent, child)


def _take_back_qualifier(member: Node) -> None:
    """The grammar reads `e as a.b.C` as `(e as a.b).C`: without parentheses the last name is one of the type's."""
    asserted = member.fields["object"]
    member.type, member.chain = asserted.type, asserted.chain
    member.children, member.fields, member.tokens = asserted.children, asserted.fields, asserted.tokens


def _continue_chain(parent: Node, child: Node) -> None:
    """A member, index or call whose object is a link of a chain is a link too; `!` between them does not end it."""
    link = CHAIN_LINKS.get(parent.type)
    if parent.type == "non_null_expression" or (link and parent.fields.get(link) is child):
        parent.chain = True
