"""Every phi and 1,000 random other pairs of block and variable, explained and held against the relations by query.

    python -m tests.benchmarks.explain_check [PACKAGE@VERSION | FOLDER]

The package (default lodash-es) is fetched with npm. Exits with 1 if a claim is false or an explanation has a gap.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import ssarel
from ssarel.explain import FunctionFacts, explain_block, load
from tests.explanations import false_claims, gaps, wrong_verdict
from tests.oracles.react import oracle

PAIRS = 1_000


def main(given: str) -> int:
    folder = Path(given) if Path(given).is_dir() else oracle.fetch(given)
    with ssarel.analyze(folder) as database:
        connection = database.connection
        clock = time.perf_counter()
        every = load(connection, [row[0] for row in connection.execute("select func_id from func").fetchall()])
        print(f"{len(every)} functions loaded in {time.perf_counter() - clock:.2f} s")
        phis = [
            (facts, block, var) for facts in every.values() for var, blocks in facts.phi.items() for block in blocks
        ]
        random = Random(0)
        functions = [facts for facts in every.values() if facts.variables]
        others: list[tuple[FunctionFacts, int, int]] = []
        while len(others) < PAIRS:
            facts = random.choices(functions, [len(facts.blocks) for facts in functions])[0]
            block, var = random.choice(list(facts.blocks)), random.choice(list(facts.variables))
            if block not in facts.phi.get(var, ()):
                others.append((facts, block, var))
        verdicts: Counter[str] = Counter()
        faults: list[str] = []
        claims = 0
        spent = 0.0
        for facts, block, var in [*phis, *others]:
            clock = time.perf_counter()
            item = explain_block(facts, var, block)
            spent += time.perf_counter() - clock
            verdicts[item.verdict] += 1
            claims += len(item.facts)
            wrong = [*map(str, false_claims(connection, item.facts)), *gaps(facts, item)]
            wrong += filter(None, [wrong_verdict(connection, item)])
            faults += [
                f"{facts.path} {facts.name} {facts.blocks[block]} {facts.variables[var]}: {text}" for text in wrong
            ]
    print(f"{len(phis)} phis, {len(others)} other pairs; {dict(verdicts)}; {claims} claims, {len(faults)} wrong")
    print(f"{spent:.2f} s to explain")
    print("\n".join(faults[:20]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:] or ["lodash-es@4.18.1"]))
