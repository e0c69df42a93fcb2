"""Functions to text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ssarel.ir import Block, Function, Instr, Param, Terminal
from ssarel.text.notation import HEADING, Notation, bare_or_quoted, notation, quote
from ssarel.text.values import write_value


def format(function: Function, profile: str = "default") -> str:
    """Return `function` as text, nested functions inside the instructions that make them, no newline at the end.

    profile: `default` or `react`.

    Raises: UsageError for another profile; ValueError if an attribute does not fit its opcode.
    Cost:   the length of the text (a nesting level indents by six); explicit stack.
    """
    words = notation(profile)
    lines: list[str] = []
    open_functions = [("", _lines(function, words))]
    while open_functions:
        indent, unprinted = open_functions[-1]
        for line in unprinted:
            if isinstance(line, Function):
                open_functions.append((indent + " " * 6, _lines(line, words)))
                break
            lines.append(indent + line.replace("\n", "\n" + indent))
        else:
            open_functions.pop()
    return "\n".join(lines)


def format_instr(step: Instr, profile: str = "default") -> str:
    """Return one instruction or terminal as text, without number, indentation and the text of a nested function.

    A `Switch` takes several lines, and so does a template with line ends in it.
    """
    words = notation(profile)
    value = write_value(step, words)
    return value if isinstance(step, Terminal) else f"{words.write_place(step.defs[-1])} = {value}"


def _lines(function: Function, words: Notation) -> Iterator[str | Function]:
    """Yield the lines of `function` and, after the line that makes it, each nested function."""
    yield _header(function, words)
    for directive in function.directives:
        is_plain = words.is_react or not re.match(rf'"|.*\n|{HEADING}$', directive)
        yield directive if is_plain else quote(directive)
    for block in function.blocks.values():
        yield from _block_lines(block, words)


def _header(function: Function, words: Notation) -> str:
    def param(param: Param) -> str:
        return ("..." if param.rest else "") + words.write_place(param.var)

    prefix = ""
    if function.name is None:
        name = "<<module>>" if function.kind == "module" else "<<anonymous>>"
    else:
        name = function.name if words.is_react else bare_or_quoted(function.name)
    if not words.is_react:
        flags = [(function.is_async, "async"), (function.is_generator, "generator")]
        is_implied = function.kind == "function" or name == "<<module>>"
        flags.append((not is_implied, function.kind))
        prefix = "".join(f"{word} " for is_set, word in flags if is_set)
    returns = "" if function.returns is None else f": {words.write_place(function.returns)}"
    return f"{prefix}{name}({', '.join(map(param, function.params))}){returns}"


def _block_lines(block: Block, words: Notation) -> Iterator[str | Function]:
    yield f"bb{block.id} ({block.kind}):"
    if block.preds:
        yield f"  predecessor blocks: {' '.join(f'bb{pred}' for pred in block.preds)}"
    for phi in block.phis:
        args = ", ".join(f"bb{pred}: {words.write_place(arg)}" for pred, arg in phi.args.items())
        yield f"  {words.write_place(phi.target)}: phi({args})"
    for instr in block.instrs:
        yield f"  [{instr.number}] {words.write_place(instr.result)} = {write_value(instr, words)}"
        if isinstance(instr.attr, Function) and not instr.attr.root:
            yield instr.attr
    yield f"  [{block.terminal.number}] {write_value(block.terminal, words)}"
