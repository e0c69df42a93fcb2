"""The IR: functions, blocks, phis, instructions and terminals as plain data.

The notation is the HIR of the React Compiler. Every instruction and terminal keeps the variables it reads in `uses` and
the ones it writes in `defs`, in evaluation order; all that is not a variable lies in `attr`. So one loop over two lists
visits, and one assignment replaces, any operand of any instruction: the renamer, the builders and the fact emitter know
no opcode.

Before renaming, equal `Var` objects are one source variable; afterwards each `Var` is one SSA value.

Instruction operands, by `op` (v: value read, t: target written; the last of `defs` is the instruction's own result):

    op                      uses                   defs          attr
    Primitive                                      result        printed literal: `null`, `1.5`, `"a"`, `<undefined>`
    JSXText                                        result        printed string
    RegExp                                         result        `/pattern/flags`
    TemplateLiteral         v...                   result        tuple of raw texts, one more than uses
    TaggedTemplate          tag, v...              result        tuple of raw texts, as many as uses
    Array                   v...                   result        tuple of `.` item, `...` spread, `-` hole
    Object                  v... (key, then value) result        tuple of (kind, key): kind `prop`, `get`, `set` or
                                                                 `spread`; key as printed, None for a spread and for a
                                                                 computed key, which is read before its value
    Unary                   v                      result        operator; None if read from text that does not print it
    Binary                  v, v                   result        operator
    Call, New               callee, v...           result        tuple of bool, one an argument: is it a spread
    MethodCall              receiver, property, v... result      likewise
    LoadLocal, LoadContext  variable               result        None
    StoreLocal              v                      t, result     kind: Const, Let, Var, Reassign, Catch, Function, Class
    StoreContext            variable, v            result        kind
    DeclareLocal                                   t, result     kind
    DeclareContext                                 result        (kind, variable): neither read nor written here
    Destructure             v, computed keys...    t..., result  (kind, `array`, tuple of `.`, `...`, `-`) or
                                                                 (kind, `object`, tuple of (`prop`, key or None) and
                                                                 (`rest`, None)); a None key is the next computed key
    LoadGlobal                                     result        GlobalRef
    StoreGlobal             v                      result        name
    PropertyLoad, PropertyDelete  object           result        name
    PropertyStore           object, v              result        name
    ComputedLoad, ComputedDelete  object, key      result        None
    ComputedStore           object, key, v         result        None
    PostfixUpdate, PrefixUpdate  variable          t, result     `++` or `--`
    Await                   v                      result        None
    TypeCast                v                      result        printed type, often empty
    GetIterator             collection             result        None
    IteratorNext            iterator, collection   result        None
    NextPropertyOf          v                      result        None
    MetaProperty                                   result        `import.meta`, `new.target`
    Debugger                                       result        None
    UnsupportedNode         every variable inside  result        syntax node type
    JsxExpression           tag (if a variable), attributes..., children...   result
                                                                 (builtin tag or None, tuple of attribute names with
                                                                 None for a spread, number of children or None)
    JsxFragment             children...            result        None
    Function, ObjectMethod  captured variables     result        the nested Function
    StartMemoize            local roots...         result        None, or tuple of (global root or None, path text)
    FinishMemoize           v                      result        None
    any other op            v...                   t..., result  None or a text; prints as `op "text"(operands)`

Terminal operands, by `op`:

    op              uses                targets (CFG successors) links (structure)            attr
    Goto                                block                                                 ``, Continue, Fallthrough
    If, Branch      test                then, else               fallthrough
    Switch          test, case tests... one a case               fallthrough                  tuple: is it the default
    Logical                             test                     fallthrough                  operator
    Ternary                             test                     fallthrough
    Optional                            test                     fallthrough                  does this link have `?.`
    Sequence, Label                     block                    fallthrough
    While                               test                     loop, fallthrough
    DoWhile                             loop                     test, fallthrough
    For                                 init                     test, loop, update, fallthrough
    ForOf                               init                     test, loop, fallthrough
    ForIn                               init                     loop, fallthrough
    Try             catch binding?      block                    handler, fallthrough
    MaybeThrow                          continuation, handler
    Return          value?                                                                    Explicit, Implicit, Void
    Throw           value
    Unreachable, Unsupported
    Jump            v...                any                                                   None or a text
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Var:
    """A variable before renaming, a value after it.

    id:   unique within one root function and its nested functions.
    name: source name, `#tN` for a promoted temporary, None for a plain temporary.
    decl: id of the variable this is a version of; its own id before renaming.
    cell: captured by a closure and reassigned: read and written in memory, never versioned.
    """

    __slots__ = ("cell", "decl", "id", "name")

    def __init__(self, id: int, name: str | None = None, decl: int | None = None, cell: bool = False) -> None:
        self.id = id
        self.name = name
        self.decl = id if decl is None else decl
        self.cell = cell

    def __repr__(self) -> str:
        return f"{self.name or ''}${self.id}"


UNDEF = Var(-1, "undef")
"""The value of a variable on a path that has not written it."""


class GlobalRef(NamedTuple):
    """What a global name is bound to.

    binding:  `global`, `module`, `default`, `namespace` or `import`.
    module:   source of an import, else None.
    imported: exported name of an `import` binding, else None.
    """

    binding: str
    name: str
    module: str | None = None
    imported: str | None = None


class Instr:
    """One instruction; the operands of each `op` are listed in the module docstring.

    number: printed number, per function body from 1.
    line, col: source position, line from 1, col from 0 in Unicode code points; line 0 if there is none.
    """

    __slots__ = ("attr", "col", "defs", "line", "number", "op", "uses")

    def __init__(
        self,
        op: str,
        uses: list[Var],
        defs: list[Var],
        attr: Any = None,
        line: int = 0,
        col: int = 0,
        number: int = 0,
    ) -> None:
        self.op = op
        self.uses = uses
        self.defs = defs
        self.attr = attr
        self.line = line
        self.col = col
        self.number = number

    @property
    def result(self) -> Var:
        """The variable that names this instruction's value."""
        return self.defs[-1]


class Terminal(Instr):
    """The last instruction of a block. `defs` is empty.

    targets: block ids control may go to, in order, repeats allowed.
    links:   block ids that describe structure and are no edges, by role; None for a missing update.
    """

    __slots__ = ("links", "targets")

    def __init__(
        self,
        op: str,
        uses: list[Var],
        targets: list[int],
        links: dict[str, int | None] | None = None,
        attr: Any = None,
        line: int = 0,
        col: int = 0,
        number: int = 0,
    ) -> None:
        super().__init__(op, uses, [], attr, line, col, number)
        self.targets = targets
        self.links = {} if links is None else links


@dataclass(slots=True, eq=False)
class Phi:
    """`target` is `args[p]` when control came from predecessor `p`; one entry a distinct predecessor, in order."""

    target: Var
    args: dict[int, Var]


@dataclass(slots=True, eq=False)
class Block:
    """A straight run of instructions and one terminal.

    kind:  block, value, loop, sequence or catch.
    preds: distinct predecessor ids in order of first encounter (the order of phi operands).
    """

    id: int
    kind: str
    instrs: list[Instr]
    terminal: Terminal
    preds: list[int] = field(default_factory=list[int])
    phis: list[Phi] = field(default_factory=list[Phi])

    def steps(self) -> Iterator[Instr]:
        """Its instructions, the terminal last."""
        yield from self.instrs
        yield self.terminal


@dataclass(slots=True, eq=False)
class Param:
    """A parameter; `rest` is the `...` before the last one."""

    var: Var
    rest: bool = False


@dataclass(slots=True, eq=False)
class Function:
    """A function body in the IR.

    name:    None if anonymous.
    blocks:  by id, in layout order, the entry first.
    returns: the place of the returned value: printed, never read or written; None where the language has none.
    context: captured variables of enclosing functions, in the order of the closure's operands.
    next_id: first variable id unused in the root function and everything nested in it (kept on the root).
    next_block: likewise for blocks, if somebody counted them; else 0.
    root:    False for a function whose text stands inside the instruction that makes it.
    kind:    function, arrow, method, getter, setter, constructor, field, static, module; `function` elsewhere.
    notes:   what its front end keeps to print it in the source language again; nothing else reads it.
    """

    name: str | None
    params: list[Param]
    blocks: dict[int, Block]
    entry: int
    returns: Var | None = None
    context: list[Var] = field(default_factory=list[Var])
    directives: list[str] = field(default_factory=list[str])
    next_id: int = 0
    next_block: int = 0
    root: bool = True
    kind: str = "function"
    is_async: bool = False
    is_generator: bool = False
    line: int = 0
    col: int = 0
    notes: Any = None

    @property
    def title(self) -> str:
        """Its name as people read it."""
        return self.name or ("<<module>>" if self.kind == "module" else "<<anonymous>>")

    def nested(self) -> Iterator[Function]:
        """The functions made directly in this body, in layout order, roots of their own included."""
        for block in self.blocks.values():
            for instr in block.instrs:
                if isinstance(instr.attr, Function):
                    yield instr.attr


def all_functions(roots: list[Function]) -> Iterator[tuple[Function, Function | None]]:
    """Each function of `roots` and what is nested in it, with the function that makes it, in source preorder.

    A root that another one makes (a module's top-level functions) comes once, below its maker.
    Cost: one pass over the instructions; explicit stack.
    """
    seen: set[int] = set()
    made = {id(inner) for root in roots for inner in root.nested() if inner.root}
    stack: list[tuple[Function, Function | None]] = [(root, None) for root in reversed(roots) if id(root) not in made]
    while stack:
        function, parent = stack.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        yield function, parent
        stack.extend((inner, function) for inner in reversed(list(function.nested())))


def set_predecessors(function: Function) -> None:
    """Recompute `preds` of every block: distinct sources, in the order a depth-first walk from the entry meets them.

    Unreachable blocks are no predecessors and get none.
    Cost: O(blocks + edges), explicit stack.
    """
    blocks = function.blocks
    preds: dict[int, dict[int, None]] = {id: {} for id in blocks}
    seen = {function.entry}
    stack = [(function.entry, iter(blocks[function.entry].terminal.targets))]
    while stack:
        source, targets = stack[-1]
        for target in targets:
            preds[target][source] = None
            if target not in seen:
                seen.add(target)
                stack.append((target, iter(blocks[target].terminal.targets)))
                break
        else:
            stack.pop()
    for id, block in blocks.items():
        block.preds = list(preds[id])


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something a person should know about an input.

    severity: error (the input or a part of it was not analysed), warning or note.
    code:     a short fixed word, listed in facts/README.md.
    line:     from 1; 0 for the whole file. col: from 0, in Unicode code points.
    """

    severity: str
    code: str
    message: str
    line: int = 0
    col: int = 0
    function: str | None = None
