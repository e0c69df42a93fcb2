"""How many functions of lodash-es and date-fns do in each printed form what they do in the source.

    python -m tests.benchmarks.javascript_round_trips

Needs Node and npm. Exits with 1 if any call differs.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.oracles.javascript import corpus
from tests.oracles.react import oracle


def main() -> int:
    """Print a line for each package and form, then the differences."""
    differs = False
    for package in corpus.PACKAGES:
        root = oracle.fetch(package)
        files = corpus.modules(root)
        for stage in corpus.STAGES:
            with tempfile.TemporaryDirectory() as scratch:
                printed = corpus.write(root, files, stage, Path(scratch))
                found = corpus.run(root, Path(scratch), printed.files)
            print(
                f"{package} {stage}: {len(printed.files)} modules printed, {len(printed.passed_on)} only pass on, "
                f"{len(printed.refused)} refused; {found['counts']}; {len(found['differences'])} differ",
                flush=True,
            )
            for line in (*printed.refused, *found["differences"]):
                print("   ", line)
            differs |= bool(found["differences"])
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
