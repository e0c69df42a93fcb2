"""Options that several commands share, each written once."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer


class Engine(StrEnum):
    """Who evaluates the rules."""

    duckdb = "duckdb"
    souffle = "souffle"


class Profile(StrEnum):
    """Which meaning the front end gives a program."""

    default = "default"
    react = "react"


Paths = Annotated[list[str], typer.Argument(metavar="PATH...", help="Source files, or folders of them.")]
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
    float | None, typer.Option("--timeout", min=0.001, metavar="SECONDS", help="Stop the engine after this time.")
]


def limits(memory: str | None, temporary: str | None, threads: int | None, timeout: float | None) -> dict[str, Any]:
    """The limits that were given, under the names that engines take."""
    given = {"memory_limit": memory, "temp_directory": temporary, "threads": threads, "timeout": timeout}
    return {name: value for name, value in given.items() if value is not None}
