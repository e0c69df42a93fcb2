"""The export command: the relations of a database as files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ssarel.cli.app import app
from ssarel.cli.produce import FactsFormat
from ssarel.errors import UsageError


@app.command()
def export(
    database: Annotated[Path, typer.Argument(metavar="DB", help="A database that analyze wrote.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="The folder to write.")],
    format: Annotated[FactsFormat, typer.Option("--format", help="facts is what Soufflé reads.")] = FactsFormat.parquet,
    relation: Annotated[
        list[str] | None,
        typer.Option("--relation", metavar="NAME", help="Only this table or view; repeatable."),
    ] = None,
) -> None:
    """Write every table of a database as a file: base, derived and SSA relations, and those of your own rules.

    Views are written where --relation names them. The folder is an input of check, compare, profile and facts.

    Examples:

        ssarel export ssa.duckdb -o relations

        ssarel export ssa.duckdb -o relations --format csv --relation value_place --relation phi
    """
    import pyarrow as pa

    from ssarel import database as databases
    from ssarel import folders

    with databases.open(database) as opened:
        names = relation or [name for name, kind in opened.kinds().items() if kind == "table"]
        for name in names:
            opened.relation(name)  # all are there, or nothing is written
        rows = 0
        for name in names:
            table = opened.tables([name])[name]
            try:
                folders.write_folder({name: table}, output, format.value)
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
                raise UsageError(
                    f"{name} cannot be written as {format.value}: {error}; --format parquet can"
                ) from error
            rows += table.num_rows
    print(f"{output}: {len(names)} relations, {rows} rows")
