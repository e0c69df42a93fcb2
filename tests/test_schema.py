"""The shapes and the order of the rules, as written in their files."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest

from ssarel import schema
from ssarel.engines.souffle import LATER_INPUTS
from ssarel.errors import SchemaError
from ssarel.resources import folder
from ssarel.ssa_facts import SSA

RULES = folder("rules")
ALL = (*schema.STRATA, *schema.AFTER_SSA, *schema.OUT_OF_SSA)
FILES = sorted(path.relative_to(RULES).as_posix()[:-3] for path in RULES.glob("*/*.dl"))


def included(text: str) -> list[str]:
    return re.findall(r'^ *\.include "(.+)\.dl"', text, re.MULTILINE)


def test_strata_are_the_includes_in_order() -> None:
    text = (RULES / "relations.dl").read_text("utf-8")
    before, rest = text.split(".comp Reverse {")
    inside, after = rest.split("}\n.init reverse = Reverse")
    assert included(before)[0] == "../facts/schema"
    main = [rule.file for rule in schema.STRATA if rule.space == "main"]
    assert included(before)[1:] + included(after) == main
    assert included(inside) == [rule.file for rule in schema.STRATA if rule.space == "reverse"]


def test_rules_after_ssa_are_the_includes_in_order() -> None:
    text = (RULES / "constants.dl").read_text("utf-8")
    assert included(text) == ["../facts/schema", "../facts/ssa", *(rule.file for rule in schema.AFTER_SSA)]
    assert set(re.findall(r"^\.input (\w+)", text, re.MULTILINE)) == set(LATER_INPUTS)


def test_rules_out_of_ssa_are_the_includes_in_order() -> None:
    text = (RULES / "interference.dl").read_text("utf-8")
    assert included(text) == ["relations", "../facts/copies", *(rule.file for rule in schema.OUT_OF_SSA)]


def test_each_rule_reads_earlier_rules_only() -> None:
    for number, rule in enumerate(ALL):
        earlier = {other.name for other in ALL[:number]}
        assert {needed.name for needed in schema.needed_by(rule)} <= earlier, rule.name


def test_every_rule_file_is_evaluated() -> None:
    assert {rule.file for rule in ALL} == set(FILES)
    assert {
        path.relative_to(RULES).as_posix()[:-4] for path in RULES.glob("*/*.sql") if path.parent.name != "check"
    } == set(FILES)


@pytest.mark.parametrize("file", FILES)
def test_twins_have_the_same_columns(file: str) -> None:
    connection = duckdb.connect()
    connection.execute("create schema reverse")
    relations = [(relation, "main") for relation in (*schema.BASE.values(), *SSA.values(), *schema.COPIES.values())]
    relations += [(schema.parse_relations(rule.datalog)[rule.relation], rule.space) for rule in ALL]
    for relation, space in relations:
        columns = ", ".join(f"{name} {'varchar' if kind == 'symbol' else 'int'}" for name, kind in relation.columns)
        connection.execute(f'create table {space}."{relation.name}" ({columns})')
    rule = next(rule for rule in ALL if rule.file == file)
    connection.execute(f"set search_path = '{rule.space},main'" if rule.space != "main" else "set search_path = 'main'")
    found = connection.execute(f"describe ({rule.sql})").fetchall()
    shape = schema.parse_relations(rule.datalog)[rule.relation]
    types = {"symbol": "VARCHAR"}
    assert [(row[0], row[1]) for row in found] == [(name, types.get(kind, "INTEGER")) for name, kind in shape.columns]


@pytest.mark.parametrize("file", FILES)
def test_headers(file: str) -> None:
    datalog = (RULES / f"{file}.dl").read_text("utf-8")
    sql = (RULES / f"{file}.sql").read_text("utf-8")
    header = datalog.split("\n\n.decl")[0]
    assert datalog.startswith(f"// rules/{file}.dl\n//\n")
    assert re.search(r"^// Cost: +\S", header, re.MULTILINE)
    shape = schema.parse_relations(datalog)[file.split("/")[1]]
    assert [name for name, _ in shape.columns if f"`{name}`" not in header] == []
    assert sql.startswith(f"-- rules/{file}.sql\n-- Twin of {file.split('/')[1]}.dl; ")
    assert len(datalog.splitlines()) <= 100
    assert len(sql.splitlines()) <= 100


def test_main_asks_for_the_public_relations() -> None:
    assert set(schema.DERIVED) == set(
        re.findall(r"^\.output (\w+)", (RULES / "main.dl").read_text("utf-8"), re.MULTILINE)
    )
    assert all(not name.startswith("_") for name in schema.DERIVED)


def test_needed_leaves_out_what_is_not_read() -> None:
    names = [rule.name for rule in schema.needed(["phi"])]
    assert names[-1] == "phi"
    assert "live_in" not in names
    assert not [name for name in names if name.startswith("reverse.")]
    assert "reverse.idom" in [rule.name for rule in schema.needed(["post_idom"])]


def test_unknown_relation() -> None:
    with pytest.raises(SchemaError, match="no derived relation 'phis'; there are idom, "):
        schema.needed(["phis"])


def test_a_relation_declared_twice() -> None:
    with pytest.raises(SchemaError, match="relation 'a' is declared twice"):
        schema.parse_relations(".decl a(x: number)\n.decl a(y: number)")


def test_shapes() -> None:
    found = schema.parse_relations("// a\n.decl a(x: Block, name: symbol)\n.input a\n.decl _b(y: number)\n")
    assert found["a"].columns == (("x", "Block"), ("name", "symbol"))
    assert found["a"].is_input
    assert not found["_b"].is_input
    assert str(found["a"].arrow.field("name").type) == "string"
    assert schema.BASE["edge"].is_input
    assert not schema.BASE["instr_text"].is_input


def test_no_base_relation_is_derived() -> None:
    assert not schema.BASE.keys() & schema.DERIVED.keys()
    assert Path(folder("facts"), "schema.dl").is_file()
