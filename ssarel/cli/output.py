"""Rows as text: tables for people, csv, json, jsonl and markdown for programs."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import chain
from typing import Any

NARROW = 24
"""Columns up to this many characters are never folded on a terminal; wider ones share what is left of its width."""


class Format(StrEnum):
    """How rows are printed."""

    table = "table"
    csv = "csv"
    json = "json"
    jsonl = "jsonl"
    markdown = "markdown"


def show(columns: Sequence[str], rows: Iterable[Sequence[Any]], format: Format) -> None:
    """Print `rows` under `columns`. csv, json and jsonl stream; table and markdown hold all rows, to align them."""
    stream = sys.stdout
    match format:
        case Format.table:
            table(columns, rows)
        case Format.csv:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows([_text(value) for value in row] for row in rows)
        case Format.json:
            stream.write("[")
            for at, row in enumerate(rows):
                stream.write(f"{',' if at else ''}\n  {_json(columns, row)}")
            stream.write("\n]\n")
        case Format.jsonl:
            for row in rows:
                stream.write(_json(columns, row) + "\n")
        case Format.markdown:
            cells = [[_text(value).replace("|", "\\|").replace("\n", " ") for value in row] for row in rows]
            for line in chain([list(columns), ["---"] * len(columns)], cells):
                stream.write(f"| {' | '.join(line)} |\n")


def table(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """A ruled table on a terminal, aligned plain columns elsewhere. Numbers are set to the right."""
    stream = sys.stdout
    held = [list(row) for row in rows]
    numeric = [
        bool(held) and all(isinstance(row[at], int | float) or row[at] is None for row in held)
        for at in range(len(columns))
    ]
    cells = [[_text(value).replace("\n", "\\n") for value in row] for row in held]
    widths = [max(map(len, column)) for column in zip(columns, *cells, strict=True)]
    if stream.isatty():
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        ruled = Table(header_style="bold", box=None, pad_edge=False)
        for name, is_number, width in zip(columns, numeric, widths, strict=True):
            side = "right" if is_number else "left"
            ruled.add_column(Text(name), justify=side, overflow="fold", no_wrap=width <= NARROW)
        for row in cells:
            ruled.add_row(*(Text(cell) for cell in row))
        Console(file=stream).print(ruled)
        return
    for row in [list(columns), ["-" * width for width in widths], *cells]:
        fields = (
            cell.rjust(width) if is_number else cell.ljust(width)
            for cell, width, is_number in zip(row, widths, numeric, strict=True)
        )
        stream.write("  ".join(fields).rstrip() + "\n")


def _text(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | dict | tuple):
        return json.dumps(_plain(value), ensure_ascii=False)
    return str(value)


def _json(columns: Sequence[str], row: Sequence[Any]) -> str:
    return json.dumps({name: _plain(value) for name, value in zip(columns, row, strict=True)}, ensure_ascii=False)


def _plain(value: Any) -> Any:
    """`value` as JSON has it: other kinds become text, infinities and NaN null."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case list() | tuple():
            return [_plain(item) for item in value]
        case dict():
            return {str(key): _plain(item) for key, item in value.items()}
        case _:
            return str(value)
