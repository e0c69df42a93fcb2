"""JavaScript, JSX, TypeScript and TSX: every function of a file, lowered to the IR."""

from __future__ import annotations

from ssarel.frontends import Lowered
from ssarel.frontends.javascript import (
    assignments,
    classes,
    declarations,
    exceptions,
    expressions,
    jsx,
    loops,
    modules,
    objects,
    statements,
    values,
)  # fmt: skip
from ssarel.frontends.javascript.builder import Unit
from ssarel.frontends.javascript.faults import Fault
from ssarel.frontends.javascript.functions import lower_module, sort_roots
from ssarel.frontends.javascript.resolve import Resolver
from ssarel.frontends.javascript.source import Source, without_bom
from ssarel.frontends.javascript.syntax import parse
from ssarel.garbage import young_garbage_only
from ssarel.ir import Diagnostic

HANDLERS = (
    assignments, classes, declarations, exceptions, expressions, jsx, loops, modules, objects, statements, values,
)  # fmt: skip
"""The modules that register how each kind of syntax node is lowered."""


def lower(source: bytes, path: str, profile: str = "default") -> Lowered:
    """Lower one file.

    path:    decides the grammar by its extension; not opened.
    profile: `default` for JavaScript's meaning, `react` for what React Compiler 1.0.0 makes of it.

    Returns: its functions and diagnostics. Undecodable bytes give a diagnostic and no functions;
             a syntax error gives one and takes the top-level statement that it stands in.
    Cost:    linear in the size of the file; nesting costs memory, not stack.
    """
    data = without_bom(source)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as fault:
        offset = fault.start + len(source) - len(data)
        message = f"byte {offset} (0x{source[offset]:02x}) is not UTF-8; save the file as UTF-8"
        valid = Source(data[: fault.start])
        return Lowered([], [Diagnostic("error", "undecodable", message, *valid.position(fault.start))])
    with young_garbage_only():
        return lower_text(Source(data), path, profile == "react")


def lower_text(text: Source, path: str, is_react: bool) -> Lowered:
    """Lower the text of one file."""
    root, faults = parse(text.data, path)
    diagnostics = [syntax_diagnostic(text, fault, root is None) for fault in faults]
    if root is None:
        return Lowered([], [found for found in diagnostics if found.severity == "error"])
    unit = Unit(text, path, is_react)
    unit.diagnostics += diagnostics
    resolver = Resolver(text, unit.is_react)
    scope = resolver.run(root)
    for node, what in resolver.warnings:
        place = text.position(node.start)
        unit.diagnostics.append(Diagnostic("warning", "dynamic-scope", f"{what}; they are cells", *place))
    lower_module(unit, scope, root)
    resolver.release()
    return Lowered(sort_roots(unit.roots), sorted(unit.diagnostics, key=lambda d: (d.line, d.col)))


def syntax_diagnostic(text: Source, fault: Fault, is_all: bool) -> Diagnostic:
    """Report a syntax error and what is lost to it."""
    place = text.position(fault.offset)
    if fault.is_type:
        message = f"{fault.what}: this type is not understood; types do not matter to what is analysed"
        return Diagnostic("warning", "syntax-type", message, *place)
    lost = "no function of this file is" if is_all else "the top-level statement around it is not"
    message = f"syntax error: {fault.what}; {lost} analysed"
    return Diagnostic("error", "syntax", message, *place)
