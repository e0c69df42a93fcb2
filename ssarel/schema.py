"""Relation shapes and the order of rules, read from the files where they are written once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ssarel.errors import SchemaError
from ssarel.resources import folder

if TYPE_CHECKING:
    import pyarrow as pa

_DECL = re.compile(r"^\.decl\s+(\w+)\(([^)]*)\)", re.MULTILINE)
_INPUT = re.compile(r"^\.input\s+(\w+)", re.MULTILINE)
_WORD = re.compile(r"(?:\b(\w+)\.)?\b(\w+)")


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
        import pyarrow as pa

        return pa.schema([(name, pa.string() if kind == "symbol" else pa.int32()) for name, kind in self.columns])


@dataclass(frozen=True)
class Rule:
    """The evaluation of one rule file, which defines the relation of its name.

    file:  its path in rules/ without .dl or .sql.
    space: where the relation is put: `main`, or `reverse`, whose own relations hide those of the same name in `main`.
           A schema in DuckDB, a component in Soufflé.
    """

    file: str
    space: str = "main"

    @property
    def relation(self) -> str:
        """The relation it defines, without its space."""
        return self.file.split("/")[1]

    @property
    def name(self) -> str:
        """The relation it defines, as rules in `main` write it."""
        return self.relation if self.space == "main" else f"{self.space}.{self.relation}"

    @property
    def sql(self) -> str:
        """The select that defines the relation."""
        return (folder("rules") / f"{self.file}.sql").read_text(encoding="utf-8")

    @property
    def datalog(self) -> str:
        """The rules that define the relation."""
        return (folder("rules") / f"{self.file}.dl").read_text(encoding="utf-8")


DOMINANCE = (
    "cfg/bfs_tree",
    "dominance/approach",
    "dominance/meet",
    "dominance/stop",
    "dominance/stop_edge",
    "dominance/idom_depth",
    "dominance/idom",
    "dominance/dom_frontier",
)
"""From `entry` and `edge` to the dominator tree and the frontiers, whichever way the edges point."""

STRATA = (
    *(Rule(file) for file in DOMINANCE),
    Rule("dominance/dom_tree"),
    Rule("cfg/reachable"),
    Rule("liveness/def_block"),
    Rule("liveness/upward_use"),
    Rule("liveness/live_in"),
    Rule("liveness/live_out"),
    Rule("phi/phi_candidate"),
    Rule("phi/phi_demand"),
    Rule("phi/phi"),
    Rule("loops/back_edge"),
    Rule("loops/loop_header"),
    Rule("loops/loop_block"),
    Rule("loops/sibling_cycle"),
    Rule("loops/irreducible_edge"),
    Rule("control/ends"),
    Rule("control/exit_edge"),
    Rule("control/reverse_edge"),
    Rule("reverse/entry", "reverse"),
    Rule("reverse/edge", "reverse"),
    *(Rule(file, "reverse") for file in DOMINANCE),
    Rule("control/post_idom"),
    Rule("control/control_dep"),
)
"""Rules in evaluation order: each reads base relations and earlier ones only."""

AFTER_SSA = tuple(
    Rule(f"constant/{name}") for name in ("computation", "conditional_edge", "outcome", "executable_edge", "constant")
)
"""Rules, in evaluation order, over base relations and those that renaming makes. Databases have them as views, so they
cost nothing until somebody asks; rules/constants.dl is the same for Soufflé.
"""

OUT_OF_SSA = (Rule("interference/live_range"), Rule("interference/interfere"))
"""Rules, in evaluation order, over functions whose phis have become copies; see rules/interference.dl."""

_ORDER = (*STRATA, *OUT_OF_SSA)
_RULES = {rule.name: rule for rule in _ORDER}


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


def _derived() -> dict[str, Relation]:
    outputs = re.findall(r"^\.output (\w+)", (folder("rules") / "main.dl").read_text(encoding="utf-8"), re.MULTILINE)
    rules = [rule for rule in STRATA if rule.name in outputs]
    return {rule.name: parse_relations(rule.datalog)[rule.relation] for rule in rules}


DERIVED = _derived()
"""The relations that the rules define for use outside, by name, in evaluation order; helpers are not among them."""

COPIES = parse_relations((folder("facts") / "copies.dl").read_text(encoding="utf-8"))
"""What the rules out of SSA form read besides base relations."""

INTERFERENCE = {rule.name: parse_relations(rule.datalog)[rule.relation] for rule in OUT_OF_SSA}
"""The relations that the rules out of SSA form define, by name."""


def inputs(outputs: Sequence[str]) -> dict[str, Relation]:
    """The relations that rules read to derive `outputs`, by name; for those of `DERIVED` all that have an `.input`."""
    given = {**BASE, **COPIES} if INTERFERENCE.keys() & {*outputs} else BASE
    return {name: relation for name, relation in given.items() if relation.is_input}


def needed(outputs: Sequence[str]) -> list[Rule]:
    """The rules of `outputs` and of all that their SQL reads, in evaluation order.

    Raises: SchemaError if there is no such derived relation.
    """
    for name in outputs:
        if name not in DERIVED and name not in INTERFERENCE:
            raise SchemaError(f"no derived relation {name!r}; there are {', '.join(DERIVED)}")
    wanted = {_RULES[name] for name in outputs}
    for rule in reversed(_ORDER):
        if rule in wanted:
            wanted |= needed_by(rule)
    return [rule for rule in _ORDER if rule in wanted]


def needed_by(rule: Rule) -> set[Rule]:
    """The rules of the relations that the SQL of `rule` names; in a space, names mean its own relations first."""
    found: set[Rule] = set()
    for qualifier, word in _WORD.findall(re.sub(r"--.*", "", rule.sql)):
        names = (f"{qualifier}.{word}", f"{rule.space}.{word}", word)
        named = next((_RULES[name] for name in names if name in _RULES), rule)
        if named != rule:
            found.add(named)
    return found
