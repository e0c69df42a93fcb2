"""Base relations cut by functions: each row in one part, no function cut, parts of like weight, and read as a whole."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random

import duckdb
import pyarrow as pa
import pytest
from typer.testing import CliRunner

from ssarel import facts, folders, partition, schema, text
from ssarel.cli import app
from ssarel.errors import InputError, SchemaError, UsageError
from ssarel.sources import Source
from tests.flows import random_flow
from tests.rules_by_definition import base, tables
from tests.test_folders import BRANCH
from tests.test_spark import examples, in_order

MANY = (1, 2, 3, 10, 40)


def whole(parts: list[dict[str, pa.Table]]) -> dict[str, pa.Table]:
    return {name: in_order(pa.concat_tables(part[name] for part in parts)) for name in parts[0]}


@pytest.mark.parametrize("number", MANY)
def test_every_row_is_in_one_part(number: int) -> None:
    given = examples()
    parts = list(partition.split(given, number))
    assert len(parts) == number
    assert whole(parts) == {name: in_order(table) for name, table in given.items()}


@pytest.mark.parametrize("number", MANY)
def test_parts_are_ranges_of_functions_with_all_that_rules_read(number: int, tmp_path: Path) -> None:
    given = examples()
    partition.write(given, tmp_path, "parquet", number)
    funcs: list[int] = []
    for place in folders.partitions(tmp_path):
        # Reading refuses an id that is not in the same folder.
        funcs += sorted(folders.read_folder(place)["entry"]["func"].to_numpy().tolist())
    assert funcs == sorted(given["entry"]["func"].to_numpy().tolist())
    read = folders.read_base(tmp_path)
    assert {name: in_order(table) for name, table in read.items()} == {
        name: in_order(table) for name, table in given.items()
    }


@pytest.mark.parametrize("number", MANY)
def test_parts_weigh_the_same_but_for_one_function(number: int) -> None:
    rng = Random(number)
    given = tables(base(random_flow(rng, rng.choice((2, 5, 30)), 3) for _ in range(60)))
    of_block = dict(zip(*given["func_block"].select(["block", "func"]).to_pydict().values(), strict=True))
    weigh = Counter(of_block.values()) + Counter(of_block[block] for block in given["block_instr"]["block"].to_pylist())
    parts = [part["func_block"].num_rows + part["block_instr"].num_rows for part in partition.split(given, number)]
    assert sum(parts) == weigh.total()
    assert max(abs(weight - weigh.total() / number) for weight in parts) <= max(weigh.values())


def test_a_row_about_nothing_is_located() -> None:
    given = examples()
    given["block_name"] = pa.table({"block": pa.array([0, 900], pa.int32()), "name": ["bb0", "bb9"]})
    with pytest.raises(SchemaError, match="block_name:2: block 900 is no id of the other relations"):
        list(partition.split(given, 2))


def test_reading_a_partitioned_folder_names_the_partition(tmp_path: Path) -> None:
    given = examples()
    partition.write(given, tmp_path, "csv", 2)
    folders.write_folder({"block_name": given["block_name"]}, tmp_path / "part=1", "csv")
    (tmp_path / "part=0" / "block_name.csv").unlink()
    with pytest.raises(InputError, match=r"part=0: no block_name\.csv, but other partitions have it"):
        folders.read_base(tmp_path)
    for path in (tmp_path / "part=0").iterdir():
        (tmp_path / "part=1" / path.name).write_bytes(path.read_bytes())
    with pytest.raises(InputError, match="part=1/entry:1: func 0 stands in an earlier row too"):
        folders.read_folder(tmp_path)
    (tmp_path / "part=1" / "entry.csv").write_text('"func","block"\n')
    with pytest.raises(InputError, match="part=1/func_block:1: func 0 is in no row of entry"):
        folders.read_folder(tmp_path)


@pytest.mark.parametrize("form", folders.FORMATS)
def test_a_partitioned_folder_is_joined_again(form: str, tmp_path: Path) -> None:
    cut, joined = tmp_path / "cut", tmp_path / "joined"
    partition.write(examples(), cut, form, 11)
    assert [path.name for path in folders.partitions(cut)][::10] == ["part=00", "part=10"]
    printed = run("facts", str(cut), "-o", str(joined), "--format", "parquet")
    rows = sum(table.num_rows for table in examples().values())
    assert f"{len(schema.BASE)} relations, {rows} rows, from {cut}" in printed
    assert {name: in_order(table) for name, table in folders.read_base(joined).items()} == {
        name: in_order(table) for name, table in examples().items()
    }


def test_commands_read_partitions_as_they_read_the_whole(tmp_path: Path) -> None:
    partition.write(examples(), tmp_path / "cut", "parquet", 2)
    folders.write_folder(examples(), tmp_path / "whole", "parquet")
    assert run("check", str(tmp_path / "cut")) == run("check", str(tmp_path / "whole"))
    compared = json.loads(run("compare", str(tmp_path / "cut"), "--format", "json"))
    assert compared["functions"] == examples()["entry"].num_rows
    assert compared["mismatches"] == []
    assert "phi " in run("profile", str(tmp_path / "cut"))


def run(*words: str) -> str:
    result = CliRunner().invoke(app, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_duckdb_reads_a_partitioned_relation(tmp_path: Path) -> None:
    partition.write(examples(), tmp_path, "parquet", 3)
    found = duckdb.execute(
        f"select part, count(*) from '{tmp_path}/*/edge.parquet' group by part order by part"
    ).fetchall()
    assert [part for part, _ in found] == [0, 1, 2]
    assert sum(rows for _, rows in found) == examples()["edge"].num_rows


def test_partitions_of_another_cut_are_not_mixed_in(tmp_path: Path) -> None:
    partition.write(examples(), tmp_path / "cut", "parquet", 3)
    partition.write(examples(), tmp_path / "cut", "parquet", 3)
    with pytest.raises(UsageError, match="holds relations already, cut in another way"):
        partition.write(examples(), tmp_path / "cut", "parquet", 2)
    source = tmp_path / "a.js"
    source.write_text("f()", encoding="utf-8")
    assert CliRunner().invoke(app, ["facts", str(source), "-o", str(tmp_path / "cut")]).exit_code == 2
    assert CliRunner().invoke(app, ["facts", str(source), "-o", str(tmp_path / "flat")]).exit_code == 0
    with pytest.raises(UsageError, match="holds relations already, cut in another way"):
        partition.write(examples(), tmp_path / "flat", "parquet", 2)


@pytest.mark.parametrize("form", folders.FORMATS)
def test_texts_come_back_from_every_format(form: str, tmp_path: Path) -> None:
    lines = ['a\t"b"', "\\n, \\", "", "007", "null", "2020-01-01", "true", ",", "x\0y\r"]
    given = facts.emit([Source('a\t"b\n\\.hir', "hir", "0012", text.parse(BRANCH), lines=lines)]).tables
    folders.write_folder(given, tmp_path, form)
    read = folders.read_base(tmp_path)
    assert read.keys() == schema.BASE.keys()
    for name, table in read.items():
        assert table.to_pylist() == given[name].to_pylist(), name
