"""Every JavaScript case in every printed form does in Node what its source does, on generated arguments."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.oracles.javascript import corpus

CASES = Path(__file__).parent / "cases"
EXAMPLES = Path(__file__).parents[1] / "facts" / "examples"
FUNCTION = re.compile(rb"^(?:\xef\xbb\xbf|/\*.*?\*/ )?(?:async )?function\*? ?([\w$]+)", re.MULTILINE)

KNOWN = {("hir-26-objects-and-arrays.cjs", "objs")}
"""The IR makes an object at once: getters of what is spread run after later values are computed, not before."""


def gather(folders: dict[str, Path], target: Path) -> list[str]:
    """Copy the .js files of `folders` to `target`, with their functions exported. Returns the files' names."""
    target.mkdir()
    files: list[str] = []
    for prefix, folder in folders.items():
        for path in sorted(folder.glob("*.js")):
            source = path.read_bytes()
            names = list(dict.fromkeys(FUNCTION.findall(source)))
            if names and not re.search(rb"^(import|export) ", source, re.MULTILINE):
                exported = b", ".join(names)
                files.append(f"{prefix}-{path.stem}.cjs")
                (target / files[-1]).write_bytes(source + b"\nmodule.exports = { " + exported + b" };\n")
    return files


def check(folders: dict[str, Path], stage: str, scratch: Path) -> tuple[dict[str, int], list[str]]:
    """Run the cases of `folders` in one form. Returns Node's counts, and why some cannot be printed."""
    files = gather(folders, scratch / "cases")
    printed = corpus.write(scratch / "cases", files, stage, scratch / "programs")
    found = corpus.run(scratch / "cases", scratch / "programs", printed.files)
    differing = {tuple(difference[:2]) for difference in found["differences"]}
    assert differing == {(file, name) for file, name in KNOWN if file in printed.files}, found["differences"]
    return found["counts"], printed.refused


@pytest.mark.oracle
@pytest.mark.parametrize("stage", corpus.STAGES)
def test_cases_and_examples(stage: str, tmp_path: Path) -> None:
    folders = {name: CASES / name for name in ("hir", "ssa")} | {"reported": CASES / "js" / "reported"}
    counts, refused = check(folders | {"examples": EXAMPLES}, stage, tmp_path)
    assert counts["functions"] >= 100
    assert counts["calls"] >= 4000
    assert sorted(re.findall(r"(\S+)\.cjs:", " ".join(refused))) == [
        "hir-25-calls",
        "hir-x3-nested-names",
        "reported-64-jsx-in-js",
    ]


@pytest.mark.oracle
@pytest.mark.parametrize("stage", corpus.STAGES)
def test_shared_cases(stage: str, tmp_path: Path, shared: Path) -> None:
    counts, _ = check({"shared": shared / "cases" / "js"}, stage, tmp_path)
    assert counts["functions"] >= 41
