"""Commands that read results: query, compare, doctor."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ssarel.cli import junit, options, sarif
from ssarel.cli.app import app
from ssarel.cli.output import Format, show
from ssarel.cli.produce import complain
from ssarel.errors import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

    from ssarel.compare import Comparison


class QueryFormat(StrEnum):
    """How answers are printed."""

    table = "table"
    csv = "csv"
    json = "json"
    jsonl = "jsonl"
    markdown = "markdown"
    parquet = "parquet"
    sarif = "sarif"


class CompareFormat(StrEnum):
    """How comparisons are printed."""

    table = "table"
    csv = "csv"
    json = "json"
    jsonl = "jsonl"
    markdown = "markdown"
    junit = "junit"


FormatOption = Annotated[Format, typer.Option("--format", help="How rows are printed.")]
SHOWN = 20
"""Mismatches printed in a table; json has all."""


@app.command()
def query(
    database: Annotated[Path | None, typer.Argument(metavar="DB", help="A database that analyze wrote.")] = None,
    question: Annotated[
        str | None, typer.Argument(metavar="SQL|NAME|-", help="SQL, the name of a query, or - to read SQL from stdin.")
    ] = None,
    format: Annotated[
        QueryFormat, typer.Option("--format", help="sarif needs columns path and line; parquet goes into a file.")
    ] = QueryFormat.table,
    parameter: Annotated[
        list[str] | None, typer.Option("-p", "--parameter", metavar="NAME=VALUE", help="A value for $NAME.")
    ] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=0, metavar="N", help="Print at most N rows.")] = None,
    timeout: Annotated[
        float | None, typer.Option("--timeout", min=0.001, metavar="SECONDS", help="Longest time for the answer.")
    ] = None,
    list_queries: Annotated[bool, typer.Option("--list", help="Show the named queries and their parameters.")] = False,
) -> None:
    """Ask a database: SQL, or a question by name.

    Examples:

        ssarel query --list

        ssarel query ssa.duckdb dead_def -p function=main

        ssarel query ssa.duckdb "select count(*) from phi" --format json

        ssarel query ssa.duckdb maybe_undefined_use --format sarif > undefined.sarif

        ssarel query ssa.duckdb phi_count --format parquet > phis.parquet
    """
    from ssarel import query as asking

    if list_queries:
        rows = [(item.name, item.question, " ".join(item.parameters)) for item in asking.catalogue().values()]
        if format in (QueryFormat.sarif, QueryFormat.parquet):
            raise UsageError(f"the list of queries is not written as {format.value}; see --format")
        show(("query", "question", "parameters"), rows, Format(format.value))
        return
    if database is None or question is None:
        raise UsageError("give a database and a question: ssarel query DB SQL|NAME|-; or ssarel query --list")
    from ssarel import database as databases

    text = sys.stdin.read() if question == "-" else question
    with databases.open(database) as opened:
        answer = asking.ask(opened.connection, text, asking.parse_parameters(parameter or ()), timeout)
        rows = islice(answer.rows, limit)
        if format is QueryFormat.parquet:
            _write_parquet(answer.batches(), limit)
        elif format is QueryFormat.sarif:
            found = asking.catalogue().get(text.strip())
            name, says = (found.name, found.question) if found else ("query", text.strip())
            log = sarif.log({name: says}, _results(name, answer.columns, rows))
            print(json.dumps(log, indent=2, ensure_ascii=False))
        else:
            show(answer.columns, rows, Format(format.value))


def _write_parquet(batches: pa.RecordBatchReader, limit: int | None) -> None:
    """Write the first `limit` rows to standard output, with the types that the database gave them."""
    import pyarrow.parquet as pq

    if sys.stdout.isatty():
        raise UsageError("Parquet is not for a terminal; send it to a file: ssarel query ... --format parquet > FILE")
    with pq.ParquetWriter(sys.stdout.buffer, batches.schema) as file:
        for batch in batches:
            part = batch.slice(0, limit)
            file.write_batch(part)
            if limit is not None:
                limit -= part.num_rows
                if not limit:
                    break


def _results(rule: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterable[sarif.Result]:
    """A note for each row, at its `path` and `line`, or the first column that ends in `_line`."""
    line = "line" if "line" in columns else next((name for name in columns if name.endswith("_line")), None)
    if line is None or "path" not in columns:
        raise UsageError(f"SARIF needs columns path and line; the answer has {', '.join(columns)}")
    col = line.removesuffix("line") + "col"
    placed = ("path", "function", line, col)
    for row in rows:
        cells = dict(zip(columns, row, strict=True))
        words = ", ".join(
            f"{name}={value}" for name, value in cells.items() if name not in placed and value is not None
        )
        yield sarif.Result(
            rule,
            "note",
            f"{rule}: {words}" if words else rule,
            str(cells["path"] or ""),
            int(cells[line] or 0),
            int(cells.get(col) or 0),
            str(cells.get("function") or ""),
        )


@app.command()
def compare(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH...", help="Source files, folders, globs; or one database or folder of relations."),
    ],
    builders: Annotated[
        str, typer.Option("--with", metavar="NAMES", help="Builders, separated by commas.")
    ] = "duckdb,cytron,braun",
    format: Annotated[
        CompareFormat, typer.Option("--format", help="junit: a test case a function.")
    ] = CompareFormat.table,
    exclude: options.Exclude = None,
    no_ignore: options.NoIgnore = False,
    profile: options.ProfileOption = options.Profile.default,
    memory_limit: options.Memory = None,
    temp_directory: options.Temporary = None,
    threads: options.Threads = None,
    timeout: options.Timeout = None,
    souffle_compile: options.Compile = False,
) -> None:
    """Hold several SSA builders against each other.

    Phi sites and the definition that each read sees are compared, not names. A folder of relations may hold
    expected_phi, which counts as one more builder. The exit code is 1 if anything differs.

    Examples:

        ssarel compare src --with duckdb,souffle,cytron,braun

        ssarel compare ssa.duckdb --format json

        ssarel compare src --format junit > compare.xml
    """
    from ssarel import batch
    from ssarel.compare import compare as run

    names = [name.strip() for name in builders.split(",") if name.strip()]
    if not names:
        raise UsageError("--with needs at least one builder")
    limits = options.limits(memory_limit, temp_directory, threads, timeout, souffle_compile)
    functions, sources = batch.gather(paths, profile.value, options.choice(exclude, no_ignore))
    comparison = run(functions, names, limits)
    if format is CompareFormat.junit:
        sys.stdout.write(junit.document(map(functions.title, functions.units), comparison, sources))
    else:
        _print(comparison, Format(format.value))
    complain(sources)
    raise typer.Exit(1 if comparison.mismatches or any(map(batch.is_failed, sources)) else 0)


def _print(comparison: Comparison, format: Format) -> None:
    report = comparison.as_json()
    if format is Format.json:
        print(json.dumps(report, indent=2))
        return
    columns = ("builder", "functions", "phis", "seconds", "rename_seconds")
    rows = [(name, *(figures[column] for column in columns[1:])) for name, figures in report["builders"].items()]
    show(columns, rows, format)
    for title, found in (("mismatches", report["mismatches"]), ("allowed differences", report["allowed"])):
        print(f"\n{len(found)} {title}")
        if found:
            cells = [
                (item["kind"], item["function"], item["block"], item["variable"], json.dumps(item["sides"]))
                for item in found[:SHOWN]
            ]
            show(("kind", "function", "block", "variable", "who has it"), cells, format)
            if len(found) > SHOWN:
                print(f"... and {len(found) - SHOWN} more; --format json has all")


@app.command()
def doctor(format: FormatOption = Format.table) -> None:
    """Show what is installed, what is missing, and how to get it.

    The exit code is 2 if the main job cannot run.

    Examples:

        ssarel doctor
    """
    from ssarel import __version__
    from ssarel import doctor as examination

    findings = list(examination.examine())
    columns = ("what", "status", "version", "needed for", "how to get it")
    rows = [
        ("ssarel", "ok", __version__, "", ""),
        *((item.name, item.status, item.version, item.needed_for, item.how) for item in findings),
    ]
    show(columns, rows, format)
    raise typer.Exit(0 if examination.can_run(findings) else 2)
