"""Relation shapes, read from the `.decl` lines where they are written once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from ssarel.errors import SchemaError
from ssarel.resources import folder

_DECL = re.compile(r"^\.decl\s+(\w+)\(([^)]*)\)", re.MULTILINE)
_INPUT = re.compile(r"^\.input\s+(\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Relation:
    """A named set of rows.

    name:     the one word used in .dl, .sql and Python.
    columns:  (column, type) in declared order; a type is one of the `.type` names of facts/schema.dl, or `number`
              or `symbol`.
    is_input: the rules read it.
    """

    name: str
    columns: tuple[tuple[str, str], ...]
    is_input: bool = False

    @property
    def arrow(self) -> pa.Schema:
        """Its Arrow schema: 32-bit integers, and strings for symbols."""
        return pa.schema([(name, pa.string() if kind == "symbol" else pa.int32()) for name, kind in self.columns])


def parse_relations(text: str) -> dict[str, Relation]:
    """The relations declared in Datalog source `text`, in file order.

    Raises: SchemaError if a name is declared twice.
    """
    inputs = set(_INPUT.findall(text))
    relations: dict[str, Relation] = {}
    for name, body in _DECL.findall(text):
        if name in relations:
            raise SchemaError(f"relation {name!r} is declared twice")
        pairs = (column.split(":") for column in body.split(",") if column.strip())
        columns = tuple((column.strip(), kind.strip()) for column, kind in pairs)
        relations[name] = Relation(name, columns, name in inputs)
    return relations


BASE = parse_relations((folder("facts") / "schema.dl").read_text(encoding="utf-8"))
"""The base relations of facts/schema.dl by name."""

STRATA = (
    "cfg/bfs_level",
    "cfg/reachable",
    "dominance/idom",
    "dominance/dom_frontier",
    "liveness/def_block",
    "liveness/upward_use",
    "liveness/live_in",
    "liveness/live_out",
    "phi/phi",
)
"""Rule files in evaluation order: each reads base relations and earlier ones only."""


def _derived() -> dict[str, Relation]:
    relations: dict[str, Relation] = {}
    for stratum in STRATA:
        declared = parse_relations((folder("rules") / f"{stratum}.dl").read_text(encoding="utf-8"))
        name = stratum.split("/")[1]
        relations[name] = declared[name]
    return relations


DERIVED = _derived()
"""The relations that the rules define, by name, in evaluation order; private helpers of a file are not among them."""


def sql_of(name: str) -> str:
    """The select of the derived relation `name`, as its .sql file has it."""
    stratum = next(stratum for stratum in STRATA if stratum.endswith(f"/{name}"))
    return (folder("rules") / f"{stratum}.sql").read_text(encoding="utf-8")


def needed(outputs: Sequence[str]) -> list[str]:
    """`outputs` and the derived relations that their SQL reads, in evaluation order.

    Raises: SchemaError if there is no such relation.
    """
    for name in outputs:
        if name not in DERIVED:
            raise SchemaError(f"no derived relation {name!r}; there are {', '.join(DERIVED)}")
    wanted = set(outputs)
    for name in reversed(DERIVED):
        if name in wanted:
            wanted |= set(re.findall(r"\w+", re.sub(r"--.*", "", sql_of(name)))) & set(DERIVED)
    return [name for name in DERIVED if name in wanted]
