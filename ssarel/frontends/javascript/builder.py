"""The state of lowering one function: its blocks, the open one, exits, handlers; and how instructions are appended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ssarel.frontends.javascript.scope import Binding, FunctionScope
from ssarel.frontends.javascript.source import Source
from ssarel.frontends.javascript.syntax import Node
from ssarel.ir import Block, Diagnostic, Function, Instr, Terminal, Var

QUIET = frozenset({
    "Primitive", "JSXText", "RegExp", "LoadLocal", "StoreLocal", "LoadContext", "StoreContext", "DeclareLocal",
    "DeclareContext", "Function", "ObjectMethod", "TypeCast", "MetaProperty", "Debugger", "This", "Arguments", "Super",
    "Increment", "Decrement", "Self", "Export", "EnumMember",
})  # fmt: skip
"""Operations that cannot throw. (Reads before initialisation do; a reader of SSA learns nothing from that edge.)"""

QUIET_UNARY = frozenset({"!", "typeof", "void"})
QUIET_BINARY = frozenset({"===", "!=="})
QUIET_GLOBALS = frozenset({"undefined", "NaN", "Infinity", "globalThis"})


def may_throw(instr: Instr) -> bool:
    """Can this instruction end in an exception? (default profile; React takes every instruction for one that can)"""
    op, attr = instr.op, instr.attr
    if op in QUIET:
        return False
    match op:
        case "LoadGlobal":
            return attr.binding == "global" and attr.name not in QUIET_GLOBALS
        case "StoreGlobal":
            return False
        case "Unary":
            return attr not in QUIET_UNARY
        case "Binary":
            return attr not in QUIET_BINARY
        case "Array":
            return "..." in attr
        case "Object":
            return any(key is None for _, key in attr)
        case "TemplateLiteral":
            return bool(instr.uses)
        case _:
            return True


@dataclass(slots=True, eq=False)
class Handler:
    """Where exceptions go: a block, and the variable that holds the exception there (None: nobody reads it)."""

    block: int
    binding: Var | None


@dataclass(slots=True, eq=False)
class Exit:
    """Where `break` and `continue` go from inside a statement; or a `finally` that they, and `return`, run through."""

    kind: str
    labels: tuple[str, ...] = ()
    after: int = -1
    again: int = -1
    finalizer: Finalizer | None = None


@dataclass(slots=True, eq=False)
class Finalizer:
    """One copy of a `finally` block: each way into it stores a number that the switch behind it reads.

    entry:    the block.
    selector: the variable that holds the number; value: the thrown or returned value.
    ways:     by where control goes afterwards, the number.
    sources:  the blocks that store each number.
    dispatch: the switch behind the block, and which number each of its cases has.
    """

    entry: int
    selector: Var
    value: Var
    ways: dict[tuple[Any, ...], int] = field(default_factory=dict[tuple[Any, ...], int])
    sources: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    dispatch: int = -1
    numbers: list[int] = field(default_factory=list[int])


class Environment:
    """What a root function shares with the functions nested in it: counters and names."""

    __slots__ = ("names", "next_block", "next_id", "suffixes")

    def __init__(self) -> None:
        self.next_id = 0
        self.next_block = 0
        self.names: dict[str, Binding] = {}
        self.suffixes: dict[str, int] = {}


class Unit:
    """What all functions of a file share.

    roots: finished root functions.
    """

    __slots__ = ("diagnostics", "is_react", "path", "roots", "source")

    def __init__(self, source: Source, path: str, is_react: bool) -> None:
        self.source = source
        self.path = path
        self.is_react = is_react
        self.diagnostics: list[Diagnostic] = []
        self.roots: list[Function] = []

    def text(self, node: Node) -> str:
        """The source of a node."""
        return self.source.data[node.start : node.end].decode("utf-8")


PENDING = Terminal("Unreachable", [], [])
"""Stands in a block until it is closed."""


class Builder:
    """Lowers one function.

    scope:     the function's scope.
    block:     the open block.
    handlers:  the catch clauses and `finally` blocks around, innermost last.
    exits:     enclosing statements that jumps may leave, innermost last.
    finalizers: all `finally` blocks of the function, inner ones first.
    """

    __slots__ = (
        "block", "blocks", "env", "exits", "finalizers", "handlers", "is_react", "name", "root", "scope", "unit",
    )  # fmt: skip

    def __init__(self, unit: Unit, scope: FunctionScope, env: Environment, name: str | None) -> None:
        self.unit = unit
        self.scope = scope
        self.root = scope.root
        self.env = env
        self.name = name
        self.is_react = unit.is_react
        self.blocks: dict[int, Block] = {}
        self.handlers: list[Handler] = []
        self.exits: list[Exit] = []
        self.finalizers: list[Finalizer] = []
        self.block = self.reserve("block")

    # Blocks

    def reserve(self, kind: str | None = None) -> Block:
        """A new block, of the open one's kind if none is given; it becomes part of the function when it is closed."""
        env = self.env
        block = Block(env.next_block, kind or self.block.kind, [], PENDING)
        env.next_block += 1
        self.blocks[block.id] = block
        return block

    def enter(self, block: Block) -> Block:
        """Make `block` the open one. Returns the one that was: hand it to `leave`."""
        before = self.block
        self.block = block
        return before

    def leave(self, terminal: Terminal, outer: Block) -> None:
        """Close the open block and go back to `outer`."""
        self.block.terminal = terminal
        self.block = outer

    def close(self, terminal: Terminal, following: Block) -> None:
        """Close the open block and open `following`."""
        self.block.terminal = terminal
        self.block = following

    def goto(self, node: Node, target: Block | int, attr: str = "") -> Terminal:
        """A jump."""
        return self.terminal(node, "Goto", [], [target if isinstance(target, int) else target.id], None, attr)

    def terminal(
        self,
        node: Node,
        op: str,
        uses: list[Var],
        targets: list[int],
        links: dict[str, int | None] | None = None,
        attr: Any = None,
    ) -> Terminal:
        """A terminal at the position of `node`."""
        line, col = self.unit.source.position(node.start)
        return Terminal(op, uses, targets, links, attr, line, col)

    def branch(self, node: Node, test: Var, then: Block, other: Block, fallthrough: Block) -> Terminal:
        """A two-way branch inside an expression or a loop head."""
        return self.terminal(node, "Branch", [test], [then.id, other.id], {"fallthrough": fallthrough.id})

    # Instructions

    def temporary(self, promoted: bool = False) -> Var:
        """A new unnamed variable; a promoted one is called `#tN`."""
        env = self.env
        var = Var(env.next_id)
        env.next_id += 1
        if promoted:
            var.name = f"#t{var.id}"
        return var

    def emit(self, node: Node, op: str, uses: list[Var], attr: Any = None, targets: list[Var] | None = None) -> Var:
        """Append an instruction with a new result. Returns the result."""
        env = self.env
        result = Var(env.next_id)
        env.next_id += 1
        return self.append(node, op, uses, result, attr, targets)

    def append(
        self, node: Node, op: str, uses: list[Var], result: Var, attr: Any = None, targets: list[Var] | None = None
    ) -> Var:
        """Append an instruction; inside a `try` also the edge to the handler. Returns the result."""
        line, col = self.unit.source.position(node.start)
        defs = [result] if targets is None else [*targets, result]
        instr = Instr(op, uses, defs, attr, line, col)
        self.block.instrs.append(instr)
        if self.handlers and (self.is_react or may_throw(instr)):
            following = self.reserve()
            edges = [following.id, self.handlers[-1].block]
            self.close(Terminal("MaybeThrow", [], edges, None, None, line, col), following)
        return result

    def primitive(self, node: Node, text: str) -> Var:
        """Emit a literal."""
        return self.emit(node, "Primitive", [], text)

    def store(self, node: Node, kind: str, target: Var, value: Var) -> Var:
        """Emit `StoreLocal`."""
        return self.emit(node, "StoreLocal", [value], kind, [target])

    def store_temporary(self, node: Node, target: Var, value: Var) -> None:
        """Store the result of one arm of a value expression."""
        self.emit(node, "StoreLocal", [value], "Const", [target])

    # Variables

    def is_local(self, binding: Binding | None) -> bool:
        """Is it a variable of this root function (or of one nested in it), rather than a global or a module's?"""
        return binding is not None and binding.kind != "import" and binding.function.root is self.root

    def resolve(self, binding: Binding, renames: bool = True) -> Var:
        """The IR variable of a local binding; takes an id the first time.

        renames: React also renames the source here if the name is taken (`x_0`).
        """
        var = binding.var
        if var is None:
            env = self.env
            if self.is_react:
                binding.label = self.free_name(binding)
            var = binding.var = Var(env.next_id, binding.label, cell=binding.context)
            env.next_id += 1
        if renames and not binding.renamed:
            binding.renamed = True
        return var

    def free_name(self, binding: Binding) -> str:
        """The first of `x`, `x_0`, `x_1`, ... that no other variable of the root function has."""
        env, name = self.env, binding.name
        label, suffix = name, env.suffixes.get(name, 0)
        if label in env.names:
            while (label := f"{name}_{suffix}") in env.names:
                suffix += 1
            env.suffixes[name] = suffix
        env.names[label] = binding
        return label

    def share(self, binding: Binding) -> None:
        """Make the variable a cell from now on."""
        binding.context = True
        if binding.var is not None:
            binding.var.cell = True

    # Jumps

    def fresh(self) -> Block:
        """The unreachable block behind a jump."""
        return self.reserve("block")

    def jump(self, node: Node, way: tuple[Any, ...], value: Var | None, depth: int) -> None:
        """Close the open block by leaving the exits from `depth` on: through their `finally` blocks, then `way`.

        way: ("goto", block, attr), or ("return", variant) with the value.
        """
        for at in range(len(self.exits) - 1, depth - 1, -1):
            finalizer = self.exits[at].finalizer
            if finalizer is not None:
                self.enter_finally(node, finalizer, way, value)
                self.block = self.fresh()
                return
        if way[0] == "goto":
            terminal = self.goto(node, way[1], way[2])
        else:
            assert value is not None
            terminal = self.terminal(node, "Return", [value], [], None, way[1])
        self.block.terminal = terminal
        self.block = self.fresh()

    def throw(self, node: Node, value: Var) -> None:
        """Close the open block with an exception: to the handler of this function around it, or out of the function."""
        if self.handlers:
            handler = self.handlers[-1]
            if handler.binding is not None:
                self.store(node, "Catch", handler.binding, value)
            self.block.terminal = self.goto(node, handler.block)
        else:
            self.block.terminal = self.terminal(node, "Throw", [value], [])
        self.block = self.fresh()

    def enter_finally(self, node: Node, finalizer: Finalizer, way: tuple[Any, ...], value: Var | None) -> None:
        """Close the open block with a jump into `finalizer` that continues along `way` behind it."""
        number = finalizer.ways.setdefault(way, len(finalizer.ways))
        if value is not None:
            self.store(node, "Reassign", finalizer.value, value)
        self.store(node, "Let", finalizer.selector, self.primitive(node, str(number)))
        finalizer.sources.setdefault(number, []).append(self.block.id)
        self.block.terminal = self.goto(node, finalizer.entry)

    # Diagnostics

    def report(self, node: Node, severity: str, code: str, message: str) -> None:
        """Report something about this function."""
        line, col = self.unit.source.position(node.start)
        self.unit.diagnostics.append(Diagnostic(severity, code, message, line, col, self.name))

    def refuse(self, node: Node, reason: Callable[[], str] | str) -> None:
        """Note that React Compiler refuses this function (react profile only); lowering goes on."""
        if self.is_react:
            self.report(node, "note", "react-refuses", reason if isinstance(reason, str) else reason())
