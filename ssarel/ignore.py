"""What git would not track: the rules of .gitignore files, nested ones and those of the folders above too."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from ssarel.errors import UsageError

_TAIL = re.compile(r"(^!?|/)\*(\*?)(?=/?\s*$)")
"""A last segment that is a mere `*` or `**`. pathspec makes of those an expression that any path below matches; written
as `?*` and `**/?*`, which mean the same, an expression matches up to the entry that it is about."""


@dataclass(frozen=True, slots=True)
class Patterns:
    """The lines of one ignore file, which hold for what is in `folder`."""

    folder: str
    lines: tuple[GitIgnoreSpecPattern, ...]

    @classmethod
    def of(cls, folder: str, lines: Iterable[str]) -> Self:
        """The patterns that `lines` are. Raises: UsageError for one that is none."""
        found: list[GitIgnoreSpecPattern] = []
        for line in lines:
            try:
                found.append(GitIgnoreSpecPattern(_TAIL.sub(_explicit, line)))
            except (ValueError, re.error) as error:
                raise UsageError(f"{line!r} is no pattern of gitignore's: {error}") from error
        return cls(folder, tuple(reversed([pattern for pattern in found if pattern.include is not None])))

    @classmethod
    def read(cls, folder: str, name: str) -> Self:
        """The patterns of the file `name` in `folder`; none if it is not there. As in git, other lines mean nothing."""
        try:
            text = Path(folder, name).read_text("utf-8-sig", "surrogateescape")
        except OSError:
            return cls(folder, ())
        found: list[GitIgnoreSpecPattern] = []
        for line in text.split("\n"):
            try:
                found.extend(cls.of(folder, [line]).lines)
            except UsageError:
                continue
        return cls(folder, tuple(reversed(found)))

    def verdict(self, path: str) -> bool | None:
        """Whether the last pattern that is about `path`, a folder if it ends in /, takes it out; None if there is none.

        Whether a folder above is taken out is another question: a walk from the top has asked it before.
        """
        inside = path[len(self.folder) :].lstrip("/")
        for pattern in self.lines:
            found = pattern.match_file(inside)
            if found is not None and found.match.end() == len(inside):
                return pattern.include
        return None


def _explicit(tail: re.Match[str]) -> str:
    return f"{tail[1]}{'**/' if tail[2] else ''}?*"


@dataclass(frozen=True, slots=True)
class Ignored:
    """The ignore files that hold in one folder, the closest first."""

    files: tuple[Patterns, ...] = ()

    def enter(self, folder: str) -> Ignored:
        """Those that hold in `folder`, one below or the first: a repository starts anew."""
        above = self.files
        if os.path.lexists(os.path.join(folder, ".git")):
            above = (Patterns.read(folder, os.path.join(".git", "info", "exclude")),)
        return replace(self, files=tuple(file for file in (Patterns.read(folder, ".gitignore"), *above) if file.lines))

    def verdict(self, path: str) -> bool | None:
        """As `Patterns.verdict`: that of the closest file which has one."""
        return next((found for file in self.files if (found := file.verdict(path)) is not None), None)


def above(folder: str) -> Ignored:
    """The ignore files of the folders above `folder`, an absolute path, up to the root of its repository.

    Who names a folder wants it read: if rules take it out, or a folder around it, they do not hold in it.
    """
    parents = [str(path) for path in Path(folder).parents]
    depth = next((at for at, path in enumerate(parents) if os.path.lexists(os.path.join(path, ".git"))), -1)
    ignored = Ignored()
    for path, child in zip(reversed(parents[: depth + 1]), reversed([folder, *parents][: depth + 1]), strict=True):
        ignored = ignored.enter(path)
        if ignored.verdict(f"{child}/"):
            ignored = Ignored()
    return ignored
