"""SSA forms to relations: ssa_def, ssa_use, ssa_phi, ssa_phi_arg, value_var."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from ssarel.facts import Unit
from ssarel.flow import CELL
from ssarel.resources import folder
from ssarel.schema import parse_relations
from ssarel.ssa import UNDEFINED, Ssa, phi_site

UNDEF_VALUE = -1
"""The value of an operand that no definition reaches."""

SSA = parse_relations((folder("facts") / "ssa.dl").read_text(encoding="utf-8"))
"""The relations that renaming makes, by name; facts/ssa.dl says what they hold."""

SHAPES = {name: tuple(relation.arrow.names) for name, relation in SSA.items()}
"""Their columns; all 32-bit integers."""


def ssa_tables(units: Sequence[Unit], forms: Sequence[Ssa]) -> dict[str, pa.Table]:
    """The relations of SHAPES for `units`, whose SSA forms are `forms`; values count from 0 in layout order.

    Cost: one pass over the operands.
    """
    columns: dict[str, list[list[int]]] = {name: [[] for _ in shape] for name, shape in SHAPES.items()}
    count = 0
    for unit, form in zip(units, forms, strict=True):
        count = _add(unit, form, count, columns)
    return {
        name: pa.table(
            {key: pa.array(np.array(column, np.int32)) for key, column in zip(SHAPES[name], filled, strict=True)}
        )
        for name, filled in columns.items()
    }


def _add(unit: Unit, form: Ssa, count: int, columns: dict[str, list[list[int]]]) -> int:
    """Append the rows of one function, whose first value is `count`; returns the next free value."""
    flow = unit.flow
    values: dict[tuple[int, int], int] = {}
    versions = [0] * flow.variables
    phis_at: dict[int, list[int]] = {}
    for block, variable in form.phis:
        phis_at.setdefault(block, []).append(variable)
    named, def_instr, def_value = columns["value_var"], *columns["ssa_def"]

    def define(site: int, variable: int) -> int:
        nonlocal count
        value = values[site, variable] = count
        versions[variable] += 1
        for column, item in zip(named, (value, unit.vars[variable], versions[variable]), strict=True):
            column.append(item)
        count += 1
        return value

    for block in range(len(flow.succ)):
        for variable in phis_at.get(block, ()):
            columns["ssa_phi"][0].append(unit.blocks[block])
            columns["ssa_phi"][1].append(define(phi_site(block), variable))
        for instr in range(flow.first[block], flow.first[block + 1]):
            if form.use_site[instr] is None:
                continue
            for variable in flow.defs[instr]:
                if variable != CELL and (instr, variable) not in values:
                    def_instr.append(unit.instrs[instr])
                    def_value.append(define(instr, variable))
    use_instr, use_pos, use_value = columns["ssa_use"]
    for instr, sites in enumerate(form.use_site):
        if sites is None:
            continue
        for pos, (variable, site) in enumerate(zip(flow.uses[instr], sites, strict=True)):
            if variable != CELL:
                use_instr.append(unit.instrs[instr])
                use_pos.append(pos)
                use_value.append(UNDEF_VALUE if site == UNDEFINED else values[site, variable])
    arg_value, arg_pred, arg_arg = columns["ssa_phi_arg"]
    for (block, variable), args in zip(form.phis, form.args, strict=True):
        for pred, site in zip(flow.pred[block], args, strict=True):
            arg_value.append(values[phi_site(block), variable])
            arg_pred.append(unit.blocks[pred])
            arg_arg.append(UNDEF_VALUE if site == UNDEFINED else values[site, variable])
    return count
