"""Commands that read source files: analyze, facts, ssa."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from ssarel.cli import options
from ssarel.cli.app import app
from ssarel.cli.progress import progress
from ssarel.errors import UsageError, near

if TYPE_CHECKING:
    import pyarrow as pa

    from ssarel.current import Summary
    from ssarel.ir import Function
    from ssarel.packs import UserRule
    from ssarel.sources import Source

SHOWN = 20
"""Diagnostics of severity error that are printed in full; the rest are counted, and all are in the database."""


@app.command()
def analyze(
    paths: options.Paths,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="The database to write.")],
    engine: options.EngineOption = options.Engine.duckdb,
    exclude: options.Exclude = None,
    no_ignore: options.NoIgnore = False,
    profile: options.ProfileOption = options.Profile.default,
    memory_limit: options.Memory = None,
    temp_directory: options.Temporary = None,
    threads: options.Threads = None,
    timeout: options.Timeout = None,
    souffle_compile: options.Compile = False,
    jobs: Annotated[
        int | None, typer.Option("--jobs", min=1, metavar="N", help="Processes; by default one a core.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Use nothing that earlier runs left.")] = False,
    rules: Annotated[
        Path | None,
        typer.Option("--rules", metavar="DIR", file_okay=False, exists=True, help="Relations of your own to add."),
    ] = None,
) -> None:
    """Turn source files into one DuckDB database.

    It holds control flow, dominance, liveness, loops, phis and def-use as tables, and what stands where.

    Files that cannot be analysed are reported and counted, and the others are kept; the exit code is then 1. The
    database appears under its name only when it is complete. Files that did not change since the last run, finished
    or not, are not analysed again.

    A folder of --rules has a file for each relation to add: a .sql file is a select over all other relations, a .dl
    file declares the relation of its name, for --engine souffle.

    Examples:

        ssarel analyze src -o ssa.duckdb

        ssarel analyze src lib/main.ts -o ssa.duckdb --engine souffle

        ssarel analyze 'packages/*/src' --exclude '*.test.js' -o ssa.duckdb
    """
    from ssarel import processes
    from ssarel.paths import find

    files = find(paths, options.choice(exclude, no_ignore))
    if jobs != 1 and len(files) > 1 and not output.exists():
        processes.prepare()
    from ssarel import current, database

    database.check_target(output)
    hash_of = cache(current.hash_of)
    mark = current.fingerprint(profile.value)
    own: list[UserRule] = []
    if rules:
        from ssarel import packs

        own = packs.read(rules, engine.value)
        mark += f" {packs.digest(own)}"
    if not fresh and database.is_database(output):
        with database.connect(output, read_only=True) as connection:
            if current.is_current(connection, files, mark, hash_of):
                _conclude(current.sources_of(connection), current.summarize(connection, len(files)), output)
    from ssarel import analysis, packs, resume, workers

    drafts = resume.Drafts(output, profile.value)
    if fresh:
        drafts.clear()
    limits = options.limits(memory_limit, temp_directory, threads, timeout, souffle_compile)
    try:
        run = analysis.analyze(
            files,
            engine.value,
            profile.value,
            limits[engine.value],
            progress,
            jobs or workers.cores(),
            timeout,
            output,
            fresh,
            hash_of,
        )
        start = time.perf_counter()
        packs.write(output, run.tables, mark, own, limits[engine.value])
    except BaseException as stop:
        if kept := drafts.count(files):
            stop.add_note(f"{kept} of {len(files)} files are done and kept; the next run goes on from there")
        raise
    drafts.clear()
    run.summary.seconds["write"] = time.perf_counter() - start
    _conclude(run.sources, run.summary, output)


class Stage(StrEnum):
    """Which text the ssa command prints."""

    hir = "hir"
    ssa = "ssa"
    destructed = "destructed"


class Emit(StrEnum):
    """What the ssa command prints a function as, besides the IR's own text."""

    bril = "bril"
    bril_phi = "bril-phi"
    bril_json = "bril-json"
    llvm = "llvm"
    js = "js"


class Builder(StrEnum):
    """Imperative SSA builders."""

    cytron = "cytron"
    braun = "braun"
    react = "react"


@app.command()
def ssa(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A source file, a .hir text, or - for standard input.")],
    function: Annotated[
        str | None, typer.Option("--function", metavar="NAME", help="Print only functions of this name.")
    ] = None,
    stage: Annotated[
        Stage, typer.Option("--stage", help="hir: before SSA construction; destructed: phis made copies again.")
    ] = Stage.ssa,
    emit: Annotated[
        Emit | None,
        typer.Option("--emit", help="Print it as Bril (bril-phi: with the older phi), LLVM IR or JavaScript."),
    ] = None,
    engine: options.EngineOption = options.Engine.duckdb,
    builder: Annotated[
        Builder | None, typer.Option("--builder", help="Build without the rules: the comparison path.")
    ] = None,
    profile: options.ProfileOption = options.Profile.default,
    numbering: Annotated[
        options.Profile, typer.Option("--numbering", help="react: the ids that React Compiler 1.0.0 gives.")
    ] = options.Profile.default,
    language: Annotated[
        str, typer.Option("--language", metavar="NAME", help="Language of standard input.")
    ] = "javascript",
    memory_limit: options.Memory = None,
    temp_directory: options.Temporary = None,
    threads: options.Threads = None,
    timeout: options.Timeout = None,
    souffle_compile: options.Compile = False,
) -> None:
    """Print a file in SSA form.

    Examples:

        ssarel ssa app.js --function main

        ssarel ssa app.js --builder braun

        ssarel ssa loop.bril --emit bril

        ssarel ssa unoptimised.ll --emit llvm

        ssarel ssa app.js --stage destructed --emit js

        echo 'let x = 1; if (x) x = 2; f(x)' | ssarel ssa -
    """
    from ssarel import batch, text
    from ssarel.construct import ENGINES
    from ssarel.destruct import destruct_all
    from ssarel.emit import bril, js, llvm

    if emit is Emit.llvm and stage is not Stage.ssa:
        raise UsageError(f"--emit llvm prints the SSA form; there is none for --stage {stage.value}")
    source = _read(file, language, profile.value)
    wanted = _select(source, function)
    if stage is not Stage.hir and source.functions:
        chosen = builder.value if builder else engine.value
        limits = options.limits(memory_limit, temp_directory, threads, timeout, souffle_compile)
        rejected = _construct(source, chosen, limits.get(chosen), profile.value, numbering.value)
        wanted = [found for found in wanted if found not in rejected]
        if stage is Stage.destructed:
            roots = [root for root in source.functions if root not in rejected]
            destruct_all(roots, engine=chosen if chosen in ENGINES else None, options=limits.get(chosen))
    if emit is not None:
        if emit is Emit.js:
            printed = js.emit(wanted[:1] if wanted and wanted[0].kind == "module" else wanted, source.path)
        else:
            printed = llvm.emit(wanted) if emit is Emit.llvm else bril.emit(wanted, emit.value)
        sys.stdout.write(printed)
    else:
        texts = [text.format(found, profile.value) for found in wanted]
        sys.stdout.write("\n".join(item.rstrip("\n") + "\n" for item in texts))
    complain([source])
    raise typer.Exit(1 if batch.is_failed(source) else 0)


class FactsFormat(StrEnum):
    """File formats of a folder of relations."""

    facts = "facts"
    parquet = "parquet"
    csv = "csv"


@app.command()
def facts(
    paths: options.Paths,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="The folder to write.")],
    format: Annotated[FactsFormat, typer.Option("--format", help="facts is what Soufflé reads.")] = FactsFormat.facts,
    partitions: Annotated[
        int | None, typer.Option("--partitions", min=1, metavar="N", help="Cut them into N folders, by functions.")
    ] = None,
    exclude: options.Exclude = None,
    no_ignore: options.NoIgnore = False,
    profile: options.ProfileOption = options.Profile.default,
) -> None:
    """Write the base relations as a folder of files.

    PATH may also be one folder of relations, to write it in another format or in other partitions.

    Examples:

        ssarel facts src -o facts-of-src

        ssarel facts src -o facts-of-src && souffle -F facts-of-src -D out rules/main.dl

        ssarel facts src -o facts-of-src --format parquet --partitions 16
    """
    from ssarel import batch, folders
    from ssarel import facts as base
    from ssarel.paths import find

    if len(paths) == 1 and folders.is_folder_of_relations(Path(paths[0])):
        tables = folders.read_base(Path(paths[0]))
        _write_base(tables, output, format, partitions)
        print(f"{output}: {_size(tables)}, from {paths[0]}")
        return
    files = find(paths, options.choice(exclude, no_ignore))
    sources = batch.read_all(progress(files, len(files), "lowering"), profile.value)
    tables = base.emit(sources).tables
    _write_base(tables, output, format, partitions)
    complain(sources)
    failed = sum(map(batch.is_failed, sources))
    print(f"{output}: {_size(tables)}, from {len(files)} files, {failed} of them failed")
    raise typer.Exit(1 if failed else 0)


def _write_base(tables: Mapping[str, pa.Table], output: Path, form: FactsFormat, partitions: int | None) -> None:
    from ssarel import folders, partition

    if partitions is not None:
        partition.write(tables, output, form.value, partitions)
    elif folders.partitions(output):
        raise UsageError(f"{output} holds partitions; remove it, or write to a new folder")
    else:
        folders.write_folder(tables, output, form.value)


def _size(tables: Mapping[str, pa.Table]) -> str:
    return f"{len(tables)} relations, {sum(table.num_rows for table in tables.values())} rows"


def _read(file: str, language: str, profile: str) -> Source:
    from ssarel import batch, paths

    if file != "-":
        return batch.read(paths.find([file])[0], profile)
    return batch.lower(sys.stdin.buffer.read(), batch.text_name(language), profile)


def _construct(
    source: Source, builder: str, limits: dict[str, Any] | None, profile: str, numbering: str
) -> set[Function]:
    """Bring the functions of `source` into SSA form, after React Compiler's own passes if the profile is its.

    Returns: the functions that the compiler would reject; each has a diagnostic then.
    """
    from ssarel import construct, react_passes
    from ssarel.errors import Rejected
    from ssarel.ir import Diagnostic

    rejected: dict[Function, Rejected] = {}
    if profile == "react":
        for root in source.functions:
            try:
                react_passes.prepare(root)
            except Rejected as error:
                rejected[root] = error
    if "react" in (builder, numbering):
        rejected |= construct.to_react_ssa(source.functions, builder, limits)
    else:
        construct.to_ssa(source.functions, builder, limits)
    for root, error in rejected.items():
        message = f"React Compiler rejects {root.title}: {error}"
        source.diagnostics.append(Diagnostic("error", "rejected", message, root.line, root.col, root.title))
    return set(rejected)


def _select(source: Source, name: str | None) -> list[Function]:
    """The functions to print: roots in source order, or all of the given name."""
    from ssarel.ir import all_functions

    every = list(all_functions(source.functions))
    if name is None:
        return [function for function, parent in every if function.root or parent is None]
    found = [function for function, _ in every if function.title == name]
    if not found and source.functions:
        hint = near(name, {function.title for function, _ in every}) or f"it has {len(every)} functions"
        raise UsageError(f"{source.path}: no function {name!r}; {hint}")
    return found


def complain(sources: Sequence[Source]) -> None:
    """Print the errors among the diagnostics, the first ones in full."""
    located = [(source, item) for source in sources for item in source.diagnostics if item.severity == "error"]
    for source, item in located[:SHOWN]:
        place = f"{source.path}:{item.line}:{item.col}" if item.line else source.path
        print(f"{place}: {item.message} [{item.code}]", file=sys.stderr)
    if len(located) > SHOWN:
        rest = len(located) - SHOWN
        print(f"... and {rest} more errors, all in the relation diagnostic", file=sys.stderr)


class _Seconds(float):
    """Prints with two decimals."""

    def __str__(self) -> str:
        return f"{self:.2f}"


def _conclude(sources: Sequence[Source], summary: Summary, output: Path) -> NoReturn:
    """Print what a run found, and end with the exit code that goes with it."""
    from ssarel.cli.output import table

    complain(sources)
    rows = [
        ("files", summary.files),
        ("files failed", summary.failed),
        ("files reused", summary.reused),
        ("functions", summary.functions),
        ("blocks", summary.blocks),
        ("instructions", summary.instructions),
        ("phis", summary.phis),
        *((f"diagnostics: {severity}", number) for severity, number in sorted(summary.diagnostics.items())),
        *((f"seconds: {phase}", _Seconds(seconds)) for phase, seconds in summary.seconds.items()),
        ("seconds", _Seconds(sum(summary.seconds.values()))),
    ]
    table((str(output), "count"), rows)
    raise typer.Exit(1 if summary.failed else 0)
