"""Soufflé's own provenance: proof trees for rows of the relations that phi rests on, and a judge of their leaves."""

from __future__ import annotations

import json
import operator
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import duckdb

from ssarel import schema
from ssarel.engines.souffle import INPUTS, write_facts
from ssarel.resources import folder

RULES = schema.needed(["phi", "live_in"])
SHAPES = {**INPUTS, **{rule.relation: schema.parse_relations(rule.datalog)[rule.relation] for rule in RULES}}
REFUSED = {"axiom": "Tuple not found"}

GIVEN = "bfs_tree"
"""Facts here: with provenance, Soufflé 2.5 crashes on a choice domain."""

COMPARE = {"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt}

Row = tuple[int, ...]
Claim = tuple[str, Row]


class Prover:
    """Soufflé with provenance, on base relations and the breadth-first tree.

    tables: what DuckDB makes of the same rules, by relation. axioms: those of them that Soufflé is given.
    """

    def __init__(self, base: duckdb.DuckDBPyConnection, work: Path) -> None:
        given = {name: base.table(name).to_arrow_table() for name in INPUTS}
        with duckdb.connect() as connection:
            for name, table in given.items():
                connection.from_arrow(table).create(name)
            for rule in RULES:
                connection.execute(f"create table {rule.relation} as {rule.sql}")
            self.tables = {name: set[Row](connection.table(name).fetchall()) for name in SHAPES}
            given[GIVEN] = connection.table(GIVEN).to_arrow_table()
        self.axioms = {name: self.tables[name] for name in given}
        write_facts(given, work, {name: SHAPES[name] for name in given})
        self.work = work
        derived = [rule for rule in RULES if rule.relation not in given]
        lines = (f'.include "{rule.file}.dl"\n.output {rule.relation}\n' for rule in derived)
        columns = ", ".join(f"{column}: {kind}" for column, kind in SHAPES[GIVEN].columns)
        head = f'.include "../facts/schema.dl"\n.decl {GIVEN}({columns})\n.input {GIVEN}\n'
        (work / "explained.dl").write_text(head + "".join(lines))
        self._any: dict[str, set[int]] = {}
        for name, args in re.findall(r"!(\w+)\(([^)]*)\)", "".join(rule.datalog for rule in derived)):
            free = {at for at, arg in enumerate(args.split(",")) if arg.strip() == "_"}
            self._any[name] = self._any.get(name, set()) | free

    def ask(self, claims: Iterable[Claim]) -> list[dict[str, Any]]:
        """A proof tree for each claim, or `REFUSED`. A node has `premises`, its claim, and `children`, or `axiom`."""
        asked = "".join(f"explain {name}({', '.join(map(str, row))})\n" for name, row in claims)
        command = ["souffle", "--no-preprocessor", "-t", "explain", "-I", str(folder("rules")), "-F", ".", "-D", "."]
        typed = f"format json\nsetdepth 10000\n{asked}exit\n"
        done = subprocess.run(
            [*command, "explained.dl"], cwd=self.work, input=typed, capture_output=True, text=True, check=True
        )
        proofs: list[dict[str, Any]] = []
        at = 0
        while at < len(done.stdout):
            answer, at = json.JSONDecoder().raw_decode(done.stdout, at)
            proofs.append(answer["proof"])
            at += 1  # the end of its line
        return proofs

    def unproved(self, claims: Iterable[Claim]) -> list[str]:
        """The claims that Soufflé does not prove, and the leaves of its proofs that do not hold."""
        claims = list(claims)
        proofs = dict(zip(claims, self.ask(claims), strict=True))
        wrong = [claim for claim, proof in proofs.items() if _claim(proof.get("premises") or proof["axiom"]) != claim]
        leaves = {leaf for claim, proof in proofs.items() if claim not in wrong for leaf in _leaves(proof)}
        # Helpers of one rule file are no tables in DuckDB: Soufflé itself is asked for what it denies.
        helpers = [_claim(leaf[1:]) for leaf in leaves if leaf.startswith("!_")]
        wrong += [helper for helper, proof in zip(helpers, self.ask(helpers), strict=True) if proof != REFUSED]
        return [f"{name}{row}" for name, row in wrong] + sorted(
            leaf for leaf in leaves if not leaf.startswith("!_") and not self.holds(leaf)
        )

    def holds(self, leaf: str) -> bool:
        """Whether `leaf` is a row that Soufflé was given, a comparison that is true, or `!` and no row of DuckDB's."""
        if comparison := re.fullmatch(r"(-?\d+) (\S+) (-?\d+)", leaf):
            return COMPARE[comparison[2]](int(comparison[1]), int(comparison[3]))
        name, row = _claim(leaf.removeprefix("!"))
        if not leaf.startswith("!"):
            return row in self.axioms.get(name, ())
        # Where a rule denies any value, the proof shows 0.
        told = [at for at in range(len(row)) if at not in self._any[name]]
        return all(any(row[at] != made[at] for at in told) for made in self.tables[name])


def _leaves(proof: dict[str, Any]) -> Iterator[str]:
    pending = [proof]
    while pending:
        node = pending.pop()
        if "axiom" in node:
            yield node["axiom"]
        pending += node.get("children", ())


def _claim(atom: str) -> Claim:
    name, _, args = atom.partition("(")
    return name, tuple(map(int, re.findall(r"-?\d+", args)))
