"""Base relations cut by ranges of functions: parts that can be worked on apart, for many machines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa

from ssarel import folders, schema
from ssarel.errors import SchemaError, UsageError
from ssarel.facts import Ints

KINDS = ("Func", "Block", "Instr", "File")
"""Kinds of id that say which function a row is about; the first such column of a relation decides."""


def split(tables: Mapping[str, pa.Table], number: int) -> Iterator[dict[str, pa.Table]]:
    """The base relations `tables` in `number` parts; every row is in one of them, with the ids that it has.

    A part is about a range of functions, and as heavy as the others but for one function: a function weighs what it
    has blocks and instructions, and is never cut. What is said of a file goes where its first function is.
    Raises: SchemaError for a row about an id that is in no part.
    Cost:   sorts each relation.
    """
    owners = _owners(tables, number)
    cut = {name: _cut(name, table, owners, number) for name, table in tables.items()}
    for at in range(number):
        yield {name: table[ends[at] : ends[at + 1]] for name, (table, ends) in cut.items()}


def write(tables: Mapping[str, pa.Table], folder: Path, form: str, number: int) -> None:
    """Write `split` parts as folders part=0, part=1, ... of `folder`, with zeros in front where there are many.

    Raises: UsageError if `folder` holds relations that would be read with them; InputError if it cannot be written.
    """
    width = len(str(number - 1))
    places = [folder / f"{folders.PARTITION}{at:0{width}}" for at in range(number)]
    others = sorted({*folders.partitions(folder)} - {*places})
    if others or (not folders.partitions(folder) and folders.is_folder_of_relations(folder)):
        raise UsageError(f"{folder} holds relations already, cut in another way; remove them, or write to a new folder")
    for place, part in zip(places, split(tables, number), strict=True):
        folders.write_folder(part, place, form)


def _owners(tables: Mapping[str, pa.Table], number: int) -> dict[str, tuple[Ints, Ints]]:
    """For each kind of id that `tables` have: the ids in rising order, and the part of each."""
    blocks = _column(tables, "func_block", "block")
    instrs = _column(tables, "block_instr", "instr")
    funcs = np.sort(_column(tables, "entry", "func"))
    block_func = np.searchsorted(funcs, _column(tables, "func_block", "func"))
    order = np.argsort(blocks)
    block_owner = (blocks[order], block_func[order])
    instr_func = _look_up(block_owner, _column(tables, "block_instr", "block"), "block_instr", "block")
    weight = np.bincount(block_func, minlength=len(funcs)) + np.bincount(instr_func, minlength=len(funcs))
    middle = np.cumsum(weight) - weight / 2
    part = (middle * number / max(weight.sum(), 1)).astype(np.int64)
    order = np.argsort(instrs)
    owners = {
        "Func": (funcs, part),
        "Block": (block_owner[0], part[block_owner[1]]),
        "Instr": (instrs[order], part[instr_func[order]]),
    }
    if "source_file" in tables:
        files = np.sort(_column(tables, "source_file", "file"))
        first = np.full(len(files), number - 1)
        of_func = _look_up(owners["Func"], _column(tables, "func", "func_id"), "func", "func_id")
        np.minimum.at(first, np.searchsorted(files, _column(tables, "func", "file")), of_func)
        owners["File"] = (files, np.minimum.accumulate(first[::-1])[::-1])
    return owners


def _cut(
    name: str, table: pa.Table, owners: Mapping[str, tuple[Ints, Ints]], number: int
) -> tuple[pa.Table, list[int]]:
    """The rows by part, in their order inside it; and where each part starts, and the last one ends."""
    shape = folders.EXPECTED if name == folders.EXPECTED_PHI else schema.BASE[name]
    column, kind = next((column, kind) for column, kind in shape.columns if kind in KINDS)
    parts = _look_up(owners[kind], table.column(column).to_numpy(), name, column)
    order = np.argsort(parts, kind="stable")
    ends = np.searchsorted(parts[order], np.arange(number + 1)).tolist()
    return table.take(pa.array(order, pa.int64())), ends


def _look_up(owner: tuple[Ints, Ints], ids: Ints, relation: str, column: str) -> Ints:
    known, parts = owner
    at = np.searchsorted(known, ids)
    lost = np.flatnonzero(np.append(known, -1)[at] != ids)
    if len(lost):
        raise SchemaError(f"{relation}:{lost[0] + 1}: {column} {ids[lost[0]]} is no id of the other relations")
    return parts[at]


def _column(tables: Mapping[str, pa.Table], relation: str, column: str) -> Ints:
    return tables[relation].column(column).to_numpy().astype(np.int64)
