"""Time every named question: `python -m tests.benchmarks.query_time DB [--copies N] [--rounds N] [--only NAME,...]`.

Prints a row a query: median milliseconds of an answer about one function, for some functions up to the one of most
blocks, and of an answer about all, whose rows are fetched to the last. Questions about a line or a variable are asked
about one of each of those functions and have no answer about all. `!` marks what misses the goals, 100 ms and 1 s.
`--copies` asks a database of N copies, with their own ids, paths and names, in place of a larger code base.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb

import ssarel
from ssarel import database, query, schema
from ssarel.ssa_facts import SSA

ONE, ALL = 0.1, 1.0
"""Seconds that an answer about one function, and about all, may take."""

FUNCTIONS = """
with
    size as (
        select func_block.func, count(*) as blocks
        from func_block
        inner join func on func.func_id = func_block.func
        where not starts_with(func.name, '<<')
        group by func_block.func
    ),

    ranked as (
        select func, blocks, percent_rank() over (order by blocks, func) as rank
        from size
    ),

    chosen as (
        select ranked.func, ranked.blocks
        from (select unnest([0.5, 0.8, 0.95, 1.0]) as rank) as wanted
        asof join ranked on wanted.rank >= ranked.rank
    )

select
    func_place.path,
    func_place.function,
    (select max(line) from instr_place where func_id = chosen.func)::varchar as line,
    (select min(name) from var_name where var_name.func = chosen.func and kind != 'temp') as variable,
from chosen
inner join func_place on func_place.func_id = chosen.func
order by chosen.blocks
"""


def copy_of(source: Path, target: Path, copies: int) -> None:
    """Write the database at `source` as often as `copies`: ids go on, paths and names of functions have a number."""
    shapes = {**schema.BASE, **schema.DERIVED, **SSA}
    with duckdb.connect() as connection:
        connection.execute(f"attach '{source}' as old (read_only)")
        connection.execute(f"attach '{target}' as made")
        present = {row[0] for row in connection.execute("select table_name from duckdb_tables()").fetchall()}
        ids = [
            (relation.name, column, kind)
            for relation in shapes.values()
            for column, kind in relation.columns
            if relation.name in present and kind not in ("number", "symbol")
        ]
        step: dict[str, int] = {}
        for name, column, kind in ids:
            top = connection.execute(f'select coalesce(max("{column}"), 0) + 1 from old."{name}"').fetchall()[0][0]
            step[kind] = max(step.get(kind, 1), top)
        new = {
            (name, column): f'if("{column}" >= 0, "{column}" + copy * {step[kind]}, "{column}")::integer'
            for name, column, kind in ids
        }
        new["source_file", "path"] = "concat('copy', copy, '/', path)"
        new["func", "name"] = "if(starts_with(name, '<<'), name, concat(name, '_', copy))"
        for name in present & set(shapes):
            columns = ", ".join(f'{new.get((name, c), f"{c}")} as "{c}"' for c in shapes[name].arrow.names)
            connection.execute(
                f'create table made."{name}" as select {columns} '
                f"from (select unnest(range({copies})) as copy) "
                f'cross join (select rowid as place, * from old."{name}") '
                "order by copy, place"
            )
        connection.execute("use made")
        database.load(connection, {})


def seconds(asked: duckdb.DuckDBPyConnection, name: str, given: dict[str, Any], rounds: int) -> tuple[float, int]:
    """The median time of an answer, and its rows."""
    taken: list[float] = []
    rows = 0
    for _ in range(rounds):
        start = time.perf_counter()
        rows = sum(1 for _ in query.ask(asked, name, given).rows)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken), rows


def measure(path: Path, rounds: int, only: list[str]) -> Iterator[tuple[str, list[float], tuple[float, int] | None]]:
    """Each query: seconds for each function, and seconds and rows for all if all can be asked about."""
    with ssarel.open(path) as opened:
        rows = opened.connection.execute(FUNCTIONS).fetchall()
        functions: list[dict[str, Any]] = [
            dict(zip(("path", "function", "line", "variable"), row, strict=True)) for row in rows
        ]
        print("functions:", ", ".join(f"{item['function']} ({item['path']})" for item in functions), file=sys.stderr)
        for name, found in query.catalogue().items():
            if only and name not in only:
                continue
            needed = {key for key, text in found.parameters.items() if text.endswith("(required)")}
            asked = [
                {key: item[key] for key in found.parameters if key != "variable" or key in needed} for item in functions
            ]
            one = [seconds(opened.connection, name, given, rounds)[0] for given in asked]
            yield name, one, None if needed else seconds(opened.connection, name, {}, rounds)


def start_up(path: Path, rounds: int) -> float:
    """The median time of a process that asks about one function."""
    command = shutil.which("ssarel", path=str(Path(sys.executable).parent)) or "ssarel"
    taken: list[float] = []
    for _ in range(rounds):
        start = time.perf_counter()
        subprocess.run([command, "query", path, "dead_def", "-p", "function=f"], check=True, stdout=subprocess.DEVNULL)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


def show(path: Path, rounds: int, only: list[str]) -> None:
    """The table."""
    print(f"{'query':22}{'one ms':>9}{'largest ms':>12}{'all ms':>9}{'rows':>9}")
    for name, one, every in measure(path, rounds, only):
        late = statistics.median(one) > ONE or max(one) > ONE or (every is not None and every[0] > ALL)
        last = f"{'':18}" if every is None else f"{every[0] * 1000:9.1f}{every[1]:9}"
        print(f"{name:22}{statistics.median(one) * 1000:9.1f}{one[-1] * 1000:12.1f}{last}{' !' if late else ''}")
    print(f"process `ssarel query DB dead_def -p function=f`: {start_up(path, rounds) * 1000:.0f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("database", type=Path)
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="names of queries, separated by commas")
    given = parser.parse_args()
    only = [name for name in given.only.split(",") if name]
    if given.copies == 1:
        show(given.database, given.rounds, only)
        return
    with tempfile.TemporaryDirectory() as work:
        enlarged = Path(work) / "copies.duckdb"
        copy_of(given.database, enlarged, given.copies)
        show(enlarged, given.rounds, only)


if __name__ == "__main__":
    main()
