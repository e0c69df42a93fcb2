"""Soufflé's .facts files: a row a line, fields separated by a tab and never quoted.

In texts backslash, tab, line feed, carriage return and NUL are written \\\\ \\t \\n \\r \\0. A missing number is -1.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pc

_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r", "\0": "\\0"})
_ESCAPE = re.compile(r"\\[\\tnr0]")
_ESCAPED = {text: chr(char) for char, text in _ESCAPES.items()}


def write(table: pa.Table, path: Path) -> None:
    """Write `table` to the file `path`. Raises: OSError."""
    columns: list[Any] = []
    for column in table.columns:
        if pa.types.is_string(column.type):
            columns.append(["" if text is None else text.translate(_ESCAPES) for text in column.to_pylist()])
        else:
            columns.append(["-1" if number is None else str(number) for number in column.to_pylist()])
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines("\t".join(row) + "\n" for row in zip(*columns, strict=True))


def read(path: Path, shape: pa.Schema) -> pa.Table:
    """The file `path` as a table of `shape`.

    -1 is a missing number in a relation that has texts; elsewhere it is what it is, the value undef.
    Raises: OSError; pyarrow.ArrowInvalid for a row that does not fit.
    """
    table = read_plain(path, shape)
    if not any(map(pa.types.is_string, shape.types)):
        return table
    columns: list[Any] = []
    for values, kind in zip(table.to_pydict().values(), shape.types, strict=True):
        if pa.types.is_string(kind):
            columns.append([_ESCAPE.sub(lambda found: _ESCAPED[found[0]], text) for text in values])
        else:
            columns.append([None if number == -1 else number for number in values])
    return pa.Table.from_pydict(dict(zip(shape.names, columns, strict=True)), schema=shape)


def read_plain(path: Path, shape: pa.Schema) -> pa.Table:
    """The fields of the file `path` as they stand there. Raises: as `read`."""
    if path.stat().st_size == 0:
        return shape.empty_table()
    return pc.read_csv(
        path,
        pc.ReadOptions(column_names=shape.names),
        pc.ParseOptions(delimiter="\t", quote_char=False),
        pc.ConvertOptions(column_types=shape),
    )
