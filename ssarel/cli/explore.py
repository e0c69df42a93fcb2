"""Commands that show results to people: explain, report."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ssarel.cli import options
from ssarel.cli.app import app
from ssarel.cli.check import open_any
from ssarel.cli.produce import complain
from ssarel.errors import UsageError


class ExplainFormat(StrEnum):
    """How explanations are printed."""

    text = "text"
    json = "json"
    mermaid = "mermaid"


@app.command()
def explain(
    database: Annotated[Path, typer.Argument(metavar="DB", help="A database that analyze wrote.")],
    function: Annotated[str, typer.Argument(metavar="FUNCTION", help="A name, PATH:NAME, or PATH:LINE[:COL].")],
    variable: Annotated[str, typer.Argument(metavar="VARIABLE", help="A name, or a value such as i.2.")],
    place: Annotated[
        str | None, typer.Argument(metavar="[BLOCK|LINE]", help="A block such as bb3, or a line; else every phi.")
    ] = None,
    format: Annotated[
        ExplainFormat, typer.Option("--format", help="json: with facts that queries can check.")
    ] = ExplainFormat.text,
) -> None:
    """Say why there is a phi here, why not there, and which definitions reach a read.

    Examples:

        ssarel explain ssa.duckdb count_to i

        ssarel explain ssa.duckdb loop.js:count_to i 7 --format json
    """
    from ssarel import database as databases
    from ssarel.explain import explain as answer_of

    with databases.open(database) as opened:
        answer = answer_of(opened.connection, function, variable, place)
    match format:
        case ExplainFormat.text:
            print(answer)
        case ExplainFormat.json:
            print(json.dumps(answer.as_json(), indent=2, ensure_ascii=False))
        case ExplainFormat.mermaid:
            print(answer.as_mermaid())


class ReportFormat(StrEnum):
    """What a report is."""

    html = "html"
    dot = "dot"
    mermaid = "mermaid"
    svg = "svg"


@app.command()
def report(
    path: Annotated[str, typer.Argument(metavar="FILE|DB", help="A source file, a folder of them, or a database.")],
    function: Annotated[
        str | None, typer.Option("--function", metavar="NAME", help="A name, PATH:NAME, or PATH:LINE[:COL].")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="The file to write; else standard output.")
    ] = None,
    format: Annotated[
        ReportFormat, typer.Option("--format", help="html: a page; the others: the control-flow graph of one function.")
    ] = ReportFormat.html,
    profile: options.ProfileOption = options.Profile.default,
) -> None:
    """Make a page to look at: source, graphs, SSA, frontiers, liveness and phis, which light up together.

    The page is one file and loads nothing. Over several functions it has a list to search.

    Examples:

        ssarel report loop.js -o report.html

        ssarel report ssa.duckdb --function count_to --format svg -o count_to.svg
    """
    from ssarel import report as reports
    from ssarel.explain import find
    from ssarel.report import graph

    database, sources = open_any([path], profile.value, {})
    with database:
        places = find.functions(database.connection)
        if function is not None:
            places = find.find_functions(places, function)
        if not places:
            complain(sources)
            raise UsageError(f"{path}: has no functions")
        if format is ReportFormat.html:
            pieces = reports.page(database.connection, places)
        else:
            if len(places) > 1:
                places = [find.one_of(places, function or path)]
            draw = {"dot": graph.dot, "mermaid": graph.mermaid, "svg": graph.svg}[format.value]
            pieces = iter([draw(reports.ordered(database.connection, places)[0]), "\n"])
        _write(pieces, output)
    complain(sources)
    if output is not None and format is ReportFormat.html:
        print(f"{output}: {len(places)} functions, {output.stat().st_size / 1e6:.1f} MB")
    raise typer.Exit(1 if any(item.severity == "error" for source in sources for item in source.diagnostics) else 0)


def _write(pieces: Iterator[str], output: Path | None) -> None:
    if output is None:
        sys.stdout.writelines(pieces)
        return
    draft = output.with_name(f".{output.name}.tmp")
    try:
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(pieces)
        draft.replace(output)
    except OSError as error:
        raise UsageError(f"{output}: cannot be written: {error.strerror or error}") from error
    finally:
        draft.unlink(missing_ok=True)
