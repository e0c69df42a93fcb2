"""SSA forms to relations: ssa_def, ssa_use, ssa_phi, ssa_phi_arg, value_var."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise

import numpy as np
import pyarrow as pa

from ssarel.facts import Ints, Lists, Unit, grouped, starts_of
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

    Cost: a sort of the values.
    """
    layout = _Layout(units)
    uses, defs, phis, sources, args = Lists(), Lists(), Lists(), Lists(), Lists()
    for unit, form in zip(units, forms, strict=True):
        uses.extend(unit.flow.uses)
        defs.extend(unit.flow.defs)
        phis.extend([tuple(chain.from_iterable(form.phis))])
        sources.extend([unit.flow.pred[block] for block, _ in form.phis])
        args.extend(form.args)
    reached = np.array([sites is not None for form in forms for sites in form.use_site], bool)

    phi_unit, phi_block, phi_var = _pairs(*phis.rows())
    phi_place = layout.of_phi(phi_unit, phi_block)
    phi_var += layout.first_var[phi_unit]
    instr, _, var = defs.rows()
    kept = reached[instr] & (var != CELL)
    instr, var = instr[kept], var[kept] + layout.first_var[layout.unit[instr[kept]]]
    _, once = np.unique(instr * (layout.variables + 1) + var, return_index=True)
    once.sort()
    instr, var = instr[once], var[once]
    values = _Values(np.concatenate([phi_place, layout.place[instr]]), np.concatenate([phi_var, var]), layout.variables)
    phi_value, def_value = np.split(values.number, [len(phi_var)])

    use_instr, use_pos, use_var = uses.rows()
    kept = reached[use_instr]
    use_instr, use_pos, use_var = use_instr[kept], use_pos[kept], use_var[kept]
    site = np.fromiter(chain.from_iterable(sites for form in forms for sites in form.use_site if sites), np.int64)
    kept = use_var != CELL
    use_instr, use_pos, use_var, site = use_instr[kept], use_pos[kept], use_var[kept], site[kept]
    unit = layout.unit[use_instr]
    use_value = values.at(layout.of_site(unit, site), use_var + layout.first_var[unit])

    phi, _, source = sources.rows()
    unit = phi_unit[phi]
    arg = values.at(layout.of_site(unit, np.array(args.items, np.int64)), phi_var[phi])
    order = np.argsort(values.number)
    named = np.concatenate([phi_var, var])[order]
    columns = {
        "ssa_def": [layout.instrs[instr], def_value],
        "ssa_use": [layout.instrs[use_instr], use_pos, use_value],
        "ssa_phi": [layout.blocks[layout.first_block[phi_unit] + phi_block], phi_value],
        "ssa_phi_arg": [phi_value[phi], layout.blocks[layout.first_block[unit] + source], arg],
        "value_var": [np.arange(len(named)), layout.vars[named], _occurrence(named)],
    }
    return {
        name: pa.table(
            {key: pa.array(column.astype(np.int32)) for key, column in zip(shape, columns[name], strict=True)}
        )
        for name, shape in SHAPES.items()
    }


class _Layout:
    """Blocks, instructions and variables of all units in one sequence each, and places: where values are defined.

    The places of a block are one for its phis and one for each of its instructions, in this order.

    unit, place:                        of each instruction.
    first_block, first_instr, first_var: of each unit.
    blocks, instrs, vars:               their ids.
    """

    def __init__(self, units: Sequence[Unit]) -> None:
        sizes = [end - start for unit in units for start, end in pairwise(unit.flow.first)]
        self.first_block = starts_of([len(unit.blocks) for unit in units])
        self.first_instr = starts_of([len(unit.instrs) for unit in units])
        self.first_var = starts_of([len(unit.vars) for unit in units])
        self.blocks, self.instrs, self.vars = (
            np.fromiter(chain.from_iterable(ids), np.int64)
            for ids in (
                (unit.blocks for unit in units),
                (unit.instrs for unit in units),
                (unit.vars for unit in units),
            )
        )
        self.variables = len(self.vars)
        self.unit, _ = grouped([len(unit.instrs) for unit in units])
        block, _ = grouped(sizes)
        self.place = np.arange(len(block)) + block + 1
        self.phi_place = starts_of(sizes) + np.arange(len(sizes))

    def of_phi(self, units: Ints, blocks: Ints) -> Ints:
        """The places of the phis of `blocks`."""
        return self.phi_place[self.first_block[units] + blocks]

    def of_site(self, units: Ints, sites: Ints) -> Ints:
        """The places of `sites`, UNDEFINED where they are."""
        found = np.full(len(sites), UNDEFINED)
        is_instr, is_phi = sites > UNDEFINED, sites < UNDEFINED
        found[is_instr] = self.place[self.first_instr[units[is_instr]] + sites[is_instr]]
        found[is_phi] = self.of_phi(units[is_phi], phi_site(0) - sites[is_phi])
        return found


class _Values:
    """Values by place and variable.

    number: of each value, in the order given.
    """

    def __init__(self, places: Ints, variables: Ints, count: int) -> None:
        self.count = count
        self.number = np.empty(len(places), np.int64)
        self.number[np.argsort(places, kind="stable")] = np.arange(len(places))
        keys = places * count + variables
        self.order = np.argsort(keys)
        self.keys = keys[self.order]

    def at(self, places: Ints, variables: Ints) -> Ints:
        """The values of `variables` that are defined at `places`, UNDEF_VALUE where that is UNDEFINED."""
        found = np.full(len(places), UNDEF_VALUE, np.int64)
        known = places != UNDEFINED
        at = np.searchsorted(self.keys, places[known] * self.count + variables[known])
        found[known] = self.number[self.order[at]]
        return found


def _pairs(groups: Ints, _: Ints, items: Ints) -> tuple[Ints, Ints, Ints]:
    """The rows of lists of pairs, a row a pair."""
    return groups[::2], items[::2], items[1::2]


def _occurrence(items: Ints) -> Ints:
    """For each item how many equal ones there are up to it."""
    order = np.argsort(items, kind="stable")
    _, sizes = np.unique(items, return_counts=True)
    found = np.empty(len(items), np.int64)
    found[order] = grouped(sizes.tolist())[1] + 1
    return found
