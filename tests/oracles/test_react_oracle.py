"""Parity with React Compiler 1.0.0 on two packages, and the judge that measures it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracles.react import oracle
from tests.oracles.react.compare import Verdict, compare, judge, parity, report, summary
from tests.oracles.react.oracle import Dumped
from tests.oracles.react.ours import STAGES

PRINTED = {"lodash-es@4.18.1": 260, "three@0.160.0": 181}
"""Root functions that React 1.0.0 takes through SSA: fewer means that the dump lost some."""

TEXT = """\
f(<unknown> x$0): <unknown> $4
bb0 (block):
  [1] <unknown> $1 = LoadLocal <unknown> x$0
  [2] If (<unknown> $1) then:bb2 else:bb1 fallthrough=bb1
bb2 (block):
  predecessor blocks: bb0
  [3] <unknown> $2 = 1
  [4] Return Explicit <unknown> $2
bb1 (block):
  predecessor blocks: bb0
  [5] <unknown> $3 = <undefined>
  [6] Return Void <unknown> $3"""


@pytest.mark.oracle
@pytest.mark.parametrize("package", PRINTED)
def test_parity_is_at_least_99_percent(package: str) -> None:
    root = oracle.fetch(package)
    files = [file for file in oracle.javascript_files(root) if file.startswith(oracle.PACKAGES[package])]
    findings = list(compare(root, oracle.dump(root, files, STAGES)))
    for stage, counts in summary(findings).items():
        assert sum(counts.values()) - counts[Verdict.REFUSED] == PRINTED[package], stage
        assert counts[Verdict.MISSING] == 0, report(findings)
        assert parity(counts) >= 0.99, report(findings)


@pytest.mark.parametrize(
    ("old", "new", "verdict", "reason", "number"),
    [
        ("", "", Verdict.EQUAL, "", 0),
        ("$2", "$7", Verdict.GRAPH, "numbers", 7),
        ("$4", "$5", Verdict.GRAPH, "numbers", 1),
        ("x$0", "y$0", Verdict.GRAPH, "names", 1),
        ("LoadLocal", "LoadContext", Verdict.GRAPH, "LoadLocal / LoadContext", 3),
        ("then:bb2", "then:bb1", Verdict.GRAPH, "If", 4),
        ("bb1 (block)", "bb1 (catch)", Verdict.DIFFERS, "block", 9),
        (
            "[5] <unknown> $3 = <undefined>",
            "<unknown> $3: phi(bb0: <unknown> $1)",
            Verdict.GRAPH,
            "Primitive / phi",
            11,
        ),
        ("\n  [6] Return Void <unknown> $3", "", Verdict.GRAPH, "Return / end", 12),
    ],
)
def test_a_difference_is_named(old: str, new: str, verdict: Verdict, reason: str, number: int) -> None:
    assert judge(TEXT, TEXT.replace(old, new))[:3] == (verdict, reason, number)


def test_the_first_line_does_not_hide_the_cause() -> None:
    ours = TEXT.replace("$4", "$5").replace("[3] <unknown> $2 = 1", "[3] <unknown> $2 = 2")
    assert judge(TEXT, ours)[1:3] == ("Primitive", 7)


def test_a_function_that_ssarel_lacks_is_missing_even_if_react_refuses_it(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("function f() { var x; }\n")
    functions = [Dumped("a.js", "f", 1, 0, {}, "Todo: var"), Dumped("a.js", "g", 7, 0, {}, "Todo: var")]
    verdicts = [finding.verdict for finding in compare(tmp_path, functions)]
    assert verdicts == [Verdict.REFUSED] * len(STAGES) + [Verdict.MISSING] * len(STAGES)


def test_other_predecessors_are_another_graph() -> None:
    ours = TEXT.replace("blocks: bb0\n  [5]", "blocks: bb0 bb2\n  [5]")
    assert judge(TEXT, ours)[:2] == (Verdict.DIFFERS, "predecessor")
