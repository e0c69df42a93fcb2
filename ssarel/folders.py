"""Base relations in folders: one file a relation, as Parquet, CSV with a header, or Soufflé's .facts.

A partitioned folder holds folders part=0, part=1, ... instead, each a folder of relations over some of the functions.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.parquet as pq

from ssarel import fields, schema
from ssarel.errors import InputError
from ssarel.facts import Unit
from ssarel.flow import CELL, Flow

FORMATS = ("facts", "parquet", "csv")
PARTITION = "part="
"""How the name of a partition starts; Hive, Spark and DuckDB take what follows as the value of a column `part`."""
EXPECTED_PHI = "expected_phi"
EXPECTED = schema.Relation(EXPECTED_PHI, schema.DERIVED["phi"].columns)
"""What a folder may hold beside the base relations: phis that another tool placed."""
MAX_POS = 1_000_000
"""The largest operand position: a flow holds every position of an instruction up to its last."""


def write_folder(tables: Mapping[str, pa.Table], folder: Path, form: str) -> None:
    """Write each of `tables` to `folder`/name.`form`; the folder is made.

    In .facts files fields are separated by a tab and never quoted, as Soufflé reads them: in texts backslash, tab, line
    feed, carriage return and NUL are written \\\\\\\\ \\\\t \\\\n \\\\r \\\\0, and a missing number is -1.
    Raises: InputError if the folder cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in tables.items():
            path = folder / f"{name}.{form}"
            if form == "parquet":
                pq.write_table(table, path)
            elif form == "csv":
                pc.write_csv(table, path)
            else:
                fields.write(table, path)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from error


def partitions(folder: Path) -> list[Path]:
    """The partitions of `folder`, in the order of their names; none if it is not partitioned."""
    return sorted(path for path in folder.glob(f"{PARTITION}*") if path.is_dir())


def is_folder_of_relations(path: Path) -> bool:
    """Whether `path` is a folder that holds base relations, partitioned or not."""
    places = partitions(path)[:1] or [path]
    return path.is_dir() and any((places[0] / f"edge.{form}").is_file() for form in FORMATS)


def read_folder(folder: Path) -> dict[str, pa.Table]:
    """The relations of `folder` that rules read, and expected_phi if it is there, as 32-bit integers.

    Raises: InputError that names the file, and the row from 1, if a relation is missing, a column is missing or holds
            something else than ids, an id dangles or stands for two things; ids dangle if a function is in two
            partitions.
    """
    read = {place: _read_place(place) for place in partitions(folder) or [folder]}
    _check_unique(read)
    names = {name: None for tables in read.values() for name in tables}
    return {name: pa.concat_tables(tables[name] for tables in read.values() if name in tables) for name in names}


def read_base(folder: Path) -> dict[str, pa.Table]:
    """All base relations of `folder` that are there, and expected_phi. Raises: as `read_folder` and `find_relation`."""
    read = read_folder(folder)
    others = {name: find_relation(folder, name, base.arrow) for name, base in schema.BASE.items() if name not in read}
    return {**read, **{name: table for name, table in others.items() if table is not None}}


def _read_place(folder: Path) -> dict[str, pa.Table]:
    shapes = {name: relation.arrow for name, relation in schema.BASE.items() if relation.is_input}
    tables: dict[str, pa.Table] = {}
    for name, shape in (*shapes.items(), (EXPECTED_PHI, EXPECTED.arrow)):
        path = _file(folder, name)
        if path is not None:
            tables[name] = _read(path, shape)
        elif name in shapes:
            raise InputError(f"{folder}: no {name}.facts, {name}.parquet or {name}.csv")
    _check(folder, tables)
    return tables


def find_relation(folder: Path, name: str, shape: pa.Schema) -> pa.Table | None:
    """The relation `name` of `folder` whatever its values, or None if there is no file of it.

    Raises: InputError if some partitions have it and others have not, and as `read_table`.
    """
    paths = {place: _file(place, name) for place in partitions(folder) or [folder]}
    found = [path for path in paths.values() if path is not None]
    if not found:
        return None
    if len(found) < len(paths):
        place = next(place for place, path in paths.items() if path is None)
        raise InputError(f"{place}: no {found[0].name}, but other partitions have it")
    return pa.concat_tables(read_table(path, shape) for path in found)


def _file(place: Path, name: str) -> Path | None:
    return next((path for form in FORMATS if (path := place / f"{name}.{form}").is_file()), None)


def read_table(path: Path, shape: pa.Schema) -> pa.Table:
    """The relation in the file `path` with the columns of `shape`, whatever their values.

    Raises: InputError that names the file if it cannot be read, or a column is missing or has another type.
    """
    try:
        if path.suffix == ".parquet":
            # As one file: a folder above it that is called part=0 makes no column here.
            table = pq.read_table(path, partitioning=None)
        elif path.suffix == ".csv":
            table = pc.read_csv(
                path, None, pc.ParseOptions(newlines_in_values=True), pc.ConvertOptions(column_types=shape)
            )
        else:
            table = fields.read(path, shape)
        missing = [name for name in shape.names if name not in table.column_names]
        if missing:
            raise InputError(f"{path}: no column {missing[0]}; has {', '.join(table.column_names)}")
        return table.select(shape.names).cast(shape)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
        raise InputError(f"{path}: {error}") from error


def _read(path: Path, shape: pa.Schema) -> pa.Table:
    table = read_table(path, shape)
    for name in shape.names:
        column = table.column(name)
        bad = column.to_numpy(zero_copy_only=False)
        rows = np.flatnonzero(~(bad >= 0))
        if len(rows):
            raise InputError(f"{path}:{rows[0] + 1}: {name} is {column[int(rows[0])]}, not an id from 0 to 2^31 - 1")
    return table


def _column(tables: Mapping[str, pa.Table], relation: str, column: str) -> np.ndarray[Any, Any]:
    return tables[relation].column(column).to_numpy()


REFERENCES = (
    ("entry", "block", "func_block", "block"),
    ("func_block", "func", "entry", "func"),
    ("edge", "src", "func_block", "block"),
    ("edge", "dst", "func_block", "block"),
    ("block_instr", "block", "func_block", "block"),
    ("def", "instr", "block_instr", "instr"),
    ("use", "instr", "block_instr", "instr"),
)
"""(relation, column) whose ids must stand in (relation, column)."""


def _check(folder: Path, tables: Mapping[str, pa.Table]) -> None:
    for relation, column, target, key in REFERENCES:
        values = _column(tables, relation, column)
        rows = np.flatnonzero(~np.isin(values, _column(tables, target, key)))
        if len(rows):
            place = f"{folder / relation}:{rows[0] + 1}"
            raise InputError(f"{place}: {column} {values[rows[0]]} is in no row of {target}")
    rows = np.flatnonzero(np.isin(_column(tables, "edge", "dst"), _column(tables, "entry", "block")))
    if len(rows):
        block = _column(tables, "edge", "dst")[rows[0]]
        raise InputError(f"{folder / 'edge'}:{rows[0] + 1}: entry block {block} has a predecessor; add a fresh entry")
    blocks, funcs = _column(tables, "func_block", "block"), _column(tables, "func_block", "func")
    order = np.argsort(blocks)

    def owner(column: str) -> np.ndarray[Any, Any]:
        return funcs[order][np.searchsorted(blocks[order], _column(tables, "edge", column))]

    rows = np.flatnonzero(owner("src") != owner("dst"))
    if len(rows):
        raise InputError(f"{folder / 'edge'}:{rows[0] + 1}: src and dst are blocks of different functions")


def _check_unique(places: Mapping[Path, Mapping[str, pa.Table]]) -> None:
    for relation, column in (("entry", "func"), ("func_block", "block"), ("block_instr", "instr")):
        parts = [_column(tables, relation, column) for tables in places.values()]
        values = np.concatenate(parts)
        order = np.argsort(values, kind="stable")
        rows = order[1:][values[order][1:] == values[order][:-1]]
        if len(rows):
            ends = np.cumsum([len(part) for part in parts])
            at = int(np.searchsorted(ends, rows[0], side="right"))
            place = f"{list(places)[at] / relation}:{rows[0] - ends[at] + len(parts[at]) + 1}"
            raise InputError(f"{place}: {column} {values[rows[0]]} stands in an earlier row too")


def units(tables: Mapping[str, pa.Table]) -> list[Unit]:
    """The functions of base relations as flows, in the order of their ids, each with its entry first.

    Raises: InputError for a position above MAX_POS.
    Cost:   sorts each relation once, then one pass.
    """
    entry = dict(
        zip(_column(tables, "entry", "func").tolist(), _column(tables, "entry", "block").tolist(), strict=True)
    )
    is_entry = np.isin(_column(tables, "func_block", "block"), list(entry.values()))
    order = np.lexsort(
        (_column(tables, "func_block", "pos"), ~is_entry, _column(tables, "func_block", "func")),
    )
    funcs = _column(tables, "func_block", "func")[order].tolist()
    blocks = _column(tables, "func_block", "block")[order].tolist()
    steps = _grouped(tables, "block_instr", "block", "pos", "instr")
    targets = _grouped(tables, "edge", "src", "dst", "dst")
    reads = _operands(tables)
    writes = _grouped(tables, "def", "instr", "var", "var")
    result: list[Unit] = []
    start = 0
    while start < len(blocks):
        stop = start
        while stop < len(blocks) and funcs[stop] == funcs[start]:
            stop += 1
        result.append(_unit(funcs[start], blocks[start:stop], steps, targets, reads, writes))
        start = stop
    return result


Groups = dict[int, list[int]]


def _grouped(tables: Mapping[str, pa.Table], relation: str, key: str, by: str, value: str) -> Groups:
    """For each `key` of `relation` its `value`s, sorted by the column `by`."""
    keys = _column(tables, relation, key)
    order = np.lexsort((_column(tables, relation, by), keys))
    groups: Groups = {}
    for owner, item in zip(keys[order].tolist(), _column(tables, relation, value)[order].tolist(), strict=True):
        if owner in groups:
            groups[owner].append(item)
        else:
            groups[owner] = [item]
    return groups


def _operands(tables: Mapping[str, pa.Table]) -> Groups:
    """For each instruction the variables that it reads, by position; CELL at positions without a row."""
    order = np.lexsort((_column(tables, "use", "pos"), _column(tables, "use", "instr")))
    rows = (_column(tables, "use", name)[order].tolist() for name in ("instr", "pos", "var"))
    groups: Groups = {}
    for instr, pos, var in zip(*rows, strict=True):
        if pos > MAX_POS:
            raise InputError(f"use: instr {instr} has pos {pos}, above {MAX_POS}; pos counts operands from 0")
        operands = groups.setdefault(instr, [])
        operands.extend([CELL] * (pos - len(operands)))
        operands.append(var)
    return groups


def _unit(func: int, blocks: list[int], steps: Groups, targets: Groups, reads: Groups, writes: Groups) -> Unit:
    index = {block: at for at, block in enumerate(blocks)}
    succ = [[index[target] for target in dict.fromkeys(targets.get(block, ()))] for block in blocks]
    numbers: dict[int, int] = {}
    first = [0]
    instrs: list[int] = []
    for block in blocks:
        instrs.extend(steps.get(block, ()))
        first.append(len(instrs))
    uses = [
        [CELL if var == CELL else numbers.setdefault(var, len(numbers)) for var in reads.get(instr, ())]
        for instr in instrs
    ]
    defs = [[numbers.setdefault(var, len(numbers)) for var in writes.get(instr, ())] for instr in instrs]
    flow = Flow(succ, [[] for _ in blocks], first, uses, defs, len(numbers))
    for block, is_reached in enumerate(flow.reachable()):
        if is_reached:
            for target in succ[block]:
                flow.pred[target].append(block)
    return Unit(func, flow, blocks, instrs, list(numbers))
