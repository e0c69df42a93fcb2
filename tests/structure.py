"""Structural equality of IR functions: equal snapshots mean equal functions."""

from __future__ import annotations

from typing import Any

from ssarel.ir import UNDEF, Function, Instr, Terminal, Var


def snapshot(function: Function) -> list[Any]:
    """Everything that a text keeps, as plain data; nested functions follow in order of appearance."""
    rows: list[Any] = []
    pending = [function]
    while pending:
        body = pending.pop()
        rows.append(("function", *_head(body)))
        nested: list[Function] = []
        for block in body.blocks.values():
            rows.append(("block", block.id, block.kind, block.preds))
            rows += [
                ("phi", _var(phi.target), [(pred, _var(arg)) for pred, arg in phi.args.items()]) for phi in block.phis
            ]
            rows += [_step(step) for step in block.steps()]
            nested += [step.attr for step in block.instrs if isinstance(step.attr, Function) and not step.attr.root]
        pending += reversed(nested)
    return rows


def _var(var: Var) -> object:
    return "undef" if var is UNDEF else (var.id, var.name, var.cell)


def _head(function: Function) -> tuple[Any, ...]:
    return (
        function.name,
        function.kind,
        function.is_async,
        function.is_generator,
        function.root,
        function.entry,
        [(_var(param.var), param.rest) for param in function.params],
        function.returns and _var(function.returns),
        [_var(var) for var in function.context],
        function.directives,
    )


def _step(step: Instr) -> tuple[Any, ...]:
    attr: Any = step.attr
    if isinstance(attr, Function):
        attr = "nested" if not attr.root else ("root", attr.name)
    elif step.op == "DeclareContext":
        attr = (attr[0], _var(attr[1]))
    flow = (step.targets, step.links) if isinstance(step, Terminal) else ()
    return (step.number, step.op, [_var(var) for var in step.uses], [_var(var) for var in step.defs], attr, *flow)
