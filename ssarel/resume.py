"""What an earlier run leaves for the next one: its database, or the parts that a run which was killed had made.

While a run goes on, its parts lie in a folder beside the database; when the database is whole they are removed.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from ssarel import database, shards
from ssarel.current import RETRIED, HashOf, fingerprint
from ssarel.database import Database
from ssarel.errors import DatabaseError
from ssarel.shards import Part
from ssarel.sources import clean
from ssarel.workers import pack, read, unpack


class Drafts:
    """The folder of parts beside the database `target`."""

    def __init__(self, target: Path, profile: str) -> None:
        self.folder = target.with_name(f".{target.name}.parts")
        self.profile = profile
        self.start = time.time_ns()
        self.written = 0

    def keep(self, part: Part) -> None:
        """Write `part`, whole or not at all. Raises: DatabaseError if the disk does not take it."""
        # Later parts sort behind earlier ones. Not by process: in a container each run may have the same number.
        name = f"{fingerprint(self.profile)[:16]}-{self.start:020}-{self.written:06}"
        self.written += 1
        draft = self.folder / f"{name}.tmp"
        try:
            draft.mkdir(parents=True)
            for relation, table in part.tables.items():
                (draft / f"{relation}.arrow").write_bytes(pack(table))
            draft.rename(self.folder / name)
        except OSError as error:
            shutil.rmtree(draft, ignore_errors=True)
            raise DatabaseError(f"{self.folder}: cannot be written: {error.strerror or error}") from error

    def load(self) -> list[Part]:
        """The parts of earlier runs that still hold; others are left out."""
        return [unpack({name: _bytes(path, name) for name in shards.output_names()}) for path in self._parts()]

    def count(self, files: Iterable[Path]) -> int:
        """How many of `files` are in a part."""
        inputs = [read(_bytes(path, "source_file")).column("path").to_pylist() for path in self._parts()]
        return len({name for names in inputs for name in names} & {clean(file.as_posix()) for file in files})

    def _parts(self) -> list[Path]:
        found = self.folder.glob(f"{fingerprint(self.profile)[:16]}-*") if self.folder.is_dir() else ()
        return sorted(path for path in found if path.suffix != ".tmp")

    def clear(self) -> None:
        """Remove the folder, and database files that killed runs did not get to rename."""
        shutil.rmtree(self.folder, ignore_errors=True)
        for path in self.folder.parent.glob(f"{self.folder.stem}.*.tmp*"):
            writer = path.name.removeprefix(f"{self.folder.stem}.").split(".")[0]
            if writer.isdigit() and not _is_running(int(writer)):
                path.unlink(missing_ok=True)


def _bytes(part: Path, relation: str) -> bytes:
    return (part / f"{relation}.arrow").read_bytes()


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def earlier(target: Path, profile: str) -> list[Part]:
    """The parts that earlier runs left for `target`: its database if it fits, then drafts."""
    parts: list[Part] = []
    if database.is_database(target):
        with Database(database.connect(target, read_only=True)) as opened:
            if database.mark_of(opened.connection).split()[:1] == [fingerprint(profile)]:
                parts.append(shards.part(opened.tables(shards.output_names())))
    return parts + Drafts(target, profile).load()


def unchanged(parts: Sequence[Part], files: Iterable[Path], hash_of: HashOf) -> set[Path]:
    """Those of `files` whose content is in one of `parts` as it is now. Cost: hashes each file that `parts` know."""
    hashes: dict[str, str] = {}
    for part in parts:
        codes = part.tables["diagnostic"]
        spoilt = {
            file
            for file, code in zip(codes["file"].to_pylist(), codes["code"].to_pylist(), strict=True)
            if code in RETRIED
        }
        table = part.tables["source_file"].select(["file", "path", "sha256"])
        for row in table.to_pylist():
            hashes[row["path"]] = "" if row["file"] in spoilt else row["sha256"]
    return {file for file in files if (known := hashes.get(clean(file.as_posix()))) and known == hash_of(file)}
