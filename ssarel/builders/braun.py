"""Braun et al. 2013: SSA on the fly by local and global value numbering, minimal on every graph by its SCC step."""

from __future__ import annotations

from collections.abc import Iterable

from ssarel.flow import CELL, Flow
from ssarel.ssa import UNDEFINED, Ssa, phi_site

# A value of a variable is an instruction number, UNDEFINED, or a phi: FIRST_PHI - n for the n-th phi made.
FIRST_PHI = -2


def build(flow: Flow, remove_sccs: bool = True) -> Ssa:
    """The minimal pruned SSA form of `flow`.

    remove_sccs: without it irreducible graphs may keep redundant phis.
    Cost:        O(operands + phis made times their users) in practice.
    Source:      Braun et al., "Simple and Efficient Construction of Static Single Assignment Form", CC 2013.
    """
    builder = _Builder(flow)
    builder.fill_blocks()
    if remove_sccs:
        builder.remove_redundant_sccs()
    return builder.result()


class _Builder:
    """The paper's state, its names in snake case.

    current_def:     for each block the value of each variable at the end of what is filled of it.
    incomplete_phis: for each unsealed block the phis made before its predecessors were known.
    operands:        for each phi its operands, aligned with the predecessors of its block; empty until complete.
    users:           for each phi the phis that have it as an operand.
    replaced:        trivial phis and what they stand for.
    """

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.current_def: list[dict[int, int]] = [{} for _ in flow.succ]
        self.incomplete_phis: list[list[int]] = [[] for _ in flow.succ]
        self.sealed = [not preds for preds in flow.pred]
        self.phi_block: list[int] = []
        self.phi_variable: list[int] = []
        self.operands: list[list[int]] = []
        self.users: list[list[int]] = []
        self.replaced: dict[int, int] = {}
        self.uses: list[list[int] | None] = [None] * len(flow.uses)

    def fill_blocks(self) -> None:
        """Number each reachable block's reads and writes, successors after predecessors where there is no loop."""
        flow = self.flow
        waiting = [len(preds) for preds in flow.pred]
        for block in flow.reverse_postorder():
            written = self.current_def[block]
            for instr in flow.block(block):
                self.uses[instr] = [
                    UNDEFINED if variable == CELL else self.read_variable(variable, block)
                    for variable in flow.uses[instr]
                ]
                for variable in flow.defs[instr]:
                    written[variable] = instr
            for target in flow.succ[block]:
                waiting[target] -= 1
                if not waiting[target]:
                    self.seal_block(target)

    def seal_block(self, block: int) -> None:
        """All predecessors of `block` are filled: complete the phis that waited for them."""
        self.sealed[block] = True
        self.add_phi_operands(self.incomplete_phis[block])
        self.incomplete_phis[block] = []

    def read_variable(self, variable: int, block: int) -> int:
        """The value of `variable` at the end of what is filled of `block`, making phis as needed.

        Source:     Algorithms 1 and 2. Difference: an undefined read gives UNDEFINED; a phi's operands are read by
                    a worklist, not by recursion, so a chain of blocks may be as long as it likes.
        """
        made: list[int] = []
        value = self._lookup(variable, block, made)
        self.add_phi_operands(made)
        return self.resolve(value)

    def _lookup(self, variable: int, block: int, made: list[int]) -> int:
        """As `read_variable`, leaving phis of sealed blocks without operands in `made`."""
        path: list[int] = []
        while variable not in self.current_def[block]:
            path.append(block)
            preds = self.flow.pred[block]
            if self.sealed[block] and len(preds) == 1:
                block = preds[0]
                continue
            if self.sealed[block] and not preds:
                value = UNDEFINED
            else:
                value = self._new_phi(variable, block)
                (made if self.sealed[block] else self.incomplete_phis[block]).append(FIRST_PHI - value)
            break
        else:
            value = self.current_def[block][variable]
        for passed in path:
            self.current_def[passed][variable] = value
        return value

    def _new_phi(self, variable: int, block: int) -> int:
        self.phi_block.append(block)
        self.phi_variable.append(variable)
        self.operands.append([])
        self.users.append([])
        return FIRST_PHI - (len(self.operands) - 1)

    def add_phi_operands(self, phis: Iterable[int]) -> None:
        """Read the operands of `phis` and of the phis which that makes; then drop the trivial ones among them."""
        worklist = list(phis)
        done: list[int] = []
        while worklist:
            phi = worklist.pop()
            made: list[int] = []
            variable = self.phi_variable[phi]
            operands = [self._lookup(variable, pred, made) for pred in self.flow.pred[self.phi_block[phi]]]
            self.operands[phi] = [self.resolve(operand) for operand in operands]
            for operand in self.operands[phi]:
                if operand <= FIRST_PHI:
                    self.users[FIRST_PHI - operand].append(phi)
            worklist.extend(made)
            done.append(phi)
        for phi in done:
            self.try_remove_trivial_phi(phi)

    def try_remove_trivial_phi(self, phi: int) -> None:
        """Replace `phi` if it merges one value with itself only; then look again at the phis that used it.

        Source: Algorithm 3, with a worklist for its recursion.
        """
        worklist = [phi]
        while worklist:
            phi = worklist.pop()
            itself = FIRST_PHI - phi
            if itself in self.replaced or not self.operands[phi]:
                continue
            others = {self.resolve(operand) for operand in self.operands[phi]} - {itself}
            if len(others) > 1:
                continue
            same = others.pop() if others else UNDEFINED
            self.replaced[itself] = same
            users = self.users[phi]
            if same <= FIRST_PHI:
                self.users[FIRST_PHI - same].extend(users)
            worklist.extend(users)

    def resolve(self, value: int) -> int:
        """What `value` stands for after the removal of trivial phis; paths are shortened on the way."""
        target = value
        while target in self.replaced:
            target = self.replaced[target]
        while value != target:
            self.replaced[value], value = target, self.replaced[value]
        return target

    def remove_redundant_sccs(self) -> None:
        """Replace each strongly connected set of phis that merges one outer value only.

        Source: Algorithm 5. Inner sets are looked at with a worklist instead of recursion; a component is handled
                after those it reads from.
        """
        left = [phi for phi in range(len(self.operands)) if FIRST_PHI - phi not in self.replaced]
        worklist = [left]
        while worklist:
            members = worklist.pop()
            for component in self._components(members):
                if len(component) == 1:
                    self.try_remove_trivial_phi(component[0])
                    continue
                inside = {FIRST_PHI - phi for phi in component}
                outer: set[int] = set()
                inner: list[int] = []
                for phi in component:
                    beyond = {self.resolve(operand) for operand in self.operands[phi]} - inside
                    outer |= beyond
                    if not beyond:
                        inner.append(phi)
                if len(outer) == 1:
                    same = outer.pop()
                    self.replaced.update((phi, same) for phi in inside)
                elif inner:
                    worklist.append(inner)

    def _components(self, members: list[int]) -> list[list[int]]:
        """Strongly connected components of the phis `members`, each after those that it has operands in (Tarjan)."""
        inside = set(members)
        index: dict[int, int] = {}
        low: dict[int, int] = {}
        open_phis: list[int] = []
        is_open: set[int] = set()
        components: list[list[int]] = []
        for root in members:
            if root in index:
                continue
            stack = [(root, iter(self._phi_operands(root, inside)))]
            index[root] = low[root] = len(index)
            open_phis.append(root)
            is_open.add(root)
            while stack:
                phi, operands = stack[-1]
                for operand in operands:
                    if operand not in index:
                        index[operand] = low[operand] = len(index)
                        open_phis.append(operand)
                        is_open.add(operand)
                        stack.append((operand, iter(self._phi_operands(operand, inside))))
                        break
                    if operand in is_open:
                        low[phi] = min(low[phi], index[operand])
                else:
                    stack.pop()
                    if stack:
                        low[stack[-1][0]] = min(low[stack[-1][0]], low[phi])
                    if low[phi] == index[phi]:
                        component: list[int] = []
                        while phi in is_open:
                            component.append(open_phis.pop())
                            is_open.discard(component[-1])
                        components.append(component)
        return components

    def _phi_operands(self, phi: int, inside: set[int]) -> list[int]:
        resolved = (FIRST_PHI - self.resolve(operand) for operand in self.operands[phi])
        return [operand for operand in resolved if operand in inside]

    def result(self) -> Ssa:
        """The phis that are left, and every read's value, as sites."""

        def site(value: int) -> int:
            value = self.resolve(value)
            return phi_site(self.phi_block[FIRST_PHI - value]) if value <= FIRST_PHI else value

        kept = [phi for phi in range(len(self.operands)) if FIRST_PHI - phi not in self.replaced]
        kept.sort(key=lambda phi: (self.phi_block[phi], self.phi_variable[phi]))
        uses = [values if values is None else [site(value) for value in values] for values in self.uses]
        return Ssa(
            [(self.phi_block[phi], self.phi_variable[phi]) for phi in kept],
            [[site(operand) for operand in self.operands[phi]] for phi in kept],
            uses,
        )
