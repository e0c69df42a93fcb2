"""Out of SSA form: phis become copies on edges, and copies that nothing needs are coalesced away.

Source: Briggs, Cooper, Harvey & Simpson, SP&E 28(8), 1998 (the lost copy and the swap, copies as one parallel step);
        Sreedhar, Ju, Gillies & Santhanam, SAS 1999, method I (a variable of its own for a phi whose edges cannot be
        split); Boissinot, Darte, Rastello, de Dinechin & Guillon, CGO 2009 (sequential order of a parallel copy; copies
        first, then coalescing by interference); Chaitin 1982 (a copy does not make its two sides interfere).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count

from ssarel.cfg import bodies, number
from ssarel.ir import UNDEF, Block, Function, Instr, Terminal, Var

Copies = list[tuple[Var, Var]]
"""(written, read) pairs."""

UNSPLITTABLE = ("indirectbr", "callbr")
"""First words of the attribute of `Jump` terminals whose targets are addresses: no block can stand on their edges."""

_PARALLEL = "ParallelCopy"


def destruct(function: Function, coalesce: bool = True) -> int:
    """Take `function`, which is in SSA form, and all that is nested in it and shares its ids, out of it, in place.

    Afterwards there are no phis, variables may be written more than once, and copies are `LoadLocal` instructions. A
    critical edge on which a copy stands is split by a block of its own, behind the block that it leaves; predecessors
    follow. An operand that is undefined is not copied.

    coalesce: let values whose live ranges do not meet share one variable where that saves a copy.

    Returns: how many copies there are.
    Cost:    O(blocks x phi operands) words of bit sets for liveness, O(phi operands^2) bits for interference.
    """
    made = list(bodies(function))
    ids = count(function.next_id)
    block_ids = count(max(function.next_block, 1 + max(id for body in made for id in body.blocks)))
    copies = sum(_destruct_body(body, ids, block_ids, coalesce) for body in made)
    function.next_id = next(ids)
    function.next_block = function.next_block and next(block_ids)
    return copies


def _destruct_body(function: Function, ids: Iterator[int], block_ids: Iterator[int], coalesce: bool) -> int:
    def fresh(var: Var) -> Var:
        return Var(next(ids), var.name, var.decl)

    added = _insert_copies(function, fresh, block_ids)
    if coalesce:
        _coalesce(function)
    copies = 0
    for block in function.blocks.values():
        instrs: list[Instr] = []
        for instr in block.instrs:
            if instr.op != _PARALLEL:
                instrs.append(instr)
                continue
            order = sequentialize(zip(instr.defs, instr.uses, strict=True), fresh)
            instrs += [Instr("LoadLocal", [read], [written]) for written, read in order]
            copies += len(order)
        block.instrs = instrs
    for block in added:
        if not block.instrs:
            _unsplit(function, block)
    number(function)
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


def _insert_copies(function: Function, fresh: Callable[[Var], Var], block_ids: Iterator[int]) -> list[Block]:
    """Replace phis by parallel copies: on edges, or through a variable of the phi's own if an edge cannot be split.

    Returns: the blocks put on edges.
    """
    blocks = function.blocks
    added: list[Block] = []
    for block in [block for block in blocks.values() if block.phis]:
        is_split = {pred: _needs_split(blocks[pred], block) for pred in block.preds}
        targets = {phi.target: phi.target for phi in block.phis}
        if any(is_split[pred] and not _is_splittable(blocks[pred].terminal) for pred in block.preds):
            targets = {target: fresh(target) for target in targets}
            block.instrs.insert(0, _parallel(list(targets.items())))
            is_split = dict.fromkeys(is_split, False)
        for pred in list(block.preds):
            copies = [(targets[phi.target], phi.args[pred]) for phi in block.phis if phi.args[pred] is not UNDEF]
            if not copies:
                continue
            place = blocks[pred]
            if is_split[pred]:
                place = _split(function, place, block, next(block_ids))
                added.append(place)
            place.instrs.append(_parallel(copies))
        block.phis = []
    return added


def _parallel(copies: Copies) -> Instr:
    return Instr(_PARALLEL, [read for _, read in copies], [written for written, _ in copies])


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


def _coalesce(function: Function) -> None:
    """Give the two sides of a copy one variable wherever no two values that would share it are needed at once."""
    pairs = [
        (written, read)
        for block in function.blocks.values()
        for instr in block.instrs
        if instr.op == _PARALLEL
        for written, read in zip(instr.defs, instr.uses, strict=True)
    ]
    pinned = set(function.context)
    for block in function.blocks.values():
        pinned.update(var for instr in block.instrs if isinstance(instr.attr, Function) for var in instr.uses)
    bit = {var: 1 << at for at, var in enumerate(dict.fromkeys(var for pair in pairs for var in pair))}
    conflicts = _interference(function, bit)
    members = dict(bit)
    leader = {var: var for var in bit}

    def find(var: Var) -> Var:
        while leader[var] is not var:
            leader[var] = var = leader[leader[var]]
        return var

    for written, read in pairs:
        if written in pinned or read in pinned:
            continue
        kept, lost = sorted((find(written), find(read)), key=lambda var: var.id)
        if kept is lost or conflicts[kept] & members[lost] or conflicts[lost] & members[kept]:
            continue
        leader[lost] = kept
        members[kept] |= members[lost]
        conflicts[kept] |= conflicts[lost]
    _replace(function, {var: find(var) for var in bit})


def _interference(function: Function, bit: dict[Var, int]) -> dict[Var, int]:
    """For each variable of `bit` the set of those that are live, with another value, where it is written.

    Two variables interfere if either is in the set of the other.
    """
    conflicts = dict.fromkeys(bit, 0)
    live_out = _live_out(function, bit)

    def write(step_defs: Sequence[Var], live: int, equal: Callable[[Var], int]) -> None:
        written = _union(step_defs, bit)
        for var in step_defs:
            if var in bit:
                conflicts[var] |= (live | written) & ~bit[var] & ~equal(var)

    for block in function.blocks.values():
        live = live_out[block.id]
        for step in reversed(list(block.steps())):
            write(step.defs, live, _equals(step, bit) if step.op == _PARALLEL else _nothing)
            live = live & ~_union(step.defs, bit) | _union(step.uses, bit)
        if block.id == function.entry:
            write([param.var for param in function.params], live, _nothing)
    return conflicts


def _equals(step: Instr, bit: dict[Var, int]) -> Callable[[Var], int]:
    """For a variable that a parallel copy writes, those that hold the same value after it."""
    copies = dict(zip(step.defs, step.uses, strict=True))
    same: dict[Var, int] = {}
    for written, read in copies.items():
        itself = 0 if read in copies else bit[read]
        same[read] = same.get(read, itself) | bit[written]
    return lambda var: same[copies[var]]


def _nothing(_: Var) -> int:
    return 0


def _live_out(function: Function, bit: dict[Var, int]) -> dict[int, int]:
    """The variables of `bit` that are live at the end of each block."""
    blocks = function.blocks
    reads: dict[int, int] = {}
    writes: dict[int, int] = {}
    sources: dict[int, list[int]] = {id: [] for id in blocks}
    for id, block in blocks.items():
        read = written = 0
        for step in block.steps():
            read |= _union(step.uses, bit) & ~written
            written |= _union(step.defs, bit)
        reads[id], writes[id] = read, written
        for target in set(block.terminal.targets):
            sources[target].append(id)
    live_out = dict.fromkeys(blocks, 0)
    worklist = list(blocks)
    while worklist:
        id = worklist.pop()
        live_in = live_out[id] & ~writes[id] | reads[id]
        for source in sources[id]:
            if live_in & ~live_out[source]:
                live_out[source] |= live_in
                worklist.append(source)
    return live_out


def _union(variables: Iterable[Var], bit: dict[Var, int]) -> int:
    found = 0
    for var in variables:
        found |= bit.get(var, 0)
    return found


def _replace(function: Function, names: dict[Var, Var]) -> None:
    for param in function.params:
        param.var = names.get(param.var, param.var)
    for block in function.blocks.values():
        for step in block.steps():
            step.uses = [names.get(var, var) for var in step.uses]
            step.defs = [names.get(var, var) for var in step.defs]
