"""Which blocks belong to a for-of loop: a way out of it ends the iterator."""

from __future__ import annotations

from dataclasses import dataclass

from ssarel.cfg import reachable
from ssarel.ir import Function, Var


@dataclass(frozen=True, slots=True)
class Round:
    """The part of a for-of loop that runs between two steps of its iterator.

    iterator: the variable of the iterator.
    blocks:   the blocks of this part.
    test:     the block of the next step.
    """

    iterator: Var
    blocks: frozenset[int]
    test: int


def rounds(function: Function) -> list[Round]:
    """The for-of loops of `function`, inner ones before the ones around them.

    A block is in the loop if a walk from the loop's first block meets it without passing a block that a construct
    around the loop names (where it goes on, where it is handled), and every path from the entry to it passes that first
    block: the start of a `finally` block is named by nothing.

    Cost: O(blocks) for each loop.
    """
    blocks = function.blocks
    owners: dict[int, list[int]] = {}
    for id, block in blocks.items():
        for link in block.terminal.links.values():
            if link is not None:
                owners.setdefault(link, []).append(id)
    found: list[Round] = []
    for block in blocks.values():
        if block.terminal.op != "ForOf":
            continue
        start, test = block.terminal.links["loop"], block.terminal.links["test"]
        assert start is not None
        assert test is not None
        steps = [instr for instr in blocks[test].instrs if instr.op == "IteratorNext"]
        if not steps:
            continue
        inside = _walk(function, start, owners) - reachable(function, without=start)
        found.append(Round(steps[0].uses[0], frozenset(inside), test))
    return sorted(found, key=lambda loop: len(loop.blocks))


def _walk(function: Function, start: int, owners: dict[int, list[int]]) -> set[int]:
    inside = {start}
    pending = [start]
    while pending:
        id = pending.pop()
        terminal = function.blocks[id].terminal
        for target in (*terminal.targets, *terminal.links.values()):
            if target is None or target in inside or target not in function.blocks:
                continue
            if target in owners and not any(owner in inside for owner in owners[target]):
                continue
            inside.add(target)
            pending.append(target)
    return inside
