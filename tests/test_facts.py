"""Functions to base relations, and the SSA relations after renaming."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings

from ssarel import facts, schema, text
from ssarel.builders import braun, cytron
from ssarel.errors import InputError
from ssarel.facts import Unit
from ssarel.flow import Flow
from ssarel.folders import units
from ssarel.ir import Diagnostic
from ssarel.sources import Source
from ssarel.ssa_facts import UNDEF_VALUE, ssa_tables
from tests.flows import flows

CAPTURES = """\
outer(a$0, b$1): $20
bb0 (block):
  [1] $2 = 0
  [2] $4 = StoreContext Let seen$3 = $2
  [3] $12 = Function @context[seen$3, b$1]
      inner(x$5): $11
      bb1 (block):
        [1] $6 = LoadContext seen$3
        [2] $7 = LoadLocal b$1
        [3] $8 = Binary $6 + $7
        [4] $9 = StoreContext Reassign seen$3 = $8
        [5] $10 = <undefined>
        [6] Return Void $10
  [4] Return Explicit $12
"""


def rows(table: pa.Table) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in table.to_pylist()]


def emit(source: str) -> facts.Facts:
    return facts.emit([Source("a.hir", "hir", "00", text.parse(source))])


def test_all_base_relations_have_their_shape() -> None:
    emitted = emit(CAPTURES)
    assert list(emitted.tables) == list(schema.BASE)
    for name, relation in schema.BASE.items():
        assert emitted.tables[name].schema == relation.arrow


def test_functions_parameters_and_captured_variables() -> None:
    tables = emit(CAPTURES).tables
    assert rows(tables["func"].select(["func_id", "parent", "name"])) == [(0, None, "outer"), (1, 0, "inner")]
    assert rows(tables["entry"]) == [(0, 0), (1, 1)]
    texts = dict(zip(tables["instr_text"]["instr"].to_pylist(), tables["instr_text"]["text"].to_pylist(), strict=True))
    names = {row["var"]: row["name"] for row in tables["var_name"].to_pylist()}
    written = {texts[row["instr"]]: names[row["var"]] for row in tables["def"].to_pylist()}
    assert written["a$0 = Param"] == "a"
    assert written["b$1 = Capture"] == "b"
    assert "seen$3 = Capture" not in texts.values()
    starts = [text for text in map(str, texts.values()) if text.endswith(("Param", "Capture"))]
    assert starts == ["a$0 = Param", "b$1 = Param", "b$1 = Capture", "x$5 = Param"]


def test_cells_are_read_and_written_apart() -> None:
    tables = emit(CAPTURES).tables
    texts = tables["instr_text"]["text"].to_pylist()
    cell = next(row["var"] for row in tables["var_name"].to_pylist() if row["name"] == "seen")
    assert next(row["kind"] for row in tables["var_name"].to_pylist() if row["var"] == cell) == "captured"
    assert [texts[row["instr"]] for row in tables["cell_write"].to_pylist()] == [
        "$4 = StoreContext Let seen$3 = $2",
        "$9 = StoreContext Reassign seen$3 = $8",
    ]
    assert [texts[row["instr"]].split("[")[0] for row in tables["cell_read"].to_pylist()] == [
        "$12 = Function inner @context",
        "$6 = LoadContext seen$3",
    ]
    assert cell not in tables["use"]["var"].to_pylist()
    assert cell not in tables["def"]["var"].to_pylist()


def test_an_entry_with_predecessors_gets_a_fresh_block() -> None:
    source = "loop(): $1\nbb0 (block):\n  predecessor blocks: bb0\n  [1] Goto bb0\n"
    tables = emit(source).tables
    assert rows(tables["entry"]) == [(0, 0)]
    assert rows(tables["edge"]) == [(0, 1), (1, 1)]
    assert rows(tables["block_name"]) == [(0, "bb1"), (1, "bb0")]


def test_one_row_for_a_variable_written_twice_by_one_instruction() -> None:
    source = "f(o$0): $3\nbb0 (block):\n  [1] $2 = Destructure Const [ a$1, a$1 ] = o$0\n  [2] Return Explicit $2\n"
    tables = emit(source).tables
    assert len(rows(tables["def"])) == len(set(rows(tables["def"])))


def test_texts_that_utf8_cannot_hold_are_escaped() -> None:
    emitted = facts.emit([Source("a\udcff.js", "javascript", "00", [], [Diagnostic("error", "x", "bad \ud800")])])
    assert emitted.tables["source_file"]["path"].to_pylist() == ["a\\udcff.js"]
    assert emitted.tables["diagnostic"]["message"].to_pylist() == ["bad \\ud800"]


def test_ids_past_32_bits_are_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "MAX_ID", 3)
    with pytest.raises(InputError, match="pass 2\\^31"):
        emit(CAPTURES)


def test_flows_come_back_from_relations() -> None:
    emitted = emit(CAPTURES)
    for made, read in zip(emitted.units, units(emitted.tables), strict=True):
        assert (read.flow.succ, read.flow.pred, read.flow.first) == (made.flow.succ, made.flow.pred, made.flow.first)
        assert list(read.blocks) == list(made.blocks)
        assert list(read.instrs) == list(made.instrs)


@given(flows())
@settings(max_examples=100, deadline=None)
def test_ssa_relations_say_what_the_form_says(flow: Flow) -> None:
    form = cytron.build(flow)
    base = 100
    ids = Unit(0, flow, range(base, base + len(flow.succ)), range(flow.first[-1]), range(flow.variables))
    tables = ssa_tables([ids], [form])
    variable = {row["value"]: row["var"] for row in tables["value_var"].to_pylist()}
    assert list(variable) == list(range(len(variable)))
    phis = {(row["block"] - base, variable[row["value"]]) for row in tables["ssa_phi"].to_pylist()}
    assert phis == set(form.phis)
    source = {row["value"]: row["instr"] for row in tables["ssa_def"].to_pylist()}
    source |= {row["value"]: -2 - (row["block"] - base) for row in tables["ssa_phi"].to_pylist()}
    source[UNDEF_VALUE] = -1
    used = {(row["instr"], row["pos"]): source[row["value"]] for row in tables["ssa_use"].to_pylist()}
    assert used == {
        (instr, pos): site for instr, sites in enumerate(form.use_site) for pos, site in enumerate(sites or ())
    }
    args = {(row["value"], row["pred"] - base): source[row["arg"]] for row in tables["ssa_phi_arg"].to_pylist()}
    expected = {
        (value, pred): site
        for value, (block, name) in (
            (row["value"], (row["block"] - base, variable[row["value"]])) for row in tables["ssa_phi"].to_pylist()
        )
        for pred, site in zip(flow.pred[block], form.args[form.phis.index((block, name))], strict=True)
    }
    assert args == expected
    assert braun.build(flow) == form
