"""Time the rules on DuckDB beside LLVM: `python -m tests.benchmarks.llvm_time [FOLDER] [ROUNDS]`.

FOLDER holds base relations. Both sides start from the same graphs in memory. duckdb: seconds from tables in DuckDB to
the table phi. llvm: wall time that `opt -passes=mem2reg -time-passes` reports for DominatorTreeAnalysis and PromotePass
on the graphs as LLVM IR, one alloca a variable, one load a read, one store a write; its reading is not counted, its
renaming is. Rounds alternate; figures are medians. Prints a table, then one line of JSON. The goal is a ratio of 0.5.
"""

from __future__ import annotations

import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from ssarel import folders
from ssarel.builders import llvm_peer
from ssarel.engines.duckdb import DuckDBEngine
from ssarel.facts import Unit

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "cfg-corpus"
PASSES = ("DominatorTreeAnalysis", "PromotePass")
_ROW = re.compile(r"([\d.]+) \(\s*[\d.]+%\)\s+(?:\d+\s+)?(\w+)$", re.MULTILINE)


def as_llvm(units: Sequence[Unit]) -> Iterator[str]:
    """Each function as LLVM IR. Every write stores a number of its own, so that no phi folds but those with undef."""
    for unit in units:
        flow = unit.flow
        lines = [f"define void @f{unit.func}(i32 %p) {{"]
        for block, targets in enumerate(flow.succ):
            lines.append(f"b{block}:")
            if block == 0:
                lines += [f"  %v{variable} = alloca i32" for variable in range(flow.variables)]
            for instr in flow.block(block):
                lines += [f"  %r{instr}.{pos} = load i32, i32* %v{var}" for pos, var in enumerate(flow.uses[instr])]
                lines += [f"  store i32 {instr}, i32* %v{var}" for var in flow.defs[instr]]
            lines.append(_end(targets))
        yield "\n".join([*lines, "}\n"])


def _end(targets: Sequence[int]) -> str:
    if not targets:
        return "  ret void"
    if len(targets) == 1:
        return f"  br label %b{targets[0]}"
    cases = " ".join(f"i32 {number}, label %b{target}" for number, target in enumerate(targets[1:]))
    return f"  switch i32 %p, label %b{targets[0]} [ {cases} ]"


def time_llvm(bitcode: Path) -> float:
    """Seconds that LLVM says it spent in the passes."""
    command = ["opt", "-passes=mem2reg", "-time-passes", "-disable-output", str(bitcode)]
    report = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    seconds = {name: float(wall) for wall, name in _ROW.findall(report)}
    return sum(seconds[name] for name in PASSES)


def time_duckdb(tables: Mapping[str, pa.Table]) -> tuple[float, int]:
    """Seconds from loaded base relations to phi, and how many phis there are."""
    engine = DuckDBEngine()
    with engine.connect() as connection:
        engine.load(connection, tables)
        start = time.perf_counter()
        engine.derive(connection, ("phi",))
        seconds = time.perf_counter() - start
        ((phis,),) = connection.sql("select count(*) from phi").fetchall()
        return seconds, phis


def measure(folder: Path, rounds: int) -> dict[str, object]:
    """Figures of `rounds` alternating rounds on the relations in `folder`."""
    tables = folders.read_folder(folder)
    units = folders.units(tables)
    llvm: list[float] = []
    duckdb: list[float] = []
    phis = 0
    with tempfile.TemporaryDirectory() as made:
        text, bitcode = Path(made, "graphs.ll"), Path(made, "graphs.bc")
        text.write_text("\n".join(as_llvm(units)))
        subprocess.run(["opt", "-passes=verify", str(text), "-o", str(bitcode)], check=True)
        for _ in range(rounds):
            llvm.append(time_llvm(bitcode))
            seconds, phis = time_duckdb(tables)
            duckdb.append(seconds)
    medians = statistics.median(duckdb), statistics.median(llvm)
    return {
        "folder": folder.name,
        "functions": len(units),
        "blocks": tables["func_block"].num_rows,
        "phis": phis,
        "rounds": rounds,
        "duckdb": round(medians[0], 3),
        "llvm": round(medians[1], 3),
        "ratio": round(medians[0] / medians[1], 2),
        "ratios": [round(ours / theirs, 2) for ours, theirs in zip(duckdb, llvm, strict=True)],
        "opt": llvm_peer.version(),
        "machine": f"{platform.machine()} {os.cpu_count()} cores, Python {platform.python_version()}",
    }


if __name__ == "__main__":
    arguments = sys.argv[1:]
    figures = measure(Path(arguments[0]) if arguments else CORPUS, int((arguments[1:] or ["5"])[0]))
    for key, value in figures.items():
        print(f"{key:10} {value}")
    print(json.dumps(figures))
