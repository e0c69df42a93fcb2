"""What React Compiler 1.0.0 does to a lowered function before SSA, pass by pass, in place and in its order.

Predecessors are left out of date where the compiler leaves them so: a later pass decides by them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ssarel.cfg import bodies, drop_dead_structure, number, reorder
from ssarel.errors import Rejected
from ssarel.ir import Block, Function, Instr, Terminal, Var, set_predecessors

_CANNOT_THROW = {"Primitive", "Array", "Object"}


def prepare(function: Function) -> None:
    """Run all of this module's passes on the root `function`. Raises Rejected where the compiler gives up."""
    prune_maybe_throws(function)
    drop_manual_memoization(function)
    inline_immediately_invoked(function)
    merge_consecutive_blocks(function)


def prune_maybe_throws(function: Function) -> None:
    """Turn MaybeThrow into Goto behind instructions that cannot throw: primitives, arrays, objects.

    Only in the root's own body. Blocks are ordered, numbered and merged again if anything changed.
    """
    changed = False
    for block in function.blocks.values():
        terminal = block.terminal
        if terminal.op == "MaybeThrow" and all(instr.op in _CANNOT_THROW for instr in block.instrs):
            block.terminal = Terminal("Goto", [], terminal.targets[:1], attr="", line=terminal.line, col=terminal.col)
            changed = True
    if changed:
        reorder(function)
        drop_dead_structure(function)
        number(function)
        merge_consecutive_blocks(function)


def merge_consecutive_blocks(function: Function) -> None:
    """Append to a block that ends in a Goto the block it goes to, if that has no other predecessor.

    Both are of kind `block`, and the second is no fallthrough of a terminal before it. Nested functions too.
    Cost: O(blocks + instructions), explicit stack.
    """
    for body in bodies(function):
        _merge(body)


def _merge(function: Function) -> None:
    blocks = function.blocks
    merged_into: dict[int, int] = {}
    fallthroughs: set[int | None] = set()
    for block in list(blocks.values()):
        fallthroughs.add(block.terminal.links.get("fallthrough"))
        if len(block.preds) != 1 or block.kind != "block" or block.id in fallthroughs:
            continue
        into = blocks[merged_into.get(block.preds[0], block.preds[0])]
        if into.kind != "block" or into.terminal.op != "Goto":
            continue
        into.instrs += block.instrs
        into.terminal = block.terminal
        merged_into[block.id] = into.id
        del blocks[block.id]
    set_predecessors(function)
    for block in blocks.values():
        fallthrough = block.terminal.links.get("fallthrough")
        if fallthrough in merged_into:
            block.terminal.links["fallthrough"] = merged_into[fallthrough]


# Manual memoization

_Dependency = tuple[Var | str, str]
"""Where a memoized value comes from: a local variable or a global's name, and the path behind it, as printed."""


@dataclass
class _Seen:
    """What the instructions so far say about temporaries, by temporary."""

    optional: set[Var]
    functions: set[Var] = field(default_factory=set[Var])
    react: set[Var] = field(default_factory=set[Var])
    hooks: dict[Var, tuple[str, Instr]] = field(default_factory=dict[Var, tuple[str, Instr]])
    lists: dict[Var, list[Var]] = field(default_factory=dict[Var, list[Var]])
    sources: dict[Var, _Dependency] = field(default_factory=dict[Var, _Dependency])


def drop_manual_memoization(function: Function) -> None:
    """Replace calls of useMemo and useCallback by what they memoize, between two markers. Only in the root's own body.

    Raises: Rejected if a memoized value is no inline function, if its dependencies are no plain list, or if an
        optional chain stands inside a try block.
    """
    seen = _Seen(_optional_results(function))
    after: dict[int, Instr] = {}
    for block in function.blocks.values():
        for instr in block.instrs:
            hook = seen.hooks.get(instr.uses[0 if instr.op == "Call" else 1]) if instr.op in _CALLS else None
            if hook is not None:
                _drop_hook(function, instr, *hook, seen, after)
            elif instr.op not in _CALLS:
                _observe(instr, seen)
    if after:
        for block in function.blocks.values():
            block.instrs = [
                step for instr in block.instrs for step in (instr, after.get(id(instr))) if step is not None
            ]
        number(function)


_CALLS = {"Call", "MethodCall"}


def _drop_hook(function: Function, call: Instr, hook: str, load: Instr, seen: _Seen, after: dict[int, Instr]) -> None:
    """Replace one call; put its markers `after` the instructions (by identity) they follow."""
    args = call.uses[1 if call.op == "Call" else 2 :]
    if not args:
        raise Rejected(f"UseMemo: Expected a callback function to be passed to {hook}")
    if any(call.attr[:2]):
        raise Rejected(f"UseMemo: Unexpected spread argument to {hook}")
    memoized = args[0]
    deps = None
    if len(args) > 1:
        if args[1] not in seen.lists:
            raise Rejected(f"UseMemo: Expected the dependency list for {hook} to be an array literal")
        elements = seen.lists[args[1]]
        if any(element not in seen.sources for element in elements):
            raise Rejected("UseMemo: Expected the dependency list to be an array of simple expressions")
        deps = [seen.sources[element] for element in elements]
    if memoized not in seen.functions:
        raise Rejected("UseMemo: Expected the first argument to be an inline function expression")
    declared = call.result if hook == "useMemo" else memoized
    call.op, call.uses, call.attr = ("Call", [memoized], ()) if hook == "useMemo" else ("LoadLocal", [memoized], None)
    roots = [root for root, _ in deps or () if isinstance(root, Var)]
    attr = None if deps is None else tuple((None if isinstance(root, Var) else root, path) for root, path in deps)
    after[id(load)] = Instr("StartMemoize", roots, [_fresh(function)], attr, load.line, load.col)
    after[id(call)] = Instr("FinishMemoize", [declared], [_fresh(function)], None, call.line, call.col)


def _observe(instr: Instr, seen: _Seen) -> None:
    """Note what `instr` says about its result."""
    result = instr.result
    attr: Any = instr.attr
    match instr.op:
        case "Function":
            seen.functions.add(result)
        case "LoadGlobal":
            hook = attr.imported or attr.name
            is_react = attr.binding == "global" or (attr.binding == "import" and attr.module == "react")
            if is_react and hook in ("useMemo", "useCallback"):
                seen.hooks[result] = hook, instr
            elif attr.name == "React":
                seen.react.add(result)
            seen.sources[result] = attr.name, ""
        case "PropertyLoad":
            if instr.uses[0] in seen.react and attr in ("useMemo", "useCallback"):
                seen.hooks[result] = attr, instr
            if instr.uses[0] in seen.sources:
                root, path = seen.sources[instr.uses[0]]
                seen.sources[result] = root, f"{path}{'?.' if result in seen.optional else '.'}{attr}"
        case "Array" if all(kind == "." for kind in attr):
            seen.lists[result] = instr.uses
        case "LoadLocal" | "LoadContext":
            variable = instr.uses[0]
            if variable in seen.sources:
                seen.sources[result] = seen.sources[variable]
            elif variable.name is not None and not variable.name.startswith("#"):
                seen.sources[result] = variable, ""
        case "StoreLocal" if instr.uses[0] in seen.sources and _is_unnamed(instr.defs[0]):
            seen.sources[instr.defs[0]] = seen.sources[result] = seen.sources[instr.uses[0]]
        case _:
            pass


def _is_unnamed(var: Var) -> bool:
    return var.name is None or var.name.startswith("#")


def _optional_results(function: Function) -> set[Var]:
    """The values that links with `?.` give if they are there."""
    results: set[Var] = set()
    for block in function.blocks.values():
        terminal = block.terminal
        if terminal.op == "Optional" and terminal.attr:
            stored = _value_present(function, terminal)
            if stored is not None and stored.op == "StoreLocal":
                results.add(stored.uses[0])
    return results


def _value_present(function: Function, optional: Terminal) -> Instr | None:
    """The last instruction of the block that `optional` goes to if its object is there."""
    blocks = function.blocks
    fallthrough = optional.links["fallthrough"]
    test = blocks[optional.targets[0]].terminal
    while test.op != "Branch" or test.links["fallthrough"] != fallthrough:
        following = test.links.get("fallthrough")
        if test.op not in ("Branch", "Optional", "Logical", "Sequence", "Ternary") or following is None:
            raise Rejected(f"Invariant: Unexpected terminal in optional (Unexpected {test.op})")
        test = blocks[following].terminal
    present = blocks[test.targets[0]].instrs
    return present[-1] if present else None


def _fresh(function: Function) -> Var:
    var = Var(function.next_id)
    function.next_id += 1
    return var


# Immediately invoked functions


def inline_immediately_invoked(function: Function) -> None:
    """Put the body of a function without parameters that is called where it is made in place of the call.

    Only in statement blocks of the root's own body; not async functions and generators.
    """
    taken = max(id for body in bodies(function) for id in body.blocks)
    function.next_block = max(function.next_block, taken + 1)
    made: dict[Var, Function] = {}
    inlined: set[Var] = set()
    queue = list(function.blocks.values())
    for block in queue:
        if block.kind not in ("block", "catch"):
            continue
        call = _find_call(block, made)
        if call is not None:
            queue.append(_inline(function, block, call, made[block.instrs[call].uses[0]], inlined))
    if inlined:
        for block in function.blocks.values():
            block.instrs = [instr for instr in block.instrs if instr.result not in inlined]
        reorder(function)
        number(function)
        set_predecessors(function)
        merge_consecutive_blocks(function)


def _find_call(block: Block, made: dict[Var, Function]) -> int | None:
    """The position of the first call in `block` that can be inlined; notes functions made and used before it."""
    for at, instr in enumerate(block.instrs):
        if instr.op == "Function":
            if instr.result.name is None:
                made[instr.result] = instr.attr
        elif instr.op == "Call":
            callee = made.get(instr.uses[0])
            is_inlinable = callee and not (callee.params or callee.is_async or callee.is_generator)
            if len(instr.uses) == 1 and is_inlinable:
                return at
        else:
            for var in instr.uses:
                made.pop(var, None)
    return None


def _inline(function: Function, block: Block, at: int, callee: Function, inlined: set[Var]) -> Block:
    """Replace the call at position `at` of `block` by the blocks of `callee`; returns the block that goes on."""
    call = block.instrs[at]
    result = call.result
    inlined.add(call.uses[0])
    after = Block(function.next_block, block.kind, block.instrs[at + 1 :], block.terminal)
    function.next_block += 1
    function.blocks[after.id] = after
    del block.instrs[at:]
    exits = [inner for inner in callee.blocks.values() if inner.terminal.op in ("Return", "Throw")]
    is_single = len(exits) == 1 and exits[0].terminal.op == "Return"
    line, col = call.line, call.col
    if is_single:
        block.terminal = Terminal("Goto", [], [callee.entry], attr="", line=line, col=col)
    else:
        block.terminal = Terminal("Label", [], [callee.entry], {"fallthrough": after.id}, line=line, col=col)
        block.instrs.append(Instr("DeclareLocal", [], [result, _fresh(function)], "Let", line=line, col=col))
        if result.name is None:
            result.name = f"#t{result.decl}"
    for exit in exits:
        if exit.terminal.op == "Return":
            values = list(exit.terminal.uses)
            if is_single:
                exit.instrs.append(Instr("LoadLocal", values, [result], None, line=line, col=col))
            else:
                exit.instrs.append(
                    Instr("StoreLocal", values, [result, _fresh(function)], "Reassign", line=line, col=col)
                )
            exit.terminal = Terminal("Goto", [], [after.id], attr="", line=line, col=col)
    for inner in callee.blocks.values():
        inner.preds = []
        function.blocks[inner.id] = inner
    return after
