"""Marks, and a summary that says loudly which peers were absent."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.oracles.c import corpus

MISSING = {
    "souffle": (shutil.which("souffle") is None, "Soufflé is not on PATH; `ssarel doctor` says how to get it"),
    "clang": (
        not any(shutil.which(name) for name in corpus.CLANGS),
        "clang is not on PATH; for example apt-get install clang",
    ),
    "llvm": (shutil.which("opt") is None, "LLVM's opt is not on PATH; for example apt-get install llvm"),
    "browser": (shutil.which("chromium") is None, "Chromium is not on PATH (Debian: apt-get install chromium)"),
    "spark": (
        find_spec("pyspark") is None or not (shutil.which("java") or "JAVA_HOME" in os.environ),
        "PySpark (pip install 'ssarel[spark]') or Java (Debian: apt-get install default-jre-headless) is not there",
    ),
    "oracle": (shutil.which("npm") is None, "Node.js and npm are not on PATH"),
}
SHARED = Path(__file__).resolve().parents[2] / "shared"
"""Large inputs that stand beside the repository on the developers' machines; tests pass without them."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", default=False, help="rewrite the goldens of tests/cases")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for mark, (missing, reason) in MISSING.items():
            if missing and item.get_closest_marker(mark):
                item.add_marker(pytest.mark.skip(reason=reason))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    for mark, (missing, reason) in MISSING.items():
        skipped = [report for report in terminalreporter.stats.get("skipped", []) if reason in str(report.longrepr)]
        if missing and skipped:
            terminalreporter.write_sep("!", f"{len(skipped)} {mark} tests SKIPPED: {reason}", red=True, bold=True)


@pytest.fixture(scope="session")
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip("no ../shared beside this checkout")
    return SHARED
