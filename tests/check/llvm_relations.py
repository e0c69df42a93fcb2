"""LLVM functions in SSA form as relations that another tool might have written: their own values and phis."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pyarrow as pa

from ssarel import schema
from ssarel.engines import get_engine
from ssarel.frontends.llvm.assembly import Body
from ssarel.ssa_facts import SHAPES
from tests.test_llvm import reachable

CONSTANT = -1
"""The value of an operand that is none of the function's values."""


class Relations:
    """Functions as relations; `owners` has the function of each id of a kind.

    Parameters are written in front of the entry's first instruction. What an invoke returns is written in a block of
    its own on the normal edge, for only there is it known. Rows about values are those of reachable blocks, operands of
    phis those of other than unreachable predecessors.
    """

    def __init__(self) -> None:
        self.rows: dict[str, list[tuple[int, ...]]] = {}
        self.owners: dict[str, list[int]] = {"block": [], "instr": [], "value": []}

    def tables(self) -> dict[str, pa.Table]:
        """The base relations, `reachable` and `idom`, and those of values."""
        shapes = {name: tuple(relation.arrow.names) for name, relation in schema.BASE.items() if relation.is_input}
        made = {
            name: pa.table(
                [pa.array(list(column), pa.int32()) for column in zip(*self.rows.get(name, []), strict=True)]
                or [pa.array([], pa.int32())] * len(shape),
                list(shape),
            )
            for name, shape in {**shapes, **SHAPES}.items()
        }
        return made | get_engine("duckdb", threads=1).run({name: made[name] for name in shapes}, ("reachable", "idom"))

    def add(self, body: Body) -> None:
        """One more function."""
        func = len(self.rows.setdefault("entry", []))
        reached = reachable(body)
        blocks = {chunk.label: self.block(func, at) for at, chunk in enumerate(body.chunks)}
        names = [*body.params, *(step.result for step in body.steps() if step.result)]
        values = {name: self.new("value", func) for name in names}
        self.put("entry", func, blocks[body.chunks[0].label])
        self.write(func, blocks[body.chunks[0].label], 0, [values[name] for name in body.params])
        froms: dict[tuple[str, str], int] = {}
        for chunk in body.chunks:
            block = blocks[chunk.label]
            last = chunk.steps[-1]
            for at, target in enumerate(dict.fromkeys(last.targets)):
                source = block
                if last.op == "invoke" and last.result and at == 0:
                    source = self.block(func, len(body.chunks) + block)
                    self.put("edge", block, source)
                    if chunk.label in reached:
                        self.write(func, source, 0, [values[last.result]])
                froms[chunk.label, target] = source
                self.put("edge", source, blocks[target])
            for pos, step in enumerate(chunk.steps if chunk.label in reached else (), 1):
                if step.op == "phi":
                    self.put("ssa_phi", block, values[step.result or ""])
                    continue
                has_value = step.result is not None and step.op != "invoke"
                instr = self.write(func, block, pos, [values[step.result or ""]] if has_value else [])
                for at, name in enumerate(step.uses):
                    self.put("ssa_use", instr, at, values[name])
        for chunk in body.chunks:
            for phi in (step for step in chunk.steps if step.op == "phi" and chunk.label in reached):
                for name, label in dict.fromkeys(phi.incoming()):
                    if label in reached or (label, chunk.label) not in froms:
                        pred = froms.get((label, chunk.label), blocks[label])
                        self.put("ssa_phi_arg", values[phi.result or ""], pred, values.get(name, CONSTANT))

    def put(self, relation: str, *row: int) -> None:
        self.rows.setdefault(relation, []).append(row)

    def new(self, kind: str, func: int) -> int:
        self.owners[kind].append(func)
        return len(self.owners[kind]) - 1

    def block(self, func: int, pos: int) -> int:
        block = self.new("block", func)
        self.put("func_block", func, block, pos)
        return block

    def write(self, func: int, block: int, pos: int, values: Sequence[int]) -> int:
        """An instruction that makes `values`."""
        instr = self.new("instr", func)
        self.put("block_instr", block, instr, pos)
        for value in values:
            self.put("ssa_def", instr, value)
        return instr


def fits(body: Body) -> bool:
    """Whether all that LLVM's verifier judges of the phis of a function can be said in the relations."""
    reached = reachable(body)
    edges = Counter((chunk.label, target) for chunk in body.chunks for target in chunk.steps[-1].targets)
    for chunk in body.chunks:
        for phi in (step for step in chunk.steps if step.op == "phi"):
            operands = phi.incoming()
            times = Counter(label for _, label in operands)
            different = Counter(label for _, label in set(operands))
            for label in {*times, *(source for source, target in edges if target == chunk.label)}:
                repeats = edges[label, chunk.label]
                is_seen = chunk.label in reached and (label in reached or not repeats)
                is_wrong = times[label] != repeats or different[label] > 1
                if is_wrong and not (is_seen and (not repeats or not times[label] or different[label] > 1)):
                    return False
    return True
