"""Scopes, bindings and references: what declares a name and who uses it, by declaration and not by spelling."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from ssarel.ir import GlobalRef, Var

if TYPE_CHECKING:
    from ssarel.frontends.javascript.syntax import Node

READ, WRITE, PATTERN, HEAD, JSX, INIT, TOP = 1, 2, 4, 8, 16, 32, 64
"""Roles of an identifier: read, target of a plain assignment or an update, target inside an assignment pattern, target
of a for-in or for-of head, root of a JSX tag, `var` with a value, the same directly in the body of its function."""


class Binding:
    """One declared variable.

    kind:        let, const, var, param, catch, function, class, import, enum, local (a function or class expression's
                 own name).
    node:        the identifier that declares it (the last function declaration of several).
    refs:        its references in source order, declarations left out.
    writes:      how often it is written, initialisers included.
    assigned:    an assignment or update targets it; `assigned_inside`: in a function nested in its own.
    captured:    a nested function mentions it; `captured_plain`: other than as a JSX tag.
    context:     it is a cell: read and written in memory by everyone (React: a context variable).
    hoisted:     declared ahead for a closure that is made before its statement.
    imported:    how a module import is read, else None.
    copies:      body variable that starts with the value of this parameter, or the reverse link of a sloppy block
                 function to the variable of its function.
    var, label:  its IR variable and printed name once something resolved it.
    """

    __slots__ = (
        "assigned", "assigned_inside", "captured", "captured_plain", "context", "copies", "count", "hoisted",
        "imported", "kind", "label", "name", "node", "refs", "renamed", "scope", "var", "writes",
    )  # fmt: skip

    def __init__(self, name: str, kind: str, scope: Scope, node: Node) -> None:
        self.name = name
        self.kind = kind
        self.scope = scope
        self.node = node
        self.refs: list[Node] = []
        self.writes = 0
        self.count = 1
        self.assigned = False
        self.assigned_inside = False
        self.captured = False
        self.captured_plain = False
        self.context = False
        self.hoisted = False
        self.imported: GlobalRef | None = None
        self.copies: Binding | None = None
        self.var: Var | None = None
        self.label = name
        self.renamed = False

    @property
    def reassigned(self) -> bool:
        """Is it written other than by its declaration?"""
        return self.assigned or any(node.role & HEAD for node in self.refs)

    @property
    def function(self) -> FunctionScope:
        """The function whose activation owns the variable."""
        return self.scope.function

    def release(self) -> None:
        """Forget the nodes, which refer back to the variable."""
        self.refs.clear()
        del self.node


class Scope:
    """A region that declares names.

    kind:     module, function, params, block, for, switch, catch, class, enum.
    pending:  references by name, in order of first occurrence, that no scope inside could resolve.
    """

    __slots__ = ("bindings", "function", "kind", "node", "parent", "pending")

    function: FunctionScope

    def __init__(self, kind: str, node: Node, parent: Scope | None) -> None:
        self.kind = kind
        self.node = node
        self.parent = parent
        self.bindings: dict[str, Binding] = {}
        self.pending: dict[str, list[Node]] = {}
        if parent is not None:
            self.function = parent.function

    def declare(self, name: str, kind: str, node: Node) -> Binding:
        """Declare `name` here; a second declaration is the same variable, a function wins over a `var`."""
        binding = self.bindings.get(name)
        if binding is None:
            binding = self.bindings[name] = Binding(name, kind, self, node)
            return binding
        binding.count += 1
        if (kind == "function" and binding.kind in ("var", "function", "local")) or binding.kind == "local":
            binding.kind = kind
            binding.node = node
        return binding

    def refer(self, node: Node, role: int) -> None:
        """Record that identifier `node` is used here."""
        node.scope = self
        node.role = role
        found = self.pending.get(node.name)
        if found is None:
            self.pending[node.name] = [node]
        else:
            found.append(node)

    def release(self) -> None:
        """Forget everything that refers back to this scope."""
        for binding in self.bindings.values():
            binding.release()
        self.bindings.clear()
        self.pending.clear()
        del self.node, self.function


class FunctionScope(Scope):
    """The scope of a function (parameters and body), a field initialiser, a static block or the module.

    outer:      the function around it, None for the module.
    root:       the function that shares counters with it: itself if only module and class scopes are around it.
    params:     parameter bindings, in order.
    is_simple:  all parameters are plain identifiers, so body and parameters share one set of variables.
    free:       the first identifier of each outer variable it or its inner functions mention, in source order.
    sloppy:     block functions declared here that may also be variables of the function (Annex B.3.3).
    own:        the name of a function expression, visible where no parameter or body variable has it.
    ends:       where the initialised declarators of `var` statements at the top of the body end, in order.
    outside:    references in parameter patterns that no parameter resolves; they must not see the body.
    """

    __slots__ = ("ends", "free", "is_simple", "is_strict", "outer", "outside", "own", "params", "root", "sloppy")

    def __init__(self, kind: str, node: Node, parent: Scope | None, is_strict: bool) -> None:
        super().__init__(kind, node, parent)
        self.function = self
        self.outer = parent.function if parent is not None else None
        self.root = self
        around = parent
        while around is not None:
            if around.kind not in ("module", "class"):
                self.root = around.function.root
                break
            around = around.parent
        self.params: dict[str, Binding] = {}
        self.is_simple = True
        self.is_strict = is_strict
        self.ends: list[int] = []
        self.free: list[Node] = []
        self.sloppy: list[tuple[Binding, Scope]] = []
        self.own: Binding | None = None
        self.outside: dict[str, list[Node]] = {}

    def declare(self, name: str, kind: str, node: Node) -> Binding:
        """Declare a parameter, a body variable or the function's own name."""
        if kind == "param":
            binding = self.params.get(name)
            if binding is None:
                binding = self.params[name] = Binding(name, kind, self, node)
            return binding
        param = self.params.get(name)
        if param is None or name in self.bindings:
            return super().declare(name, kind, node)
        if self.is_simple or kind != "var":
            param.count += 1
            if kind == "function":
                param.refs.append(node)
            return param
        binding = super().declare(name, kind, node)
        binding.copies = param
        return binding

    def release(self) -> None:
        """Forget everything that refers back to this scope."""
        super().release()
        for binding in (*self.params.values(), *([self.own] if self.own is not None else [])):
            binding.release()
        self.params.clear()
        self.free.clear()
        self.sloppy.clear()
        self.outside.clear()
        del self.root


def close(scope: Scope, is_react: bool) -> None:
    """Resolve what `scope` declares, decide what is a cell, and hand the rest to the scope around it."""
    if isinstance(scope, FunctionScope):
        _close_function(scope, is_react)
    elif scope.kind == "params":
        _resolve(scope.pending, scope.function.params)
        scope.function.outside = scope.pending
    else:
        _resolve(scope.pending, scope.bindings)
        decide_cells(scope.bindings, is_react)
        if scope.parent is not None:
            _merge(scope.parent.pending, scope.pending)


def _close_function(scope: FunctionScope, is_react: bool) -> None:
    for binding, block in scope.sloppy:
        _declare_annex_b(scope, binding, block)
    _resolve(scope.pending, scope.bindings)
    _resolve(scope.pending, scope.params)
    rest = scope.outside
    _merge(rest, scope.pending)
    if scope.own is not None and scope.own.name not in scope.params:
        _resolve(rest, {scope.own.name: scope.own})
        decide_cells({scope.own.name: scope.own}, is_react)
    decide_cells(scope.bindings, is_react)
    decide_cells(scope.params, is_react)
    if not is_react and scope.node.type != "arrow_function" and rest.pop("arguments", None):
        _tie_arguments(scope)
    if scope.parent is None:
        return
    free: list[Node] = []
    for nodes in rest.values():
        first = next((node for node in nodes if not is_react or node.role & (READ | WRITE | JSX)), None)
        if first is not None:
            free.append(first)
    scope.free = sorted(free, key=lambda node: node.start)
    _merge(scope.parent.pending, rest)


def _tie_arguments(scope: FunctionScope) -> None:
    """In sloppy functions with plain parameters `arguments` and the parameters are the same memory."""
    if scope.is_simple and not scope.is_strict and scope.kind == "function":
        for binding in scope.params.values():
            binding.context = True


def decide_cells(bindings: dict[str, Binding], is_react: bool) -> None:
    """Mark the variables that closures and their owner share in memory; all their references are known."""
    for binding in bindings.values():
        if is_react:
            binding.context = binding.assigned_inside or (binding.assigned and binding.captured_plain)
        elif binding.captured and binding.kind != "import":
            binding.context = binding.reassigned or (binding.kind == "var" and not _is_settled(binding))


def _is_settled(binding: Binding) -> bool:
    """Is a `var` written once, at the top of its function, before any function that mentions it can exist?"""
    writes = [node for node in binding.refs if node.role & ~(READ | JSX)]
    if len(writes) != 1 or not writes[0].role & TOP or binding.count > 1:
        return False
    ends = binding.function.ends
    end = ends[bisect_right(ends, writes[0].start)]
    for node in binding.refs:
        function = node.scope.function if node.scope is not None else binding.function
        if function is binding.function:
            continue
        while function.outer is not None and function.outer is not binding.function:
            function = function.outer
        if function.node.start < end or function.node.type.endswith("function_declaration"):
            return False
    return True


def _declare_annex_b(scope: FunctionScope, binding: Binding, block: Scope) -> None:
    """Make a sloppy block function a variable of its function too, unless that would clash with a lexical name."""
    name = binding.name
    around = block.parent
    while around is not None and around is not scope:
        if name in around.bindings and around.bindings[name].kind != "function":
            return
        around = around.parent
    existing = scope.bindings.get(name)
    if name in scope.params or (existing is not None and existing.kind not in ("var", "function", "local")):
        return
    binding.copies = scope.declare(name, "var", binding.node)
    binding.copies.writes += 1


def _resolve(pending: dict[str, list[Node]], bindings: dict[str, Binding]) -> None:
    for name in [name for name in pending if name in bindings] if len(pending) < len(bindings) else list(bindings):
        nodes = pending.pop(name, None)
        if nodes is None:
            continue
        binding = bindings[name]
        binding.refs.extend(nodes)
        for node in nodes:
            node.binding = binding
            _note_use(binding, node)


def _note_use(binding: Binding, node: Node) -> None:
    role = node.role
    assert node.scope is not None
    is_inside = node.scope.function is not binding.scope.function
    if role & (WRITE | PATTERN | HEAD | INIT):
        binding.writes += 1
    if role & (WRITE | PATTERN):
        binding.assigned = True
        if is_inside:
            binding.assigned_inside = True
    if is_inside:
        binding.captured = True
        if role & ~JSX:
            binding.captured_plain = True


def _merge(target: dict[str, list[Node]], source: dict[str, list[Node]]) -> None:
    for name, nodes in source.items():
        found = target.get(name)
        if found is None:
            target[name] = nodes
        else:
            found.extend(nodes)
    source.clear()
