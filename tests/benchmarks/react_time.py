"""Time React Compiler stopped after EliminateRedundantPhi: `python -m tests.benchmarks.react_time [PACKAGE] [ROUNDS]`.

Prints one JSON object. wall: seconds of the Node process, start and reading of the files included; parse and compile:
seconds inside it, of Babel's parser and of its transform with the compiler. Nothing is printed while it runs.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Mapping

from tests.oracles.react import oracle


def measure(package: str, rounds: int) -> Mapping[str, object]:
    """Medians over `rounds` runs of one process each over all files of `package`."""
    root = oracle.fetch(package)
    files = [file for file in oracle.javascript_files(root) if file.startswith(oracle.PACKAGES[package])]
    oracle.install()
    runs: list[dict[str, float]] = []
    for _ in range(rounds):
        start = time.perf_counter()
        run = oracle.run_node(root, files)
        runs.append({**run, "wall": time.perf_counter() - start})
    return {"package": package, "rounds": rounds} | {
        key: statistics.median(run[key] for run in runs) for key in runs[0]
    }


if __name__ == "__main__":
    arguments = sys.argv[1:]
    print(json.dumps(measure(arguments[0] if arguments else "@mui/material@9.5.0", int((arguments[1:] or ["3"])[0]))))
