"""Base relations in folders: what is written comes back, what does not fit is said with its place."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from ssarel import facts, schema, text
from ssarel.errors import InputError
from ssarel.folders import FORMATS, is_folder_of_relations, read_folder, write_folder
from ssarel.sources import Source

BRANCH = """\
f(c$0): $6
bb0 (block):
  [1] $1 = 0
  [2] $3 = StoreLocal Let x$2 = $1
  [3] If (c$0) then:bb1 else:bb2 fallthrough=bb2
bb1 (block):
  predecessor blocks: bb0
  [4] $4 = StoreLocal Reassign x$2 = c$0
  [5] Goto bb2
bb2 (block):
  predecessor blocks: bb0 bb1
  [6] Return Explicit x$2
"""


@pytest.fixture
def tables() -> dict[str, pa.Table]:
    return facts.emit([Source('a\t"b\n\\.hir', "hir", "00", text.parse(BRANCH))]).tables


@pytest.mark.parametrize("form", FORMATS)
def test_round_trip(tables: dict[str, pa.Table], tmp_path: Path, form: str) -> None:
    write_folder(tables, tmp_path / "out", form)
    assert is_folder_of_relations(tmp_path / "out")
    read = read_folder(tmp_path / "out")
    assert set(read) == {name for name, relation in schema.BASE.items() if relation.is_input}
    for name, table in read.items():
        assert table.equals(tables[name]), name


def test_facts_files_keep_one_row_a_line(tables: dict[str, pa.Table], tmp_path: Path) -> None:
    write_folder(tables, tmp_path, "facts")
    assert (tmp_path / "source_file.facts").read_bytes() == b'0\ta\\t"b\\n\\\\.hir\thir\t00\n'
    assert (tmp_path / "func.facts").read_bytes() == b"0\t0\t-1\tf\t1\t0\n"


def test_text_that_ends_in_a_carriage_return_or_holds_nul(tmp_path: Path) -> None:
    table = pa.table({"instr": pa.array([1], pa.int32()), "text": ["a\0b\r"]})
    write_folder({"t": table}, tmp_path, "facts")
    assert (tmp_path / "t.facts").read_bytes() == b"1\ta\\0b\\r\n"


def damage(folder: Path, relation: str, content: str) -> str:
    (folder / f"{relation}.facts").write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_folder(folder)
    return str(caught.value)


@pytest.mark.parametrize(
    ("relation", "content", "message"),
    [
        ("edge", "0\t99\n", "edge:1: dst 99 is in no row of func_block"),
        ("use", "0\t0\t0\n99\t0\t0\n", "use:2: instr 99 is in no row of block_instr"),
        ("edge", "0\t1\n1\t0\n", "edge:2: entry block 0 has a predecessor"),
        ("def", "0\tx\n", "def.facts: "),
        ("def", "0\t2147483648\n", "def.facts: "),
        ("def", "0\t-3\n", "def.facts:1: var is -3, not an id"),
        ("def", "0\t\n", "def.facts:1: var is "),
        ("func_block", "0\t0\t0\n0\t0\t1\n0\t1\t2\n0\t2\t3\n", "func_block:2: block 0 stands in an earlier row too"),
    ],
)
def test_what_does_not_fit_is_located(
    tables: dict[str, pa.Table], tmp_path: Path, relation: str, content: str, message: str
) -> None:
    write_folder(tables, tmp_path, "facts")
    assert message in damage(tmp_path, relation, content)


def test_edges_stay_inside_a_function(tmp_path: Path) -> None:
    two = facts.emit([Source("a.hir", "hir", "00", text.parse(BRANCH + "\n" + BRANCH))]).tables
    write_folder(two, tmp_path, "facts")
    assert "src and dst are blocks of different functions" in damage(tmp_path, "edge", "0\t1\n0\t4\n")


def test_missing_relations_and_columns(tables: dict[str, pa.Table], tmp_path: Path) -> None:
    write_folder(tables, tmp_path / "a", "parquet")
    (tmp_path / "a" / "use.parquet").unlink()
    with pytest.raises(InputError, match=r"no use\.facts, use\.parquet or use\.csv"):
        read_folder(tmp_path / "a")
    write_folder({"use": tables["def"]}, tmp_path / "a", "parquet")
    with pytest.raises(InputError, match=r"use\.parquet: no column pos; has instr, var"):
        read_folder(tmp_path / "a")
