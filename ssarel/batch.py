"""Many files at once: lower each, and go on when one fails."""

from __future__ import annotations

import gc
import hashlib
import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from ssarel import database, facts, folders, frontends, paths, schema, workers
from ssarel.compare import Batch
from ssarel.errors import InputError, UsageError
from ssarel.garbage import young_garbage_only
from ssarel.ir import Diagnostic, Function
from ssarel.paths import EVERYTHING_TRACKED, Choice
from ssarel.sources import Source

_LINE_END = re.compile(r"\r\n|[\n\r\u2028\u2029]")


def read(path: Path, profile: str = "default") -> Source:
    """Lower the file at `path`. Whatever goes wrong becomes a diagnostic of severity error."""
    name = path.as_posix()
    try:
        data = path.read_bytes()
    except OSError as error:
        message = f"cannot be read: {error.strerror or error}"
        return Source(
            name, frontends.language_of(path.name) or "", "", [], [Diagnostic("error", "unreadable", message)]
        )
    return lower(data, name, profile)


def read_all(files: Iterable[Path], profile: str = "default") -> list[Source]:
    """Lower `files` one after the other, as far as relations are made from; see `read` and `workers.prepare`."""
    sources: list[Source] = []
    for file in files:
        sources.append(read(file, profile))
        if profile == "react":
            workers.prepare(sources[-1])
        gc.collect(0)
    return sources


def lower(data: bytes, name: str, profile: str = "default") -> Source:
    """Lower the text `data` as if it stood in a file `name`, whose extension decides the language.

    Raises: UsageError if no front end reads such files.
    """
    front_end = frontends.frontend_for(name)
    language = frontends.language_of(name) or ""
    lines = _LINE_END.split(data.decode("utf-8-sig", "replace"))
    source = Source(name, language, hashlib.sha256(data).hexdigest(), [], lines=lines)
    try:
        lowered = front_end(data, name, profile)
    except Exception as error:
        # A fault of ours in one file must not cost the others; it is counted as a failed input.
        message = f"the front end failed with {type(error).__name__}: {error}; please report this"
        source.diagnostics.append(Diagnostic("error", "crash", message))
    else:
        source.functions, source.diagnostics = lowered.functions, lowered.diagnostics
        source.lines = source.lines if lowered.lines is None else lowered.lines
    return source


def lower_one(source: str | os.PathLike[str], language: str | None = None, profile: str = "default") -> list[Function]:
    """The functions of a path, or of a text in `language` (default javascript).

    Raises: UsageError for a language or path that does not exist; InputError if a part of it was not analysed.
    """
    if isinstance(source, str):
        found = lower(source.encode("utf-8", "surrogatepass"), text_name(language or "javascript"), profile)
    else:
        path = paths.find([source])[0]
        found = read(path, profile) if language is None else lower(path.read_bytes(), text_name(language), profile)
    for item in found.diagnostics:
        if item.severity == "error":
            raise InputError(f"{found.path}:{item.line}:{item.col}: {item.message}")
    return found.functions


def text_name(language: str) -> str:
    """A file name for a text in `language` that stands in no file. Raises: UsageError if no front end reads it."""
    for ending, (name, _) in frontends.LANGUAGES.items():
        if name == language:
            return f"text{ending}"
    known = ", ".join(sorted({name for name, _ in frontends.LANGUAGES.values()}))
    raise UsageError(f"no front end reads {language!r}; there are {known}")


def is_failed(source: Source) -> bool:
    """Whether a part of `source` was not analysed."""
    return any(item.severity == "error" for item in source.diagnostics)


@young_garbage_only()
def gather(
    given: Sequence[str | os.PathLike[str]], profile: str = "default", choice: Choice = EVERYTHING_TRACKED
) -> tuple[Batch, list[Source]]:
    """What to compare builders on: source files and folders of them, or one database, or one folder of relations.

    choice:  what is left out of folders of sources.
    Returns: the functions, and the source files with their diagnostics, none for a database or relations.
    Raises:  UsageError for a path that does not exist; DatabaseError; InputError for relations that do not fit.
    """
    if len(given) == 1 and folders.is_folder_of_relations(Path(given[0])):
        tables = folders.read_folder(Path(given[0]))
        return Batch.of(tables), []
    if len(given) == 1 and database.is_database(Path(given[0])):
        with database.open(given[0]) as opened:
            return Batch.of(opened.tables(schema.BASE)), []
    sources = read_all(paths.find(given, choice), profile)
    emitted = facts.emit(sources)
    return Batch.of(emitted.tables, emitted.units), sources
