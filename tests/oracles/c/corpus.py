"""Slots of C code beside LLVM's mem2reg: `python -m tests.oracles.c.corpus PATH... [-- CLANG OPTION...]`.

PATH is a .c, .ll or .bc file, or a folder of such. C is compiled without optimisation; every module is rewritten as
`ssarel ssa --emit llvm` does, LLVM's verifier has to accept the result, and phi sites are compared with those of
`opt -passes=mem2reg`. Differences that are LLVM's way are converted, and counted by label. Prints a line a module, then
one of JSON. The exit code is 1 if anything differs or a file cannot be compiled.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ssarel import batch
from ssarel.compare import compare
from ssarel.construct import to_ssa
from ssarel.emit.llvm import emit
from ssarel.errors import EngineUnavailable, InputError

OPTIONS = ("-O0", "-Xclang", "-disable-O0-optnone", "-emit-llvm", "-S", "-w")
"""Unoptimised code, as mem2reg is given it, and no warnings."""

CLANGS = ("clang", *(f"clang-{number}" for number in range(30, 13, -1)))
"""What clang is called, as Debian names its versions."""


@dataclass(slots=True)
class Found:
    """Figures of one module.

    slots:      that became variables.
    phis:       that the rules placed.
    mismatches: phis that one side has alone, as `compare` reports them.
    labelled:   differences that are LLVM's way, by label.
    text:       the rewritten module.
    """

    functions: int
    slots: int
    phis: int
    mismatches: list[dict[str, object]]
    labelled: Counter[str]
    text: str = field(repr=False)


def clang() -> str:
    """The clang on PATH. Raises: EngineUnavailable if there is none."""
    found = next(filter(None, map(shutil.which, CLANGS)), None)
    if found is None:
        raise EngineUnavailable("C is compiled with clang, which is not on PATH, for example apt-get install clang")
    return found


def compiled(source: Path, folder: Path, options: Sequence[str] = ()) -> Path:
    """`source` as LLVM IR in `folder`. Raises: InputError with clang's first error."""
    target = folder / f"{source.stem}.ll"
    command = [clang(), *OPTIONS, *options, str(source), "-o", str(target)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        errors = [line for line in run.stderr.splitlines() if "error:" in line]
        raise InputError(errors[0] if errors else f"{source}: {run.stderr.strip()}")
    return target


def examine(module: Path) -> Found:
    """Rewrite a module, which LLVM then verifies, and compare its phis with mem2reg's.

    Raises: InputError if the module cannot be read; SsarelError if LLVM refuses what is made of it; EngineError.
    """
    functions, (source,) = batch.gather([module])
    if batch.is_failed(source):
        raise InputError(source.diagnostics[0].message)
    found = compare(functions, ("duckdb", "llvm"))
    to_ssa(source.functions, "duckdb")
    return Found(
        functions=found.functions,
        slots=sum(len(function.notes.slots) for function in source.functions),
        phis=sum(map(len, found.outcomes["duckdb"].phis)),
        mismatches=found.mismatches,
        labelled=Counter(str(item["label"]) for item in found.allowed),
        text=emit(source.functions),
    )


def modules(paths: Sequence[Path]) -> Iterator[Path]:
    """The files among `paths` and in the folders among them, sorted."""
    for path in paths:
        inside = path.rglob("*") if path.is_dir() else [path]
        yield from sorted(file for file in inside if file == path or file.suffix in (".c", ".ll", ".bc"))


def main(words: Sequence[str]) -> int:
    """Examine what the command line names, and print figures."""
    at = words.index("--") if "--" in words else len(words)
    total: Counter[str] = Counter()
    labelled: Counter[str] = Counter()
    for path in modules(list(map(Path, words[:at]))):
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = examine(compiled(path, Path(folder), words[at + 1 :]) if path.suffix == ".c" else path)
            except InputError as error:
                total["failed"] += 1
                print(f"{path}: {error}", file=sys.stderr)
                continue
        figures = {"functions": found.functions, "slots": found.slots, "phis": found.phis}
        figures["mismatches"] = len(found.mismatches)
        total.update(figures | {"verified": 1})
        labelled += found.labelled
        print(
            path, *(f"{key} {value}" for key, value in figures.items()), f"labelled {found.labelled.total()}", sep="  "
        )
        for item in found.mismatches:
            print("   ", json.dumps(item))
    print(json.dumps({**total, "labelled": labelled}))
    return 1 if total["mismatches"] or total["failed"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
