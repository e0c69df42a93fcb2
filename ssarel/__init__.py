"""SSA as a database: the Python API.

    import ssarel

    with ssarel.analyze(["src"]) as database:
        print(database.query("dead_def"))
        print(database.sql("select count(*) as phis from ssa_phi"))

Errors are subclasses of `ssarel.errors.SsarelError`.
"""

from __future__ import annotations

import os
import pathlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ssarel.database import Database
    from ssarel.ir import Function

__version__ = "0.1.0"
__all__ = ["__version__", "analyze", "lower", "open", "to_ssa"]

Path = str | os.PathLike[str]


def analyze(
    paths: Path | Iterable[Path],
    database: Path | None = None,
    engine: str = "duckdb",
    profile: str = "default",
    **limits: Any,
) -> Database:
    """Analyse source files, and folders of them, into one database.

    database: the file to write; None keeps it in memory.
    engine:   `duckdb` or `souffle`.
    profile:  `default` (JavaScript's meaning) or `react` (as React Compiler 1.0.0 lowers).
    limits:   memory_limit, temp_directory, threads, timeout (seconds), for the engine.

    Returns: the database, open for reading. Inputs that could not be analysed are rows of its relation `diagnostic`.
    Raises:  UsageError for a path that does not exist; DatabaseError if the file cannot be written; EngineError.
    """
    from ssarel import analysis
    from ssarel import database as databases

    if database is not None:
        databases.check_target(pathlib.Path(database))
    given = [paths] if isinstance(paths, str | os.PathLike) else paths
    run = analysis.analyze(given, engine, profile, limits)
    if database is None:
        return databases.in_memory(run.tables)
    databases.write(pathlib.Path(database), run.tables)
    return databases.open(database)


def open(path: Path) -> Database:
    """Open a database that `analyze` wrote, for reading.

    Raises: DatabaseError if there is no such file, a writer holds it, or it is no database of ssarel's.
    """
    from ssarel import database

    return database.open(path)


def lower(source: str | os.PathLike[str], language: str | None = None, profile: str = "default") -> list[Function]:
    """The root functions of one source: the module body first, then in source order.

    source:   a path object is read; a string is the text itself, in `language`.
    language: `javascript` (the default for a string), `jsx`, `typescript`, `tsx` or `hir`; for a path, what its
              extension says.

    Raises: InputError, located, if a part of the source cannot be analysed.
    """
    from ssarel import batch, notebook

    notebook.show_functions()
    return batch.lower_one(source, language, profile)


def to_ssa(function: Function, builder: str = "duckdb", numbering: str = "default") -> Function:
    """Bring `function`, and what is nested in it, into minimal pruned SSA form, in place.

    builder:   `duckdb` or `souffle` (the rules), `cytron` or `braun` (imperative), `react` (as React Compiler does it).
    numbering: `default`, or `react` for the ids that React Compiler gives.

    Returns: `function` itself.
    Raises:  UsageError if there is no such builder; EngineError as the engines do; Rejected if the compiler would
             refuse the function.
    """
    from ssarel import construct

    if "react" in (builder, numbering):
        for error in construct.to_react_ssa([function], builder).values():
            raise error
    else:
        construct.to_ssa([function], builder)
    return function
