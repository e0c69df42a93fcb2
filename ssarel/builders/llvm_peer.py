"""LLVM's own mem2reg as a builder to compare with: where it leaves phis for the slots of a module."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from ssarel.errors import EngineError, EngineUnavailable, InputError, SyntaxFault, UsageError
from ssarel.flow import Flow, steps
from ssarel.frontends.llvm.assembly import Body, Module, is_bitcode, read, unescape
from ssarel.frontends.llvm.lowering import Notes
from ssarel.ir import Function
from ssarel.ssa import UNDEFINED, Ssa, phi_site

FOLDED = "LLVM folds a phi whose operands are one value and undef"
LATER = "LLVM promotes the slot in a later round, when the slot that held its address is gone"

_OPTNONE = re.compile(r"^((?:attributes #|define ).*?) optnone\b", re.MULTILINE)


class Promoted(NamedTuple):
    """A module before mem2reg, all its values named, and after it, both read; seconds that the last opt took."""

    before: Module
    after: Module
    seconds: float


@dataclass(slots=True)
class Placed:
    """What LLVM made of some functions.

    phis:    for each function the (block, variable) of its phis, sorted.
    later:   (function, block, slot) of phis for slots that are no variables: LLVM takes them in a later round.
    seconds: that opt took for mem2reg, its reading and printing included.
    """

    phis: list[list[tuple[int, int]]]
    later: list[tuple[int, int, str]]
    seconds: float


def place_phis(functions: Sequence[Function], flows: Sequence[Flow]) -> Placed:
    """Run LLVM's mem2reg on the files that `functions` come from, and find their phis.

    Raises: UsageError if a function did not come from an LLVM file; EngineUnavailable without `opt`; EngineError if it
            cannot read a file.
    """
    promoted: dict[str, dict[str, tuple[Body, Body]]] = {}
    placed = Placed([], [], 0.0)
    for number, (function, flow) in enumerate(zip(functions, flows, strict=True)):
        notes = function.notes
        if not isinstance(notes, Notes):
            raise UsageError(f"{function.title} did not come from LLVM IR; the builder llvm takes .ll and .bc files")
        path = notes.module.path
        if path not in promoted:
            before, after, took = promote(Path(path))
            bodies = zip(before.bodies, after.bodies, strict=True)
            promoted[path] = {one.name: (one, other) for one, other in bodies}
            placed.seconds += took
        variables = {var: variable for variable, var in enumerate(flow.vars)}
        slots = {slot.alloca.result: variables[var] for var, slot in notes.slots.items() if var in variables}
        sites = sorted(new_phis(notes.body, *promoted[path][notes.body.name]))
        placed.phis.append(sorted((block, slots[slot]) for block, slot in sites if slot in slots))
        placed.later += [(number, block, slot) for block, slot in sites if slot not in slots]
    return placed


def promote(path: Path) -> Promoted:
    """Run mem2reg on the module at `path`; functions marked `optnone` are not spared.

    `opt` reads the file itself, so a file may be too new for it; typed pointers and `ptr` are fine for any version.
    Raises: EngineUnavailable, EngineError, InputError.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    if is_bitcode(data):
        data = _opt(data, "verify", path)
    text = _OPTNONE.sub(r"\1", data.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
    named = _opt(text, "instnamer", path)
    start = time.perf_counter()
    after = _opt(named, "mem2reg", path)
    seconds = time.perf_counter() - start
    try:
        return Promoted(read(named, str(path)), read(after, str(path)), seconds)
    except SyntaxFault as fault:
        raise EngineError(f"{path}: llvmlite cannot read what opt of LLVM {version()} prints: {fault}") from fault


def version() -> str:
    """The version of `opt`, such as `14.0.6`. Raises: EngineUnavailable if there is none."""
    output = subprocess.run([_program(), "--version"], capture_output=True, text=True, check=False).stdout
    found = re.search(r"version (\d+(?:\.\d+)*)", output)
    return found[1] if found else "unknown"


def new_phis(body: Body, before: Body, after: Body) -> dict[tuple[int, str], str]:
    """The phis that mem2reg made in a function: for each (block, slot) the phi's name in `after`.

    body:   the function as the front end read it; slots are named as there.
    before: with all values named. after: with slots promoted.

    New phis stand in front of those that were there, and a phi of slot `%x` is called `%x.` and a number.
    """
    slots = {
        _plain(named.result): slot.result or ""
        for slot, named in zip(body.chunks[0].steps, before.chunks[0].steps, strict=True)
        if slot.op == "alloca"
    }
    found: dict[tuple[int, str], str] = {}
    for block, (old, new) in enumerate(zip(before.chunks, after.chunks, strict=True)):
        phis = [step for step in new.steps if step.op == "phi"]
        for phi in phis[: len(phis) - sum(step.op == "phi" for step in old.steps)]:
            found[block, slots[_plain(phi.result).rpartition(".")[0]]] = phi.result or ""
    return found


def _plain(token: str | None) -> str:
    return unescape((token or "%")[1:])


def _program() -> str:
    program = shutil.which("opt")
    if program is None:
        raise EngineUnavailable("the builder llvm needs LLVM's `opt` on PATH, for example apt-get install llvm")
    return program


def _opt(data: bytes, passes: str, path: Path) -> bytes:
    """What `opt` makes of a module. Versions 14 and 15 must be told that pointers have no types."""
    program = _program()
    errors: list[str] = []
    for flags in ([], ["-opaque-pointers"]):
        command = [program, "-S", f"-passes={passes}", *flags]
        run = subprocess.run(command, input=data, capture_output=True, check=False)
        if run.returncode == 0:
            return run.stdout
        errors.append(run.stderr.decode("utf-8", "replace").strip().split("\n")[0])
    raise EngineError(f"{path}: opt of LLVM {version()} cannot read it; a newer LLVM may: {' | '.join(errors)}")


def foldable(function: Function, flow: Flow, form: Ssa) -> set[tuple[int, int]]:
    """The phis of `form` that LLVM may fold: those whose operands are one value, undef and themselves.

    A load of another slot stands for the value in it, equal constants are one value, and folded phis stand for what
    they became. Phis of one variable that only pass one value around go together.
    Cost: a pass over the phis for each round in which one was folded.
    """
    return set(_Folding(function, flow, form).run())


Value = tuple[int, int] | str | None
"""A phi as (block, variable), a value or constant as LLVM prints it, None for undef."""


class _Folding:
    def __init__(self, function: Function, flow: Flow, form: Ssa) -> None:
        notes = function.notes
        assert isinstance(notes, Notes)
        number = {id(step): at for at, step in enumerate(steps(function))}
        self.form = form
        self.loads = {step.result: (number[id(instr)], flow.uses[number[id(instr)]][0]) for instr, step in notes.loads}
        self.stored = {number[id(instr)]: value for instr, _, value in notes.stores}
        self.folded: dict[tuple[int, int], Value] = {}
        self.operands: dict[tuple[int, int], list[Value]] = {}
        for (block, variable), sites in zip(form.phis, form.args, strict=True):
            self.operands[block, variable] = [self.value(site, variable) for site in sites]

    def run(self) -> dict[tuple[int, int], Value]:
        is_changed = True
        while is_changed:
            is_changed = False
            for phi in self.operands.keys() - self.folded.keys():
                for values in (self.direct(phi), self.through_web(phi)):
                    if len(values) <= 1:
                        self.folded[phi] = next(iter(values), None)
                        is_changed = True
                        break
        return self.folded

    def value(self, site: int, variable: int) -> Value:
        """The value at a site of `variable`, through loads and stores."""
        while True:
            if site == UNDEFINED:
                return None
            if site < 0:
                return phi_site(site), variable
            text = self.stored[site]
            if text in ("undef", "poison"):
                return None
            load = self.loads.get(text)
            sites = self.form.use_site[load[0]] if load is not None else None
            if load is None or sites is None:
                return text
            site, variable = sites[0], load[1]

    def final(self, value: Value) -> Value:
        while isinstance(value, tuple) and value in self.folded:
            value = self.folded[value]
        return value

    def direct(self, phi: tuple[int, int]) -> set[Value]:
        return {self.final(value) for value in self.operands[phi]} - {None, phi}

    def through_web(self, phi: tuple[int, int]) -> set[Value]:
        """What enters the phis of the same variable that flow into `phi`."""
        values: set[Value] = set()
        seen = {phi}
        pending = [phi]
        while pending:
            for value in self.direct(pending.pop()):
                if isinstance(value, tuple) and value[1] == phi[1]:
                    if value not in seen:
                        seen.add(value)
                        pending.append(value)
                else:
                    values.add(value)
        return values
