"""Rule packs: relations of a user's own, a file each, derived after all others over everything a run made."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from ssarel import database, schema
from ssarel.database import VIEWS
from ssarel.engines.duckdb import execute
from ssarel.engines.souffle import SouffleEngine
from ssarel.errors import InputError, UsageError
from ssarel.schema import parse_relations
from ssarel.ssa_facts import SSA

ENDINGS = {"duckdb": ".sql", "souffle": ".dl"}
"""What each engine reads; a pack may have both, file beside file."""

_COMMENT = re.compile(r"(?s)--[^\n]*|//[^\n]*|/\*.*?\*/")
_LINE = re.compile(r"^LINE (\d+):", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class UserRule:
    """One file of a pack: the relation it defines and its text."""

    relation: str
    path: Path
    text: str


def read(folder: Path, engine: str) -> list[UserRule]:
    """The rules in `folder` that `engine` evaluates, each after those that it names.

    Raises: UsageError if there are none, a name is no identifier or stands for a relation of ssarel's, or relations
            need each other.
    """
    ending = ENDINGS[engine]
    rules = {path.stem: UserRule(path.stem, path, path.read_text("utf-8")) for path in folder.glob(f"*{ending}")}
    if not rules:
        raise UsageError(f"{folder}: no {ending} files, which engine {engine} evaluates")
    taken = {*schema.BASE, *(rule.relation for rule in schema.STRATA), *SSA, *VIEWS, "run"}
    for rule in rules.values():
        if not re.fullmatch(r"[a-z_]\w*", rule.relation):
            raise UsageError(f"{rule.path}: {rule.relation!r} is no name of a relation: lower case, digits, _")
        if rule.relation in taken:
            raise UsageError(f"{rule.path}: ssarel has a relation {rule.relation}; give yours another name")
    named = {name: set(re.findall(r"\w+", _COMMENT.sub("", rule.text))) for name, rule in rules.items()}
    needs = {name: sorted((words & rules.keys()) - {name}) for name, words in sorted(named.items())}
    try:
        return [rules[name] for name in TopologicalSorter(needs).static_order()]
    except CycleError as error:
        circle = " needs ".join(reversed(error.args[1]))
        raise UsageError(f"{folder}: {circle}; put relations that need each other in one file") from error


def digest(rules: Sequence[UserRule]) -> str:
    """What the rules say, as one short word."""
    parts = "\0".join(f"{rule.path.name}\0{rule.text}" for rule in rules)
    return hashlib.sha256(parts.encode()).hexdigest()[:16]


def write(
    path: Path, tables: Mapping[str, pa.Table], mark: str, rules: Sequence[UserRule], limits: Mapping[str, Any]
) -> None:
    """As `database.write`, with the relation of each of `rules` too.

    limits: of the engine, see its class.
    Raises: as `derive` and `create` do; then nothing is written.
    """
    if rules and rules[0].path.suffix == ENDINGS["souffle"]:
        tables = {**tables, **derive(SouffleEngine(**limits), tables, rules)}
        rules = []
    database.write(path, tables, mark=mark, extend=lambda connection: create(connection, rules))


def create(connection: duckdb.DuckDBPyConnection, rules: Sequence[UserRule]) -> None:
    """Create the table of each of `rules` in a database of ssarel's, whose tables and views they may all name.

    Raises: InputError that names the file and the line.
    """
    for rule in rules:
        try:
            execute(connection, f'create table "{rule.relation}" as\n{rule.text.rstrip().rstrip(";")}')
        except duckdb.Error as error:
            found = _LINE.search(str(error))
            line = f":{int(found[1]) - 1}" if found else ""
            raise InputError(f"{rule.path}{line}: {_LINE.sub('', str(error)).strip()}") from error


def derive(engine: SouffleEngine, tables: Mapping[str, pa.Table], rules: Sequence[UserRule]) -> dict[str, pa.Table]:
    """The relation of each of `rules`, .dl files, over `tables`, everything a run made.

    Raises: InputError if a file does not declare the relation of its name; EngineError with Soufflé's message, which
            names the file and the line.
    """
    shapes: dict[str, schema.Relation] = {}
    for rule in rules:
        declared = parse_relations(rule.text)
        if rule.relation not in declared:
            raise InputError(f"{rule.path}: does not declare {rule.relation}, the relation of its name")
        shapes[rule.relation] = declared[rule.relation]
    return engine.extend("\n".join(f'.include "{rule.path.absolute()}"' for rule in rules), tables, shapes)
