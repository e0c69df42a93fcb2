"""Modules of npm packages printed in each form and run in Node beside their sources."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ssarel.construct import to_ssa
from ssarel.destruct import destruct_all
from ssarel.emit import js
from ssarel.errors import InputError
from ssarel.frontends.javascript import lower
from tests.oracles.react import oracle

HERE = Path(__file__).parent
STAGES = ("hir", "ssa", "destructed")
PACKAGES = ("lodash-es@4.17.21", "date-fns@4.1.0")
_REEXPORT = re.compile(rb"^export\s+(\*|\{[^}]*\})[^;\n]*?\bfrom\b|^import\s+[\"']", re.MULTILINE)
"""What the IR does not have: these modules are run as they are."""


@dataclass(slots=True)
class Printed:
    """What became of the files of a package: printed ones, ones that only re-export, and messages for the others."""

    files: list[str] = field(default_factory=list[str])
    passed_on: list[str] = field(default_factory=list[str])
    refused: list[str] = field(default_factory=list[str])


def modules(root: Path) -> list[str]:
    """The modules of a package at `root`; bundles and date-fns's second set of the same functions are left out."""
    return [
        file
        for file in oracle.javascript_files(root)
        if file.endswith(".js") and "cdn" not in file and not file.startswith("fp/")
    ]


def public(files: Iterable[str]) -> list[str]:
    """The modules meant for callers; some of the others loop for ever on arguments of the wrong kind."""
    return [file for file in files if "/" not in file and not file.startswith("_")]


def program(source: bytes, path: str, stage: str) -> str:
    """A module printed in one form. Raises: InputError if it cannot be."""
    functions = lower(source, path).functions
    if stage != "hir":
        to_ssa(functions, "braun")
    if stage == "destructed":
        destruct_all(functions, engine=None)
    return js.emit(functions, path)


def write(root: Path, files: Iterable[str], stage: str, target: Path) -> Printed:
    """Print modules of the package at `root` into `target`; those that cannot be are copied, so that imports work."""
    printed = Printed()
    for file in files:
        source = (root / file).read_bytes()
        text = source
        if _REEXPORT.search(source):
            printed.passed_on.append(file)
        else:
            try:
                text = program(source, file, stage).encode()
                printed.files.append(file)
            except InputError as error:
                printed.refused.append(str(error))
        (target / file).parent.mkdir(parents=True, exist_ok=True)
        (target / file).write_bytes(text)
    (target / "package.json").write_text('{"type": "module"}')
    return printed


def run(root: Path, target: Path, files: list[str]) -> dict[str, Any]:
    """What Node counts and which calls differ: file, export, outcome of the source, outcome of the program.

    Only what is public is called here, and calls the rest.
    """
    command = ["node", str(HERE / "run.mjs"), str(root), str(target)]
    done = subprocess.run(
        command, input=json.dumps(public(files)), capture_output=True, text=True, timeout=900, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-3000:])
    return json.loads(done.stdout.splitlines()[-1])
