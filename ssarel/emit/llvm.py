"""LLVM modules with their promotable slots rewritten as SSA values: what LLVM's mem2reg does, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from ssarel.cfg import reachable
from ssarel.errors import SsarelError, UsageError
from ssarel.frontends.llvm.assembly import LOCAL, normal_text
from ssarel.frontends.llvm.lowering import Notes
from ssarel.ir import UNDEF, Function, Var


def emit(functions: Sequence[Function]) -> str:
    """The module that `functions` stand in, with the slots of those in SSA form rewritten; it verifies.

    Allocas, loads, stores, lifetime markers and debug records of the slots go. A phi has an operand for each
    control-flow edge, repeated for a repeated edge, `undef` where no store reaches and for an unreachable predecessor;
    its name is `%x.0` after its slot `%x`. In unreachable blocks accesses stay, with the address `poison`. Everything
    else keeps its place and its name; unnamed values are numbered anew.

    functions: of one module, as the LLVM front end made them. None gives an empty text.

    Raises: UsageError if a function did not come from LLVM IR; SsarelError if LLVM refuses the result: a fault of ours.
    Cost:   linear in the module.
    """
    if not functions:
        return ""
    edits: dict[int, list[str]] = {}
    module = None
    for function in functions:
        if not isinstance(function.notes, Notes):
            raise UsageError(f"{function.title} did not come from LLVM IR and cannot be printed as that")
        module = function.notes.module
        edits |= _Rewrite(function, function.notes).edits()
    assert module is not None
    lines = (line for at, old in enumerate(module.lines) for line in edits.get(at, (old,)))
    try:
        return normal_text("\n".join(lines), module.renamed)
    except RuntimeError as error:
        raise SsarelError(f"{module.path}: LLVM refuses the rewritten module, please report this: {error}") from None


class _Rewrite:
    """What changes in one function.

    reached:  its reachable blocks.
    replaced: what stands in place of a name: the value of a load, `poison` for a slot in unreachable code.
    """

    def __init__(self, function: Function, notes: Notes) -> None:
        self.function = function
        self.notes = notes
        self.body = notes.body
        self.lines = notes.module.lines
        self.slots = {var.decl: slot for var, slot in notes.slots.items()}
        self.reached = reachable(function)
        reached_steps = {id(step) for block in self.reached for step in self.body.chunks[block].steps}
        self.loads = [(instr, step) for instr, step in notes.loads if id(step) in reached_steps]
        self.stores = [(instr, step, value) for instr, step, value in notes.stores if id(step) in reached_steps]
        versions = [instr.uses[0] for instr, _ in self.loads] + [instr.defs[0] for instr, _, _ in self.stores]
        self.is_ssa = all(var not in notes.slots for var in versions)

    def edits(self) -> dict[int, list[str]]:
        """For each line of the function's instructions and debug records the lines in its place.

        None if the function is not in SSA form: its slots are not versioned then.
        """
        if not self.is_ssa:
            return {}
        self.phis = self.name_phis()
        self.replaced = self.replacements()
        gone = {step.start for _, step in self.loads} | {step.start for _, step, _ in self.stores}
        for slot in self.slots.values():
            gone |= {step.start for step in (slot.alloca, *slot.markers)}
        edits: dict[int, list[str]] = {}
        for step in self.body.steps():
            for at in range(step.start, step.stop):
                edits[at] = [] if step.start in gone else [self.replace(self.lines[at])]
        addresses = {slot.alloca.result for slot in self.slots.values()}
        addresses |= {step.result for slot in self.slots.values() for step in slot.markers if step.result}
        for at in self.body.records:
            is_gone = not addresses.isdisjoint(LOCAL.findall(self.lines[at]))
            edits[at] = [] if is_gone else [self.replace(self.lines[at])]
        for number, phis in self.phi_lines().items():
            at = self.body.chunks[number].at
            edits[at] = phis + edits[at]
        return edits

    def replace(self, line: str) -> str:
        return LOCAL.sub(lambda name: self.replaced.get(name[0], name[0]), line)

    def name_phis(self) -> dict[Var, str]:
        """A name for each phi, after its slot, that nothing else in the function has."""
        taken: set[str | None] = {*self.body.params, *(chunk.label for chunk in self.body.chunks)}
        taken |= {step.result for step in self.body.steps()}
        names: dict[Var, str] = {}
        versions: dict[str, Iterator[str]] = {}
        for block in self.function.blocks.values():
            for phi in block.phis:
                before, after = _around_version(self.slots[phi.target.decl].alloca.result or "")
                numbered = versions.setdefault(before, (f"{before}{number}{after}" for number in count()))
                names[phi.target] = next(name for name in numbered if name not in taken)
        return names

    def replacements(self) -> dict[str, str]:
        """For each load that goes, the value that reaches it, through any number of stores of loads."""
        texts = {UNDEF: "undef", **self.phis} | {instr.defs[0]: value for instr, _, value in self.stores}
        source = {step.result or "": texts.get(instr.uses[0], "") for instr, step in self.loads}
        replaced = {slot.alloca.result or "": "poison" for slot in self.slots.values()}
        for name in source:
            passed: list[str] = []
            value = name
            while value in source and value not in replaced:
                passed.append(value)
                value = source[value]
            value = replaced.get(value, value)
            replaced |= dict.fromkeys(passed, value)
        self.texts = {var: replaced.get(text, text) for var, text in texts.items()}
        return replaced

    def phi_lines(self) -> dict[int, list[str]]:
        """For each block with new phis, these as text."""
        edges: dict[int, list[int]] = {number: [] for number, block in self.function.blocks.items() if block.phis}
        for number, block in self.function.blocks.items() if edges else ():
            for target in block.terminal.targets:
                if target in edges:
                    edges[target].append(number)
        found: dict[int, list[str]] = {}
        for number, sources in edges.items():
            for phi in self.function.blocks[number].phis:
                values = ((self.texts[phi.args.get(source, UNDEF)], source) for source in sources)
                operands = ", ".join(f"[ {value}, {self.body.chunks[source].label} ]" for value, source in values)
                held = self.slots[phi.target.decl].type
                found.setdefault(number, []).append(f"  {self.phis[phi.target]} = phi {held} {operands}")
        return found


def _around_version(slot: str) -> tuple[str, str]:
    """What stands around the number in names of values of `slot`: `%x.0`, `%"a b.0"`; `%.0` if it has no name."""
    if slot.endswith('"'):
        return slot[:-1] + ".", '"'
    return "%." if slot[1:].isdigit() else f"{slot}.", ""
