"""Names for variables, and faults that say where they are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from ssarel.errors import InputError
from ssarel.ir import UNDEF, Function, GlobalRef, Instr, Var, all_functions

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


class Names:
    """What variables and helpers are called in one program.

    mark: what stands in each of these names and in no name of a global: `$`, doubled as often as needed.
    """

    def __init__(self, functions: Sequence[Function]) -> None:
        used = set(_global_names(functions))
        self.mark = "$"
        while any(self.mark in name for name in used - {"$"}):
            self.mark += "$"

    def of(self, var: Var) -> str:
        """A name that no other variable has; `void 0` for the undefined value."""
        if var is UNDEF:
            return "void 0"
        name = var.name if var.name is not None and _PLAIN.fullmatch(var.name) else ""
        return f"{name}{self.mark}{var.id}"

    def helper(self, name: str) -> str:
        """The name of something that no variable of the IR is."""
        return f"{self.mark}{name}"


def _global_names(functions: Sequence[Function]) -> Iterable[str]:
    for function, _ in all_functions(list(functions)):
        for block in function.blocks.values():
            for instr in block.instrs:
                if isinstance(instr.attr, GlobalRef):
                    yield instr.attr.name
                elif instr.op == "StoreGlobal":
                    yield instr.attr


def unprintable(path: str, function: Function, step: Instr | None, what: str) -> InputError:
    """The error for what has no JavaScript form."""
    place = function if step is None or not step.line else step
    return InputError(
        f"{path}:{place.line}:{place.col}: {what} in {function.title} cannot be printed as JavaScript; "
        "--function prints other functions alone"
    )


def key_text(key: str) -> str:
    """A property name of the IR, bare or in double quotes, as a string literal."""
    return key if key.startswith('"') else json.dumps(key)
