"""Growth of time and memory to phi: `python -m tests.benchmarks.scale [--copies 1,2,4,6] [--memory-limit 2GB]`.

cfg-corpus is laid several times side by side, each copy with ids of its own. Every size runs in a process of its own,
as peak memory is that of a process. CPU seconds are of all threads; only loading and deriving are timed.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ssarel import folders, schema
from ssarel.engines.duckdb import DuckDBEngine

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "cfg-corpus"
COPIES = (1, 2, 4, 6)
LIMIT = "2GB"
"""DuckDB's own limit: the goal, 2.5 GB for the process, less what Python and the relations in Arrow take."""


def copied(tables: Mapping[str, pa.Table], copies: int) -> dict[str, pa.Table]:
    """`tables` and copies of them, `copies` in all; ids of a kind go on where the copy before ended."""
    shapes = {name: schema.BASE[name].columns for name in tables}
    size: dict[str, int] = {}
    for name, table in tables.items():
        for column, kind in shapes[name]:
            size[kind] = max(size.get(kind, 0), 1 + (pc.max(table[column]).as_py() or 0))

    def moved(name: str, copy: int) -> pa.Table:
        by = [0 if kind == "number" else copy * size[kind] for _, kind in shapes[name]]
        columns = [
            pc.add(column, pa.scalar(shift, pa.int32())) for column, shift in zip(tables[name].columns, by, strict=True)
        ]
        return pa.table(columns, names=tables[name].column_names)

    return {name: pa.concat_tables(moved(name, copy) for copy in range(copies)) for name in tables}


def measure(copies: int, memory_limit: str) -> dict[str, Any]:
    """What this process needs for `copies` of the corpus: functions, phis, wall and CPU seconds, peak megabytes."""
    given = folders.read_folder(CORPUS)
    del given[folders.EXPECTED_PHI]
    given = copied(given, copies)
    with tempfile.TemporaryDirectory() as spilled:
        engine = DuckDBEngine(memory_limit=memory_limit, temp_directory=spilled)
        with engine.connect() as connection:
            wall, cpu = time.perf_counter(), time.process_time()
            engine.load(connection, given)
            engine.derive(connection, ["phi"])
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            (phis,) = connection.execute("select count(*) from phi").fetchall()[0]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return {
        "copies": copies,
        "functions": given["entry"].num_rows,
        "phis": phis,
        "seconds": wall,
        "cpu_seconds": cpu,
        "peak_mb": peak,
    }


def scale(copies: Sequence[int] = COPIES, memory_limit: str = LIMIT) -> dict[str, Any]:
    """`measure` in a process each; and seconds a copy at the largest size over those at the smallest, 1 if linear."""
    if not CORPUS.is_dir():
        return {"missing": str(CORPUS)}
    runs: list[dict[str, Any]] = []
    for number in copies:
        words = ["--one", str(number), "--memory-limit", memory_limit]
        command = [sys.executable, "-m", "tests.benchmarks.scale", *words]
        root = Path(__file__).resolve().parents[2]
        done = subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE, text=True)
        runs.append(json.loads(done.stdout))
    first, last = runs[0], runs[-1]
    growth = last["copies"] / first["copies"]
    ratio = {key: last[key] / first[key] / growth for key in ("seconds", "cpu_seconds")}
    return {"memory_limit": memory_limit, "runs": runs, "linearity": ratio}


def show(found: Mapping[str, Any]) -> None:
    """Print a table of what `scale` gives."""
    if "missing" in found:
        print(f"left out: scale: no {found['missing']}", file=sys.stderr)
        return
    print(f"to phi, DuckDB memory limit {found['memory_limit']}")
    print("copies  functions     phis  seconds  CPU seconds  peak MB")
    for run in found["runs"]:
        sizes = f"{run['copies']:6}  {run['functions']:9}  {run['phis']:7}"
        print(f"{sizes}  {run['seconds']:7.2f}  {run['cpu_seconds']:11.2f}  {run['peak_mb']:7.0f}")
    ratio = found["linearity"]
    print(f"seconds a copy, largest over smallest: wall {ratio['seconds']:.2f}, CPU {ratio['cpu_seconds']:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--copies", default=",".join(map(str, COPIES)), help="sizes, separated by commas")
    parser.add_argument("--memory-limit", default=LIMIT)
    parser.add_argument("--one", type=int, metavar="N", help="measure N copies in this process and print JSON")
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measure(given.one, given.memory_limit)))
    else:
        show(scale([int(number) for number in given.copies.split(",")], given.memory_limit))


if __name__ == "__main__":
    main()
