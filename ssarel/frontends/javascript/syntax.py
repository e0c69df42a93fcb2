"""The syntax tree: tree-sitter's, copied once into light nodes that Python can walk fast."""

from __future__ import annotations

import re
from functools import cache
from pathlib import PurePath
from typing import TYPE_CHECKING

import tree_sitter_javascript
import tree_sitter_typescript
from tree_sitter import Language, Parser, Tree

if TYPE_CHECKING:
    from tree_sitter import Node as SitterNode

    from ssarel.frontends.javascript.scope import Binding, Scope

TOKENS = frozenset({"async", "static", "get", "set", "*", "await", "default", "declare", "readonly"})
"""Keywords without a field of their own that change the meaning of their parent."""

DROPPED = frozenset({
    "comment", "html_comment", "hash_bang_line", "(", ")", "{", "}", "[", "]", ";", ".", ":", "=", "=>", "...", "${",
    "`", '"', "'", "</", "/>",
})  # fmt: skip
"""Nodes that are never looked at."""

HOLDS_HOLES = frozenset({"array", "array_pattern"})
CHAIN_LINKS = {"member_expression": "object", "subscript_expression": "object", "call_expression": "function"}


LONE_CR = re.compile(rb"\r(?!\n)")
"""Old line ends; the grammar inserts no semicolon there."""


NEWER = re.compile(
    rb"(?<=[<,/])(?P<type>\s*(?:in\s+out|in|out)\s)(?=\s*[\w$]+\s*(?:=|,|>|extends\b))"
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
"""Progress reports of the parser after the first error, beyond one for every 16 bytes, until it is given up: its error
recovery can take exponential time. Real files need one report for 80 bytes or more; this many take a second."""

PIECE = 1 << 16
"""Bytes handed to the parser at once. It reports progress only if it reads piece by piece."""


def parse(data: bytes, path: str) -> tuple[Node | None, tuple[int, str] | None]:
    """Parse a file.

    Returns: the tree and None, or None and the byte offset of the first syntax error with what is wrong there.
    Cost:    linear; no recursion.
    """
    text = LONE_CR.sub(b"\n", data.replace(b"\0", b"\x01"))
    fault: tuple[int, str] | None = None
    for name in GRAMMARS.get(PurePath(path).suffix.lower(), ("javascript", "tsx")):
        grammar = _grammar(name)
        # All that matters about a second grammar is whether it takes the file.
        patience = 0 if fault else PATIENCE + len(text) // 16
        blanked = _blank_html_comments(text, grammar, patience)
        tree = _parse(blanked, grammar, patience)
        if tree is None or tree.root_node.has_error:
            fault = fault or (_first_error(tree, data) if tree else (0, "too many faults to find the first one"))
            tree = _parse(NEWER.sub(_blank_word, blanked), grammar, patience)
        if tree is not None and not tree.root_node.has_error:
            return _copy(tree, grammar), None
    return None, fault


def _parse(text: bytes, grammar: _Grammar, patience: int) -> Tree | None:
    """The tree, or None if `patience` reports after the first error do not suffice."""
    reports = 0

    def give_up(_offset: int, has_error: bool) -> bool:
        nonlocal reports
        reports += has_error or reports > 0
        return reports > patience

    try:
        return Parser(grammar.language).parse(lambda at, _point: text[at : at + PIECE], progress_callback=give_up)
    except ValueError:  # what the parser raises when a callback ends it
        return None


def _blank_word(match: re.Match[bytes]) -> bytes:
    """Blanks in place of a word; a `static` before it stays."""
    word = match[0]
    kept = word.find(b"static") + len(b"static") if b"static" in word else 0
    return word[:kept] + b" " * (len(word) - kept)


def _blank_html_comments(text: bytes, grammar: _Grammar, patience: int) -> bytes:
    """Blank `<!-- ...` comments that follow code on their line; the grammar knows only those at the start of one."""
    at = text.find(b"<!--")
    tree = _parse(text, grammar, patience) if at >= 0 else None
    while tree is not None and at >= 0:
        node = tree.root_node.descendant_for_byte_range(at, at + 1)
        if node is not None and node.type == "<":
            end = min((found for mark in (b"\n", b"\r") if (found := text.find(mark, at)) >= 0), default=len(text))
            text = text[:at] + b" " * (end - at) + text[end:]
            tree = _parse(text, grammar, patience)
        at = text.find(b"<!--", at + 1)
    return text


def _first_error(tree: Tree, data: bytes) -> tuple[int, str]:
    """Find the first ERROR or MISSING node, outermost first."""
    stack: list[SitterNode] = [tree.root_node]
    while stack:
        node = stack.pop()
        if node.is_missing:
            return node.start_byte, f"expected {node.type}"
        if node.is_error:
            inner = next((child for child in node.children if child.has_error or child.is_error), None)
            start = (inner or node).start_byte
            words = data[start : start + 40].decode("utf-8", "ignore").split()
            return start, f"unexpected {words[0]}" if words else "unexpected end"
        stack.extend(child for child in reversed(node.children) if child.has_error or child.is_missing)
    return 0, "unexpected text"


def _copy(tree: Tree, grammar: _Grammar) -> Node:
    """Copy the tree; one step a node with a cursor, no recursion."""
    kinds, named, dropped, fields = grammar.kinds, grammar.named, grammar.dropped, grammar.fields
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
        if not dropped[id]:
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
            if child.chain:
                _continue_chain(parent, child)


def _continue_chain(parent: Node, child: Node) -> None:
    """A member, index or call whose object is a link of a chain is a link too; `!` between them does not end it."""
    link = CHAIN_LINKS.get(parent.type)
    if parent.type == "non_null_expression" or (link and parent.fields.get(link) is child):
        parent.chain = True
