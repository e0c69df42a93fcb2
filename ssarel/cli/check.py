"""The check command: rows that must not exist, as a table, JSON or SARIF."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ssarel.cli import options, sarif
from ssarel.cli.app import app
from ssarel.cli.output import table
from ssarel.cli.produce import complain
from ssarel.errors import UsageError

if TYPE_CHECKING:
    from ssarel.database import Database
    from ssarel.paths import Choice
    from ssarel.sources import Source
    from ssarel.verify import Outcome, Violation


class CheckFormat(StrEnum):
    """How violations are printed."""

    table = "table"
    json = "json"
    sarif = "sarif"


@app.command()
def check(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH...", help="A database, a folder of relations, or source files, folders, globs."),
    ] = None,
    rule: Annotated[list[str] | None, typer.Option("--rule", metavar="NAME", help="Run only this check.")] = None,
    rules: Annotated[
        Path | None, typer.Option("--rules", metavar="DIR", file_okay=False, exists=True, help="Checks of your own.")
    ] = None,
    format: Annotated[CheckFormat, typer.Option("--format", help="How violations are printed.")] = CheckFormat.table,
    list_checks: Annotated[bool, typer.Option("--list", help="Show the checks.")] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, metavar="N", help="Print at most N rows of a check.")] = 1000,
    exclude: options.Exclude = None,
    no_ignore: options.NoIgnore = False,
    profile: options.ProfileOption = options.Profile.default,
    memory_limit: options.Memory = None,
    temp_directory: options.Temporary = None,
    threads: options.Threads = None,
    timeout: options.Timeout = None,
) -> None:
    """Look for rows that must not exist: in control flow, dominance, liveness, phis and values.

    A check is a query whose rows are violations. A folder of relations may come from any tool; what it lacks is
    derived. The exit code is 1 if there is a violation. Checks whose relations are missing are not run, and named.

    Examples:

        ssarel check ssa.duckdb

        ssarel check src --rule use_not_dominated --format sarif

        ssarel check relations-of-another-tool --rules my-checks
    """
    from ssarel import verify

    chosen = verify.checks(rules)
    if rule:
        chosen = verify.select(chosen, rule)
    if list_checks:
        table(("check", "a row says", "needs"), [(item.name, item.sentence, " ".join(item.needs)) for item in chosen])
        return
    given = options.limits(memory_limit, temp_directory, threads, timeout, False)["duckdb"]
    database, sources = open_any(paths or [], profile.value, given, options.choice(exclude, no_ignore))
    with database:
        outcomes = list(verify.verify(database.connection, chosen, limit))
        violations = [item for outcome in outcomes for item in verify.violations(database.connection, outcome)]
    absent = [outcome for outcome in outcomes if outcome.missing]
    if rule and absent:
        raise UsageError(f"check {absent[0].check.name} needs {', '.join(absent[0].missing)}, which are not there")
    match format:
        case CheckFormat.table:
            _table(outcomes, violations)
        case CheckFormat.json:
            print(json.dumps(_json(outcomes, violations), indent=2, ensure_ascii=False))
        case CheckFormat.sarif:
            print(json.dumps(_sarif(outcomes, violations), indent=2, ensure_ascii=False))
    for outcome in absent:
        print(f"not run: {outcome.check.name} needs {', '.join(outcome.missing)}", file=sys.stderr)
    complain(sources)
    failed = any(item.severity == "error" for source in sources for item in source.diagnostics)
    raise typer.Exit(1 if failed or any(outcome.total for outcome in outcomes) else 0)


def open_any(
    paths: Sequence[str], profile: str, given: dict[str, Any], choice: Choice | None = None
) -> tuple[Database, list[Source]]:
    """A database, a folder of relations as one, or what an analysis of sources gives; and the sources."""
    from ssarel import analysis, folders, verify
    from ssarel import database as databases
    from ssarel.paths import Choice, find

    if not paths:
        raise UsageError("give a database, a folder of relations, or source files: ssarel check PATH...")
    first = Path(paths[0])
    if len(paths) == 1 and folders.is_folder_of_relations(first):
        return verify.open_folder(first, given), []
    if len(paths) == 1 and databases.is_database(first):
        return databases.open(first), []
    run = analysis.analyze(find(paths, choice or Choice()), profile=profile, options=given)
    return databases.in_memory(run.tables), run.sources


def _table(outcomes: Sequence[Outcome], violations: Sequence[Violation]) -> None:
    if violations:
        rows = [
            (item.check.name, f"{item.path}:{item.line}" if item.line else item.path, item.function, _words(item))
            for item in violations
        ]
        table(("check", "place", "function", "row"), rows)
        print()
    for outcome in outcomes:
        if outcome.total > len(outcome.rows):
            print(f"{outcome.check.name}: {outcome.total - len(outcome.rows)} more rows")
    run = [outcome for outcome in outcomes if not outcome.missing]
    broken = sum(1 for outcome in run if outcome.total)
    print(f"{len(run)} checks run, {broken} with violations, {len(outcomes) - len(run)} not run")


def _words(violation: Violation) -> str:
    """The row as `column=id (name)`."""
    return ", ".join(
        f"{column}={value}" + (f" ({violation.names[column]})" if column in violation.names else "")
        for column, value in violation.row.items()
        if value is not None
    )


def _json(outcomes: Sequence[Outcome], violations: Sequence[Violation]) -> dict[str, Any]:
    return {
        "checks": [
            {"check": item.check.name, "says": item.check.sentence, "rows": item.total, "missing": list(item.missing)}
            for item in outcomes
        ],
        "violations": [
            {
                "check": item.check.name,
                "path": item.path,
                "line": item.line,
                "function": item.function,
                "row": item.row,
                "names": item.names,
            }
            for item in violations
        ],
    }


def _sarif(outcomes: Sequence[Outcome], violations: Sequence[Violation]) -> dict[str, Any]:
    """The same as a SARIF log: one rule a check, one result a row, one notification a check that was not run."""
    return sarif.log(
        {item.check.name: item.check.sentence for item in outcomes},
        [
            sarif.Result(
                item.check.name,
                "error",
                f"{item.check.sentence}: {_words(item)}",
                item.path,
                item.line,
                item.col,
                item.function,
            )
            for item in violations
        ],
        [f"{item.check.name} not run: needs {', '.join(item.missing)}" for item in outcomes if item.missing],
    )
