"""Parts of a run and how they become one: functions are independent, so files can be analysed in any grouping.

Ids of a file are consecutive in every kind of id, files in the order of their paths. So a part, whether it was made by
a worker just now or read from an earlier database, is brought to its place by adding, for each file and kind of id,
one number; the whole has the ids that a run over all files at once gives.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from ssarel import schema
from ssarel.engines import DEFAULT_OUTPUTS
from ssarel.facts import Ints
from ssarel.schema import Relation
from ssarel.ssa_facts import SSA

KINDS = ("File", "Func", "Block", "Instr", "Var", "Value")
"""The kinds of id; each is the type of the columns that hold it."""


def relations(names: Sequence[str]) -> dict[str, Relation]:
    """The shapes of base, derived and SSA relations `names`."""
    known = {**schema.BASE, **schema.DERIVED, **SSA}
    return {name: known[name] for name in names}


def output_names() -> list[str]:
    """Names of all relations of a part: base, what engines derive by default, SSA."""
    return [*schema.BASE, *DEFAULT_OUTPUTS, *SSA]


@dataclass(slots=True)
class Part:
    """Relations over some files.

    tables: by name; ids count from 0 or from anywhere, consecutive in each file, files in the order of their ids.
    paths:  the files, in that order.
    starts: for each kind of id, the first one of each file, and one more entry: past the last.
    """

    tables: Mapping[str, pa.Table]
    paths: list[str]
    starts: dict[str, Ints]


def part(tables: Mapping[str, pa.Table]) -> Part:
    """The part that `tables` are, base and SSA relations among them. Cost: sorts what says who owns an id."""
    files = _column(tables, "source_file", "file")
    paths = [str(path) for path in tables["source_file"].column("path").to_pylist()]
    owner: dict[str, tuple[Ints, Ints]] = {"File": (files, files)}
    owner["Func"] = (_column(tables, "func", "func_id"), _column(tables, "func", "file"))
    for kind, relation, key, of, above in (
        ("Block", "func_block", "block", "func", "Func"),
        ("Instr", "block_instr", "instr", "block", "Block"),
        ("Var", "var_name", "var", "func", "Func"),
    ):
        owner[kind] = (_column(tables, relation, key), _owners(owner[above], _column(tables, relation, of)))
    owner["Value"] = (
        np.concatenate([_column(tables, "ssa_def", "value"), _column(tables, "ssa_phi", "value")]),
        np.concatenate(
            [
                _owners(owner["Instr"], _column(tables, "ssa_def", "instr")),
                _owners(owner["Block"], _column(tables, "ssa_phi", "block")),
            ]
        ),
    )
    return Part(tables, paths, {kind: _starts(*owner[kind], files) for kind in KINDS})


def _column(tables: Mapping[str, pa.Table], relation: str, column: str) -> Ints:
    return tables[relation].column(column).to_numpy().astype(np.int64)


def _owners(above: tuple[Ints, Ints], ids: Ints) -> Ints:
    """The file of each of `ids`, where `above` has (id, file) rows."""
    order = np.argsort(above[0], kind="stable")
    return above[1][order][np.searchsorted(above[0][order], ids)]


def _starts(ids: Ints, owners: Ints, files: Ints) -> Ints:
    """The first id of each of `files`, a file without any where the next one starts, and past the last id."""
    end = int(ids.max()) + 1 if len(ids) else 0
    lowest = np.full(len(files) + 1, end, np.int64)
    np.minimum.at(lowest, np.searchsorted(files, owners), ids)
    return np.minimum.accumulate(lowest[::-1])[::-1]


def merge(parts: Sequence[Part], paths: Sequence[str]) -> dict[str, pa.Table]:
    """One set of relations over the files `paths`, in that order; each is taken from the last of `parts` that has it.

    Rows of base and SSA relations come in the order of their ids, those of derived relations sorted by all columns.
    Raises: KeyError if no part has one of the paths.
    Cost:   a sort of each relation.
    """
    where = {path: (number, at) for number, one in enumerate(parts) for at, path in enumerate(one.paths)}
    places = [where[path] for path in paths]
    shifts = [{kind: np.full(len(one.paths), -1, np.int64) for kind in KINDS} for one in parts]
    for kind in KINDS:
        base = 0
        for number, at in places:
            starts = parts[number].starts[kind]
            shifts[number][kind][at] = base
            base += int(starts[at + 1] - starts[at])
    whole: dict[str, pa.Table] = {}
    for name, relation in relations(list(parts[0].tables)).items():
        moved = [_move(one, shift, name, relation) for one, shift in zip(parts, shifts, strict=True)]
        whole[name] = _sort(pa.concat_tables(moved), name in schema.DERIVED)
    return whole


def _move(one: Part, bases: Mapping[str, Ints], name: str, relation: Relation) -> pa.Table:
    """The rows of one relation whose file is kept, with their new ids. The first id column decides about the file."""
    table = one.tables[name]
    columns: list[pa.ChunkedArray[Any] | pa.Array[Any]] = []
    kept: np.ndarray[Any, Any] | None = None
    for column, (_, kind) in zip(table.columns, relation.columns, strict=True):
        if kind not in KINDS:
            columns.append(column)
            continue
        missing = column.is_null().to_numpy() if column.null_count else None
        ids = (column.fill_null(_missing()) if column.null_count else column).to_numpy().astype(np.int64)
        starts = one.starts[kind]
        file = np.clip(np.searchsorted(starts[:-1], ids, side="right") - 1, 0, None)
        base = bases[kind][file]
        if kept is None:
            kept = base >= 0
        moved = np.where(ids >= 0, ids - starts[file] + base, ids).astype(np.int32)
        columns.append(pa.array(moved, pa.int32(), mask=missing))
    result = pa.table(columns, schema=relation.arrow)
    return result if kept is None or kept.all() else result.filter(pa.array(kept))


def _missing() -> pa.Scalar[Any]:
    """What stands for no id. Not a constant: pyarrow loads pandas at its first scalar, which costs 0.3 s."""
    return pa.scalar(-1, pa.int32())


def _sort(table: pa.Table, is_derived: bool) -> pa.Table:
    keys = [name for name in table.column_names if pa.types.is_integer(table.schema.field(name).type)]
    if not is_derived:
        keys = keys[:2]
    columns = [table.column(key).fill_null(_missing()).to_numpy() for key in keys]
    order = np.lexsort(columns[::-1])
    return table if (np.diff(order) == 1).all() else table.take(pa.array(order, pa.int64()))
