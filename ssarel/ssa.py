"""The SSA form of one function, apart from its IR: where phis stand and where each read value comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ssarel.flow import CELL, Flow
from ssarel.ir import UNDEF, Function, Phi, Var

Closures = list[tuple[Function, dict[Var, Var]]]
"""Functions made by a function, each with the names that its captured variables have outside."""

UNDEFINED = -1
"""The site of a value that no definition reaches."""


def phi_site(block: int) -> int:
    """The site of a phi of `block`: below UNDEFINED, where the sites of instructions are their numbers from 0."""
    return -2 - block


@dataclass(slots=True)
class Ssa:
    """A site is an instruction number, `phi_site(block)`, or UNDEFINED; with the variable it names a value.

    phis:     (block, variable) of each phi, sorted.
    args:     for each phi, the site of its operand along each predecessor, in the order of `Flow.pred`.
    use_site: for each operand read in a reachable block the site that its value comes from, grouped by instruction
              as in `Flow.uses`; None for an instruction of an unreachable block. An operand that is a cell has
              UNDEFINED.
    Equal SSA forms are equal objects, whichever builder made them.
    """

    phis: list[tuple[int, int]]
    args: list[list[int]]
    use_site: list[list[int] | None]


def rewrite(function: Function, flow: Flow, ssa: Ssa, ids: Iterator[int], context: Mapping[Var, Var]) -> Closures:
    """Put the names of `ssa` into `function`, whose flow is `flow`: one `Var` a value, phis in their blocks.

    Values take their ids from `ids` in layout order, phis before instructions. Code of unreachable blocks keeps its
    variables. `context` says what a captured variable is called outside; such a value keeps that name.

    Returns: each function made inside `function`, with what `context` must be for it.
    Cost:    one pass over the operands.
    """
    names = _name_values(flow, ssa, ids, context)
    reached = flow.reachable()
    layout = list(function.blocks.values())
    for block in layout:
        block.phis = []
    for (at, variable), args in zip(ssa.phis, ssa.args, strict=True):
        operands = [names.get((site, variable), UNDEF) for site in args]
        preds = (layout[source].id for source in flow.pred[at])
        layout[at].phis.append(Phi(names[phi_site(at), variable], dict(zip(preds, operands, strict=True))))
    for param, instr in zip(function.params, range(flow.captured, flow.captured + flow.params), strict=True):
        param.var = names.get((instr, flow.defs[instr][0]), param.var)
    function.context = [context.get(var, var) for var in function.context]
    closures: Closures = []
    for at, block in enumerate(layout):
        start = flow.first[at] if at else flow.captured + flow.params
        for instr, step in enumerate(block.steps(), start):
            used = step.uses
            if reached[at]:
                used = [
                    var if variable == CELL else names.get((site, variable), UNDEF)
                    for var, variable, site in zip(step.uses, flow.uses[instr], ssa.use_site[instr] or (), strict=True)
                ]
            if isinstance(step.attr, Function):
                closures.append((step.attr, dict(zip(step.uses, used, strict=True))))
            step.uses = used
            if reached[at]:
                step.defs = [
                    var if variable == CELL else names[instr, variable]
                    for var, variable in zip(step.defs, flow.defs[instr], strict=True)
                ]
    return closures


def _name_values(flow: Flow, ssa: Ssa, ids: Iterator[int], context: Mapping[Var, Var]) -> dict[tuple[int, int], Var]:
    """A `Var` for each (site, variable) that is a value."""
    phis_of: dict[int, list[int]] = {}
    for block, variable in ssa.phis:
        phis_of.setdefault(block, []).append(variable)
    names: dict[tuple[int, int], Var] = {}

    def fresh(variable: int) -> Var:
        var = flow.vars[variable]
        return Var(next(ids), var.name, var.decl)

    reached = flow.reachable()
    for block in range(len(flow.succ)):
        if not reached[block]:
            continue
        for variable in phis_of.get(block, ()):
            names[phi_site(block), variable] = fresh(variable)
        for instr in flow.block(block):
            for variable in flow.defs[instr]:
                if variable != CELL and (instr, variable) not in names:
                    outer = context.get(flow.vars[variable]) if instr < flow.captured else None
                    names[instr, variable] = outer or fresh(variable)
    return names
