"""The control-flow graph on its own: Graphviz's DOT, Mermaid, and SVG by a Graphviz that is installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from ssarel.errors import UsageError
from ssarel.explain import FunctionFacts
from ssarel.explain.facts import Step
from ssarel.report.data import BLOCK, WRITTEN, parts

LONG = 60
"""Lines of a block are cut to this many characters."""
TALL = 14
"""A block shows this many lines at most."""
NODES = '  node [shape=box, fontname="Courier", fontsize=10]'
"""How nodes look; Courier is the one monospaced font whose widths every Graphviz knows."""


def ssa_text(facts: FunctionFacts, step: Step) -> str:
    """`step` as it prints after renaming, values under the names that the database gives them, on one line."""
    pieces: list[str] = []
    for part in parts(facts, step):
        if isinstance(part, str):
            pieces.append(part)
        elif part[0] == BLOCK:
            pieces.append(facts.blocks[part[1]])
        else:
            pieces.append(name(facts, part[1], part[2], part[0] == WRITTEN))
    return " ".join("".join(pieces).split())


def name(facts: FunctionFacts, var: int, value: int, is_written: bool = False) -> str:
    """What `value` of `var` is called; the version of a temporary that has no other is left out."""
    known = facts.variables[var][0]
    if value < 0 and (is_written or known.startswith("$")):
        return known
    return known if known.startswith("$") and _is_only(facts, value) else facts.value_name(value)


def _is_only(facts: FunctionFacts, value: int) -> bool:
    return facts.values[value].version == 1 and len(facts.defs[facts.values[value].var]) == 1


def block_lines(facts: FunctionFacts, block: int) -> Iterator[str]:
    """The lines of `block` after renaming: its name, phis, instructions."""
    line = facts.block_line(block)
    yield f"{facts.blocks[block]}{f'  line {line}' if line else ''}"
    for var in sorted(facts.variables):
        value = facts.phi_value.get((block, var))
        if value is not None:
            args = ", ".join(f"{facts.blocks[pred]}: {facts.value_name(arg)}" for pred, arg in facts.args[value])
            yield f"{facts.value_name(value)} = phi({args})"
    for step in facts.steps_of[block]:
        yield ssa_text(facts, step)


def _label(facts: FunctionFacts, block: int) -> list[str]:
    return shortened(block_lines(facts, block))


def shortened(lines: Iterable[str]) -> list[str]:
    """What a node shows of `lines`: not more than TALL, none longer than LONG, the last one always."""
    cut = [line if len(line) <= LONG else line[: LONG - 1] + "…" for line in lines]
    return cut if len(cut) <= TALL else [*cut[: TALL - 2], f"… {len(cut) - TALL + 1} more", cut[-1]]


def dot(facts: FunctionFacts) -> str:
    """The graph in DOT, a node a block with its SSA text; unreachable blocks are dashed, back edges thick."""
    lines = [
        f"digraph {quoted(facts.name)} {{",
        NODES,
    ]
    for block, title in facts.blocks.items():
        text = "".join(quoted(line)[1:-1] + "\\l" for line in _label(facts, block))
        style = "" if block in facts.reachable else ", style=dashed"
        lines.append(f'  {title} [label="{text}"{style}]')
    for source, targets in facts.succ.items():
        for target in targets:
            style = " [penwidth=2]" if (source, target) in facts.back_edges else ""
            lines.append(f"  {facts.blocks[source]} -> {facts.blocks[target]}{style}")
    return "\n".join([*lines, "}"])


def quoted(text: str) -> str:
    """`text` as a string of DOT."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def mermaid(facts: FunctionFacts) -> str:
    """The graph as a Mermaid flowchart; thick arrows are back edges, dotted ones come from unreachable blocks."""
    lines = ["flowchart TD"]
    for block, title in facts.blocks.items():
        text = "<br>".join(_escaped(line) for line in _label(facts, block))
        lines.append(f'  {title}["{text}"]')
    for source, targets in facts.succ.items():
        arrow = "-->" if source in facts.reachable else "-.->"
        for target in targets:
            kind = "==>" if (source, target) in facts.back_edges else arrow
            lines.append(f"  {facts.blocks[source]} {kind} {facts.blocks[target]}")
    return "\n".join(lines)


def _escaped(text: str) -> str:
    for char, entity in (("#", "#35;"), ("&", "#amp;"), ('"', "#quot;"), ("<", "#lt;"), (">", "#gt;")):
        text = text.replace(char, entity)
    return text


def svg(facts: FunctionFacts) -> str:
    """The graph as SVG. Raises: UsageError if no Graphviz is installed, or it fails."""
    return layout(dot(facts))


def layout(graph: str) -> str:
    """A graph in DOT as SVG. Raises: UsageError if no Graphviz is installed, or it fails."""
    program = graphviz()
    if program is None:
        raise UsageError(
            "SVG needs Graphviz: install its dot command, or pip install 'ssarel[svg]'; html needs neither"
        )
    done = subprocess.run([program, "-Tsvg"], input=graph, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise UsageError(f"{program} failed: {done.stderr.strip()[:500]}")
    return done.stdout


def graphviz() -> str | None:
    """The path of a Graphviz: `dot`, or `graphviz-pure` from PyPI, beside this Python or on PATH."""
    for command in ("dot", "graphviz-pure"):
        found = shutil.which(command) or shutil.which(command, path=str(Path(sys.executable).parent))
        if found:
            return found
    return None
