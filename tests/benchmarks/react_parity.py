"""Parity with React Compiler on whole packages: `python -m tests.benchmarks.react_parity [PACKAGE...]`.

Prints one JSON object: counts by package, stage and verdict, parity, and the reasons of the differences.
Exit code 1 below 99% or if a function is missing.
"""

from __future__ import annotations

import json
import sys
from collections import Counter

from tests.oracles.react import oracle
from tests.oracles.react.compare import Verdict, compare, parity, summary
from tests.oracles.react.ours import STAGES


def measure(package: str) -> dict[str, object]:
    """Counts and reasons of one package, by stage."""
    root = oracle.fetch(package)
    files = [file for file in oracle.javascript_files(root) if file.startswith(oracle.PACKAGES[package])]
    findings = list(compare(root, oracle.dump(root, files, STAGES)))
    stages: dict[str, object] = {}
    for stage, counts in summary(findings).items():
        wrong = (f for f in findings if f.stage == stage and f.verdict not in (Verdict.EQUAL, Verdict.REFUSED))
        reasons = Counter(finding.reason for finding in wrong)
        passed = parity(counts) >= 0.99 and not counts[Verdict.MISSING]
        stages[stage] = {**counts, "parity": round(parity(counts), 5), "passed": passed, "reasons": dict(reasons)}
    return {"files": len(files), **stages}


def main() -> int:
    """Measure the packages of the command line, by default all."""
    results = {package: measure(package) for package in sys.argv[1:] or oracle.PACKAGES}
    print(json.dumps(results, indent=2))
    return int('"passed": false' in json.dumps(results))


if __name__ == "__main__":
    sys.exit(main())
