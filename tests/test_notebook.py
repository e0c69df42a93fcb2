"""The example notebook runs and shows what it says; functions and databases as HTML."""

from __future__ import annotations

import ast
import io
import json
import re
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

import ssarel
from ssarel import notebook
from ssarel.ir import Function
from ssarel.report import graph

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOK = ROOT / "docs" / "notebook.ipynb"
SOURCE = "function f(a) { let b = '<'; if (a) { b = 1; } return b; }"


def outputs(code: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """What a notebook shows of a cell: what it prints, and the value of the expression that it ends with."""
    tree = ast.parse(code)
    last = tree.body[-1]
    ending = ast.Expression(last.value) if isinstance(last, ast.Expr) else None
    tree.body = tree.body if ending is None else tree.body[:-1]
    with redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "cell", "exec"), names)
        value = None if ending is None else eval(compile(ending, "cell", "eval"), names)
    shown: list[dict[str, Any]] = []
    if printed.getvalue():
        shown.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue()})
    if value is not None:
        html = getattr(value, "_repr_html_", None)
        data = {"text/plain": repr(value)} if html is None else {"text/html": html()}
        result = {"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}
        shown.append(result)
    return shown


def words(shown: list[dict[str, Any]]) -> list[str]:
    """The words of outputs: tags, styles of pandas and drawings of Graphviz depend on their versions."""
    texts = [output["text"] if "text" in output else "".join(output["data"].values()) for output in shown]
    return re.sub(r"(?s)<(style|svg)\b.*?</\1>|<[^>]+>", " ", "\n".join(texts)).split()


def test_the_notebook_shows_what_the_program_does(monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config) -> None:
    monkeypatch.chdir(NOTEBOOK.parent)
    document = json.loads(NOTEBOOK.read_text("utf-8"))
    names: dict[str, Any] = {}
    cells = [cell for cell in document["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 8
    for number, cell in enumerate(cells, 1):
        shown = outputs("".join(cell["source"]), names, number)
        if pytestconfig.getoption("--bless"):
            cell["execution_count"] = number
            cell["outputs"] = shown
        assert words(cell["outputs"]) == words(shown), cell["source"]
    if pytestconfig.getoption("--bless"):
        NOTEBOOK.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n", "utf-8")


def lowered() -> Function:
    return ssarel.to_ssa(ssarel.lower(SOURCE)[1])


def test_a_function_is_a_graph_a_table_of_phis_and_its_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def drawing(text: str) -> str:
        return f"<?xml version='1.0'?><svg>{text.count('->')} edges</svg>"

    monkeypatch.setattr(graph, "layout", drawing)
    function = lowered()
    (phi,) = (phi for block in function.blocks.values() for phi in block.phis)
    shown = notebook.function_html(function)
    assert "<div><svg>3 edges</svg></div>" in shown
    assert f"<td>{phi.target!r}</td><td>" in shown
    assert re.search(r"<mark>  b\$\d+: phi\(bb\d: b\$\d+, bb\d: b\$\d+\)</mark>", shown)
    assert "&quot;&lt;&quot;" in shown
    assert "<details><summary>" in shown
    assert getattr(function, "_repr_html_")() == shown  # noqa: B009


def test_without_graphviz_and_for_large_functions_the_text_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "graphviz", lambda: None)
    assert "<svg" not in notebook.function_html(lowered())
    assert "<details open>" in notebook.function_html(lowered())
    monkeypatch.undo()
    monkeypatch.setattr(notebook, "DRAWN", 2)
    assert "<details open>" in notebook.function_html(lowered())


def test_a_database_shows_relations_and_functions() -> None:
    with ssarel.analyze(ROOT / "facts" / "examples" / "loop.js") as database:
        shown = getattr(database, "_repr_html_")()  # noqa: B009
    assert "<tr><td>phi</td><td>2</td><td>`block` needs a phi for `var`" in shown
    assert "<td>dom</td><td></td><td>every path from the entry" in shown
    assert re.search(r"loop\.js</td><td>2</td><td>count_to</td><td>4</td>", shown)


def test_texts_fit_into_their_nodes() -> None:
    label = "m" * 50
    drawing = graph.layout(f'digraph {{\n{graph.NODES}\n  a [label="{label}"]\n}}')
    points = re.findall(r'<polygon fill="none"[^>]* points="([^"]+)"', drawing)[0].split()
    columns = [float(point.split(",")[0]) for point in points]
    assert max(columns) - min(columns) > 0.6 * 10 * len(label), "a letter of Courier is 0.6 of its size wide"
