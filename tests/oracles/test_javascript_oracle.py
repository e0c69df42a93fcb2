"""Functions of lodash-es and date-fns do in each printed form what they do in the source."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.oracles.javascript import corpus
from tests.oracles.react import oracle

SAMPLE = 30
"""Functions of each package; tests/benchmarks/javascript_round_trips.py runs all."""


@pytest.mark.oracle
@pytest.mark.parametrize("stage", corpus.STAGES)
@pytest.mark.parametrize("package", corpus.PACKAGES)
def test_printed_modules_do_the_same(package: str, stage: str, tmp_path: Path) -> None:
    root = oracle.fetch(package)
    files = corpus.modules(root)
    public = corpus.public(files)
    shutil.copytree(root, tmp_path, dirs_exist_ok=True)
    printed = corpus.write(root, public[:: len(public) // (SAMPLE + 5)], stage, tmp_path)
    found = corpus.run(root, tmp_path, printed.files)
    assert found["differences"] == []
    assert found["counts"]["functions"] >= SAMPLE
