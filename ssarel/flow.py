"""One function as integers: what the renamer, the builders and the fact emitter need to know of the IR."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ssarel.ir import Block, Function, Instr, Terminal, Var

CELL = -1
"""In place of a variable that is not versioned: a cell."""


@dataclass(slots=True)
class Flow:
    """Control flow and variable accesses of one function. Blocks, instructions and variables count from 0.

    succ, pred: distinct neighbours of each block, in order. Block 0 is the entry and has no predecessors; an
                unreachable block is nobody's predecessor.
    first:      number of the first instruction of each block, and one more entry at the end: the instructions of
                block b are first[b] .. first[b + 1] - 1, the terminator last.
    uses, defs: variables read and written by each instruction, in operand order, CELL for a cell.
    variables:  number of variables.
    vars:       the variables' IR objects; empty for flows read from relations.
    captured, params: how many of the entry's first instructions stand for captured variables and for parameters.
    """

    succ: list[list[int]]
    pred: list[list[int]]
    first: list[int]
    uses: list[list[int]]
    defs: list[list[int]]
    variables: int
    vars: list[Var] = field(default_factory=list[Var])
    captured: int = 0
    params: int = 0

    def block(self, block: int) -> range:
        """The instructions of a block."""
        return range(self.first[block], self.first[block + 1])

    def block_of(self) -> list[int]:
        """The block of each instruction."""
        return [block for block in range(len(self.succ)) for _ in self.block(block)]

    def reachable(self) -> list[bool]:
        """For each block, whether a path from the entry leads to it. Cost: O(blocks + edges)."""
        seen = [False] * len(self.succ)
        seen[0] = True
        stack = [0]
        while stack:
            for target in self.succ[stack.pop()]:
                if not seen[target]:
                    seen[target] = True
                    stack.append(target)
        return seen

    def reverse_postorder(self) -> list[int]:
        """The reachable blocks, each before its successors except along retreating edges. Cost: O(blocks + edges)."""
        seen = [False] * len(self.succ)
        seen[0] = True
        stack = [(0, iter(self.succ[0]))]
        postorder: list[int] = []
        while stack:
            block, targets = stack[-1]
            for target in targets:
                if not seen[target]:
                    seen[target] = True
                    stack.append((target, iter(self.succ[target])))
                    break
            else:
                postorder.append(block)
                stack.pop()
        return postorder[::-1]


def normalize_entry(function: Function) -> None:
    """Give `function` a fresh entry block if anything jumps to its entry. Cost: O(edges)."""
    if all(function.entry not in block.terminal.targets for block in function.blocks.values()):
        return
    fresh = max(function.blocks) + 1
    first = function.blocks[function.entry]
    entry = Block(fresh, "block", [], Terminal("Goto", [], [function.entry], attr=""))
    first.preds.insert(0, fresh)
    function.blocks = {fresh: entry, **function.blocks}
    function.entry = fresh


def prologue(function: Function) -> Iterator[Instr]:
    """The instructions that stand for what a function receives: captured variables, then parameters.

    They exist in the relations only. A captured variable counts if something in the body names it.
    """
    if function.context:
        named = {var for block in function.blocks.values() for step in block.steps() for var in step.uses}
        for var in function.context:
            if var in named and not var.cell:
                yield Instr("Capture", [], [var], None, function.line, function.col)
    for param in function.params:
        yield Instr("Param", [], [param.var], None, function.line, function.col)


def steps(function: Function) -> Iterator[Instr]:
    """Every instruction of `function` in the order of `Flow`: the prologue, then each block's, terminators included."""
    yield from prologue(function)
    for block in function.blocks.values():
        yield from block.steps()


def flow(function: Function) -> Flow:
    """The flow of `function`, brought to normal form first (see `normalize_entry`).

    Variables are numbered in order of first appearance. The entry is the first block in layout.
    Cost: one pass over the operands.
    """
    normalize_entry(function)
    layout = list(function.blocks.values())
    index = {block.id: at for at, block in enumerate(layout)}
    succ = [[index[target] for target in dict.fromkeys(block.terminal.targets)] for block in layout]
    pred = [[index[source] for source in block.preds] for block in layout]
    before = list(prologue(function))
    first = [0]
    uses: list[list[int]] = []
    defs: list[list[int]] = []
    numbers: dict[Var, int] = {}

    def number(var: Var) -> int:
        return CELL if var.cell else numbers.setdefault(var, len(numbers))

    def add(step: Instr) -> None:
        uses.append([number(var) for var in step.uses])
        defs.append([number(var) for var in step.defs])

    for step in before:
        add(step)
    for block in layout:
        for instr in block.instrs:
            add(instr)
        add(block.terminal)
        first.append(len(uses))
    params = len(function.params)
    return Flow(succ, pred, first, uses, defs, len(numbers), list(numbers), len(before) - params, params)
