"""Reports without a browser: what is packed into a page, and graphs on their own."""

from __future__ import annotations

import base64
import json
import re
import xml.etree.ElementTree as ElementTree
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import ssarel
from ssarel import report
from ssarel.cli import app
from ssarel.database import Database
from ssarel.errors import UsageError
from ssarel.explain import FunctionFacts, find
from ssarel.report import data, graph

ROOT = Path(__file__).resolve().parents[1]
LOOP = "facts/examples/loop.js"


@pytest.fixture(scope="module")
def examples() -> Iterator[Database]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        with ssarel.analyze("facts/examples") as database:
            yield database


def facts_of(database: Database, name: str) -> FunctionFacts:
    places = find.functions(database.connection)
    return report.ordered(database.connection, [find.one_of(find.find_functions(places, name), name)])[0]


def unpack(page: str) -> list[dict[str, Any]]:
    packed = re.findall(r'<script type="text/plain" id="f\d+">([^<]*)</script>', page)
    return [json.loads(zlib.decompress(base64.b64decode(item), -15)) for item in packed]


def test_a_page_holds_every_function_and_loads_nothing(examples: Database) -> None:
    places = find.functions(examples.connection)
    page = "".join(report.page(examples.connection, places))
    functions = unpack(page)
    assert [(item["name"], item["line"]) for item in functions] == [(place.name, place.line) for place in places]
    assert page.count("</script>") == len(functions) + 3
    assert not re.findall(r"(?:src|href)=|@import|url\((?!#)", page.split('id="graphviz"')[0])
    assert "default-src 'none'" in page
    index = json.loads(re.findall(r'id="index">(.*)</script>', page)[0])
    assert [row[3:] for row in index] == [
        [len(item["blocks"]), sum(len(block["phis"]) for block in item["blocks"])] for item in functions
    ]


def test_every_access_is_a_part_of_the_text(examples: Database) -> None:
    """Each read and write of a named variable is marked once, with the value that the relations give it."""
    for facts in report.ordered(examples.connection, find.functions(examples.connection)):
        for step in facts.steps.values():
            marked = [part for part in data.parts(facts, step) if not isinstance(part, str) and part[0] != data.BLOCK]
            reads = [(var, value) for var, values in facts.read_by.get(step.instr, {}).items() for value in values]
            writes = list(facts.written_by.get(step.instr, {}).items())
            assert sorted((part[1], part[2]) for part in marked if part[0] == data.READ) == sorted(reads), step.text
            assert sorted((part[1], part[2]) for part in marked if part[0] == data.WRITTEN) == sorted(writes), step.text


def test_strings_are_no_variables(tmp_path: Path) -> None:
    source = tmp_path / "a.js"
    source.write_text('function f(x) { return x + "x$0 bb1 $1 \\" $2"; }')
    with ssarel.analyze(source) as database:
        facts = facts_of(database, "f")
        texts = [graph.ssa_text(facts, step) for step in facts.steps.values()]
    assert any('"x$0 bb1 $1 \\" $2"' in text for text in texts)
    assert "x.1 = Param" in texts


def test_a_variable_read_and_written_by_one_instruction(examples: Database) -> None:
    facts = facts_of(examples, "fill")
    texts = [graph.ssa_text(facts, step) for step in facts.steps.values() if step.op == "PostfixUpdate"]
    assert texts
    assert all(re.search(r"PostfixUpdate (\w+)\.3 = \1\.2 \+\+", text) for text in texts)


def test_data_speaks_of_positions(examples: Database) -> None:
    item = data.function(facts_of(examples, "loop.js:count_to"), report.source(examples.connection, LOOP))
    assert item["lines"][0] == 2
    assert item["lines"][1][-1] == "}"
    header = item["blocks"][1]
    assert (header["name"], header["idom"], header["df"], header["succ"]) == ("bb1", 0, [1], [2, 3])
    ((value, args, why),) = header["phis"]
    assert item["vars"][item["values"][value][0]] == ["i", "local"]
    assert [pred for pred, _ in args] == [0, 2]
    assert why.startswith("bb1 (line 4) has a phi: i.2 = phi(bb0: i.1, bb3: i.3)")


def test_dot_and_mermaid_draw_every_block_and_edge(examples: Database) -> None:
    facts = facts_of(examples, "loop.js:count_to")
    edges = {("bb0", "bb1"), ("bb1", "bb3"), ("bb1", "bb2"), ("bb3", "bb1")}
    drawn = graph.dot(facts)
    assert set(re.findall(r"^  (bb\d+) -> (bb\d+)", drawn, re.MULTILINE)) == edges
    assert "bb3 -> bb1 [penwidth=2]" in drawn
    assert "i.2 = phi(bb0: i.1, bb3: i.3)" in drawn
    chart = graph.mermaid(facts)
    assert set(re.findall(r"^  (bb\d+) [-=.]+> (bb\d+)", chart, re.MULTILINE)) == edges
    assert "$10 = Binary $8 #lt; $9" in chart


def test_svg_has_every_block(examples: Database) -> None:
    facts = facts_of(examples, "loop.js:count_to")
    titles = {node.text for node in ElementTree.fromstring(graph.svg(facts)).iter("{http://www.w3.org/2000/svg}title")}
    assert set(facts.blocks.values()) <= titles


def test_svg_without_graphviz_says_how_to_get_it(examples: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph, "graphviz", lambda: None)
    with pytest.raises(UsageError, match="install its dot command, or pip install"):
        graph.svg(facts_of(examples, "loop.js:count_to"))


def test_the_command_writes_pages_and_graphs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    out = tmp_path / "report.html"
    page = CliRunner().invoke(app, ["report", LOOP, "-o", str(out)])
    assert (page.exit_code, page.output) == (0, f"{out}: 3 functions, 0.9 MB\n")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]
    drawn = CliRunner().invoke(app, ["report", LOOP, "--function", "count_to", "--format", "dot"])
    assert (drawn.exit_code, drawn.output[:18]) == (0, 'digraph "count_to"')
    many = CliRunner().invoke(app, ["report", LOOP, "--format", "dot"])
    assert many.exit_code == 2
    assert "3 functions are" in many.stderr
    unknown = CliRunner().invoke(app, ["report", LOOP, "--function", "count", "--format", "dot"])
    assert unknown.exit_code == 2
    assert "did you mean count_to" in unknown.stderr


def test_graphviz_is_vendored_so_that_the_page_can_embed_it() -> None:
    vendored = ROOT / "ssarel" / "report" / "vendor" / "graphviz"
    code = (vendored / "index.js").read_text("ascii")
    assert re.search(r"export\{[^}]*\b\w+ as Graphviz\b", code)
    assert not re.search(r"</script|<!--|import\.meta", code)
    version = json.loads((vendored / "package.json").read_text("utf-8"))["version"]
    assert version in (vendored.parent / "README.md").read_text("utf-8")
    assert "Apache License" in (vendored / "LICENSE").read_text("utf-8")
