"""Compare ssarel with React Compiler, function by function: `python -m tests.oracles.react.compare PATH... [--json]`.

Every root function React finds lands in one bucket a stage; what they mean stands at `Verdict`.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from itertools import groupby, zip_longest
from pathlib import Path

from tests.oracles.react import oracle
from tests.oracles.react.ours import STAGES, lower

EXAMPLES = 5


class Verdict(StrEnum):
    """What became of one function at one stage."""

    EQUAL = "equal text"
    GRAPH = "equal graph only"
    """The same blocks with the same kinds and predecessors, but another text."""
    DIFFERS = "differs"
    REFUSED = "refused by React"
    """Nothing to compare with."""
    MISSING = "missing in ours"
    """No such function, or no text because ssarel crashed, whatever React made of it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One function at one stage.

    reason: empty if equal; else why React refused it, or the kind of the first difference (see `reason_of`).
    number: of the differing line, from 1; 0 if there is none.
    """

    file: str
    name: str | None
    line: int
    col: int
    stage: str
    verdict: Verdict
    reason: str = ""
    number: int = 0
    react: str = ""
    ours: str = ""


def compare(root: Path, functions: Iterable[oracle.Dumped]) -> Iterator[Finding]:
    """Judge each of `functions`, whose files are relative to `root`, at each stage. Cost: one lowering a file."""
    for file, group in groupby(functions, key=lambda function: function.file):
        lowered, why = lower(root / file)
        for function in group:
            place = (function.file, function.name, function.line, function.col)
            texts = lowered.get((function.line, function.col))
            for stage in STAGES:
                ours = texts[stage] if texts else ""
                if function.line and (not ours or ours.startswith("crash ")):
                    yield Finding(*place, stage, Verdict.MISSING, ours or why or "no function starts there")
                elif stage not in function.passes:
                    yield Finding(*place, stage, Verdict.REFUSED, function.error or "")
                else:
                    yield Finding(*place, stage, *judge(function.passes[stage], ours))


def judge(react: str, ours: str) -> tuple[Verdict, str, int, str, str]:
    """Verdict, reason, and the number and both texts of the first line that differs by more than ids, if there is one.

    The id of the returned place stands in the first line and follows from everything below it.
    """
    if react == ours:
        return Verdict.EQUAL, "", 0, "", ""
    lines = enumerate(zip_longest(react.split("\n"), ours.split("\n"), fillvalue=""), 1)
    differing = [(number, *pair) for number, pair in lines if pair[0] != pair[1]]
    number, react_line, ours_line = next(
        (line for line in differing if NUMBER.sub("", line[1]) != NUMBER.sub("", line[2])), differing[0]
    )
    verdict = Verdict.GRAPH if graph(react) == graph(ours) else Verdict.DIFFERS
    return verdict, reason_of(react, ours, react_line, ours_line), number, react_line, ours_line


def reason_of(react: str, ours: str, react_line: str, ours_line: str) -> str:
    """A code for the kind of difference.

    `rejected: ...` ssarel gives up as React does elsewhere.
    `numbers`       the texts are equal up to a one-to-one renaming of ids, blocks and instruction numbers.
    `names`         the same, once variable names are left out.
    otherwise       what kind of line differs first: `header`, `block`, `predecessor`, `phi`, or the two instructions.
    """
    if ours.startswith("rejected: "):
        return ours
    if canonical(react, NUMBER) == canonical(ours, NUMBER):
        return "numbers"
    if canonical(NAME.sub("$", react), NUMBER) == canonical(NAME.sub("$", ours), NUMBER):
        return "names"
    kinds = kind_of(react_line), kind_of(ours_line)
    return kinds[0] if kinds[0] == kinds[1] else f"{kinds[0]} / {kinds[1]}"


NUMBER = re.compile(r"(?<=\$)\d+|\bbb\d+|^ *\[\d+\]", re.MULTILINE)
NAME = re.compile(r"#?[\w$]+\$(?=\d)")
BLOCK = re.compile(r"^ *bb(\d+) \((\w+)\):$|^ *predecessor blocks:((?: bb\d+)+)$", re.MULTILINE)
LINE = re.compile(r" *(?:(bb)\d+ \(|(predecessor) |<unknown> \S+ (phi)\(|(\[)\d+\] (?:[^=]*\$\d+ = )?([A-Z]\w*)?)")


def canonical(text: str, pattern: re.Pattern[str]) -> str:
    """The text with every match of `pattern` replaced by the rank of its first appearance."""
    ranks: dict[str, str] = {}
    return pattern.sub(lambda match: ranks.setdefault(match[0].lstrip(), f"#{len(ranks)}"), text)


def graph(text: str) -> str:
    """Blocks, kinds and predecessors, nested functions included, with blocks numbered as they appear."""
    return canonical("\n".join(match[0].lstrip() for match in BLOCK.finditer(text)), NUMBER)


def kind_of(line: str) -> str:
    """What a printed line is: header, block, predecessor, phi, an instruction's or terminal's name, or end."""
    match = LINE.match(line)
    if match is None:
        return "header" if line else "end"
    block, predecessors, phi, _, op = match.groups()
    return "block" if block else predecessors or phi or op or "Primitive"


def summary(findings: list[Finding]) -> dict[str, dict[str, int]]:
    """Functions by stage and verdict."""
    counts = Counter((finding.stage, finding.verdict) for finding in findings)
    return {stage: {verdict: counts[stage, verdict] for verdict in Verdict} for stage in STAGES}


def parity(counts: dict[str, int]) -> float:
    """Equal texts as a share of all that React prints or ssarel lacks; 0 if there is nothing to compare."""
    compared = sum(counts.values()) - counts[Verdict.REFUSED]
    return counts[Verdict.EQUAL] / compared if compared else 0.0


def report(findings: list[Finding]) -> str:
    """A table of the buckets, then the reasons, then the first differences."""
    lines = [f"{'stage':24}" + "".join(f"{verdict:>18}" for verdict in Verdict) + f"{'parity':>10}"]
    for stage, counts in summary(findings).items():
        lines.append(f"{stage:24}" + "".join(f"{count:18}" for count in counts.values()) + f"{parity(counts):10.2%}")
    wrong = [finding for finding in findings if finding.verdict not in (Verdict.EQUAL, Verdict.REFUSED)]
    for (stage, reason), count in Counter((finding.stage, finding.reason) for finding in wrong).most_common():
        lines.append(f"{count:6}  {stage}: {reason}")
    for finding in wrong[:EXAMPLES]:
        lines.append(f"\n{finding.file}:{finding.line}:{finding.col} {finding.name or '(anonymous)'}, {finding.stage}")
        lines.append(f"  line {finding.number}, {finding.reason}\n  - {finding.react}\n  + {finding.ours}")
    return "\n".join(lines)


def main() -> int:
    """Compare the files of the command line, folders with all JavaScript below them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.add_argument("--json", action="store_true", help="one finding a line instead of a table")
    parser.add_argument("--dump", type=Path, help="output of dump.js made earlier for the one PATH, a folder")
    options = parser.parse_args()
    findings: list[Finding] = []
    for path in options.paths:
        root, files = (path, oracle.javascript_files(path)) if path.is_dir() else (path.parent, [path.name])
        if options.dump:
            with options.dump.open(encoding="utf-8") as lines:
                findings += compare(root, oracle.read(lines))
        else:
            findings += compare(root, oracle.dump(root, files, STAGES))
    print("\n".join(json.dumps(asdict(f)) for f in findings) if options.json else report(findings))
    return int(any(finding.verdict in (Verdict.DIFFERS, Verdict.GRAPH, Verdict.MISSING) for finding in findings))


if __name__ == "__main__":
    sys.exit(main())
