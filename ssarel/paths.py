"""Which files a command reads: those named, and what folders and globs hold that is not left out."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

from ssarel import frontends, ignore
from ssarel.errors import UsageError
from ssarel.ignore import Ignored, Patterns

SKIPPED = frozenset({".git", "node_modules"})
"""Folders whose insides are left out unless they are named themselves."""

_DECLARATIONS = re.compile(r"\.d\.[cm]?ts$", re.IGNORECASE)
"""TypeScript files that hold types only, no code: left out of folders too."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What is left out of folders and globs.

    exclude:      patterns in gitignore's syntax, relative to each folder that is named; they outdo ignore files.
    ignore_files: whether .gitignore files and .git/info/exclude count.
    """

    exclude: tuple[str, ...] = ()
    ignore_files: bool = True


EVERYTHING_TRACKED = Choice()
"""What commands read if nothing else is said."""


def find(paths: Iterable[str | os.PathLike[str]], choice: Choice = EVERYTHING_TRACKED) -> list[Path]:
    """The files to read, each once, sorted: `paths` that are files, and of folders and globs what a front end reads.

    Links to folders inside a folder are not followed, so there are no loops. A folder that is left out is not looked
    into. A file that is named is read, whatever says otherwise.
    Raises: UsageError if a path does not exist, a glob matches nothing, a file has an unknown extension, a folder
            cannot be listed, a pattern is none, or nothing is found.
    """
    paths = list(paths)
    found: dict[str, Path] = {}
    for given in paths:
        path = Path(given)
        if path.is_dir():
            inside = list(_walk(path, choice))
        elif os.path.lexists(path):
            frontends.frontend_for(path.name)
            inside = [path]
        elif glob.has_magic(str(path)):
            inside = list(_expand(path, choice))
        else:
            raise UsageError(f"{path}: no such file or folder")
        for file in inside:
            found.setdefault(os.path.normpath(file), file)
    if not found:
        known = " ".join(sorted(frontends.LANGUAGES))
        raise UsageError(f"{', '.join(map(str, paths))}: no source files; ssarel reads {known}")
    return [found[name] for name in sorted(found, key=lambda name: name.split(os.sep))]


def _expand(pattern: Path, choice: Choice) -> Iterator[Path]:
    """The files that `pattern` matches, and those in folders that it matches: what gitignore's syntax makes of it."""
    fixed = next(at for at, part in enumerate(pattern.parts) if glob.has_magic(part))
    folder = Path(*pattern.parts[:fixed])
    try:
        spec = GitIgnoreSpec.from_lines(["/" + "/".join(pattern.parts[fixed:])])
    except (ValueError, re.error) as error:
        raise UsageError(f"{pattern}: no pattern: {error}") from error
    if not folder.is_dir():
        raise UsageError(f"{pattern}: no folder {folder}")
    found = [file for file in _walk(folder, choice) if spec.match_file(file.relative_to(folder).as_posix())]
    if not found:
        raise UsageError(f"{pattern}: matches no source file")
    yield from found


def _walk(folder: Path, choice: Choice) -> Iterator[Path]:
    """The files of `folder` that a front end reads and nothing leaves out."""
    top = os.path.abspath(folder)
    excluded = Patterns.of(top, choice.exclude)
    ignored = {top: ignore.above(top) if choice.ignore_files else Ignored()}
    for place, folders, files in os.walk(folder, onerror=_refuse):
        here = os.path.normpath(os.path.join(top, os.path.relpath(place, folder)))
        rules = ignored.pop(here)
        if choice.ignore_files:
            rules = rules.enter(here)

        def is_kept(name: str, here: str = here, rules: Ignored = rules) -> bool:
            path = os.path.join(here, name)
            said = excluded.verdict(path)
            return not (rules.verdict(path) if said is None else said)

        folders[:] = [name for name in folders if name not in SKIPPED and is_kept(f"{name}/")]
        ignored |= {os.path.join(here, name): rules for name in folders}
        for name in files:
            if frontends.language_of(name) and not _DECLARATIONS.search(name) and is_kept(name):
                yield Path(place, name)


def _refuse(error: OSError) -> None:
    raise UsageError(f"{error.filename}: cannot be listed: {error.strerror}; --exclude leaves it out")
