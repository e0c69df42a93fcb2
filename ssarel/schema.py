"""Relation shapes, read from the `.decl` lines where they are written once."""

from __future__ import annotations

import re
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
