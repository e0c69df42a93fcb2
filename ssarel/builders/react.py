"""SSA as React Compiler 1.0.0 makes it: EnterSSA, a phi at every join where a variable is live, then elimination."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Generator, Iterator, Mapping

from ssarel.cfg import bodies
from ssarel.errors import Rejected, SsarelError
from ssarel.ir import Block, Function, Instr, Phi, Var


def build_ssa(function: Function) -> None:
    """Bring the root `function`, and what is nested in it, into SSA form, in place; raises as `enter_ssa`."""
    enter_ssa(function)
    eliminate_redundant_phis(function)


def react_numbered(function: Function, phis: Mapping[Function, Collection[tuple[int, Var]]]) -> None:
    """Bring `function`, and what is nested in it, into SSA form with the given phis and React's ids, in place.

    phis: for each function (block id, variable before renaming) of its phis; functions without any may be left out.

    Every given phi must be live, and what the others would merge must be a single value: so this also checks `phis`.
    Raises: SsarelError if a phi is missing or stands where its variable is not live; Rejected as `enter_ssa`.
    Cost:   as `enter_ssa`, then one pass.
    """
    enter_ssa(function)
    dropped: list[Phi] = []
    for body in bodies(function):
        wanted = {(block, var.decl) for block, var in phis.get(body, ())}
        for block in body.blocks.values():
            dropped += [phi for phi in block.phis if (block.id, phi.target.decl) not in wanted]
            block.phis = [phi for phi in block.phis if (block.id, phi.target.decl) in wanted]
            wanted -= {(block.id, phi.target.decl) for phi in block.phis}
        if wanted:
            raise SsarelError(f"{body.title}: there are phis where their variable is not live: {sorted(wanted)}")
    merged = _resolve(dropped)
    for body in bodies(function):
        for block in body.blocks.values():
            _replace_block(block, merged)


def enter_ssa(function: Function) -> None:
    """Rename as EnterSSA does: ids in order of demand, a phi at every join where a variable is live.

    Raises: Rejected if a variable is defined after a block in which a read of it reached the entry.
    Cost:   O(operands + blocks times variables live through them); explicit stacks.
    Source: Braun et al., CC 2013, algorithms 1 and 2, without the removal of trivial phis.
    """
    _run(_EnterSsa(function).process(function, function.entry))


def eliminate_redundant_phis(function: Function) -> None:
    """Remove phis that merge one value and themselves, until no round finds one. Ids stay as they are.

    Complete on reducible graphs: what is left is the pruned iterated dominance frontier.
    Cost: O(rounds times operands); explicit stack.
    """
    _run(_eliminate(function, {}))


Task = Generator["Task", None, None]
"""A walk over one function that hands over a walk for each function made in it."""


def _run(task: Task) -> None:
    stack = [task]
    while stack:
        inner = next(stack[-1], None)
        if inner is None:
            stack.pop()
        else:
            stack.append(inner)


class _EnterSsa:
    """State shared by a root function and what is nested in it, by block id.

    values:     the value of each variable at the end of what is done of a block.
    preds:      predecessors; the entry of a nested function has the block that makes the function.
    remaining:  predecessors not done yet, from the first time one of them is.
    incomplete: phis made before all predecessors were done.
    unknown:    variables read on a path on which they are not defined.
    """

    def __init__(self, root: Function) -> None:
        self.root = root
        self.values: defaultdict[int, dict[Var, Var]] = defaultdict(dict)
        self.preds: dict[int, list[int]] = {}
        self.remaining: dict[int, int] = {}
        self.incomplete: defaultdict[int, list[tuple[Var, Phi]]] = defaultdict(list)
        self.unknown: set[Var] = set()
        self.blocks: dict[int, Block] = {}

    def process(self, function: Function, maker: int) -> Task:
        """Rename `function`, whose parameters are defined in block `maker`."""
        self.blocks |= function.blocks
        self.preds |= {id: block.preds for id, block in function.blocks.items()}
        if function is not self.root:
            self.preds[function.entry] = [maker]
        for param in function.params:
            param.var = self.define(param.var, maker)
        visited: set[int] = set()
        for id, block in function.blocks.items():
            visited.add(id)
            for step in block.steps():
                step.uses[:] = [self.lookup(var, id) for var in step.uses]
                step.defs[:] = [self.define(var, id) for var in step.defs]
                if isinstance(step.attr, Function) and not step.attr.root:
                    step.attr.context = list(step.uses)
                    yield self.process(step.attr, id)
            for target in dict.fromkeys(block.terminal.targets):
                left = self.remaining.get(target, len(self.preds[target])) - 1
                self.remaining[target] = left
                if left == 0 and target in visited:
                    self.complete(target)
        self.preds[function.entry] = []

    def fresh(self, var: Var) -> Var:
        """A new version of `var`."""
        version = Var(self.root.next_id, var.name, var.decl, var.cell)
        self.root.next_id += 1
        return version

    def define(self, var: Var, block: int) -> Var:
        """A new version of `var`, which `block` writes."""
        if var in self.unknown:
            reason = "[hoisting] EnterSSA: Expected identifier to be defined before being used"
            raise Rejected(f"Todo: {reason} (Identifier {var!r} is undefined)")
        version = self.values[block][var] = self.fresh(var)
        return version

    def complete(self, block: int) -> None:
        """All predecessors of `block` are done: find the operands of the phis that waited for that."""
        for var, phi in self.incomplete.pop(block, ()):
            phi.args = {pred: self.lookup(var, pred) for pred in self.preds[block]}
            self.blocks[block].phis.append(phi)

    def lookup(self, var: Var, block: int) -> Var:
        """The value of `var` at the end of what is done of `block`, with new phis where it is merged."""
        value = self.values[block].get(var)
        if value is not None:
            return value
        stack = [self.search(var, block)]
        while stack:
            try:
                block = stack[-1].send(value)
            except StopIteration as found:
                value = found.value
                stack.pop()
            else:
                value = self.values[block].get(var)
                if value is None:
                    stack.append(self.search(var, block))
        assert value is not None
        return value

    def search(self, var: Var, block: int) -> Generator[int, Var | None, Var]:
        """`lookup` for a block that has no value yet; yields the blocks whose values it needs."""
        passed: list[int] = []
        while True:
            value = self.values[block].get(var)
            if value is not None:
                break
            preds = self.preds[block]
            if not preds:
                self.unknown.add(var)
                value = var
                break
            if self.remaining.get(block, 0) > 0:
                value = self.values[block][var] = self.fresh(var)
                self.incomplete[block].append((var, Phi(value, {})))
                break
            if len(preds) > 1:
                value = self.values[block][var] = self.fresh(var)
                phi = Phi(value, {})
                for pred in preds:
                    operand = yield pred
                    assert operand is not None
                    phi.args[pred] = operand
                self.blocks[block].phis.append(phi)
                break
            passed.append(block)
            block = preds[0]
        for block in passed:
            self.values[block][var] = value
        return value


def _eliminate(function: Function, merged: dict[Var, Var]) -> Task:
    """Remove redundant phis of `function`; `merged` says what the removed ones stand for."""
    visited: set[int] = set()
    has_back_edge = False
    is_done = False
    while not is_done:
        before = len(merged)
        for block in function.blocks.values():
            has_back_edge = has_back_edge or any(pred not in visited for pred in block.preds)
            visited.add(block.id)
            for inner in _eliminate_in(block, merged):
                yield _eliminate(inner, merged)
        is_done = len(merged) == before or not has_back_edge


def _eliminate_in(block: Block, merged: dict[Var, Var]) -> Iterator[Function]:
    """Remove redundant phis of `block` and rewrite its operands, one step; yields the functions it makes."""
    kept: list[Phi] = []
    for phi in block.phis:
        phi.args = {pred: merged.get(arg, arg) for pred, arg in phi.args.items()}
        values = set(phi.args.values()) - {phi.target}
        if len(values) == 1:
            merged[phi.target] = values.pop()
        else:
            kept.append(phi)
    block.phis = kept
    for step in block.steps():
        _replace(step, merged)
        if isinstance(step.attr, Function) and not step.attr.root:
            yield step.attr


def _replace_block(block: Block, merged: dict[Var, Var]) -> None:
    for phi in block.phis:
        phi.args = {pred: merged.get(arg, arg) for pred, arg in phi.args.items()}
    for step in block.steps():
        _replace(step, merged)


def _replace(step: Instr, merged: dict[Var, Var]) -> None:
    step.uses[:] = [merged.get(var, var) for var in step.uses]
    if isinstance(step.attr, Function) and not step.attr.root:
        step.attr.context = list(step.uses)


def _resolve(phis: list[Phi]) -> dict[Var, Var]:
    """What each of `phis` stands for: the only value that it and the phis of `phis` it reads merge.

    Raises: SsarelError if it is not the only one.
    Cost:   O(operands), explicit stack.
    Source: Tarjan's strongly connected components; a component is redundant if one value enters it (Braun et al.,
            CC 2013, section 3.2).
    """
    args = {phi.target: list(phi.args.values()) for phi in phis}
    merged: dict[Var, Var] = {}
    index: dict[Var, int] = {}
    low: dict[Var, int] = {}
    component: list[Var] = []
    for start in args:
        stack = [] if start in index else [(start, iter(args[start]))]
        while stack:
            var, unvisited = stack[-1]
            if var not in index:
                index[var] = low[var] = len(index)
                component.append(var)
            for arg in unvisited:
                if arg in args and arg not in merged:
                    if arg not in index:
                        stack.append((arg, iter(args[arg])))
                        break
                    low[var] = min(low[var], index[arg])
            else:
                stack.pop()
                if stack:
                    low[stack[-1][0]] = min(low[stack[-1][0]], low[var])
                if low[var] == index[var]:
                    _merge_component(_pop_component(component, var), args, merged)
    return merged


def _pop_component(stack: list[Var], last: Var) -> list[Var]:
    popped = [stack.pop()]
    while popped[-1] is not last:
        popped.append(stack.pop())
    return popped


def _merge_component(component: list[Var], args: dict[Var, list[Var]], merged: dict[Var, Var]) -> None:
    inside = set(component)
    entering = {merged.get(arg, arg) for var in component for arg in args[var]} - inside
    if len(entering) != 1:
        values = ", ".join(sorted(map(repr, entering)))
        raise SsarelError(f"a phi is missing: {component[0]!r} would have to stand for each of {values}")
    value = entering.pop()
    merged.update(dict.fromkeys(component, value))
