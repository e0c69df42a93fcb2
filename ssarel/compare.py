"""Builders against each other: phi sites and where each read value comes from must be the same."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa

from ssarel import folders
from ssarel.builders import braun, cytron, llvm_peer
from ssarel.builders.dominators import immediate_dominators
from ssarel.construct import ENGINES, rename_all
from ssarel.engines import get_engine
from ssarel.errors import UsageError
from ssarel.facts import Unit
from ssarel.flow import CELL, Flow
from ssarel.folders import EXPECTED_PHI
from ssarel.garbage import young_garbage_only
from ssarel.rename import rename
from ssarel.ssa import UNDEFINED, Ssa

BUILDERS = (*ENGINES, "cytron", "braun", "braun-no-scc", "llvm")
"""What `--with` takes. braun-no-scc is Braun's algorithm without its SCC step: on irreducible graphs it may keep phis
that the others do not have. llvm is LLVM's own mem2reg, phi sites only: it folds phis that carry one value. Both
differences are allowed, and labelled."""


@dataclass(slots=True)
class Batch:
    """Functions to compare on: their relations, their flows, and how to name each function in a report."""

    tables: Mapping[str, pa.Table]
    units: Sequence[Unit]
    titles: Mapping[int, str] = field(default_factory=dict[int, str])

    @staticmethod
    def of(tables: Mapping[str, pa.Table], units: Sequence[Unit] | None = None) -> Batch:
        """The functions of base relations; `units` saves reading the flows out of `tables` where they are at hand."""
        titles: dict[int, str] = {}
        if "func" in tables and "source_file" in tables:
            paths = [str(path) for path in tables["source_file"].column("path").to_pylist()]
            for row in tables["func"].to_pylist():
                titles[row["func_id"]] = f"{paths[row['file']]}:{row['line']} {row['name']}"
        return Batch(tables, folders.units(tables) if units is None else units, titles)

    def title(self, unit: Unit) -> str:
        """`path:line name` where that is known, else the id in the relations."""
        return self.titles.get(unit.func, f"function {unit.func}")


@dataclass(slots=True)
class Outcome:
    """What one builder made: SSA forms in the order of the units, or, for expected_phi and llvm, phi sites only.

    seconds:        from base relations or flows in memory to phi sites; for Braun, who has no such point, to the end.
    rename_seconds: the rest.
    allowed:        differences from the others that this builder may have.
    """

    phis: list[list[tuple[int, int]]]
    forms: list[Ssa] | None
    seconds: float
    rename_seconds: float = 0.0
    allowed: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


@dataclass(slots=True)
class Comparison:
    """functions compared, outcomes by builder, differences (`allowed` ones apart)."""

    functions: int
    outcomes: dict[str, Outcome]
    mismatches: list[dict[str, Any]]
    allowed: list[dict[str, Any]]

    def as_json(self) -> dict[str, Any]:
        """Keys functions, builders (name to functions, phis, seconds, rename_seconds), mismatches, allowed."""
        return {
            "functions": self.functions,
            "builders": {
                name: {
                    "functions": len(outcome.phis),
                    "phis": sum(map(len, outcome.phis)),
                    "seconds": round(outcome.seconds, 3),
                    "rename_seconds": round(outcome.rename_seconds, 3),
                }
                for name, outcome in self.outcomes.items()
            },
            "mismatches": self.mismatches,
            "allowed": self.allowed,
        }


@young_garbage_only()
def compare(batch: Batch, names: Sequence[str], options: Mapping[str, Mapping[str, Any]] | None = None) -> Comparison:
    """Run the builders `names` on `batch` and collect every difference; `options` are those of each engine.

    If the batch's tables hold expected_phi, that counts as one more builder.
    Raises: UsageError if a name is unknown; EngineError as the engines do.
    """
    outcomes: dict[str, Outcome] = {}
    for name in names:
        if name not in BUILDERS:
            raise UsageError(f"no builder {name!r}; there are {', '.join(BUILDERS)}")
        if name in ENGINES:
            outcomes[name] = _relational(name, batch, (options or {}).get(name, {}))
        elif name == "llvm":
            outcomes[name] = _llvm(batch)
        else:
            outcomes[name] = _imperative(name, batch)
    if EXPECTED_PHI in batch.tables:
        outcomes["expected"] = _expected(batch)
    mismatches: list[dict[str, Any]] = []
    allowed: list[dict[str, Any]] = []
    compared = dict(outcomes)
    if "llvm" in outcomes:
        compared["llvm"] = _unfolded(batch, outcomes)
        allowed += compared["llvm"].allowed
    for number, unit in enumerate(batch.units):
        for found in _differences(batch, number, compared):
            others = {name for name in found["sides"] if name != "braun-no-scc"}
            lone = "braun-no-scc" in found["sides"] and len({found["sides"][name] for name in others}) <= 1
            if lone and is_irreducible(unit.flow):
                allowed.append({**found, "label": "Braun without its SCC step on an irreducible graph"})
            else:
                mismatches.append(found)
    return Comparison(len(batch.units), outcomes, mismatches, allowed)


def _relational(name: str, batch: Batch, options: Mapping[str, Any]) -> Outcome:
    engine = get_engine(name, **options)
    start = time.perf_counter()
    derived = engine.run(batch.tables, ("idom", "phi"))
    middle = time.perf_counter()
    forms = rename_all(batch.units, derived["idom"], derived["phi"])
    end = time.perf_counter()
    return Outcome([form.phis for form in forms], forms, middle - start, end - middle)


def _imperative(name: str, batch: Batch) -> Outcome:
    start = time.perf_counter()
    if name == "cytron":
        idoms = [immediate_dominators(unit.flow) for unit in batch.units]
        placed = [cytron.place_phis(unit.flow, idom) for unit, idom in zip(batch.units, idoms, strict=True)]
        middle = time.perf_counter()
        forms = [
            rename(unit.flow, *solved)
            for unit, solved in zip(batch.units, zip(idoms, placed, strict=True), strict=True)
        ]
    else:
        forms = [braun.build(unit.flow, remove_sccs=name == "braun") for unit in batch.units]
        middle = time.perf_counter()
    return Outcome([form.phis for form in forms], forms, middle - start, time.perf_counter() - middle)


def _llvm(batch: Batch) -> Outcome:
    functions = [unit.function for unit in batch.units if unit.function is not None]
    if len(functions) != len(batch.units):
        raise UsageError("the builder llvm takes .ll and .bc files, no database and no folder of relations")
    placed = llvm_peer.place_phis(functions, [unit.flow for unit in batch.units])
    later = [
        _site(batch, batch.units[number], "phi", block, slot, {"llvm": True}) | {"label": llvm_peer.LATER}
        for number, block, slot in placed.later
    ]
    return Outcome(placed.phis, None, placed.seconds, allowed=later)


def _unfolded(batch: Batch, outcomes: Mapping[str, Outcome]) -> Outcome:
    """LLVM's outcome with the phis that it folded put back, by the SSA form of another builder."""
    llvm = outcomes["llvm"]
    forms = next((outcome.forms for outcome in outcomes.values() if outcome.forms), None)
    if forms is None:
        return llvm
    allowed = list(llvm.allowed)
    phis: list[list[tuple[int, int]]] = []
    for unit, form, placed in zip(batch.units, forms, llvm.phis, strict=True):
        folded = set(form.phis) - set(placed)
        if folded and unit.function is not None:
            folded &= llvm_peer.foldable(unit.function, unit.flow, form)
        for block, variable in sorted(folded):
            site = _site(batch, unit, "phi", block, _variable(unit, variable), {"llvm": False})
            allowed.append(site | {"label": llvm_peer.FOLDED})
        phis.append(sorted({*placed, *folded}))
    return replace(llvm, phis=phis, allowed=allowed)


def _site(batch: Batch, unit: Unit, kind: str, block: int, variable: str, sides: dict[str, Any]) -> dict[str, Any]:
    place = {"function": batch.title(unit), "block": unit.blocks[block], "variable": variable}
    return {"kind": kind, **place, "sides": sides}


def _expected(batch: Batch) -> Outcome:
    """The phis of another tool, as sites of the units."""
    at = {block: (number, index) for number, unit in enumerate(batch.units) for index, block in enumerate(unit.blocks)}
    phis: list[list[tuple[int, int]]] = [[] for _ in batch.units]
    table = batch.tables[EXPECTED_PHI]
    for block, var in zip(*(table.column(name).to_numpy().tolist() for name in ("block", "var")), strict=True):
        number, index = at[block]
        vars = batch.units[number].vars
        phis[number].append((index, vars.index(var) if var in vars else CELL))
    return Outcome([sorted(sites) for sites in phis], None, 0.0)


def _differences(batch: Batch, number: int, outcomes: Mapping[str, Outcome]) -> list[dict[str, Any]]:
    """The differences in one function: each names block, variable and, under `sides`, what each builder has."""
    phis = {name: outcome.phis[number] for name, outcome in outcomes.items()}
    forms = {name: outcome.forms[number] for name, outcome in outcomes.items() if outcome.forms}
    first = next(iter(forms.values()), None)
    if all(form == first for form in forms.values()) and len(set(map(tuple, phis.values()))) <= 1:
        return []
    unit = batch.units[number]
    found: list[dict[str, Any]] = []

    def differ(kind: str, block: int, variable: int, sides: dict[str, Any]) -> None:
        if len(set(sides.values())) > 1:
            found.append(_site(batch, unit, kind, block, _variable(unit, variable), sides))

    for block, variable in sorted({site for sites in phis.values() for site in sites}):
        differ("phi", block, variable, {name: (block, variable) in sites for name, sites in phis.items()})
    for instr, block in enumerate(unit.flow.block_of()):
        for pos, variable in enumerate(unit.flow.uses[instr]):
            sides = {name: _source(unit, form, instr, pos) for name, form in forms.items()}
            differ("use", block, variable, sides)
    if not found:
        sides = {name: str(form.args) for name, form in forms.items()}
        differ("phi operands", 0, CELL, sides)
    return found


def _source(unit: Unit, form: Ssa, instr: int, pos: int) -> str:
    """Where a read value comes from, in the ids of the relations."""
    sites = form.use_site[instr]
    if sites is None:
        return "unreachable"
    if sites[pos] == UNDEFINED:
        return "undef"
    return f"instr {unit.instrs[sites[pos]]}" if sites[pos] >= 0 else f"phi in block {unit.blocks[-2 - sites[pos]]}"


def _variable(unit: Unit, variable: int) -> str:
    if variable == CELL:
        return "?"
    return repr(unit.flow.vars[variable]) if unit.flow.vars else f"variable {unit.vars[variable]}"


def is_irreducible(flow: Flow) -> bool:
    """Whether some cycle of `flow` can be entered at two blocks.

    An edge that goes back in reverse postorder must lead to a block that dominates its source.
    Cost: O(blocks + edges), and a walk up the dominator tree for each such edge.
    """
    idom = immediate_dominators(flow)
    order = flow.reverse_postorder()
    number = {block: at for at, block in enumerate(order)}
    for block in order:
        for target in flow.succ[block]:
            if number[target] <= number[block]:
                above = block
                while above >= 0 and above != target:
                    above = idom[above]
                if above != target:
                    return True
    return False
