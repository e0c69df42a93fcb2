"""LLVM IR to the IR: every function of a .ll or .bc file, its promotable stack slots as variables.

The reading is llvmlite's, that is LLVM's own; what its binding does not tell (successors, accesses, types) is read from
the module as LLVM prints it, one instruction a line.
"""

from __future__ import annotations

from ssarel.errors import SyntaxFault, UsageError
from ssarel.frontends import Lowered
from ssarel.frontends.llvm.assembly import read
from ssarel.frontends.llvm.lowering import lower_body
from ssarel.ir import Diagnostic


def lower(source: bytes, path: str, profile: str = "default") -> Lowered:
    """Lower every function that the module defines, in its order. A module that LLVM rejects gives one error.

    Positions are those of the text; of bitcode, which has none, they are those of the module as LLVM prints it, and
    `lines` then holds that. `profile` changes nothing here.
    """
    try:
        module = read(source, path)
    except UsageError as error:
        return Lowered([], [Diagnostic("error", "missing-extra", str(error))])
    except SyntaxFault as fault:
        line, col, message = str(fault).removeprefix(f"{path}:").split(":", 2)
        return Lowered([], [Diagnostic("error", "syntax", message.strip(), int(line), int(col))])
    functions = [lower_body(module, body) for body in module.bodies]
    return Lowered(functions, [], module.lines if module.is_binary else None)
