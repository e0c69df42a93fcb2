"""Reports to look at: one self-contained HTML page over one function or many, and graphs on their own."""

from __future__ import annotations

import base64
import html
import json
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import duckdb

from ssarel.explain import FunctionFacts, load
from ssarel.explain.find import Place
from ssarel.report import data

HERE = Path(__file__).parent
AT_ONCE = 400
"""Functions whose relations are in memory at the same time."""


def page(connection: duckdb.DuckDBPyConnection, places: Sequence[Place]) -> Iterator[str]:
    """The text of the page about the functions `places`, in pieces; with several, it has a list to search.

    The page loads nothing: each function is packed into it and unpacked when it is opened, and Graphviz, compiled to
    WebAssembly, lays the graphs out in the browser.
    Raises: DatabaseError if a relation is missing.
    Cost:   memory for 400 functions; about 900 kB, and 1 to 5 kB a function of usual size.
    """
    asset = {name: (HERE / f"page.{name}").read_text("utf-8") for name in ("html", "css", "js")}
    graphviz = (HERE / "vendor" / "graphviz" / "index.js").read_text("utf-8")
    sizes = _sizes(connection, places)
    index = [[place.name, place.path, place.line, *sizes[place.func]] for place in places]
    first = next((at for at, row in enumerate(index) if row[4]), 0)
    title = places[0].name if len(places) == 1 else f"{len(places)} functions"
    filled = {
        "title": html.escape(title),
        "style": asset["css"],
        "first": str(first),
        "index": json.dumps(index, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/"),
        "graphviz": graphviz,
        "script": asset["js"],
    }
    for number, piece in enumerate(asset["html"].split("{{")):
        name, _, rest = piece.partition("}}")
        if number == 0:
            yield piece
        elif name == "functions":
            yield from _functions(connection, places)
            yield rest
        else:
            yield filled[name] + rest


def _sizes(connection: duckdb.DuckDBPyConnection, places: Sequence[Place]) -> dict[int, tuple[int, int]]:
    """The number of blocks and of phis of each function."""
    rows = connection.execute((data.SIZES).read_text("utf-8"), {"funcs": [place.func for place in places]}).fetchall()
    return {func: (blocks, phis) for func, blocks, phis in rows}


def _functions(connection: duckdb.DuckDBPyConnection, places: Sequence[Place]) -> Iterator[str]:
    lines: dict[str, list[str]] = {}
    for start in range(0, len(places), AT_ONCE):
        some = places[start : start + AT_ONCE]
        for number, facts in enumerate(ordered(connection, some), start):
            if facts.path not in lines:
                lines = {facts.path: source(connection, facts.path)}
            text = json.dumps(data.function(facts, lines[facts.path]), ensure_ascii=False, separators=(",", ":"))
            packer = zlib.compressobj(9, wbits=-15)
            packed = packer.compress(text.encode("utf-8", "backslashreplace")) + packer.flush()
            yield f'<script type="text/plain" id="f{number}">{base64.b64encode(packed).decode()}</script>\n'


def ordered(connection: duckdb.DuckDBPyConnection, places: Sequence[Place]) -> list[FunctionFacts]:
    """The relations of the functions `places`, in their order."""
    found = load(connection, [place.func for place in places])
    return [found[place.func] for place in places]


def source(connection: duckdb.DuckDBPyConnection, path: str) -> list[str]:
    """The lines of the source file at `path`; none if the database has not got them."""
    rows = connection.execute(data.LINES.read_text("utf-8"), {"path": path}).fetchall()
    return [row[0] for row in rows]
