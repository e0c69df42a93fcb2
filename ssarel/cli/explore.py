"""Commands that show results to people: explain, report."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from ssarel.cli.app import app


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
