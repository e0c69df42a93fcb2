"""The schema command: the data dictionary."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ssarel.cli.app import app
from ssarel.cli.output import Format, show

if TYPE_CHECKING:
    from ssarel.dictionary import Entry


class SchemaFormat(StrEnum):
    """How the dictionary is printed."""

    table = "table"
    json = "json"
    markdown = "markdown"


@app.command()
def schema(
    relation: Annotated[
        str | None, typer.Argument(metavar="[RELATION]", help="One relation or view in full; else a line on each.")
    ] = None,
    format: Annotated[SchemaFormat, typer.Option("--format", help="json has all.")] = SchemaFormat.table,
) -> None:
    """Print the data dictionary: relations, columns with types, and the rule file that derives each.

    The sentences are also comments in every database that analyze writes: duckdb_tables(), duckdb_columns().

    Examples:

        ssarel schema

        ssarel schema dom_frontier

        ssarel schema --format json
    """
    from ssarel import dictionary

    found = list(dictionary.catalogue().values()) if relation is None else [dictionary.find(relation)]
    if format is SchemaFormat.json:
        listed = [_json(entry) for entry in found]
        print(json.dumps(listed if relation is None else listed[0], indent=2, ensure_ascii=False))
    elif relation is None:
        _show(("relation", "kind", "holds if"), [(item.shape, item.kind, item.sentence) for item in found], format)
    else:
        _print(found[0], format)


def _print(entry: Entry, format: SchemaFormat) -> None:
    is_markdown = format is SchemaFormat.markdown
    print(f"### `{entry.shape}`\n" if is_markdown else entry.shape)
    print(f"{entry.definition or f'Holds if {entry.sentence}.'}\n")
    for title, text in (("Defined in", ", ".join(entry.files)), ("Source", entry.source), ("Cost", entry.cost)):
        if text:
            print(f"* {title}: {text}" if is_markdown else f"{title + ':':<12}{text}")
    if entry.files:
        print()
    _show(("column", "type", "means"), [(item.name, item.type, item.means) for item in entry.columns], format)


def _show(columns: Sequence[str], rows: Sequence[Sequence[str]], format: SchemaFormat) -> None:
    show(columns, rows, Format(format.value))


def _json(entry: Entry) -> dict[str, Any]:
    return {
        "relation": entry.name,
        "kind": entry.kind,
        "holds_if": entry.sentence,
        "columns": [{"name": item.name, "type": item.type, "means": item.means} for item in entry.columns],
        "files": entry.files,
        "definition": entry.definition,
        "source": entry.source,
        "cost": entry.cost,
    }
