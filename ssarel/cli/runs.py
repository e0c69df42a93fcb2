"""Commands about runs: diff, profile."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ssarel.cli import options
from ssarel.cli.app import app
from ssarel.cli.output import Format, show
from ssarel.cli.produce import complain

if TYPE_CHECKING:
    from ssarel.compare import Batch
    from ssarel.diff import Phi
    from ssarel.profile import Profile

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


@app.command()
def profile(
    paths: Annotated[
        list[str],
        typer.Argument(metavar="PATH...", help="Source files, folders, globs; or one database or folder of relations."),
    ],
    engine: options.EngineOption = options.Engine.duckdb,
    max_rows: Annotated[
        int, typer.Option("--max-rows", min=1, metavar="N", help="Rows that a function may have in one relation.")
    ] = 10_000_000,
    format: FormatOption = Format.table,
    exclude: options.Exclude = None,
    no_ignore: options.NoIgnore = False,
    profile: options.ProfileOption = options.Profile.default,
    memory_limit: options.Memory = None,
    temp_directory: options.Temporary = None,
    threads: options.Threads = None,
    timeout: options.Timeout = None,
    souffle_compile: options.Compile = False,
) -> None:
    """Show what each rule costs: rows, seconds, iterations, the widest relation, the largest functions.

    DuckDB tells each rule file's rows and seconds; it counts no iterations, shown as nothing. Soufflé tells them for
    each relation, helpers of one file (_walk) and its own (__agg_subclause) too; 0 iterations means not recursive.

    A function for which dom_frontier, loop_block or live_in would pass --max-rows is named before, and left out.

    Examples:

        ssarel profile src

        ssarel profile ssa.duckdb --max-rows 1000000 --format json
    """
    from ssarel import batch as inputs
    from ssarel import profile as profiling
    from ssarel.ir import Diagnostic

    batch, sources = inputs.gather(paths, profile.value, options.choice(exclude, no_ignore))
    left_out = profiling.too_large(batch, max_rows)
    for item in left_out:
        message = f"{item.relation} would have more than {max_rows} rows; left out, see --max-rows"
        warning = Diagnostic("warning", "too-large", message)
        print(f"{batch.title(item.unit)}: {warning.message} [{warning.code}]", file=sys.stderr)
    limits = options.limits(memory_limit, temp_directory, threads, timeout, souffle_compile)
    made = profiling.profile(batch, engine.value, limits[engine.value], left_out)
    _print_profile(batch, made, format)
    complain(sources)
    raise typer.Exit(1 if any(map(inputs.is_failed, sources)) else 0)


def _print_profile(batch: Batch, made: Profile, format: Format) -> None:
    costs = [(cost.relation, cost.rows, round(cost.seconds, 4), cost.iterations) for cost in made.costs]
    columns = ("relation", "rows", "seconds", "iterations")
    largest = [(batch.title(unit), len(unit.blocks), unit.flow.variables) for unit in made.largest]
    if format is Format.json:
        report: dict[str, Any] = {
            "seconds": round(made.seconds, 4),
            "rules": [dict(zip(columns, row, strict=True)) for row in costs],
            "widest": made.widest and made.widest.relation,
            "largest": [dict(zip(("function", "blocks", "variables"), row, strict=True)) for row in largest],
            "left_out": [{"function": batch.title(item.unit), "relation": item.relation} for item in made.left_out],
        }
        print(json.dumps(report, indent=2, ensure_ascii=False))
        return
    show(columns, costs, format)
    print()
    show(("largest functions", "blocks", "variables"), largest, format)
    if made.widest is not None:
        print(f"\nwidest relation: {made.widest.relation}, {made.widest.rows} rows; {made.seconds:.2f} s in all")
