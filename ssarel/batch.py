"""Many files at once: find them, lower each, and go on when one fails."""

from __future__ import annotations

import gc
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ssarel import database, facts, folders, frontends, schema
from ssarel.compare import Batch
from ssarel.errors import InputError, UsageError
from ssarel.facts import Source
from ssarel.garbage import young_garbage_only
from ssarel.ir import Diagnostic, Function

SKIPPED = frozenset({".git", "node_modules"})
"""Folders whose insides are left out unless they are named themselves."""

_LINE_END = re.compile(r"\r\n|[\n\r\u2028\u2029]")

_DECLARATIONS = re.compile(r"\.d\.[cm]?ts$", re.IGNORECASE)
"""TypeScript files that hold types only, no code: left out of folders too."""


def find(paths: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """The files to read: `paths` that are files, and of folders every file that a front end reads, each once, sorted.

    Links to folders inside a folder are not followed, so there are no loops.
    Raises: UsageError if a path does not exist, a file has an unknown extension, or nothing is found.
    """
    paths = list(paths)
    found: dict[str, Path] = {}
    for given in paths:
        path = Path(given)
        if path.is_dir():
            inside = list(_walk(path))
        elif not os.path.lexists(path):
            raise UsageError(f"{path}: no such file or folder")
        else:
            frontends.frontend_for(path.name)
            inside = [path]
        for file in inside:
            found.setdefault(os.path.normpath(file), file)
    if not found:
        known = " ".join(sorted(frontends.LANGUAGES))
        raise UsageError(f"{', '.join(map(str, paths))}: no source files; ssarel reads {known}")
    return [found[name] for name in sorted(found, key=lambda name: name.split(os.sep))]


def _walk(folder: Path) -> Iterator[Path]:
    for place, folders_inside, files in os.walk(folder):
        folders_inside[:] = [name for name in folders_inside if name not in SKIPPED]
        for name in files:
            if frontends.language_of(name) and not _DECLARATIONS.search(name):
                yield Path(place, name)


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
    """Lower `files` one after the other; see `read`."""
    sources: list[Source] = []
    for file in files:
        sources.append(read(file, profile))
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
        path = find([source])[0]
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
def gather(paths: Sequence[str | os.PathLike[str]], profile: str = "default") -> tuple[Batch, list[Source]]:
    """What to compare builders on: source files and folders of them, or one database, or one folder of relations.

    Returns: the functions, and the source files with their diagnostics, none for a database or relations.
    Raises:  UsageError for a path that does not exist; DatabaseError; InputError for relations that do not fit.
    """
    if len(paths) == 1 and folders.is_folder_of_relations(Path(paths[0])):
        tables = folders.read_folder(Path(paths[0]))
        return Batch.of(tables), []
    if len(paths) == 1 and database.is_database(Path(paths[0])):
        with database.open(paths[0]) as opened:
            return Batch.of(opened.tables(schema.BASE)), []
    sources = read_all(find(paths), profile)
    emitted = facts.emit(sources)
    return Batch.of(emitted.tables, emitted.units), sources
