"""Rules on many machines: Spark hands out partitions of base relations, DuckDB works on each (extra `ssarel[spark]`).

A task is one partition. `mapInArrow` carries its number in and a count of rows out; the relations themselves stay in
Parquet on storage that the driver and all executors see under one path. The other shape, derived rows as rows of the
DataFrame, would need one schema for relations of one to four columns, or the rules run once for each relation, and one
more pass to sort rows back into files.

Spark may run a task twice, after a failure or because it is slow. Both runs write the same bytes (rows are sorted)
under the same names, each file under a hidden name first and then renamed, so that it does not matter which comes last
and no reader sees half a file. A killed run can leave hidden files behind, which DuckDB and Spark do not read.
"""

from __future__ import annotations

import os
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from ssarel import folders, schema
from ssarel.engines import DEFAULT_OUTPUTS
from ssarel.engines.duckdb import DuckDBEngine
from ssarel.errors import EngineError, InputError, UsageError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DONE = "_SUCCESS"
"""The empty file that stands in the output when all of it does, as Spark's own writers have it."""
SUMMARY = "relation string, rows long"


def derive(
    spark: SparkSession,
    facts_path: str | os.PathLike[str],
    out_path: str | os.PathLike[str],
    outputs: Sequence[str] = DEFAULT_OUTPUTS,
    **limits: Any,
) -> dict[str, int]:
    """Write the derived relations `outputs` of each partition of `facts_path` to its namesake in `out_path`.

    facts_path: what `ssarel facts --partitions N` wrote.
    out_path:   may be `facts_path`: then each partition has its base and derived relations side by side.
    limits:     of DuckDBEngine, for each task. threads is 1 unless given, as Spark gives a task one core; memory_limit
                should be given where an executor runs several tasks, since DuckDB takes 80 % of the machine otherwise.

    Returns: the rows of each relation.
    Raises:  UsageError if `facts_path` is not partitioned, or `out_path` has partitions that it has not; SchemaError if
             there is no such relation; pyspark.errors.PythonException, which names the partition, if one fails as often
             as `spark.task.maxFailures` allows. What other tasks wrote stays then, and the file _SUCCESS is not there.
    Cost:    a task needs what the rules need on one partition; the driver gets one row a partition and relation.
    """
    source, target = Path(facts_path).absolute(), Path(out_path).absolute()
    names = [place.name for place in folders.partitions(source)]
    if not names:
        raise UsageError(f"{source} has no partitions; write them with ssarel facts --partitions N")
    others = sorted({place.name for place in folders.partitions(target)} - {*names})
    if others:
        raise UsageError(f"{target / others[0]} is of another partitioning; remove it, or write to a new folder")
    schema.needed(outputs)
    engine_limits = {"threads": 1, **limits}
    wanted = tuple(outputs)
    (target / DONE).unlink(missing_ok=True)

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for at in batch.column(0).to_numpy().tolist():
                rows = derive_partition(source / names[at], target / names[at], wanted, engine_limits)
                yield pa.RecordBatch.from_pydict({"relation": [*rows], "rows": [*rows.values()]})

    total = Counter(dict.fromkeys(wanted, 0))
    # One number a task: `range` makes as many partitions of itself as there are of the relations.
    for relation, rows in spark.range(0, len(names), 1, len(names)).mapInArrow(work, SUMMARY).collect():
        total[relation] += rows
    (target / DONE).touch()
    return dict(total)


def derive_partition(source: Path, target: Path, outputs: Sequence[str], limits: dict[str, Any]) -> dict[str, int]:
    """Write the derived relations of the folder of relations `source` to the folder `target`; may run more than once.

    Returns: the rows of each.
    Raises:  EngineError and InputError, which name `source`; OSError if `target` cannot be written.
    """
    try:
        derived = DuckDBEngine(**limits).run(folders.read_folder(source), outputs)
    except (EngineError, InputError) as error:
        raise type(error)(f"partition {source}: {error}") from error
    target.mkdir(parents=True, exist_ok=True)
    for name, table in derived.items():
        hidden = target / f".{name}.{uuid.uuid4().hex}"
        try:
            pq.write_table(table.sort_by([(column, "ascending") for column in table.column_names]), hidden)
            hidden.replace(target / f"{name}.parquet")
        finally:
            hidden.unlink(missing_ok=True)
    return {name: table.num_rows for name, table in derived.items()}
