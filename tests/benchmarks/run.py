"""All figures in one run: `python -m tests.benchmarks.run [--parts corpus,single,undeclared,package] [--rounds N] ...`.

Prints tables with ratios and writes them as JSON with a description of the machine. Contestants of a part take turns in
each round, in this process; the figures are medians over the rounds.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import networkx as nx
import pyarrow as pa

from ssarel import folders
from ssarel.builders import cytron
from ssarel.builders.dominators import immediate_dominators
from ssarel.engines.duckdb import DuckDBEngine
from ssarel.engines.souffle import SouffleEngine
from ssarel.errors import EngineUnavailable
from ssarel.facts import Unit
from ssarel.flow import Flow
from tests.benchmarks import llvm_time
from tests.benchmarks.families import FAMILIES, function
from tests.rules_by_definition import base, tables

CORPUS = Path(__file__).resolve().parents[3] / "shared" / "cfg-corpus"
SIZES = (1_000, 4_000, 16_000, 64_000)
SAMPLE = 10
"""networkx does every tenth function; its time is multiplied."""

Contestants = Mapping[str, Callable[[], float]]
"""By name, what runs once and returns the seconds that count."""


def interleaved(contestants: Contestants, rounds: int) -> dict[str, float]:
    """The median seconds of each, which take turns."""
    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, run in contestants.items():
            gc.collect()
            seconds[name].append(run())
    return {name: statistics.median(times) for name, times in seconds.items()}


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def with_duckdb(given: Mapping[str, pa.Table]) -> float:
    """From base relations in DuckDB to phi."""
    engine = DuckDBEngine()
    with engine.connect() as connection:
        engine.load(connection, given)
        return timed(lambda: engine.derive(connection, ["phi"]))


def with_cytron(flows: Sequence[Flow]) -> float:
    """From flows in memory to phi sites."""
    return timed(lambda: [cytron.place_phis(flow, immediate_dominators(flow)) for flow in flows])


def with_networkx(flows: Sequence[Flow]) -> float:
    """Immediate dominators and frontiers of graphs that stand already."""
    graphs: list[nx.DiGraph[int]] = []
    for flow in flows:
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from(range(len(flow.succ)))
        graph.add_edges_from((block, target) for block, targets in enumerate(flow.succ) for target in targets)
        graphs.append(graph)

    def work() -> None:
        for graph in graphs:
            nx.immediate_dominators(graph, 0)
            nx.dominance_frontiers(graph, 0)

    return timed(work)


def corpus(rounds: int, share: int) -> dict[str, Any]:
    """cfg-corpus, or the first 1/`share` of its functions, to phi."""
    if not CORPUS.is_dir():
        return {"missing": str(CORPUS)}
    given = folders.read_folder(CORPUS)
    units = folders.units(given)
    if share > 1:
        units = units[: len(units) // share]
        given = tables(base(unit.flow for unit in units))
    flows = [unit.flow for unit in units]
    with tempfile.TemporaryDirectory() as work:
        contestants: dict[str, Callable[[], float]] = {
            "duckdb": lambda: with_duckdb(given),
            "cytron": lambda: with_cytron(flows),
            "networkx": lambda: with_networkx(flows[::SAMPLE]) * SAMPLE,
            **souffles(given),
            **llvm(units, Path(work)),
        }
        found = interleaved(contestants, rounds)
    notes = {"networkx": f"measured on every {SAMPLE}th function and multiplied by {SAMPLE}"}
    return {"functions": len(flows), "seconds": found, "ratio": ratios(found), "notes": notes}


def souffles(given: Mapping[str, pa.Table]) -> dict[str, Callable[[], float]]:
    """Soufflé interpreted and compiled, process start and files included; the program is compiled before."""
    try:
        interpreted, compiled = SouffleEngine(), SouffleEngine(compile=True)
    except EngineUnavailable as error:
        print(f"left out: souffle: {error}", file=sys.stderr)
        return {}
    compiled.run(tables({}), ["phi"])
    return {
        "souffle": lambda: timed(lambda: interpreted.run(given, ["phi"])),
        "souffle compiled": lambda: timed(lambda: compiled.run(given, ["phi"])),
    }


def llvm(units: Sequence[Unit], folder: Path) -> dict[str, Callable[[], float]]:
    """LLVM's mem2reg on the same graphs, by its own clock; reading is not counted."""
    if shutil.which("opt") is None:
        print("left out: llvm: opt is not on PATH", file=sys.stderr)
        return {}
    text, bitcode = folder / "graphs.ll", folder / "graphs.bc"
    text.write_text("\n".join(llvm_time.as_llvm(units)), encoding="utf-8")
    subprocess.run(["opt", "-passes=verify", str(text), "-o", str(bitcode)], check=True)
    return {"llvm": lambda: llvm_time.time_llvm(bitcode)}


def ratios(seconds: Mapping[str, float]) -> dict[str, float]:
    """The time of DuckDB over that of each other contestant."""
    return {name: seconds["duckdb"] / other for name, other in seconds.items() if name != "duckdb"}


def single(rounds: int, families: Sequence[str], sizes: Sequence[int], declared: bool) -> dict[str, Any]:
    """Growth on one function of each family; `declared` as in `families.function`."""
    found: dict[str, Any] = {}
    for family in families:
        rows: list[dict[str, Any]] = []
        for size in sizes:
            flow = function(family, size, declared)
            given = tables(base([flow]))
            seconds = interleaved(
                {"duckdb": lambda g=given: with_duckdb(g), "cytron": lambda f=flow: with_cytron([f])}, rounds
            )
            growth = seconds["duckdb"] / rows[-1]["duckdb"] if rows else None
            rows.append({"blocks": size, **seconds, "growth": growth, "ratio": seconds["duckdb"] / seconds["cytron"]})
            print(f"  {family} {size} {seconds}", file=sys.stderr)
        found[family] = rows
    return found


def package(name: str, rounds: int) -> dict[str, Any]:
    """`ssarel analyze` on the files of a package beside React Compiler in Node: a process each, wall time."""
    from tests.oracles.react import oracle

    folder = Path(name) if Path(name).is_dir() else oracle.fetch(name)
    files = oracle.javascript_files(folder)
    code = "from ssarel.cli import main; main()"
    returned: set[int] = set()

    def analyze() -> float:
        with tempfile.TemporaryDirectory() as work:
            command = [sys.executable, "-c", code, "analyze", str(folder), "-o", f"{work}/a.duckdb"]
            start = time.perf_counter()
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
            seconds = time.perf_counter() - start
        returned.add(done.returncode)
        if done.returncode not in (0, 1):
            raise SystemExit(f"ssarel analyze {folder} ended with {done.returncode}")
        return seconds

    contestants: dict[str, Callable[[], float]] = {"ssarel analyze": analyze}
    try:
        oracle.install()
        contestants["react"] = lambda: timed(lambda: oracle.run_node(folder, files))
    except (oracle.OracleError, OSError) as error:
        print(f"left out: react: {error}", file=sys.stderr)
    seconds = interleaved(contestants, rounds)
    found: dict[str, Any] = {"package": name, "files": len(files), "seconds": seconds, "exit": sorted(returned)}
    if "react" in seconds:
        found["ratio"] = seconds["ssarel analyze"] / seconds["react"]
    return found


def machine() -> dict[str, Any]:
    """What the figures depend on."""
    model = platform.processor() or platform.machine()
    memory = None
    if Path("/proc/cpuinfo").exists():
        names = [
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ]
        model = names[0] if names else model
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "system": platform.platform(),
        "processor": model,
        "cores": os.cpu_count(),
        "memory_bytes": memory,
        "load": os.getloadavg() if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "duckdb": duckdb.__version__,
        "networkx": nx.__version__,
    }


def show(report: Mapping[str, Any]) -> None:
    """The tables."""
    if "seconds" in report.get("corpus", {}):
        part = report["corpus"]
        print(f"\ncfg-corpus, {part['functions']} functions, base relations to phi")
        print(f"{'contestant':20}{'seconds':>10}{'duckdb over it':>18}")
        for name, seconds in part["seconds"].items():
            print(f"{name:20}{seconds:10.3f}{part['ratio'].get(name, 1.0):18.3f}")
        print("\n".join(f"{name}: {note}" for name, note in part["notes"].items()))
    for part in ("single", "undeclared"):
        if part not in report:
            continue
        title = "one function" if part == "single" else part
        print(f"\n{title:14}{'blocks':>8}{'duckdb s':>10}{'growth':>8}{'cytron s':>10}{'duckdb/cytron':>15}")
        for family, rows in report[part].items():
            for row in rows:
                growth = "" if row["growth"] is None else f"{row['growth']:.2f}"
                print(
                    f"{family:14}{row['blocks']:8}{row['duckdb']:10.3f}{growth:>8}{row['cytron']:10.3f}{row['ratio']:15.2f}"
                )
    if "package" in report:
        part = report["package"]
        print(f"\n{part['package']}, {part['files']} files, wall time")
        for name, seconds in part["seconds"].items():
            print(f"{name:20}{seconds:10.2f}")
        if "ratio" in part:
            print(f"{'ratio':20}{part['ratio']:10.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--parts", default="corpus,single,undeclared,package", help="which, separated by commas")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--share", type=int, default=1, help="only 1/N of the corpus")
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)))
    parser.add_argument("--package", default="@mui/material@9.5.0", help="a folder, or name@version for npm")
    parser.add_argument("-o", "--output", type=Path, default=Path("benchmarks.json"))
    given = parser.parse_args()
    parts = given.parts.split(",")
    report: dict[str, Any] = {"machine": machine(), "rounds": given.rounds}
    if "corpus" in parts:
        report["corpus"] = corpus(given.rounds, given.share)
    families, sizes = given.families.split(","), [int(size) for size in given.sizes.split(",")]
    for part in {"single", "undeclared"} & {*parts}:
        report[part] = single(given.rounds, families, sizes, declared=part == "single")
    if "package" in parts:
        report["package"] = package(given.package, given.rounds)
    show(report)
    given.output.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
