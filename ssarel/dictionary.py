"""The data dictionary: what each relation of a database and each of its columns means, read from where it is written.

The sentences and the meanings of columns are in facts/README.md, shapes in the `.decl` lines, definitions, sources and
costs in the comments above those or at the top of the file that makes the relation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from ssarel import schema
from ssarel.errors import SchemaError, UsageError, near
from ssarel.resources import folder
from ssarel.ssa_facts import SSA

_ROW = re.compile(r"^\| `(\w+)\(([\w, ]+)\)` \| (.+) \|$", re.MULTILINE)
_COLUMN = re.compile(r"^\| `([\w.]+)` \| (\w+) \| (.+) \|$", re.MULTILINE)
_FIELD = re.compile(r"^(Source|Cost): +")


@dataclass(frozen=True, slots=True)
class Column:
    """type: one of the `.type` names of facts/schema.dl and facts/ssa.dl, or `number` or `symbol`."""

    name: str
    type: str
    means: str


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known about one relation.

    kind:       base, derived, ssa, view or run.
    sentence:   it holds if this is so.
    files:      where it is defined, below facts/, rules/ or queries/; none for what ssarel itself fills.
    definition: what is written there, as prose; for a view the question that it answers, and its notes.
    source:     the paper or book, empty if none is named. cost: rows or work, likewise.
    """

    name: str
    kind: str
    columns: tuple[Column, ...]
    sentence: str
    files: tuple[str, ...] = ()
    definition: str = ""
    source: str = ""
    cost: str = ""

    @property
    def shape(self) -> str:
        """Its name with its columns, as facts/README.md has it."""
        return f"{self.name}({', '.join(column.name for column in self.columns)})"


@cache
def catalogue() -> dict[str, Entry]:
    """Every relation and view of a database, by name, in the order of facts/README.md.

    Raises: SchemaError if a column has no meaning there.
    """
    text = (folder("facts") / "README.md").read_text("utf-8")
    columns = {name: (kind, means) for name, kind, means in _COLUMN.findall(text)}
    return {
        name: _entry(name, tuple(_columns(name, shape.split(", "), columns)), sentence)
        for name, shape, sentence in _ROW.findall(text)
    }


def find(name: str) -> Entry:
    """What is known about the relation `name`. Raises: UsageError, with near names."""
    entries = catalogue()
    if name not in entries:
        hint = near(name, entries) or "`ssarel schema` shows them"
        raise UsageError(f"there is no relation {name!r}; {hint}")
    return entries[name]


def comments(names: Iterable[str]) -> Iterator[str]:
    """SQL that says in a database what the relations and views `names` and their columns mean; others are left out."""
    for entry in filter(None, map(catalogue().get, names)):
        yield f'comment on {"view" if entry.kind == "view" else "table"} "{entry.name}" is {_quoted(entry.sentence)}'
        for column in entry.columns:
            yield f'comment on column "{entry.name}"."{column.name}" is {_quoted(f"{column.type}: {column.means}")}'


def _quoted(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"


def _columns(relation: str, names: list[str], known: dict[str, tuple[str, str]]) -> Iterator[Column]:
    for name in names:
        found = known.get(f"{relation}.{name}") or known.get(name)
        if found is None:
            raise SchemaError(f"facts/README.md: column {name} of {relation} has no row under Columns")
        yield Column(name, *found)


def _entry(name: str, columns: tuple[Column, ...], sentence: str) -> Entry:
    view = folder("queries") / "view" / f"{name}.sql"
    for kind, rules in (("derived", schema.STRATA), ("view", schema.AFTER_SSA)):
        for rule in rules:
            if rule.name == name:
                files = (f"rules/{rule.file}.dl", f"rules/{rule.file}.sql")
                return Entry(name, kind, columns, sentence, files, *_top(rule.datalog, "//"))
    if view.exists():
        return Entry(
            name, "view", columns, sentence, (f"queries/view/{name}.sql",), *_top(view.read_text("utf-8"), "--")
        )
    for kind, relations, file in (("base", schema.BASE, "schema.dl"), ("ssa", SSA, "ssa.dl")):
        if name in relations:
            comment = _above((folder("facts") / file).read_text("utf-8"), name)
            return Entry(name, kind, columns, sentence, (f"facts/{file}",), *_fields(comment))
    return Entry(name, "run", columns, sentence)


def _top(text: str, mark: str) -> tuple[str, str, str]:
    """What the comment at the top of a file says after its first line, the name of the file."""
    lines = text.splitlines()
    end = next((at for at, line in enumerate(lines) if not line.startswith(mark)), len(lines))
    return _fields([line.removeprefix(mark).removeprefix(" ") for line in lines[1:end]])


def _above(text: str, relation: str) -> list[str]:
    """The comment lines right above the `.decl` of `relation`."""
    lines = text.partition(f".decl {relation}(")[0].splitlines()
    start = next((at for at in range(len(lines), 0, -1) if not lines[at - 1].startswith("//")), 0)
    return [line.removeprefix("// ") for line in lines[start:]]


def _fields(lines: Iterable[str]) -> tuple[str, str, str]:
    """Prose, source and cost of a comment; paragraphs of the prose stay apart."""
    texts: dict[str, list[str]] = {"": [], "Source": [], "Cost": []}
    field = ""
    for line in lines:
        if found := _FIELD.match(line):
            field = found[1]
        texts[field].append(_FIELD.sub("", line).strip())
    paragraphs = "\n".join(texts[""]).split("\n\n")
    prose = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    return prose.strip(), " ".join(texts["Source"]).strip(), " ".join(texts["Cost"]).strip()
