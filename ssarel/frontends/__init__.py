"""Front ends: source text in, functions of the IR and diagnostics out; one module or package a language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath

from ssarel.errors import UsageError
from ssarel.ir import Diagnostic, Function


@dataclass(slots=True)
class Lowered:
    """What one source file became.

    functions:   its root functions: a module body first, then in source order; without what a syntax error takes.
    diagnostics: in source order.
    lines:       what positions refer to, if that is not the text itself: the printed form of a binary file.
    """

    functions: list[Function]
    diagnostics: list[Diagnostic]
    lines: list[str] | None = None


Frontend = Callable[..., Lowered]
"""`lower(source: bytes, path: str, profile: str = "default") -> Lowered`; never raises on bad input."""

MODULES = {
    "javascript": "ssarel.frontends.javascript",
    "hir": "ssarel.frontends.hir",
    "bril": "ssarel.frontends.bril",
    "llvm": "ssarel.frontends.llvm",
}

LANGUAGES = {
    ".js": ("javascript", "javascript"),
    ".mjs": ("javascript", "javascript"),
    ".cjs": ("javascript", "javascript"),
    ".jsx": ("jsx", "javascript"),
    ".ts": ("typescript", "javascript"),
    ".mts": ("typescript", "javascript"),
    ".cts": ("typescript", "javascript"),
    ".tsx": ("tsx", "javascript"),
    ".hir": ("hir", "hir"),
    ".bril": ("bril", "bril"),
    ".ll": ("llvm", "llvm"),
    ".bc": ("llvm", "llvm"),
}
"""By file extension: the language's name and the module that lowers it."""


def language_of(path: str) -> str | None:
    """The language of `path` by its extension, None if no front end reads it."""
    found = LANGUAGES.get(PurePath(path).suffix.lower())
    return found[0] if found else None


def frontend_for(path: str) -> Frontend:
    """The front end that lowers files named like `path`; UsageError if there is none."""
    found = LANGUAGES.get(PurePath(path).suffix.lower())
    if found is None:
        known = " ".join(sorted(LANGUAGES))
        raise UsageError(f"{path}: no front end reads this kind of file; known extensions: {known}")
    return import_module(MODULES[found[1]]).lower
