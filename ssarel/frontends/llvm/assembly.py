"""A module as LLVM prints it, taken apart: functions, blocks, and of each instruction what the IR needs to know."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ssarel.errors import SyntaxFault, UsageError
from ssarel.frontends.llvm import positions
from ssarel.frontends.llvm.positions import Place

NAME = r'(?:"[^"]*"|[-\w$.]+)'
"""A name behind its sigil. LLVM writes quotes and everything unusual inside as `\\xx`, backslashes twice."""

LOCAL = re.compile(rf'blockaddress\(@{NAME}, %{NAME}\)|%{NAME}|"[^"]*"')
"""The names of a function's own values and labels, behind what only looks like one."""

_TYPE = re.compile(rf"(%{NAME}) = type ")
_DEFINE = re.compile(rf"define .*?@({NAME})\(")
_LABEL = re.compile(rf"({NAME}):")
_STEP = re.compile(rf"  (?:(%{NAME}) = )?(?:(?:tail|musttail|notail) )?(\w+) ?(.*)")
_INCOMING = re.compile(rf"\[ (.*?), (%{NAME}) \]")


@dataclass(slots=True)
class Step:
    """One instruction.

    start, stop: its lines.
    op, text:    the opcode without what may stand before it, and what follows it, on one line.
    result:      the value it makes, with its `%`; None if it makes none.
    uses:        values of the function that it reads, in order; those of a phi too.
    targets:     labels that stand in it, in order: of a terminator, one a control-flow edge.
    """

    start: int
    stop: int
    op: str
    text: str
    result: str | None = None
    uses: list[str] = field(default_factory=list[str])
    targets: list[str] = field(default_factory=list[str])
    line: int = 0
    col: int = 0

    def incoming(self) -> list[tuple[str, str]]:
        """Of a phi, (value, label) of each operand."""
        return _INCOMING.findall(self.text)


@dataclass(slots=True)
class Chunk:
    """One block. label: with its `%`. at: the line in front of which phis go."""

    label: str
    at: int
    steps: list[Step] = field(default_factory=list[Step])


@dataclass(slots=True)
class Body:
    """One defined function. params: with their `%`. records: lines that hold debug records."""

    name: str
    params: list[str]
    start: int
    chunks: list[Chunk] = field(default_factory=list[Chunk])
    records: list[int] = field(default_factory=list[int])
    line: int = 0
    col: int = 0

    def steps(self) -> Iterator[Step]:
        """Every instruction in order."""
        for chunk in self.chunks:
            yield from chunk.steps


@dataclass(slots=True)
class Module:
    """A module.

    lines:   the module as LLVM prints it.
    renamed: (function, name it has here, its own) of values that had the name of a type: here the two differ.
    """

    path: str
    lines: list[str]
    bodies: list[Body]
    renamed: list[tuple[str, str, str]]
    is_binary: bool = False


def read(source: bytes, path: str, must_verify: bool = True) -> Module:
    """Read text or bitcode.

    must_verify: LLVM's verifier has to accept it as well as its parser.

    Raises: UsageError if llvmlite is not installed; SyntaxFault, with the place in the text, if LLVM rejects it.
    Cost:   one pass over the printed module.
    """
    binding = _binding()
    is_binary = is_bitcode(source)
    text = "" if is_binary else _decode(source, path)
    context = binding.create_context()
    try:
        parsed = binding.parse_bitcode(source, context) if is_binary else binding.parse_assembly(text, context)
    except RuntimeError as error:
        raise _parse_fault(str(error), text, path) from None
    lines = str(parsed).split("\n")
    renamed = _separate_types(parsed, lines)
    if renamed:
        lines = str(parsed).split("\n")
    bodies = _bodies(lines)
    if is_binary:
        positions.place_printed(lines, bodies)
    else:
        positions.place(text, bodies)
    try:
        if must_verify:
            parsed.verify()
    except RuntimeError as error:
        raise _verifier_fault(str(error), lines, bodies, path) from None
    return Module(path, lines, bodies, renamed, is_binary)


def is_bitcode(source: bytes) -> bool:
    """Whether a file is LLVM bitcode, wrapped or not, by its first bytes."""
    return source[:4] in (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")


def normal_text(text: str, renamed: list[tuple[str, str, str]]) -> str:
    """`text` as LLVM prints it after verifying it: unnamed values numbered anew, `renamed` ones under their own names.

    Raises: RuntimeError, with LLVM's message, if it is no valid module.
    """
    binding = _binding()
    context = binding.create_context()
    parsed = binding.parse_assembly(text, context)
    parsed.verify()
    for function, name, own in renamed:
        for value in _named_values(parsed.get_function(function)):
            if value.name == name:
                value.name = own
    return str(parsed)


def version() -> str:
    """The version of the LLVM that reads, such as `20.1.8`."""
    return ".".join(map(str, _binding().llvm_version_info))


def _binding() -> Any:
    try:
        from llvmlite import binding
    except ImportError:
        raise UsageError("LLVM IR is read with llvmlite, which is not installed: pip install 'ssarel[llvm]'") from None
    # Else LLVM verifies a module with debug info while it reads it, and ends the process if that fails.
    binding.set_option("ssarel", "-disable-auto-upgrade-debug-info")
    return binding


def _decode(source: bytes, path: str) -> str:
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        raise SyntaxFault(f"{path}:{line}:0: byte {error.start} is not UTF-8: {error.reason}") from None


def _separate_types(parsed: Any, lines: list[str]) -> list[tuple[str, str, str]]:
    """Rename values that have the name of a type, so that a name alone says what it is."""
    types = {found[1] for line in lines if (found := _TYPE.match(line))}
    results = {found[1] for line in lines if (found := _STEP.match(line))}
    results |= {name for line in lines if line.startswith("define ") for name in LOCAL.findall(line)}
    if not types & results:
        return []
    renamed: list[tuple[str, str, str]] = []
    for function in parsed.functions:
        for value in [] if function.is_declaration else _named_values(function):
            own = value.name
            if own and ("%" + own in types or f'%"{own}"' in types):
                value.name = own + ".value"
                renamed.append((function.name, value.name, own))
    return renamed


def _named_values(function: Any) -> Iterator[Any]:
    yield from function.arguments
    for block in function.blocks:
        yield from block.instructions


def _bodies(lines: list[str]) -> list[Body]:
    bodies: list[Body] = []
    at = 0
    while at < len(lines):
        if lines[at].startswith("define "):
            stop = lines.index("}", at)
            bodies.append(_body(lines, at, stop))
            at = stop
        at += 1
    return bodies


def _body(lines: list[str], start: int, stop: int) -> Body:
    found = _DEFINE.match(lines[start])
    assert found is not None  # LLVM printed the line
    params = _params(lines[start], found.end())
    body = Body(unescape(found[1]), params, start)
    for at in range(start + 1, stop):
        line = lines[at]
        if not line:
            continue
        if line[0] != " ":
            label = _LABEL.match(line)
            if label is not None:
                body.chunks.append(Chunk("%" + label[1], at + 1))
            continue
        if not body.chunks:
            body.chunks.append(Chunk(f"%{sum(name[1:].isdigit() for name in params)}", at))
        if line.startswith("    #dbg_"):
            body.records.append(at)
        elif (step := _STEP.match(line)) is not None:
            body.chunks[-1].steps.append(Step(at, at + 1, step[2], step[3], step[1]))
        else:
            last = body.chunks[-1].steps[-1]
            last.stop = at + 1
            last.text += " " + line.strip()
    values = {*params, *(step.result for step in body.steps())}
    for step in body.steps():
        for name in LOCAL.finditer(step.text) if "%" in step.text else ():
            if step.text.endswith("label ", 0, name.start()):
                step.targets.append(name[0])
            elif name[0] in values:
                step.uses.append(name[0])
    return body


def _params(line: str, at: int) -> list[str]:
    """The names of the parameters whose list opens in front of `at`."""
    params: list[str] = []
    depth = 1
    for token in re.compile(rf"%{NAME}(?=[,)])|\"[^\"]*\"|[()\[\]{{}}]").finditer(line, at):
        if token[0] in "([{":
            depth += 1
        elif token[0] in ")]}":
            depth -= 1
            if depth == 0:
                break
        elif depth == 1 and token[0][0] == "%":
            params.append(token[0])
    return params


def unescape(name: str) -> str:
    """The name that a printed one stands for: without quotes, `\\xx` and `\\\\` as characters."""
    if not name.startswith('"'):
        return name
    raw = re.sub(rb"\\(?:([0-9a-fA-F]{2})|\\)", _character, name[1:-1].encode())
    return raw.decode("utf-8", "backslashreplace")


def _character(escape: re.Match[bytes]) -> bytes:
    return b"\\" if escape[1] is None else bytes.fromhex(escape[1].decode())


def _parse_fault(message: str, text: str, path: str) -> SyntaxFault:
    found = re.search(r"<string>:(\d+):(\d+): error: (.*)", message)
    if found is None:
        return SyntaxFault(f"{path}:1:0: LLVM {version()} cannot read it: {' '.join(message.split())}")
    place = positions.from_bytes(text, Place(int(found[1]), int(found[2]) - 1))
    return SyntaxFault(f"{path}:{place.line}:{place.col}: {found[3]} (LLVM {version()})")


def _verifier_fault(message: str, lines: list[str], bodies: list[Body], path: str) -> SyntaxFault:
    """The verifier's words, at the first instruction, block or function among what it prints below them."""
    what, *shown = [line.strip() for line in message.strip().split("\n")]
    found = (place for item in shown if (place := _find(item, lines, bodies, "Entry block" in what)) is not None)
    place = next(found, Place(1, 0))
    return SyntaxFault(f"{path}:{place.line}:{place.col}: {what.rstrip('!')} (LLVM {version()})")


def _find(item: str, lines: list[str], bodies: list[Body], is_entry: bool) -> Place | None:
    """Where `item` stands: an instruction, a label or the name of a function. is_entry: it is one that is jumped to."""
    for body in bodies:
        if re.search(rf"@{re.escape(body.name)}$", item):
            return Place(body.line, body.col)
        jumped_to = {label for step in body.steps() for label in step.targets}
        for chunk in body.chunks[:1] if is_entry else body.chunks:
            if item == f"label {chunk.label}" and (chunk.label in jumped_to or not is_entry):
                return Place(chunk.steps[0].line, chunk.steps[0].col)
            for step in chunk.steps:
                if lines[step.start].strip() == item:
                    return Place(step.line, step.col)
    return None
