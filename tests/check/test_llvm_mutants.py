"""Rules and front end say of faulty LLVM modules what LLVM's verifier says; llvm_mutants.py has the faults."""

from __future__ import annotations

from pathlib import Path

import pytest

import ssarel
from ssarel import verify
from tests.check.llvm_mutants import EXPECTED, Verdict, judge, of_cases

SAMPLE = 8
"""One of so many mutants is judged here; `python -m tests.check.llvm_mutants` judges all."""


@pytest.fixture(scope="module")
def verdicts() -> list[Verdict]:
    return judge(list(of_cases(1))[::SAMPLE])


def test_the_front_end_rejects_what_llvm_rejects(verdicts: list[Verdict]) -> None:
    assert [verdict for verdict in verdicts if verdict.is_failed != bool(verdict.llvm)] == []


def test_the_rules_reject_what_llvm_rejects_and_say_the_same(verdicts: list[Verdict]) -> None:
    covered = [verdict for verdict in verdicts if verdict.is_covered]
    assert [verdict for verdict in covered if not verdict.is_right] == []
    assert {verdict.mutant.kind for verdict in covered if verdict.llvm} == {kind for kind in EXPECTED if EXPECTED[kind]}
    assert sum(not verdict.llvm for verdict in covered) > 40


def test_what_the_rules_do_not_cover_is_little_and_rejected_by_llvm(verdicts: list[Verdict]) -> None:
    others = [verdict for verdict in verdicts if verdict.is_read and not verdict.is_covered]
    assert all(verdict.llvm for verdict in others)
    assert len(others) < len(verdicts) / 10


def test_mutants_that_llvm_accepts_pass_every_check(verdicts: list[Verdict], tmp_path: Path) -> None:
    for number, verdict in enumerate([verdict for verdict in verdicts if not verdict.llvm][:25]):
        (tmp_path / f"{number}.ll").write_text(verdict.mutant.text)
    with ssarel.analyze([tmp_path]) as opened:
        found = list(verify.verify(opened.connection))
    assert [(item.check.name, item.rows) for item in found if item.missing or item.rows] == []
