"""Query files taken apart, parameters bound, answers and errors."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import ssarel
from ssarel import query
from ssarel.errors import QueryError, UsageError

TEXT = """\
-- Which rows are there,
-- in order?
--
-- A note.
--
-- Parameters
--   low   the least one (required)
--   high  the greatest one
-- Columns
--   n  the number
-- Example
--   7
select n from t where n >= $low::integer and ($high is null or n <= $high::integer) order by n
"""


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as opened:
        opened.execute("create table t as select unnest([1, 2, 3]) as n")
        yield opened


def test_a_query_file_is_taken_apart() -> None:
    found = query.parse("rows", TEXT)
    assert found.question == "Which rows are there, in order?"
    assert found.notes == "A note."
    assert found.parameters == {"low": "the least one (required)", "high": "the greatest one"}
    assert found.columns == {"n": "the number"}
    assert found.example == "7"
    assert found.sql.startswith("select n")


def test_parameters_that_are_not_given_are_null(connection: duckdb.DuckDBPyConnection) -> None:
    found = query.parse("rows", TEXT)
    assert found.bind({"low": "2"}) == {"low": "2", "high": None}
    assert connection.execute(found.sql, found.bind({"low": "2"})).fetchall() == [(2,), (3,)]


def test_a_required_parameter_is_asked_for() -> None:
    with pytest.raises(UsageError, match=r"query rows needs -p low=\.\.\."):
        query.parse("rows", TEXT).bind({})


def test_an_unknown_parameter_is_named() -> None:
    with pytest.raises(UsageError, match="query rows has no parameter 'lo'; it has: low, high"):
        query.parse("rows", TEXT).bind({"lo": 1})


def test_sql_is_answered_row_by_row(connection: duckdb.DuckDBPyConnection) -> None:
    answer = query.ask(connection, "select n, n * n as square from t where n > $low order by n", {"low": 1})
    assert answer.columns == ("n", "square")
    assert list(answer.rows) == [(2, 4), (3, 9)]


def test_the_last_of_several_statements_answers(connection: duckdb.DuckDBPyConnection) -> None:
    answer = query.ask(connection, "set threads = 1; select $a + $b; select $a as a;", {"a": 1, "b": 2})
    assert answer.columns == ("a",)
    assert list(answer.rows) == [(1,)]


@pytest.mark.parametrize(
    ("sql", "given", "error", "message"),
    [
        ("selec 1", {}, QueryError, 'Parser Error: syntax error at or near "selec"'),
        ("from nowhere", {}, QueryError, "Table with name nowhere does not exist"),
        ("select 1 / 'x'", {}, QueryError, "Could not convert string 'x'"),
        ("", {}, QueryError, "the query is empty"),
        ("-- nothing", {}, QueryError, "the query is empty"),
        ("select $a", {}, UsageError, r"the SQL needs a value for \$a: -p a=\.\.\."),
        ("select 1", {"a": 1}, UsageError, r"the SQL has no parameter \$a"),
        ("dead_deff", {}, UsageError, "there is no query 'dead_deff'; did you mean dead_def"),
        ("zzz", {}, UsageError, r"there is no query 'zzz'; `ssarel query --list` shows them"),
    ],
)
def test_errors_say_what_to_do(
    connection: duckdb.DuckDBPyConnection, sql: str, given: dict[str, int], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        list(query.ask(connection, sql, given).rows)


def test_parameters_are_pairs() -> None:
    assert query.parse_parameters(["a=1", "b=x=y", "c="]) == {"a": "1", "b": "x=y", "c": ""}
    for wrong in (["a"], ["=1"], ["a=1", "a=2"]):
        with pytest.raises(UsageError):
            query.parse_parameters(wrong)


CASES = Path(__file__).parent / "queries"


@pytest.mark.parametrize("name", sorted(query.catalogue()))
def test_query_answers_as_expected(name: str) -> None:
    """tests/queries has a program for each query; its first line may name parameters. The answer is CSV."""
    source = next(path for path in CASES.glob(f"{name}.*") if path.suffix != ".csv")
    pairs = re.findall(r"-p (\w+=[\w.]+)", source.read_text("utf-8").splitlines()[0])
    with ssarel.analyze(source) as database:
        answer = query.ask(database.connection, name, query.parse_parameters(pairs))
        rows = [list(answer.columns), *([str("" if cell is None else cell) for cell in row] for row in answer.rows)]
    rows = [[Path(row[0]).name, *row[1:]] for row in rows]
    expected = list(csv.reader((CASES / f"{name}.csv").read_text("utf-8").splitlines()))
    assert rows == expected


def test_every_query_case_belongs_to_a_query() -> None:
    assert {path.stem for path in CASES.iterdir()} == set(query.catalogue())
