"""From recorded blocks to the graph that SSA construction reads: order, dead structure, numbers, predecessors."""

from __future__ import annotations

from collections.abc import Iterator

from ssarel.ir import Block, Function, Terminal, set_predecessors


def build(function: Function, keep_unreachable: bool = False) -> list[Block]:
    """Turn the recorded blocks of `function` (any order, every terminal set) into its control-flow graph, in place.

    Blocks are ordered, instructions numbered from 1 and predecessors set. Nested functions are left alone.

    keep_unreachable: keep unreachable blocks as they are, behind the reachable ones. Otherwise those that a reachable
        terminal names as its fallthrough are emptied, the others dropped, and terminals that named them simplified.

    Returns: the dropped blocks.
    Cost:    O(blocks + edges), explicit stacks.
    """
    if keep_unreachable:
        _, used, order = _visit(function)
        visited = set(order)
        order = [id for id in order if id in used] + [id for id in order if id not in used]
        order += sorted(id for id in function.blocks if id not in visited)
        function.blocks = {id: function.blocks[id] for id in order}
        dropped: list[Block] = []
    else:
        dropped = reorder(function)
        drop_dead_structure(function)
    number(function)
    set_predecessors(function)
    return dropped


def reorder(function: Function) -> list[Block]:
    """Put reachable blocks in reverse postorder, fallthroughs last; empty or drop the others.

    Unreachable code is walked too and so influences the order of reachable blocks, as in React Compiler.

    Returns: the dropped blocks. Predecessors and numbers are not touched.
    Cost:    O(blocks + edges), explicit stack.
    """
    fallthroughs, used, order = _visit(function)
    kept: dict[int, Block] = {}
    for id in order:
        block = function.blocks[id]
        if id not in used:
            if id not in fallthroughs:
                continue
            terminal = block.terminal
            block.instrs = []
            block.terminal = Terminal("Unreachable", [], [], line=terminal.line, col=terminal.col)
        kept[id] = block
    dropped = [block for id, block in function.blocks.items() if id not in kept]
    function.blocks = kept
    return dropped


def drop_dead_structure(function: Function) -> None:
    """Simplify terminals whose update, test or handler block is gone.

    A dead `For` update is unset; a `DoWhile` that never tests becomes a Goto to its body; a `Try` that cannot throw
    becomes a Goto to its body, and a fallthrough that only the handler reached goes too.
    """
    blocks = function.blocks
    for block in list(blocks.values()):
        terminal = block.terminal
        links = terminal.links
        match terminal.op:
            case "For" if links["update"] not in blocks:
                links["update"] = None
            case "DoWhile" if links["test"] not in blocks:
                block.terminal = _goto(terminal)
            case "Try" if links["handler"] not in blocks:
                block.terminal = _goto(terminal)
                _forget_handler(blocks, links["handler"], links["fallthrough"])
            case _:
                pass


def reachable(function: Function, without: int | None = None) -> set[int]:
    """The blocks that edges lead to from the entry, not through the block `without`. Cost: O(blocks + edges)."""
    found = {function.entry}
    pending = [function.entry]
    while pending:
        for target in function.blocks[pending.pop()].terminal.targets:
            if target not in found and target != without:
                found.add(target)
                pending.append(target)
    return found


def bodies(function: Function) -> Iterator[Function]:
    """`function` and everything nested in it that shares its ids, makers first. Cost: one pass, explicit stack."""
    pending = [function]
    while pending:
        made = pending.pop()
        yield made
        pending.extend(inner for inner in made.nested() if not inner.root)


def number(function: Function) -> None:
    """Number instructions and terminals from 1 in block order."""
    next_number = 1
    for block in function.blocks.values():
        for step in block.steps():
            step.number = next_number
            next_number += 1


def _goto(terminal: Terminal) -> Terminal:
    return Terminal("Goto", [], terminal.targets, attr="", line=terminal.line, col=terminal.col, number=terminal.number)


def _forget_handler(blocks: dict[int, Block], handler: int | None, fallthrough: int | None) -> None:
    after = blocks.get(fallthrough) if fallthrough is not None else None
    if after is None:
        return
    if after.preds == [handler]:
        del blocks[after.id]
    else:
        after.preds = [pred for pred in after.preds if pred != handler]


def _visit(function: Function) -> tuple[set[int], set[int], list[int]]:
    """Walk edges and fallthroughs depth first, fallthroughs first and edges from the last.

    A block met through a fallthrough or through unused blocks only is visited but not used; when an edge from a used
    block finds it later it is walked again, and keeps its place.

    Returns: fallthroughs of used blocks, used blocks (reachable along edges), all visited ones in reverse postorder.
    """
    blocks = function.blocks
    fallthroughs: set[int] = set()
    visited: set[int] = set()
    used: set[int] = set()
    postorder: list[int] = []

    def successors(terminal: Terminal, is_used: bool) -> Iterator[tuple[int, bool]]:
        fallthrough = terminal.links.get("fallthrough")
        if fallthrough is not None:
            if is_used:
                fallthroughs.add(fallthrough)
            yield fallthrough, False
        for target in reversed(terminal.targets):
            yield target, is_used

    stack: list[tuple[int, bool, Iterator[tuple[int, bool]]]] = []

    def enter(id: int, is_used: bool) -> None:
        is_first = id not in visited
        if not is_first and (id in used or not is_used):
            return
        visited.add(id)
        if is_used:
            used.add(id)
        stack.append((id, is_first, successors(blocks[id].terminal, is_used)))

    enter(function.entry, True)
    while stack:
        id, is_first, unvisited = stack[-1]
        step = next(unvisited, None)
        if step is not None:
            enter(*step)
            continue
        stack.pop()
        if is_first:
            postorder.append(id)
    return fallthroughs, used, postorder[::-1]
