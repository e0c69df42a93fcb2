"""What ssarel prints for the same functions, in React's profile."""

from __future__ import annotations

from pathlib import Path

from ssarel import react_passes
from ssarel.builders import react
from ssarel.errors import Rejected
from ssarel.frontends import frontend_for
from ssarel.ir import Function
from ssarel.text import format

STAGES = ("HIR", "EliminateRedundantPhi")
"""React's names of the passes compared: the lowered function, and its SSA form in React's numbering."""


def lower(path: Path) -> tuple[dict[tuple[int, int], dict[str, str]], str]:
    """The texts of the root functions of a file, by line and column and then by stage.

    A text that could not be made is `crash ...` or, where React's passes give up, `rejected: ...`.
    The second value says why the whole file has none.
    """
    try:
        lowered = frontend_for(path.name)(path.read_bytes(), str(path), profile="react")
    except Exception as error:  # a crash is a finding here, whatever its class
        return {}, _crash(error)
    why = "; ".join(f"{d.line}:{d.col}: {d.message}" for d in lowered.diagnostics if d.severity == "error")
    return {(f.line, f.col): _texts(f) for f in lowered.functions if f.kind != "module"}, why


def _texts(function: Function) -> dict[str, str]:
    texts: dict[str, str] = {}
    for stage in STAGES:
        try:
            if stage != "HIR":
                react_passes.prepare(function)
                react.build_ssa(function)
            texts[stage] = format(function, "react")
        except Exception as error:
            texts[stage] = _crash(error)
    return texts


def _crash(error: Exception) -> str:
    return f"rejected: {error}" if isinstance(error, Rejected) else f"crash {type(error).__name__}: {error}"
