"""Bril programs to the IR.

A Bril instruction becomes one of the same opcode: its arguments are `uses`, its destination is the result, and `attr`
is the rest of its text (type, functions, value), as in `x$3 = const "int 5"`. An instruction without destination has a
plain temporary as its result. `jmp`, `br` and `ret` become Goto, If and Return; a Goto of attr `Fallthrough` and a
Return of attr `Implicit` are not in the program.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import Any

from ssarel.cfg import number
from ssarel.errors import SyntaxFault
from ssarel.frontends import Lowered
from ssarel.frontends.bril.notation import NAME, Json, format_import, format_literal, format_type
from ssarel.ir import Block, Diagnostic, Function, Instr, Param, Terminal, Var, set_predecessors

TERMINATORS = ("jmp", "br", "ret")
_FIELDS = {"args": "variables", "funcs": "functions", "labels": "labels"}


@dataclass(slots=True)
class Notes:
    """What the IR has no place for and printing a function as Bril needs. It is the `notes` of the function.

    labels:  of blocks that have one, by block id.
    types:   of variables that have one, as text, by the id of the variable (`Var.decl` once it is renamed).
    returns: type of the returned value, as text.
    imports: the program's imports, as text.
    """

    labels: dict[int, str]
    types: dict[int, str]
    returns: str | None
    imports: tuple[str, ...] = ()


@dataclass(slots=True)
class _Run:
    """The instructions between two labels or terminators, each with its place in the function's JSON."""

    label: str | None
    steps: list[tuple[Json, str]] = field(default_factory=list[tuple[Json, str]])
    terminator: tuple[Json, str] | None = None


def diagnostic(fault: SyntaxFault, function: str | None = None) -> Diagnostic:
    """What a person should know about `fault`, whose text is `line:col: ...`."""
    line, col, message = str(fault).split(":", 2)
    return Diagnostic("error", "syntax", message.strip(), int(line), int(col), function)


def lower_program(program: Any) -> Lowered:
    """The functions of a program in Bril's JSON.

    Raises: SyntaxFault, `line:col: ...`, if it is no program; `line` is 0 and the message starts with the JSON path
            where the program gives no position.
    """
    functions = _objects(program, "functions", "")
    imports: list[str] = []
    for at, item in enumerate(_objects(program, "imports", "")):
        _text(item, "path", f"imports[{at}]")
        for name in _objects(item, "functions", f"imports[{at}]"):
            _text(name, "name", f"imports[{at}].functions")
        imports.append(format_import(item))
    lowered = Lowered([], [])
    for at, function in enumerate(functions):
        where = f"functions[{at}]"
        name = _text(function, "name", where)
        try:
            lowered.functions.append(_Lowering(function, where, tuple(imports)).function)
        except SyntaxFault as fault:
            lowered.diagnostics.append(diagnostic(fault, name))
    return lowered


class _Lowering:
    """One function; `function` is what it became."""

    def __init__(self, given: Json, where: str, imports: tuple[str, ...]) -> None:
        self.given = given
        self.where = where
        self.vars: dict[str, Var] = {}
        self.shadows: dict[str, Var] = {}
        self.ids = 0
        self.types: dict[str, str] = {}
        line, col = _position(given)
        self.function = Function(given["name"], [], {}, 0, line=line, col=col)
        self.notes = Notes({}, {}, _type(given, where), imports)
        self.read_params()
        runs = self.read_runs()
        self.labels = {run.label: id for id, run in enumerate(runs) if run.label is not None}
        self.make_blocks(runs)
        self.function.next_id = self.ids
        self.function.notes = self.notes
        set_predecessors(self.function)
        number(self.function)

    def fresh(self, name: str | None = None) -> Var:
        self.ids += 1
        return Var(self.ids - 1, name)

    def var(self, name: str) -> Var:
        if name not in self.vars:
            self.vars[name] = self.fresh(name)
        return self.vars[name]

    def shadow(self, name: str) -> Var:
        """The variable that carries a value to the `get` or `phi` of `name`."""
        if name not in self.shadows:
            self.shadows[name] = self.fresh(f"shadow.{name}")
        return self.shadows[name]

    def note_type(self, var: Var, kind: str | None) -> None:
        if kind is not None:
            self.notes.types.setdefault(var.id, kind)

    def read_params(self) -> None:
        for at, arg in enumerate(_objects(self.given, "args", self.where)):
            where = f"{self.where}.args[{at}]"
            name = _text(arg, "name", where)
            if name in self.vars:
                raise _fault(arg, where, f"there are two parameters {name!r}")
            self.function.params.append(Param(self.var(name)))
            self.note_type(self.vars[name], _type(arg, where))

    def read_runs(self) -> list[_Run]:
        """The instructions cut into blocks; checks labels and the shape of every instruction."""
        runs = [_Run(None)]
        seen: set[str] = set()
        for at, step in enumerate(_objects(self.given, "instrs", self.where)):
            where = f"{self.where}.instrs[{at}]"
            if "label" in step:
                label = _text(step, "label", where)
                if label in seen:
                    raise _fault(step, where, f"label .{label} is there twice")
                seen.add(label)
                runs.append(_Run(label))
                continue
            _check(step, where)
            if runs[-1].terminator is not None:
                runs.append(_Run(None))
            if step["op"] in TERMINATORS:
                runs[-1].terminator = step, where
            else:
                runs[-1].steps.append((step, where))
                kind = _type(step, where)
                if kind is not None and "dest" in step:
                    self.types.setdefault(step["dest"], kind)
        is_blank = runs[0].terminator is None and not runs[0].steps
        return runs[1:] if is_blank and len(runs) > 1 else runs

    def make_blocks(self, runs: list[_Run]) -> None:
        blocks = self.function.blocks
        for id, run in enumerate(runs):
            instrs = [self.instr(step, where) for step, where in run.steps]
            blocks[id] = Block(id, "block", instrs, self.terminal(run, id, id + 1 == len(runs)))
            if run.label is not None:
                self.notes.labels[id] = run.label
        sources: dict[int, set[int]] = {}
        for block in blocks.values():
            for target in block.terminal.targets:
                sources.setdefault(target, set()).add(block.id)
        for id, run in enumerate(runs):
            for step, where in run.steps:
                if step["op"] == "phi":
                    self.send_phi(step, where, sources.get(id, set()))

    def send_phi(self, step: Json, where: str, sources: set[int]) -> None:
        """Copy each operand of a phi into its shadow at the end of the predecessor that it belongs to.

        The shadows are read at the phis, after every copy: so phis of one block take their values at the same time.
        """
        for name, label in zip(step.get("args", ()), step.get("labels", ()), strict=True):
            pred = self.block_of(label, step, where)
            if pred not in sources:
                raise _fault(step, where, f"phi names .{label}, which does not lead here")
            copy = Instr("id", [self.var(name)], [self.shadow(step["dest"])], _type(step, where), *_position(step))
            self.function.blocks[pred].instrs.append(copy)

    def block_of(self, label: str, step: Json, where: str) -> int:
        if label not in self.labels:
            raise _fault(step, where, f"there is no label .{label} in @{self.function.name}")
        return self.labels[label]

    def instr(self, step: Json, where: str) -> Instr:
        op, place, kind = step["op"], _position(step), _type(step, where)
        args: list[str] = step.get("args", [])
        if op == "set":
            target, source = args
            kind = self.types.get(target)
            self.note_type(self.shadow(target), kind)
            return Instr("id", [self.var(source)], [self.shadow(target)], kind, *place)
        if op in ("get", "phi"):
            result, shadow = self.var(step["dest"]), self.shadow(step["dest"])
            self.note_type(shadow, kind)
            self.note_type(result, kind)
            return Instr("id", [shadow], [result], kind, *place)
        uses = [self.var(name) for name in args]
        result = self.var(step["dest"]) if "dest" in step else self.fresh()
        self.note_type(result, kind)
        words = [kind or "", *(f"@{name}" for name in step.get("funcs", ()))]
        if op == "const":
            words.append(format_literal(step["value"]))
        return Instr(op, uses, [result], " ".join(filter(None, words)) or None, *place)

    def terminal(self, run: _Run, id: int, is_last: bool) -> Terminal:
        if run.terminator is None:
            if is_last:
                return Terminal("Return", [], [], attr="Implicit")
            return Terminal("Goto", [], [id + 1], attr="Fallthrough")
        step, where = run.terminator
        line, col = _position(step)
        uses = [self.var(name) for name in step.get("args", ())]
        targets = [self.block_of(label, step, where) for label in step.get("labels", ())]
        op, attr = {"jmp": ("Goto", ""), "br": ("If", None), "ret": ("Return", "Explicit")}[step["op"]]
        return Terminal(op, uses, targets, attr=attr, line=line, col=col)


def _check(step: Json, where: str) -> None:
    """Check that an instruction has the fields of its operation."""
    op = _text(step, "op", where)
    for key, what in _FIELDS.items():
        names = step.get(key, [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise _fault(step, where, f"{key} of {op} must be a list of names of {what}")
    if "dest" in step:
        _text(step, "dest", where)
    counts = tuple(len(step.get(key, ())) for key in ("args", "labels"))
    match op:
        case "jmp":
            wanted, is_right = "one label", counts == (0, 1)
        case "br":
            wanted, is_right = "a variable and two labels", counts == (1, 2)
        case "ret":
            wanted, is_right = "at most one variable", counts in ((0, 0), (1, 0))
        case "set":
            wanted, is_right = "a shadow variable and a variable", counts == (2, 0)
        case "get":
            wanted, is_right = "no arguments", counts == (0, 0)
        case "phi":
            wanted, is_right = "a label for each variable", counts[0] == counts[1]
        case _:
            wanted, is_right = "no labels: only jmp and br lead somewhere", counts[1] == 0
    if not is_right:
        raise _fault(step, where, f"{op} takes {wanted}")
    has_dest = "dest" in step
    if has_dest != (op in ("get", "phi", "const")) and op in (*TERMINATORS, "set", "get", "phi", "const"):
        raise _fault(step, where, f"{op} needs a destination" if not has_dest else f"{op} has no result")
    if not op[0].islower() or not _is_name(op):
        raise _fault(step, where, f"there is no operation {op!r}")
    if op == "const":
        _check_literal(step, where)


def _check_literal(step: Json, where: str) -> None:
    value = step.get("value", ...)
    is_char = isinstance(value, str) and len(value) == 1
    is_number = isinstance(value, bool | int) or (isinstance(value, float) and math.isfinite(value))
    if not (is_char or is_number or value is None):
        raise _fault(step, where, "const needs a value: a number, true, false, null or one character")


def _is_name(text: str) -> bool:
    return re.fullmatch(NAME, text) is not None


def _objects(item: Any, key: str, where: str) -> list[Json]:
    found = item.get(key, []) if isinstance(item, dict) else None
    path = f"{where}.{key}".lstrip(".")
    if not isinstance(found, list):
        raise _fault(item, path, "expected a list")
    if key == "functions" and not where and key not in item:
        raise _fault(item, path, "a program needs a list of functions")
    for at, inner in enumerate(found):
        if not isinstance(inner, dict):
            raise _fault(item, f"{path}[{at}]", "expected an object")
    return found


def _text(item: Json, key: str, where: str) -> str:
    found = item.get(key)
    if not isinstance(found, str) or not found:
        raise _fault(item, f"{where}.{key}", "expected a text")
    return found


def _type(item: Json, where: str) -> str | None:
    """The type of a function, parameter or instruction, as text."""
    found = item.get("type")
    if found is None:
        return None
    inner = found
    while isinstance(inner, dict) and len(inner) == 1 and all(map(_is_name, inner)):
        (inner,) = inner.values()
    if not isinstance(inner, str) or not _is_name(inner) or inner in ("true", "false", "nullptr"):
        raise _fault(item, f"{where}.type", "expected a type, such as int or ptr<int>")
    return format_type(found)


def _position(item: Any) -> tuple[int, int]:
    """Line from 1 and column from 0; (0, 0) if the program does not say."""
    pos = item.get("pos") if isinstance(item, dict) else None
    if isinstance(pos, dict):
        row, col = pos.get("row"), pos.get("col")
        if isinstance(row, int) and isinstance(col, int) and row > 0 and col > 0:
            return row, col - 1
    return 0, 0


def _fault(item: Any, where: str, what: str) -> SyntaxFault:
    line, col = _position(item)
    return SyntaxFault(f"{line}:{col}: {what}" if line else f"0:0: {where}: {what}")
