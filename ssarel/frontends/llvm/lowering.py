"""One function of a module to the IR."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from ssarel.frontends.llvm.assembly import Body, Chunk, Module, Step, unescape
from ssarel.frontends.llvm.slots import Slot, promotable
from ssarel.ir import Block, Function, Instr, Param, Terminal, Var, set_predecessors


@dataclass(slots=True)
class Notes:
    """What links a function to its module.

    slots:         by variable.
    loads, stores: instructions that access slots, as both sides have them; of a store the value too, as LLVM prints it.
    """

    module: Module
    body: Body
    slots: dict[Var, Slot] = field(default_factory=dict[Var, Slot])
    loads: list[tuple[Instr, Step]] = field(default_factory=list[tuple[Instr, Step]])
    stores: list[tuple[Instr, Step, str]] = field(default_factory=list[tuple[Instr, Step, str]])


def lower_body(module: Module, body: Body) -> Function:
    """Lower `body`; its blocks keep their order and are numbered from 0.

    Every value is a variable that is written once; a promotable slot is one that its stores write and its loads read.
    Opcodes are LLVM's; `attr` is the text behind the opcode. Besides:

        label                  attr: the block's name; the first instruction of every block
        phi                    a phi that was there before; it reads nothing, for its operands are read
        phi_operand   value    attr: the phi; at the end of the predecessor along whose edge the phi takes the value
        invoke_value, callbr_value, catchswitch_value   what the terminal of that name does before control leaves it

    Instructions without a value make a temporary without a name.
    """
    return _Lowering(module, body).function()


class _Lowering:
    def __init__(self, module: Module, body: Body) -> None:
        self.body = body
        self.notes = Notes(module, body)
        self.ids = count()
        self.blocks = {chunk.label: number for number, chunk in enumerate(body.chunks)}
        self.values: dict[str, Var] = {}
        self.slots = promotable(body)
        self.loaded: dict[int, Var] = {}
        self.stored: dict[int, tuple[Var, str]] = {}
        self.operands: dict[str, list[tuple[str, str]]] = {}

    def function(self) -> Function:
        body = self.body
        params = [Param(self.name(param)) for param in body.params]
        for step in body.steps():
            if step.result is not None:
                self.name(step.result)
        for name, slot in self.slots.items():
            var = self.values[name]
            self.notes.slots[var] = slot
            self.loaded |= {id(step): var for step in slot.loads}
            self.stored |= {id(step): (var, value) for step, value in slot.stores}
        self.read_phis()
        blocks = {number: self.block(number, chunk) for number, chunk in enumerate(body.chunks)}
        function = Function(body.name, params, blocks, 0, line=body.line, col=body.col, notes=self.notes)
        set_predecessors(function)
        for number, step in enumerate((step for block in blocks.values() for step in block.steps()), 1):
            step.number = number
        function.next_id = next(self.ids)
        return function

    def name(self, token: str) -> Var:
        var = self.values[token] = Var(next(self.ids), unescape(token[1:]))
        return var

    def read_phis(self) -> None:
        """Sort the operands of phis that are variables by predecessor, each once."""
        for step in self.body.steps():
            if step.op == "phi" and step.result is not None:
                for value, label in dict.fromkeys(step.incoming()):
                    if value in self.values:
                        self.operands.setdefault(label, []).append((step.result, value))

    def block(self, number: int, chunk: Chunk) -> Block:
        *steps, last = chunk.steps
        place = chunk.steps[0].line, chunk.steps[0].col
        instrs = [Instr("label", [], [Var(next(self.ids))], unescape(chunk.label[1:]), *place)]
        instrs += map(self.instr, steps)
        attr, uses = last.text or None, self.read(last)
        if last.result is not None or last.op in ("invoke", "callbr"):
            instrs.append(self.instr(last))
            instrs[-1].op += "_value"
            attr, uses = None, []
        for phi, value in self.operands.get(chunk.label, ()):
            operand = Instr("phi_operand", [self.values[value]], [Var(next(self.ids))], phi, last.line, last.col)
            instrs.append(operand)
        targets = [self.blocks[target] for target in last.targets]
        return Block(number, "block", instrs, Terminal(last.op, uses, targets, None, attr, last.line, last.col))

    def read(self, step: Step) -> list[Var]:
        return [self.values[name] for name in step.uses if name not in self.slots]

    def instr(self, step: Step) -> Instr:
        result = Var(next(self.ids)) if step.result is None or step.result in self.slots else self.values[step.result]
        uses = [] if step.op == "phi" else self.read(step)
        instr = Instr(step.op, uses, [result], step.text or None, step.line, step.col)
        if id(step) in self.loaded:
            instr.uses = [self.loaded[id(step)]]
            self.notes.loads.append((instr, step))
        elif id(step) in self.stored:
            slot, value = self.stored[id(step)]
            instr.defs = [slot, result]
            self.notes.stores.append((instr, step, value))
        return instr
