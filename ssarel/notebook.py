"""What notebooks show of functions and databases: HTML, by the `_repr_html_` that they look for."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Sequence

import duckdb

from ssarel import text
from ssarel.errors import UsageError
from ssarel.ir import Block, Function
from ssarel.report import graph

DRAWN = 60
"""Functions up to this many blocks are drawn."""
FIRST = 10
"""Functions of a database that are shown."""
_METHOD = "_repr_html_"

_RELATIONS = """
    select table_name, estimated_size, comment from duckdb_tables() where not internal
    union all
    select view_name, null, comment from duckdb_views() where not internal
    order by all
"""
_FUNCTIONS = f"""
    select func_place.path, func_place.line, func_place.function, count(*) as blocks
    from func_place
    inner join func_block on func_block.func = func_place.func_id
    group by all
    order by min(func_place.func_id)
    limit {FIRST}
"""


def show_functions() -> None:
    """Give `Function` its method; the IR itself knows nothing of what is built on it."""
    setattr(Function, _METHOD, function_html)


def function_html(function: Function) -> str:
    """The graph with phis in it, a table of the phis, and the text.

    Without a Graphviz, or with more than DRAWN blocks, there is no graph and the text is open.
    """
    try:
        drawing = graph.layout(_dot(function)) if len(function.blocks) <= DRAWN else ""
    except UsageError:
        drawing = ""
    phis = [
        (f"bb{block.id}", repr(phi.target), ", ".join(f"bb{pred}: {arg!r}" for pred, arg in phi.args.items()))
        for block in function.blocks.values()
        for phi in block.phis
    ]
    lines = "\n".join(
        f"<mark>{html.escape(line)}</mark>" if ": phi(" in line else html.escape(line)
        for line in text.format(function).splitlines()
    )
    return "".join(
        [
            f"<div><b>{html.escape(function.title)}</b>: {len(function.blocks)} blocks, {len(phis)} phis",
            f"<div>{drawing[drawing.index('<svg') :]}</div>" if drawing else "",
            _table(("block", "phi", "operands"), phis) if phis else "",
            f"<details{'' if drawing else ' open'}><summary>text</summary><pre>{lines}</pre></details></div>",
        ]
    )


def database_html(connection: duckdb.DuckDBPyConnection) -> str:
    """A table of the relations with their rows, none counted for views, and one of the first functions."""
    relations = connection.execute(_RELATIONS).fetchall()
    parts = [_table(("relation", "rows", "holds if"), relations)]
    if {"func_place", "func_block"} <= {str(row[0]) for row in relations}:
        parts.append(_table(("path", "line", "function", "blocks"), connection.execute(_FUNCTIONS).fetchall()))
    return f"<div>{''.join(parts)}</div>"


def _dot(function: Function) -> str:
    lines = ["digraph {", graph.NODES]
    for block in function.blocks.values():
        label = "".join(graph.quoted(line)[1:-1] + "\\l" for line in graph.shortened(_lines(block)))
        style = ", style=bold" if block.phis else ""
        lines.append(f'  bb{block.id} [label="{label}"{style}]')
        lines.extend(f"  bb{block.id} -> bb{target}" for target in dict.fromkeys(block.terminal.targets))
    return "\n".join([*lines, "}"])


def _lines(block: Block) -> Iterator[str]:
    yield f"bb{block.id}"
    for phi in block.phis:
        yield f"{phi.target!r} = phi({', '.join(f'bb{pred}: {arg!r}' for pred, arg in phi.args.items())})"
    for step in block.steps():
        yield " ".join(text.format_instr(step).split())


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    def line(cells: Sequence[object], tag: str) -> str:
        texts = ("" if cell is None else html.escape(str(cell)) for cell in cells)
        return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in texts)}</tr>"

    return f"<table>{line(columns, 'th')}{''.join(line(row, 'td') for row in rows)}</table>"
