"""Out of SSA form: phis become copies on edges, and copies that nothing needs are coalesced away.

Source: Briggs, Cooper, Harvey & Simpson, SP&E 28(8), 1998 (the lost copy and the swap, copies as one parallel step);
        Sreedhar, Ju, Gillies & Santhanam, SAS 1999, method I (a variable of its own for a phi whose edges cannot be
        split); Boissinot, Darte, Rastello, de Dinechin & Guillon, CGO 2009 (sequential order of a parallel copy; copies
        first, then coalescing by interference).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ssarel.cfg import bodies, number
from ssarel.interference import PARALLEL_COPY, Conflicts, Copying, by_bit_sets, by_rules, copying
from ssarel.ir import UNDEF, Block, Function, Instr, Terminal, Var

Copies = list[tuple[Var, Var]]
"""(written, read) pairs."""

UNSPLITTABLE = ("indirectbr", "callbr")
"""First words of the attribute of `Jump` terminals whose targets are addresses: no block can stand on their edges."""


def destruct(function: Function, coalesce: bool = True, engine: str | None = "duckdb") -> int:
    """`destruct_all` of one function. An engine starts once for all functions there, so it is the way for many.

    Returns: how many copies there are.
    """
    return destruct_all([function], coalesce, engine)


def destruct_all(
    roots: Sequence[Function],
    coalesce: bool = True,
    engine: str | None = "duckdb",
    options: Mapping[str, Any] | None = None,
) -> int:
    """Take `roots`, which are in SSA form, and all that is nested in them and shares their ids, out of it, in place.

    Afterwards there are no phis, variables may be written more than once, and copies are `LoadLocal` instructions. A
    critical edge on which a copy stands is split by a block of its own, behind the block that it leaves; predecessors
    follow. An operand that is undefined is not copied.

    coalesce: let values whose live ranges do not meet share one variable where that saves a copy.
    engine:   who says which do: the rules on duckdb or souffle, which get `options`, or None, bit sets.

    Returns: how many copies there are.
    Raises:  UsageError and EngineError as engines do; functions are then left half done.
    Cost:    rules/interference, or O(blocks x phi operands) words of bit sets and O(phi operands^2) bits.
    """
    parts = [(body, ids) for ids in map(_Ids, roots) for body in bodies(ids.root)]
    added = [_insert_copies(body, ids) for body, ids in parts]
    if coalesce:
        _coalesce([body for body, _ in parts], engine, options)
    copies = sum(_sequentialize(body, ids) for body, ids in parts)
    for (body, _), blocks in zip(parts, added, strict=True):
        for block in blocks:
            if not block.instrs:
                _unsplit(body, block)
        number(body)
    return copies


class _Ids:
    """Fresh ids of one root, which takes note of them."""

    def __init__(self, root: Function) -> None:
        self.root = root
        self.next_block = max(root.next_block, 1 + max(id for body in bodies(root) for id in body.blocks))

    def var(self, like: Var) -> Var:
        self.root.next_id += 1
        return Var(self.root.next_id - 1, like.name, like.decl)

    def block(self) -> int:
        self.next_block += 1
        if self.root.next_block:
            self.root.next_block = self.next_block
        return self.next_block - 1


def _sequentialize(function: Function, ids: _Ids) -> int:
    """Replace parallel copies by ordinary ones. Returns how many there are."""
    copies = 0
    for block in function.blocks.values():
        instrs: list[Instr] = []
        for instr in block.instrs:
            if instr.op != PARALLEL_COPY:
                instrs.append(instr)
                continue
            order = sequentialize(zip(instr.defs, instr.uses, strict=True), ids.var)
            instrs += [Instr("LoadLocal", [read], [written]) for written, read in order]
            copies += len(order)
        block.instrs = instrs
    return copies


def sequentialize(copies: Iterable[tuple[Var, Var]], fresh: Callable[[Var], Var]) -> Copies:
    """An order in which to make `copies` one by one so that each reads what it would read if all happened at once.

    A cycle costs one copy more, into `fresh` of one of its variables, unless its value is copied out of it anyway.
    Equal pairs count once, no variable is written twice. Cost: O(copies).
    """
    read_by = {written: read for written, read in copies if written is not read}
    place = {read: read for read in read_by.values()}
    free = [written for written in read_by if written not in place]
    done: set[Var] = set()
    order: Copies = []
    for start in list(read_by):
        while free:
            written = free.pop()
            read = read_by[written]
            order.append((written, place[read]))
            done.add(written)
            if place[read] is read and read in read_by:
                free.append(read)
            place[read] = written
        if start not in done:
            place[start] = fresh(start)
            order.append((place[start], start))
            free.append(start)
    return order


def _insert_copies(function: Function, ids: _Ids) -> list[Block]:
    """Replace phis by parallel copies: on edges, or through a variable of the phi's own if an edge cannot be split.

    Returns: the blocks put on edges.
    """
    blocks = function.blocks
    added: list[Block] = []
    for block in [block for block in blocks.values() if block.phis]:
        is_split = {pred: _needs_split(blocks[pred], block) for pred in block.preds}
        targets = {phi.target: phi.target for phi in block.phis}
        if any(is_split[pred] and not _is_splittable(blocks[pred].terminal) for pred in block.preds):
            targets = {target: ids.var(target) for target in targets}
            block.instrs.insert(0, _parallel(list(targets.items())))
            is_split = dict.fromkeys(is_split, False)
        for pred in list(block.preds):
            copies = [(targets[phi.target], phi.args[pred]) for phi in block.phis if phi.args[pred] is not UNDEF]
            if not copies:
                continue
            place = blocks[pred]
            if is_split[pred]:
                place = _split(function, place, block, ids.block())
                added.append(place)
            place.instrs.append(_parallel(copies))
        block.phis = []
    return added


def _parallel(copies: Copies) -> Instr:
    return Instr(PARALLEL_COPY, [read for _, read in copies], [written for written, _ in copies])


def _needs_split(source: Block, target: Block) -> bool:
    """Whether copies for this edge cannot stand at the end of `source`: it is critical, or the terminal reads a phi."""
    written = {phi.target for phi in target.phis}
    return len(set(source.terminal.targets)) > 1 or any(var in written for var in source.terminal.uses)


def _is_splittable(terminal: Terminal) -> bool:
    return terminal.op != "Jump" or not str(terminal.attr).startswith(UNSPLITTABLE)


def _split(function: Function, source: Block, target: Block, id: int) -> Block:
    """Put a block on the edge from `source` to `target`, right behind `source` in the layout."""
    between = Block(id, "block", [], Terminal("Goto", [], [target.id], attr=""), [source.id])
    _redirect(source, target, target.id, id, source.id, id)
    layout: dict[int, Block] = {}
    for block in function.blocks.values():
        layout[block.id] = block
        if block is source:
            layout[id] = between
    function.blocks.clear()
    function.blocks.update(layout)
    return between


def _unsplit(function: Function, between: Block) -> None:
    """Take an empty block off its edge again."""
    (source,), (target,) = between.preds, between.terminal.targets
    blocks = function.blocks
    _redirect(blocks[source], blocks[target], between.id, target, between.id, source)
    del blocks[between.id]


def _redirect(source: Block, target: Block, old_target: int, new_target: int, old_pred: int, new_pred: int) -> None:
    """Let edges of `source` to `old_target` go to `new_target`, and `target` come from `new_pred`, not `old_pred`."""
    terminal = source.terminal
    terminal.targets = [new_target if to == old_target else to for to in terminal.targets]
    target.preds = [new_pred if pred == old_pred else pred for pred in target.preds]


def _coalesce(functions: Sequence[Function], engine: str | None, options: Mapping[str, Any] | None) -> None:
    """Give the two sides of a copy one variable wherever no two values that would share it are needed at once."""
    found = [(function, copying(function)) for function in functions]
    found = [(function, part) for function, part in found if part.copies]
    parts = [part for _, part in found]
    conflicts = list(map(by_bit_sets, parts)) if engine is None else by_rules(parts, engine, options)
    for (function, part), bits in zip(found, conflicts, strict=True):
        _replace(function, _merged(function, part, bits))


def _merged(function: Function, part: Copying, conflicts: Conflicts) -> dict[Var, Var]:
    """Which variable each variable of `part` becomes."""
    variables = part.flow.vars
    pinned = set(function.context)
    for block in function.blocks.values():
        pinned.update(var for instr in block.instrs if isinstance(instr.attr, Function) for var in instr.uses)
    members = [1 << var for var in range(len(variables))]
    leader = list(range(len(variables)))

    def find(var: int) -> int:
        while leader[var] != var:
            leader[var] = var = leader[leader[var]]
        return var

    for _, *pair in part.copies:
        if any(variables[var] in pinned for var in pair):
            continue
        kept, lost = sorted(map(find, pair), key=lambda var: variables[var].id)
        if kept == lost or conflicts[kept] & members[lost] or conflicts[lost] & members[kept]:
            continue
        leader[lost] = kept
        members[kept] |= members[lost]
        conflicts[kept] |= conflicts[lost]
    return {var: variables[find(at)] for at, var in enumerate(variables)}


def _replace(function: Function, names: dict[Var, Var]) -> None:
    for param in function.params:
        param.var = names.get(param.var, param.var)
    for block in function.blocks.values():
        for step in block.steps():
            step.uses = [names.get(var, var) for var in step.uses]
            step.defs = [names.get(var, var) for var in step.defs]
