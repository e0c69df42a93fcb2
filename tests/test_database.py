"""Databases: whole or not at all, and what is in them."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

import ssarel
from ssarel import database, text
from ssarel.errors import DatabaseError, InputError, QueryError, UsageError

EXAMPLES = Path(__file__).resolve().parents[1] / "facts" / "examples"


@pytest.fixture(scope="module")
def examples() -> database.Database:
    return ssarel.analyze(EXAMPLES)


def test_a_failed_write_leaves_the_old_database(tmp_path: Path) -> None:
    target = tmp_path / "a.duckdb"
    with duckdb.connect(str(target)) as connection:
        connection.execute("create table kept as select 1 as n")
    incomplete = {"dom_tree": pa.table({"block": [0], "preorder": [0], "last": [0], "root": [0]})}
    with pytest.raises(DatabaseError, match="cannot be written"):
        database.write(target, incomplete)
    with duckdb.connect(str(target), read_only=True) as connection:
        assert connection.execute("from kept").fetchall() == [(1,)]
    assert [path.name for path in tmp_path.iterdir()] == ["a.duckdb"]


def test_an_empty_file_is_replaced(tmp_path: Path) -> None:
    target = tmp_path / "a.duckdb"
    target.touch()
    with ssarel.analyze([EXAMPLES / "loop.js"], target) as written:
        assert len(written.query("phi_count")) == 3


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "a.duckdb"
    duckdb.connect(str(target)).close()
    with pytest.raises(DatabaseError, match="has no relations of ssarel"):
        ssarel.open(target)


def test_a_database_that_this_process_writes_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "a.duckdb"
    with duckdb.connect(str(target)), pytest.raises(DatabaseError, match="already open in this process"):
        ssarel.open(target)


def test_many_may_read_at_once(tmp_path: Path) -> None:
    target = tmp_path / "a.duckdb"
    with ssarel.analyze([EXAMPLES / "loop.js"], target) as first, ssarel.open(target) as second:
        assert first.sql("from phi").equals(second.sql("from phi"))


def test_every_relation_and_column_says_what_it_holds(tmp_path: Path) -> None:
    with ssarel.analyze(EXAMPLES, tmp_path / "a.duckdb") as written:
        for kind, count in (("table", 36), ("view", len(database.VIEWS)), ("column", 140)):
            name = "table_name || '.' || column_name" if kind == "column" else f"{kind}_name"
            said = written.sql(f"select {name} as name, comment from duckdb_{kind}s() where not internal")
            assert said.name[said.comment.isna()].tolist() == []
            assert len(said) >= count


def test_dom_is_the_closure_of_idom(examples: database.Database) -> None:
    closure = """
        with recursive above(dominator, block) as (
            select block, block from reachable
            union
            select idom.dominator, above.block from above inner join idom on idom.block = above.dominator
        )
        from above order by all
    """
    assert examples.sql("from dom order by all").equals(examples.sql(closure))


def test_def_use_leaves_undef_out() -> None:
    with ssarel.analyze(EXAMPLES / "closures.js") as found:
        reads = found.sql("select count(*) as n from ssa_use where value >= 0").n[0]
        assert found.sql("select count(*) as n from def_use").n[0] == reads > 0


def test_parameters_of_sql_are_bound(examples: database.Database) -> None:
    assert examples.sql("select $a + 1 as n", {"a": 1}).n.tolist() == [2]
    assert examples.sql("select ? + 1 as n", [1]).n.tolist() == [2]


def test_errors_of_sql_are_the_databases_own(examples: database.Database) -> None:
    with pytest.raises(QueryError, match="Table with name nowhere does not exist"):
        examples.sql("from nowhere")
    with pytest.raises(UsageError, match="query phi_count has no parameter 'name'"):
        examples.query("phi_count", name="x")


def test_the_api_lowers_and_builds() -> None:
    found = ssarel.lower("function f(a) { let b = 0; if (a) { b = 1; } return b; }")
    assert [function.title for function in found] == ["<<module>>", "f"]
    assert ssarel.to_ssa(found[1]) is found[1]
    assert text.format(found[1]).count(": phi(") == 1


def test_the_api_lowers_files(tmp_path: Path) -> None:
    (tmp_path / "a.ts").write_text("function f(a: number): number { return a; }")
    assert [function.title for function in ssarel.lower(tmp_path / "a.ts")] == ["<<module>>", "f"]


def test_lowering_bad_text_raises() -> None:
    with pytest.raises(InputError, match=r"text\.js:1:"):
        ssarel.lower("let = = 1")
    with pytest.raises(UsageError, match="no front end reads 'cobol'"):
        ssarel.lower("", language="cobol")
