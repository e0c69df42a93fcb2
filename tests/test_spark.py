"""Derivation on Spark: the same relations as on one machine, and files that a second run of a task does not change."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa
import pytest

from ssarel import batch, facts, folders, partition, schema, spark
from ssarel.engines.duckdb import DuckDBEngine
from ssarel.errors import InputError, SchemaError, UsageError
from tests.conftest import SHARED

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EXAMPLES = Path(__file__).resolve().parents[1] / "facts" / "examples"


def examples() -> dict[str, pa.Table]:
    return facts.emit(batch.read_all(sorted(EXAMPLES.iterdir()))).tables


def sample() -> dict[str, pa.Table]:
    """2,500 functions of cfg-corpus, or the examples where there is none."""
    corpus = SHARED / "cfg-corpus"
    return next(partition.split(folders.read_base(corpus), 20)) if corpus.is_dir() else examples()


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[SparkSession]:
    from pyspark.sql import SparkSession

    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    # The Java side lives for seconds only: little compilation pays.
    quick = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
    started = builder.config("spark.driver.extraJavaOptions", quick).getOrCreate()
    yield started
    started.stop()


# PySpark 4.3 warns that it does not know all of pandas 3; mapInArrow does not go through pandas.
@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas")
@pytest.mark.spark
def test_spark_derives_what_one_machine_derives_and_says_which_partition_fails(
    session: SparkSession, tmp_path: Path
) -> None:
    from pyspark.errors import PythonException

    given = sample()
    partition.write(given, tmp_path / "base", "parquet", 3)
    rows = spark.derive(session, tmp_path / "base", tmp_path / "out")
    alone = DuckDBEngine().run(given)
    assert rows == {name: table.num_rows for name, table in alone.items()}
    assert rows["phi"] > 0
    for name, table in alone.items():
        read = folders.find_relation(tmp_path / "out", name, schema.DERIVED[name].arrow)
        assert read is not None
        assert in_order(read).equals(in_order(table)), name
        columns = ", ".join(f'"{column}"' for column in table.column_names)
        by_duckdb = duckdb.execute(f"select {columns} from '{tmp_path}/out/*/{name}.parquet' order by all")
        assert by_duckdb.fetchall() == list(zip(*in_order(table).to_pydict().values(), strict=True)), name
    assert (tmp_path / "out" / "_SUCCESS").exists()

    (tmp_path / "base" / "part=1" / "edge.parquet").unlink()
    with pytest.raises(PythonException, match=r"base/part=1: .*no edge\.facts"):
        spark.derive(session, tmp_path / "base", tmp_path / "out", ["phi"])
    assert not (tmp_path / "out" / "_SUCCESS").exists()


def in_order(table: pa.Table) -> pa.Table:
    return table.sort_by([(name, "ascending") for name in table.column_names]).combine_chunks()


def test_a_task_that_runs_twice_leaves_the_same_bytes(tmp_path: Path) -> None:
    given, out = tmp_path / "part=0", tmp_path / "out" / "part=0"
    folders.write_folder(examples(), given, "parquet")
    written: list[dict[str, bytes]] = []
    for threads in (1, 2):
        rows = spark.derive_partition(given, out, ["phi", "idom"], {"threads": threads})
        written.append({path.name: path.read_bytes() for path in out.iterdir()})
    assert rows["phi"] > 0
    assert written[0].keys() == {"phi.parquet", "idom.parquet"}
    assert written[0] == written[1]


def test_a_partition_that_does_not_fit_is_named(tmp_path: Path) -> None:
    folders.write_folder({"edge": examples()["edge"]}, tmp_path / "part=7", "parquet")
    with pytest.raises(InputError, match=r"^partition .*part=7: .*no entry\.facts"):
        spark.derive_partition(tmp_path / "part=7", tmp_path / "out", ["phi"], {})
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_derived_is_said_before_anything_starts(tmp_path: Path) -> None:
    nothing: SparkSession = None  # pyright: ignore[reportAssignmentType]
    folders.write_folder(examples(), tmp_path / "flat", "parquet")
    with pytest.raises(UsageError, match="has no partitions"):
        spark.derive(nothing, tmp_path / "flat", tmp_path / "out")
    partition.write(examples(), tmp_path / "base", "parquet", 2)
    with pytest.raises(SchemaError, match="no derived relation 'phy'"):
        spark.derive(nothing, tmp_path / "base", tmp_path / "out", ["phy"])
    os.makedirs(tmp_path / "out" / "part=2")
    with pytest.raises(UsageError, match="part=2 is of another partitioning"):
        spark.derive(nothing, tmp_path / "base", tmp_path / "out")
