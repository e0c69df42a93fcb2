"""Bril's text, both ways: between it and Bril's own JSON, which is what a program is everywhere else.

A program is the JSON object of Bril's syntax reference: `functions`, each with `name`, `args`, `type` and `instrs`, and
`imports`. Objects read from text have a `pos` with `row` and `col`, both from 1.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from ssarel.errors import SyntaxFault, UsageError

Json = dict[str, Any]

NAME = r"[A-Za-z_%][A-Za-z0-9_%.]*"
_NAME = re.compile(NAME)
_TOKEN = re.compile(
    rf"""(?P<blank>\s+|\#[^\n]*)
    |(?P<char>'(?:\\[0abtnvfr]|[^\n])')
    |(?P<float>[+-]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?[0-9]+[eE][+-]?[0-9]+)
    |(?P<int>[+-]?[0-9]+)
    |(?P<func>@{NAME})|(?P<label>\.{NAME})|(?P<name>{NAME})
    |(?P<string>"[^"\n]*")
    |(?P<mark>[{{}}()<>:;,=])""",
    re.VERBOSE,
)
_ESCAPES = {"0": "\0", "a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
_ESCAPED = {char: f"\\{letter}" for letter, char in _ESCAPES.items()}
_WORDS = {"true": True, "false": False, "nullptr": None}


class Token(NamedTuple):
    """One word of a text. kind: a group of the pattern, or `end`; row, col: from 1."""

    kind: str
    text: str
    row: int
    col: int


def parse(text: str) -> Json:
    """The program that `text` says.

    Raises: SyntaxFault, `line:col: ...` with line from 1 and col from 0.
    Cost:   linear in the text; no recursion.
    """
    return _Parser(_tokens(text)).program()


def _tokens(text: str) -> list[Token]:
    tokens: list[Token] = []
    at = start = 0
    row = 1
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise SyntaxFault(f"{row}:{at - start}: {text[at]!r} starts no word of Bril")
        if found.lastgroup != "blank":
            tokens.append(Token(str(found.lastgroup), found[0], row, at - start + 1))
        ends = found[0].count("\n")
        if ends:
            row += ends
            start = at + found[0].rindex("\n") + 1
        at = found.end()
    tokens.append(Token("end", "the end of the file", row, at - start + 1))
    return tokens


class _Parser:
    """Reads tokens from `at` on."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def fault(self, wanted: str) -> SyntaxFault:
        token = self.next
        found = token.text if token.kind == "end" else repr(token.text)
        return SyntaxFault(f"{token.row}:{token.col - 1}: expected {wanted}, not {found}")

    def take(self, kind: str, wanted: str) -> Token:
        token = self.next
        if token.kind != kind:
            raise self.fault(wanted)
        self.at += 1
        return token

    def skip(self, text: str) -> bool:
        """Go past the word `text` if it is next."""
        is_next = self.next.text == text
        self.at += is_next
        return is_next

    def need(self, text: str) -> None:
        if not self.skip(text):
            raise self.fault(repr(text))

    def program(self) -> Json:
        program: Json = {"functions": []}
        while self.next.kind != "end":
            if self.next.kind == "func":
                program["functions"].append(self.function())
            elif self.skip("from"):
                program.setdefault("imports", []).append(self.imported())
            else:
                raise self.fault("a function, such as `@main { ... }`")
        return program

    def imported(self) -> Json:
        path = self.take("string", "a path in quotes").text[1:-1]
        self.need("import")
        functions: list[Json] = []
        while True:
            item: Json = {"name": self.take("func", "a function name").text[1:]}
            if self.skip("as"):
                item["alias"] = self.take("func", "a function name").text[1:]
            functions.append(item)
            if not self.skip(","):
                break
        self.need(";")
        return {"path": path, "functions": functions}

    def function(self) -> Json:
        head = self.take("func", "a function name")
        function: Json = {"name": head.text[1:], "instrs": [], "pos": _position(head)}
        if self.skip("("):
            args: list[Json] = []
            while not self.skip(")"):
                if args:
                    self.need(",")
                name = self.take("name", "a parameter")
                self.need(":")
                args.append({"name": name.text, "type": self.type(), "pos": _position(name)})
            if args:
                function["args"] = args
        if self.skip(":"):
            function["type"] = self.type()
        self.need("{")
        while not self.skip("}"):
            function["instrs"].append(self.step())
        return function

    def type(self) -> Any:
        """A type; `ptr<int>` is `{"ptr": "int"}`."""
        names = [self.take("name", "a type").text]
        while self.skip("<"):
            names.append(self.take("name", "a type").text)
        found: Any = names.pop()
        while names:
            self.need(">")
            found = {names.pop(): found}
        return found

    def step(self) -> Json:
        """A label or an instruction."""
        first = self.next
        if first.kind == "label":
            self.at += 1
            self.need(":")
            return {"label": first.text[1:], "pos": _position(first)}
        instr: Json = {"pos": _position(first)}
        self.take("name", "a label, an instruction or `}`")
        if self.next.text in (":", "="):
            instr["dest"] = first.text
            if self.skip(":"):
                instr["type"] = self.type()
            self.need("=")
            instr["op"] = self.take("name", "an operation").text
        else:
            instr["op"] = first.text
        if instr["op"] == "const":
            instr["value"] = self.literal()
        while self.next.kind in ("name", "func", "label"):
            word = self.next
            self.at += 1
            key = {"name": "args", "func": "funcs", "label": "labels"}[word.kind]
            instr.setdefault(key, []).append(word.text if key == "args" else word.text[1:])
        self.need(";")
        return instr

    def literal(self) -> Any:
        token = self.next
        if token.kind not in ("int", "float", "char") and token.text not in _WORDS:
            raise self.fault("a number, true, false, nullptr or a character in quotes")
        self.at += 1
        match token.kind:
            case "int":
                return int(token.text)
            case "float":
                return float(token.text)
            case "char":
                inside = token.text[1:-1]
                return _ESCAPES[inside[1]] if len(inside) == 2 else inside
            case _:
                return _WORDS[token.text]


def _position(token: Token) -> Json:
    return {"row": token.row, "col": token.col}


def format(program: Json) -> str:
    """The text of `program`, which `parse` reads back.

    Raises: UsageError if a name in it cannot be written in the text form.
    """
    parts = [format_import(item) + "\n" for item in program.get("imports", ())]
    parts += [_function_text(function) for function in program["functions"]]
    return "\n".join(parts)


def format_import(item: Json) -> str:
    """An import as text."""
    names = [f"@{it['name']}" + (f" as @{it['alias']}" if "alias" in it else "") for it in item["functions"]]
    return f'from "{item["path"]}" import {", ".join(names)};'


def _function_text(function: Json) -> str:
    args = ", ".join(_typed(arg["name"], arg) for arg in function.get("args", ()))
    head = _typed("@" + _name(function["name"]) + (f"({args})" if args else ""), function)
    lines = [
        f".{_name(step['label'])}:" if "label" in step else f"  {_instr_text(step)};" for step in function["instrs"]
    ]
    return "\n".join([f"{head} {{", *lines, "}"]) + "\n"


def _instr_text(instr: Json) -> str:
    args = [_name(name) for name in instr.get("args", ())]
    labels = ["." + _name(name) for name in instr.get("labels", ())]
    if instr["op"] == "phi":
        labels = [word for pair in zip(args, labels, strict=True) for word in pair]
        args = []
    words = [_name(instr["op"]), *("@" + _name(name) for name in instr.get("funcs", ())), *args, *labels]
    if "value" in instr:
        words.append(format_literal(instr["value"]))
    text = " ".join(words)
    return f"{_typed(_name(instr['dest']), instr)} = {text}" if "dest" in instr else text


def _typed(text: str, item: Json) -> str:
    return f"{text}: {format_type(item['type'])}" if item.get("type") is not None else text


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name!r} has no form in Bril text; --emit bril-json writes any name")
    return name


def format_type(type: Any) -> str:
    """A type as text, without blanks."""
    wrappers: list[str] = []
    while isinstance(type, dict):
        ((wrapper, type),) = type.items()
        wrappers.append(wrapper)
    return "<".join([*wrappers, type]) + ">" * len(wrappers)


def read_type(text: str) -> Any:
    """Undo `format_type`."""
    *wrappers, found = text.rstrip(">").split("<")
    for wrapper in reversed(wrappers):
        found = {wrapper: found}
    return found


def format_literal(value: Any) -> str:
    """The value of a `const` as text."""
    if isinstance(value, str):
        return f"'{_ESCAPED.get(value, value)}'"
    for word, meaning in _WORDS.items():
        if value is meaning:
            return word
    return repr(value)


def read_literal(text: str) -> Any:
    """Undo `format_literal`."""
    return _Parser(_tokens(text)).literal()
