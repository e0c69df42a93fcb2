"""The IR back to Bril: any stage of a function that came from Bril."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from ssarel.errors import UsageError
from ssarel.frontends.bril import notation
from ssarel.frontends.bril.lowering import Notes
from ssarel.frontends.bril.notation import Json, read_literal, read_type
from ssarel.ir import UNDEF, Block, Function, Instr, Phi, Terminal, Var

FORMS = ("bril", "bril-phi", "bril-json")

_OPERAND_TYPES = {
    **dict.fromkeys(("not", "and", "or", "br"), "bool"),
    **dict.fromkeys(("fadd", "fsub", "fmul", "fdiv", "feq", "flt", "fle", "fgt", "fge"), "float"),
    **dict.fromkeys(("ceq", "clt", "cle", "cgt", "cge", "char2int"), "char"),
}
"""Type of an undefined operand, by operation; `int` for every other one."""


def emit(functions: Sequence[Function], form: str = "bril") -> str:
    """`functions` as one Bril program.

    form: `bril` is text with phis as `get` and `set`; `bril-phi` text with the older `phi`; `bril-json` Bril's JSON,
        with `get` and `set`.

    Blocks keep their labels and their order, a block that needs a label gets one. A variable that is one in the IR
    keeps its name; one of several of the same name gets a version, `x.1`. An operand without value is the result of an
    `undef` in the entry. Code that cannot be reached keeps its variables, so these may be assigned more than once.

    Raises: UsageError for another form, or for a function that did not come from Bril.
    """
    if form not in FORMS:
        raise UsageError(f"no form {form!r}; there are {', '.join(FORMS)}")
    program = to_json(functions, has_phi_op=form == "bril-phi")
    return json.dumps(program, indent=2) + "\n" if form == "bril-json" else notation.format(program)


def to_json(functions: Sequence[Function], has_phi_op: bool = False) -> Json:
    """`functions` as a program in Bril's JSON. has_phi_op: phis in the older form."""
    program: Json = {"functions": [_Writer(function, has_phi_op).function_json() for function in functions]}
    if functions and _notes(functions[0]).imports:
        text = "\n".join(_notes(functions[0]).imports)
        program["imports"] = notation.parse(text)["imports"]
    return program


def _notes(function: Function) -> Notes:
    if not isinstance(function.notes, Notes):
        raise UsageError(f"{function.title} did not come from a Bril program and cannot be printed as one")
    return function.notes


class _Writer:
    """One function."""

    def __init__(self, function: Function, has_phi_op: bool) -> None:
        self.function = function
        self.notes = _notes(function)
        self.has_phi_op = has_phi_op
        self.layout = list(function.blocks.values())
        self.names = _names(function)
        self.types = self.notes.types
        self.labels = self._labels()
        self.undefs: dict[str, str] = {}

    def _labels(self) -> dict[int, str]:
        """A label for each block that has one or needs one."""
        needed: set[int] = set()
        for block, after in zip(self.layout, [*self.layout[1:], None], strict=True):
            if not _falls_through(block, after):
                needed.update(block.terminal.targets)
            if self.has_phi_op and block.phis:
                needed.update(block.preds)
        labels = dict(self.notes.labels)
        taken = set(labels.values())
        for id in sorted(needed - set(labels)):
            label = f"bb{id}"
            while label in taken:
                label += "."
            taken.add(label)
            labels[id] = label
        return labels

    def function_json(self) -> Json:
        steps: list[Json] = []
        start = 0
        for block, after in zip(self.layout, [*self.layout[1:], None], strict=True):
            if block.id in self.labels:
                steps.append({"label": self.labels[block.id]})
            if block is self.layout[0]:
                start = len(steps)
            steps += self.block_json(block, after)
        undefs = [_with_type({"op": "undef", "dest": name}, kind) for kind, name in self.undefs.items()]
        steps[start:start] = undefs
        function: Json = {"name": self.function.name, "instrs": steps}
        if self.function.params:
            params = [param.var for param in self.function.params]
            function["args"] = [_with_type({"name": self.names[var]}, self.types.get(var.decl)) for var in params]
        return _with_type(function, self.notes.returns)

    def block_json(self, block: Block, after: Block | None) -> Iterator[Json]:
        for phi in block.phis:
            yield self.phi_json(phi)
        for instr in block.instrs:
            yield self.instr_json(instr)
        if not self.has_phi_op:
            yield from self.sets(block)
        if not _falls_through(block, after):
            yield self.terminal_json(block.terminal)

    def phi_json(self, phi: Phi) -> Json:
        kind = self.types.get(phi.target.decl)
        result = _with_type({"op": "get", "dest": self.names[phi.target]}, kind)
        if self.has_phi_op:
            result["op"] = "phi"
            result["args"] = [self.operand(arg, kind) for arg in phi.args.values()]
            result["labels"] = [self.labels[pred] for pred in phi.args]
        return result

    def sets(self, block: Block) -> Iterator[Json]:
        """What `block` sends to the phis of its successors."""
        for target in dict.fromkeys(block.terminal.targets):
            for phi in self.function.blocks[target].phis:
                if block.id in phi.args:
                    source = self.operand(phi.args[block.id], self.types.get(phi.target.decl))
                    yield {"op": "set", "args": [self.names[phi.target], source]}

    def instr_json(self, instr: Instr) -> Json:
        is_copy = instr.op == "LoadLocal"
        kind, rest = (self.types.get(instr.result.decl), "") if is_copy else _split(instr.attr)
        result: Json = {"op": "id" if is_copy else instr.op}
        if instr.result.name is not None:
            result["dest"] = self.names[instr.result]
            _with_type(result, kind)
        wanted = kind if result["op"] == "id" else _OPERAND_TYPES.get(instr.op)
        if instr.uses:
            result["args"] = [self.operand(var, wanted) for var in instr.uses]
        if instr.op == "const":
            result["value"] = read_literal(rest)
        elif rest:
            result["funcs"] = [name[1:] for name in rest.split(" ")]
        return result

    def terminal_json(self, terminal: Terminal) -> Json:
        op = {"Goto": "jmp", "If": "br", "Return": "ret"}[terminal.op]
        result: Json = {"op": op}
        if terminal.uses:
            wanted = self.notes.returns if op == "ret" else _OPERAND_TYPES[op]
            result["args"] = [self.operand(var, wanted) for var in terminal.uses]
        if terminal.targets:
            result["labels"] = [self.labels[target] for target in terminal.targets]
        return result

    def operand(self, var: Var, kind: str | None) -> str:
        """The name of a value that is read; one without value is made by an `undef` of type `kind`."""
        if var in self.names:
            return self.names[var]
        kind = kind or "int"
        if kind not in self.undefs:
            plain = "".join(char if char.isalnum() else "." for char in kind).strip(".")
            self.undefs[kind] = _free(f"undef.{plain}", {*self.names.values(), *self.undefs.values()})
        return self.undefs[kind]


def _falls_through(block: Block, after: Block | None) -> bool:
    """Whether the end of `block` is not written: control goes to the next block, or leaves the last one."""
    terminal = block.terminal
    if terminal.attr == "Implicit":
        return after is None
    return terminal.attr == "Fallthrough" and after is not None and terminal.targets == [after.id]


def _names(function: Function) -> dict[Var, str]:
    """A name for each variable, unique in the function; versions count in layout order.

    A variable that is never written has a name only if no other variable has it: otherwise it is what code that cannot
    be reached calls a renamed one.
    """
    written = dict.fromkeys(param.var for param in function.params)
    read: dict[Var, None] = {}
    for block in function.blocks.values():
        written.update(dict.fromkeys(phi.target for phi in block.phis))
        for step in block.steps():
            written.update(dict.fromkeys(step.defs))
            read.update(dict.fromkeys(step.uses))
    by_name: dict[str, list[Var]] = {}
    for var in written:
        if var.name is not None:
            by_name.setdefault(var.name, []).append(var)
    for var in read:
        if var.name is not None and var not in written and var is not UNDEF:
            by_name.setdefault(var.name, [var])
    names: dict[Var, str] = {}
    taken = set(by_name)
    for name, versions in by_name.items():
        if len(versions) == 1:
            names[versions[0]] = name
            continue
        number = 0
        for var in versions:
            number += 1
            while f"{name}.{number}" in taken:
                number += 1
            names[var] = f"{name}.{number}"
            taken.add(names[var])
    return names


def _free(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "."
    return name


def _split(attr: Any) -> tuple[str | None, str]:
    """The type in the attribute of an instruction, and the rest of it."""
    first, _, rest = (attr or "").partition(" ")
    is_type = first[:1].isalpha() or first[:1] in ("_", "%")
    if is_type and first not in ("true", "false", "nullptr"):
        return first, rest
    return None, attr or ""


def _with_type(item: Json, kind: str | None) -> Json:
    if kind is not None:
        item["type"] = read_type(kind)
    return item
