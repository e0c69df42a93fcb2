"""Text to functions."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field

from ssarel.errors import SyntaxFault
from ssarel.ir import UNDEF, Block, Function, Instr, Param, Phi, Terminal, Var
from ssarel.text.notation import HEADING, NAME, STRING, Notation, notation, unquote
from ssarel.text.values import read_value

_CELL_OPS = {"LoadContext", "StoreContext", "DeclareContext"}
_SEPARATOR = re.compile(r"\s*$|===|//")
_HEADING = re.compile(HEADING)
_PREDECESSORS = re.compile(r"  predecessor blocks:((?: bb[0-9]+)+)")


def parse(text: str, profile: str = "default", path: str = "<text>") -> list[Function]:
    """Return the functions of `text`, which blank lines, lines that start with `===` or with `//` may separate.

    profile: `default` or `react`.
    path:    named in messages.

    Positions are those in `text`.
    An instruction `Function` without a text inside it makes the next root function of its name further down; without
    such a function its attribute is the name.

    Raises: SyntaxFault, with line from 1 and column from 0; UsageError for another profile.
    Cost:   linear in the text; explicit stack.
    """
    parser = _Parser(text, notation(profile), path)
    functions: list[Function] = []
    references: list[tuple[int, Instr]] = []
    while parser.skip_separators():
        functions.append(parser.read_function())
        references += [(len(functions), instr) for instr in parser.references]
    _link_roots(functions, references)
    return functions


def _link_roots(functions: list[Function], references: list[tuple[int, Instr]]) -> None:
    by_name: dict[str | None, deque[int]] = {}
    for index, function in enumerate(functions):
        by_name.setdefault(function.name, deque()).append(index)
    for first, instr in references:
        candidates = by_name.get(instr.attr, deque())
        while candidates and candidates[0] < first:
            candidates.popleft()
        if candidates:
            instr.attr = functions[candidates.popleft()]


@dataclass
class _Open:
    """A function whose text is being read; its lines start with `indent`. `line` is where its header stands."""

    function: Function
    indent: str
    line: int
    block: Block | None = None
    is_block_open: bool = False
    mentioned: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])


class _Parser:
    """Reads one function after another. `at` is the index of the next line."""

    def __init__(self, text: str, words: Notation, path: str) -> None:
        self.lines = text.split("\n")
        self.words = words
        self.path = path
        self.at = 0
        self.vars: dict[int, Var] = {}
        self.places: dict[str, Var] = {}
        self.references: list[Instr] = []
        place = words.place
        self.header = re.compile(
            rf"(?P<words>(?:\w+ )*?)(?P<name><<\w+>>|{'[^(]*' if words.is_react else f'{NAME}|{STRING}'})"
            rf"\((?P<params>(?:(?:\.\.\.)?{place}(?:, (?:\.\.\.)?{place})*)?)\)(?:: (?P<returns>{place}))?"
        )
        self.step = re.compile(rf"  \[([0-9]+)\] (?:({place}) = )?(.*)")
        self.phi = re.compile(rf"  ({place}): phi\(((?:bb[0-9]+: {place}(?:, bb[0-9]+: {place})*)?)\)")
        self.phi_arg = re.compile(rf"bb([0-9]+): ({place})")
        self.param = re.compile(rf"(\.\.\.)?({place})")
        self.template = re.compile(rf"(?:{place})?`")

    def fault(self, what: str, line: int | None = None, col: int = 0) -> SyntaxFault:
        """Return the error for `line` (an index; by default the line read last)."""
        at = self.at - 1 if line is None else line
        return SyntaxFault(f"{self.path}:{at + 1}:{col}: {what}")

    def skip_separators(self) -> bool:
        """Go to the next header. Returns False at the end of the text."""
        while self.at < len(self.lines) and _SEPARATOR.match(self.lines[self.at]):
            self.at += 1
        return self.at < len(self.lines)

    def place(self, printed: str) -> Var:
        """Return the variable of the current root function that `printed` names."""
        var = self.places.get(printed)
        if var is None:
            var = self.places[printed] = self._new_place(printed)
        return var

    def _new_place(self, printed: str) -> Var:
        if printed == "undef":
            return UNDEF
        name, _, digits = printed.rpartition("$")
        name = name.rpartition(" ")[2] if self.words.is_react else self.words.read_name(name)
        var = self.vars.setdefault(int(digits), Var(int(digits), name or (None if '"' not in printed else name)))
        if (var.name or "") != name:
            raise self.fault(f"{printed} has the id of {var!r}; ids are unique within a root function")
        return var

    def read_function(self) -> Function:
        """Read one root function with everything nested in it."""
        self.vars = {}
        self.places = {}
        self.references = []
        root = self._open("")
        stack = [root]
        while stack:
            top = stack[-1]
            line = self.lines[self.at] if self.at < len(self.lines) else ""
            if line.startswith(top.indent):
                heading = _HEADING.fullmatch(line, len(top.indent))
                if heading and not top.is_block_open:
                    self.at += 1
                    self._start_block(top, heading)
                    continue
                if top.is_block_open and line.startswith("  ", len(top.indent)):
                    self.at += 1
                    nested = self._read_line(top, line[len(top.indent) :])
                    stack += [] if nested is None else [nested]
                    continue
            if top.is_block_open:
                self.at += 1
                raise self.fault("expected an instruction or a terminal")
            self._close(top)
            stack.pop()
        root.function.next_id = max(self.vars, default=-1) + 1
        return root.function

    def _open(self, indent: str) -> _Open:
        """Read a header and the directives below it."""
        line = self.lines[self.at]
        self.at += 1
        found = self.header.fullmatch(line, len(indent))
        if found is None:
            raise self.fault(f"expected a function header, such as `name(x$0): $1`, not {line[len(indent) :]!r}")
        function = self._new_function(found, is_root=not indent)
        opened = _Open(function, indent, self.at - 1)
        while True:
            line = self.lines[self.at] if self.at < len(self.lines) else ""
            if not line.startswith(indent) or self.at == len(self.lines):
                raise self.fault("expected a block", opened.line + 1)
            if _HEADING.fullmatch(line, len(indent)):
                return opened
            self.at += 1
            directive = line[len(indent) :]
            is_quoted = not self.words.is_react and directive.startswith('"')
            function.directives.append(self._unquote(directive) if is_quoted else directive)

    def _unquote(self, text: str) -> str:
        try:
            return unquote(text)
        except ValueError:
            raise self.fault(f"{text} is not a JSON string") from None

    def _new_function(self, header: re.Match[str], is_root: bool) -> Function:
        words = header["words"].split()
        kind = [word for word in words if word not in ("async", "generator")]
        name = header["name"]
        if name == "<<module>>":
            kind = ["module"]
        if name.startswith("<<"):
            name = None
        elif name.startswith('"'):
            name = self._unquote(name)
        return Function(
            name,
            [Param(self.place(found[2]), found[1] is not None) for found in self.param.finditer(header["params"])],
            {},
            -1,
            None if header["returns"] is None else self.place(header["returns"]),
            root=is_root,
            kind=kind[0] if kind else "function",
            is_async="async" in words,
            is_generator="generator" in words,
            line=self.at,
            col=header.start(),
        )

    def _start_block(self, top: _Open, heading: re.Match[str]) -> None:
        id = int(heading[1])
        blocks = top.function.blocks
        if id in blocks:
            raise self.fault(f"bb{id} is there twice")
        if not blocks:
            top.function.entry = id
        top.block = blocks[id] = Block(id, heading[2], [], Terminal("Unreachable", [], []))
        top.is_block_open = True

    def _read_line(self, top: _Open, line: str) -> _Open | None:
        """Read a line inside a block; returns the nested function that it opens."""
        block = top.block
        assert block is not None
        step = self.step.fullmatch(line)
        if step is not None:
            return self._read_step(top, block, step)
        predecessors = _PREDECESSORS.fullmatch(line)
        phi = self.phi.fullmatch(line)
        if predecessors is not None:
            block.preds = [int(name[2:]) for name in predecessors[1].split()]
            top.mentioned += [(self.at - 1, pred) for pred in block.preds]
        elif phi is not None:
            args = {int(arg[1]): self.place(arg[2]) for arg in self.phi_arg.finditer(phi[2])}
            block.phis.append(Phi(self.place(phi[1]), args))
            if set(args) != set(block.preds):
                raise self.fault("a phi has one operand for each predecessor block")
        else:
            raise self.fault(f"expected predecessors, a phi, an instruction or a terminal, not {line.strip()!r}")
        return None

    def _read_step(self, top: _Open, block: Block, found: re.Match[str]) -> _Open | None:
        first = self.at - 1
        text = self._complete(found[3], top.indent)
        parts = read_value(text, self.place, self.words)
        col = len(top.indent) + found.start(3)
        is_terminal = found[2] is None
        if parts is None or (is_terminal and parts.targets is None):
            raise self.fault(f"expected {'a terminal' if is_terminal else 'a value'}, not {text!r}", first, col)
        op, uses, defs, attr, targets, links = parts
        place = first + 1, len(top.indent) + 2, int(found[1])
        if is_terminal:
            block.terminal = Terminal(op, uses, targets or [], links, attr, *place)
            top.is_block_open = False
            top.mentioned += [(first, target) for target in block.terminal.targets]
            fallthrough = block.terminal.links.get("fallthrough")
            top.mentioned += [] if fallthrough is None else [(first, fallthrough)]
            return None
        if targets or links:
            raise self.fault(f"{op} names blocks and so is a terminal; it has no result", first, col)
        instr = Instr(op, uses, [*defs, self.place(found[2])], attr, *place)
        block.instrs.append(instr)
        if op in _CELL_OPS:
            (attr[1] if op == "DeclareContext" else uses[0]).cell = True
        return self._open_nested(top, instr) if op in ("Function", "ObjectMethod") else None

    def _open_nested(self, top: _Open, instr: Instr) -> _Open | None:
        indent = top.indent + " " * 6
        if self.at == len(self.lines) or not self.lines[self.at].startswith(indent):
            self.references.append(instr)
            return None
        nested = self._open(indent)
        nested.function.context = list(instr.uses)
        if self.words.is_react and instr.op == "ObjectMethod":
            nested.function.kind = "method"
        instr.attr = nested.function
        return nested

    def _complete(self, text: str, indent: str) -> str:
        """Add the further lines of a value that spans several."""
        if text.startswith("Switch ("):
            end = re.compile("    Fallthrough: ")
        elif template := self.template.match(text):
            end = re.compile(r"(?:[^`\\]|\\.)*`")
            if end.match(text, template.end()):
                return text
        elif self.words.is_react and text.startswith(("Object {", "Destructure ")):
            end = re.compile(r".* \}$|.* [\]}] = \S+ \S+$")
            if end.match(text):
                return text
        else:
            return text
        lines = [text]
        while self.at < len(self.lines) and self.lines[self.at].startswith(indent):
            lines.append(self.lines[self.at][len(indent) :])
            self.at += 1
            if end.match(lines[-1]):
                break
        return "\n".join(lines)

    def _close(self, top: _Open) -> None:
        for line, block in top.mentioned:
            if block not in top.function.blocks:
                raise self.fault(f"there is no bb{block} in this function", line)
