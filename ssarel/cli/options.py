"""Options that several commands share, each written once."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ssarel.paths import Choice


class Engine(StrEnum):
    """Who evaluates the rules."""

    duckdb = "duckdb"
    souffle = "souffle"


class Profile(StrEnum):
    """Which meaning the front end gives a program."""

    default = "default"
    react = "react"


Paths = Annotated[list[str], typer.Argument(metavar="PATH...", help="Source files, folders of them, or globs.")]
Exclude = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude",
        metavar="PATTERN",
        help="Leave out of each folder given, as a line of its .gitignore would; repeatable.",
    ),
]
NoIgnore = Annotated[
    bool,
    typer.Option("--no-ignore", help="Read also what .gitignore files and .git/info/exclude leave out of folders."),
]
EngineOption = Annotated[Engine, typer.Option("--engine", help="Who evaluates the rules.")]
ProfileOption = Annotated[
    Profile, typer.Option("--profile", help="default: JavaScript's meaning; react: as React Compiler 1.0.0 lowers.")
]
Memory = Annotated[
    str | None, typer.Option("--memory-limit", metavar="SIZE", help="Memory of the DuckDB engine, for example 4GB.")
]
Temporary = Annotated[
    str | None,
    typer.Option("--temp-directory", metavar="DIR", help="Where the engine puts what does not fit in memory."),
]
Threads = Annotated[int | None, typer.Option("--threads", min=1, metavar="N", help="Threads of the engine.")]
Timeout = Annotated[
    float | None,
    typer.Option("--timeout", min=0.001, metavar="SECONDS", help="Longest time for one file, and for the engine."),
]

Compile = Annotated[
    bool, typer.Option("--souffle-compile", help="Compile the rules for Soufflé once and keep the program.")
]


def choice(exclude: list[str] | None, no_ignore: bool) -> Choice:
    """What was given about files to leave out."""
    from ssarel.paths import Choice

    return Choice(tuple(exclude or ()), not no_ignore)


def limits(
    memory_limit: str | None,
    temp_directory: str | None,
    threads: int | None,
    timeout: float | None,
    souffle_compile: bool,
) -> dict[str, dict[str, Any]]:
    """What was given, by engine, under the names that the engine takes."""
    duckdb = {"memory_limit": memory_limit, "temp_directory": temp_directory, "threads": threads, "timeout": timeout}
    souffle = {"compile": souffle_compile or None, "timeout": timeout}
    given = {"duckdb": duckdb, "souffle": souffle}
    return {
        engine: {name: value for name, value in choices.items() if value is not None}
        for engine, choices in given.items()
    }
