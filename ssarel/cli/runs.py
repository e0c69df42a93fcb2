"""Commands about runs: diff, profile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ssarel.cli.app import app
from ssarel.cli.output import Format, show

if TYPE_CHECKING:
    from ssarel.diff import Phi

FormatOption = Annotated[Format, typer.Option("--format", help="How rows are printed.")]


@app.command()
def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="A database that analyze wrote.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="A later one.")],
    format: FormatOption = Format.table,
) -> None:
    """Show which functions of two databases differ, and which phis they gained and lost.

    Functions correspond by path, name, and order among those of the same name. A phi is shown as variable@block, the
    block by its position. Moved lines are no change. The exit code is 1 if anything differs.

    Examples:

        ssarel diff yesterday.duckdb today.duckdb

        ssarel diff yesterday.duckdb today.duckdb --format json
    """
    from ssarel import database as databases
    from ssarel.diff import diff as changes_between

    with databases.open(old) as before, databases.open(new) as after:
        changes = list(changes_between(before, after))
    if format is Format.json:
        print(json.dumps([change.as_json() for change in changes], indent=2, ensure_ascii=False))
    elif changes or format is not Format.table:
        rows = [
            (change.kind, f"{change.key[0]}:{change.line}", change.key[1], _phis(change.gained), _phis(change.lost))
            for change in changes
        ]
        show(("change", "place", "function", "phis gained", "phis lost"), rows, format)
    else:
        print("no differences")
    raise typer.Exit(1 if changes else 0)


def _phis(phis: tuple[Phi, ...]) -> str:
    return " ".join(f"{variable}@{block}" for variable, block in phis)
