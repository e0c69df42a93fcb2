"""Bril in and out.

Each program of tests/cases/bril has an `.expected` with what is true of it by definition: `[unreachable]` blocks,
`[idom]` (dominator block), `[dom_frontier]` (block frontier), `[live_in]` (block variable), `[phi]` (block variable:
predecessors), judged for every engine and builder; and `[bril]`, its SSA form as printed. A block is its label, ENTRY
the block that stands before an entry with predecessors. `pytest --bless` rewrites `[bril]` only: the rest is not ours.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from typer.testing import CliRunner

from ssarel import batch, facts, text
from ssarel.builders import BUILDERS
from ssarel.builders.cytron import dominance_frontiers
from ssarel.builders.dominators import immediate_dominators
from ssarel.cli import app
from ssarel.construct import to_ssa
from ssarel.destruct import destruct
from ssarel.emit.bril import emit, to_json
from ssarel.engines import get_engine
from ssarel.errors import SyntaxFault, UsageError
from ssarel.frontends import Lowered, bril
from ssarel.frontends.bril import notation
from ssarel.interpret import run
from ssarel.ir import Function
from tests.bril_programs import fold_copies, lower, programs
from tests.test_cases import read_expected

CASES = Path(__file__).parent / "cases" / "bril"
INPUTS = sorted(CASES.glob("*.bril"))
ENGINES = ("duckdb", pytest.param("souffle", marks=pytest.mark.souffle))
each_case = pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)


def labels(function: Function) -> dict[int, str]:
    """What the goldens call each block."""
    return {id: f".{function.notes.labels[id]}" if id in function.notes.labels else "ENTRY" for id in function.blocks}


def derived(path: Path, engine: str) -> dict[str, list[str]]:
    emitted = facts.emit([batch.read(path)])
    (unit,) = emitted.units
    assert unit.function is not None
    block = dict(zip(unit.blocks, labels(unit.function).values(), strict=True))
    var = dict(zip(unit.vars, (var.name for var in unit.flow.vars), strict=True))
    found = get_engine(engine).run(emitted.tables, ("reachable", "idom", "dom_frontier", "live_in"))
    rows = {name: [tuple(row.values()) for row in table.to_pylist()] for name, table in found.items()}
    return {
        "unreachable": sorted({*block.values()} - {block[row[0]] for row in rows["reachable"]}),
        "idom": sorted(f"{block[upper]} {block[lower]}" for upper, lower in rows["idom"]),
        "dom_frontier": sorted(f"{block[site]} {block[target]}" for site, target in rows["dom_frontier"]),
        "live_in": sorted(f"{block[site]} {var[variable]}" for site, variable in rows["live_in"]),
    }


def phis(function: Function) -> list[str]:
    label = labels(function)
    return sorted(
        f"{label[block.id]} {phi.target.name}: {' '.join(sorted(label[pred] for pred in phi.args))}"
        for block in function.blocks.values()
        for phi in block.phis
    )


@pytest.mark.parametrize("engine", ENGINES)
@each_case
def test_relations(path: Path, engine: str) -> None:
    expected = read_expected(path.with_suffix(".expected"))
    for section, rows in derived(path, engine).items():
        assert rows == expected[section], section


@each_case
def test_imperative_dominance(path: Path) -> None:
    (unit,) = facts.emit([batch.read(path)]).units
    assert unit.function is not None
    name = list(labels(unit.function).values())
    idom = immediate_dominators(unit.flow)
    frontier = dominance_frontiers(unit.flow, idom)
    expected = read_expected(path.with_suffix(".expected"))
    assert sorted(f"{name[upper]} {name[at]}" for at, upper in enumerate(idom) if upper >= 0) == expected["idom"]
    rows = [f"{name[at]} {name[target]}" for at, targets in enumerate(frontier) for target in targets]
    assert sorted(rows) == expected["dom_frontier"]
    reached = unit.flow.reachable()
    assert sorted(name[at] for at, is_reached in enumerate(reached) if not is_reached) == expected["unreachable"]


@pytest.mark.parametrize("builder", [*BUILDERS, *ENGINES])
@each_case
def test_phis(path: Path, builder: str, pytestconfig: pytest.Config) -> None:
    functions = batch.read(path).functions
    to_ssa(functions, builder)
    golden = path.with_suffix(".expected")
    printed = emit(functions)
    if pytestconfig.getoption("--bless") and builder == "braun":
        given, _, _ = golden.read_text("utf-8").partition("\n[bril]\n")
        golden.write_text(f"{given.rstrip()}\n\n[bril]\n{printed}", encoding="utf-8")
    expected = read_expected(golden)
    assert phis(functions[0]) == expected["phi"]
    assert printed.splitlines() == expected["bril"]
    (function,) = to_json(functions)["functions"]
    defined = {item.get("dest") for item in function["instrs"]} | {arg["name"] for arg in function.get("args", ())}
    assert {name for item in function["instrs"] for name in item.get("args", ())} <= defined


@each_case
def test_cases_print_back(path: Path) -> None:
    source = path.read_text("utf-8").replace("@main() {", "@main {")
    assert emit(lower(source)) == source
    assert notation.format(notation.parse(source)) == source
    assert emit(bril.lower(emit(lower(source), "bril-json").encode(), "text.bril").functions) == source


@given(programs())
@settings(max_examples=200, deadline=None)
def test_programs_print_back(source: str) -> None:
    printed = emit(lower(source))
    assert notation.parse(printed)["functions"][0]["instrs"] != []
    assert without_places(notation.parse(printed)) == without_places(notation.parse(source))
    (again,) = lower(printed)
    assert emit([again]) == printed
    (read,) = text.parse(text.format(again))
    assert text.format(read) == text.format(again)


def without_places(item: object) -> object:
    if isinstance(item, dict):
        return {key: without_places(value) for key, value in item.items() if key != "pos"}
    return [without_places(value) for value in item] if isinstance(item, list) else item


EVERYTHING = """from "lib.json" import @f, @g as @h;

@main(x: int, p: ptr<ptr<int>>): int {
  v: float = const -1.5;
  w: float = const 1e-05;
  n: ptr<int> = const nullptr;
  a: char = const 'a';
  b: char = const ' ';
  c: char = const '\\n';
  t: bool = const true;
  untyped = const 3;
  nop;
  y: int = call @h x;
  call @f;
  jmp .%end;
  print y x;
.unused:
.%end:
  ret y;
}

@other {
  u: int = undef;
  v: int = id u;
}
"""


def test_everything_prints_back() -> None:
    functions = lower(EVERYTHING)
    assert emit(functions) == EVERYTHING
    assert emit(lower(emit(functions, "bril-json"))) == EVERYTHING
    (main, other) = functions
    assert (main.name, main.line, main.col) == ("main", 3, 0)
    assert [block.preds for block in main.blocks.values()] == [[], [], [], [0]]
    assert text.format(other).splitlines()[2:] == [
        '  [1] u$0 = undef "int"',
        '  [2] v$1 = id "int"(u$0)',
        '  [3] Return "Implicit"',
    ]


def test_layout_and_comments_do_not_matter() -> None:
    source = "@main{x:int=const 3;#'\n .a : jmp\n.a;}"
    assert emit(lower(source)) == "@main {\n  x: int = const 3;\n.a:\n  jmp .a;\n}\n"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("@main {\n  x = const;\n}", "2:11: expected a number, true, false, nullptr or a character in quotes, not ';'"),
        ("@main {\n  x: int = add a b\n}", "3:0: expected ';', not '}'"),
        ("@main {\n  print x;", "2:10: expected a label, an instruction or `}`, not the end of the file"),
        ("@main {\n  print ?;\n}", "2:8: '?' starts no word of Bril"),
        ("hello", "1:0: expected a function, such as `@main { ... }`, not 'hello'"),
        ("@main(a int) {\n}", "1:8: expected ':', not 'int'"),
        ("@main {\n  jmp .x;\n}", "2:2: there is no label .x in @main"),
        ("@main {\n.a:\n.a:\n}", "3:0: label .a is there twice"),
        ("@main {\n  br c .a;\n.a:\n}", "2:2: br takes a variable and two labels"),
        ("@main {\n  guard c .a;\n.a:\n}", "2:2: guard takes no labels: only jmp and br lead somewhere"),
        ("@main {\n  x: int = jmp .a;\n.a:\n}", "2:2: jmp has no result"),
        ("@main {\n  get;\n}", "2:2: get needs a destination"),
        ("@main {\n.a:\n  x: int = phi y .b;\n.b:\n  ret;\n}", "3:2: phi names .b, which does not lead here"),
        ("@main(x: int, x: int) {\n}", "1:14: there are two parameters 'x'"),
        ("@main {\n  Object x;\n}", "2:2: there is no operation 'Object'"),
        ('{"functions": [{"name": "", "instrs": []}]}', "0:0: functions[0].name: expected a text"),
        ('{"functions": [{"name": "f", "instrs": [{}]}]}', "0:0: functions[0].instrs[0].op: expected a text"),
        ('{"functions": [{"name": "f", "args": [{}]}]}', "0:0: functions[0].args[0].name: expected a text"),
        ('{"functions": 3}', "0:0: functions: expected a list"),
        ('{"functions": [\n  x]}', "2:2: no JSON: Expecting value"),
        ("{}", "0:0: functions: a program needs a list of functions"),
        ('{"functions":' + "[" * 100_000, "0:0: the JSON is nested too deeply; a Bril program needs few levels"),
        (
            '{"functions": [{"name": "f", "instrs": [{"op": "const", "dest": "x", "value": "ab"}]}]}',
            "0:0: functions[0].instrs[0]: const needs a value: a number, true, false, null or one character",
        ),
        (
            '{"functions": [{"name": "f", "instrs": [{"op": "nop", "pos": {"row": 7, "col": 2}, "args": 1}]}]}',
            "7:1: args of nop must be a list of names of variables",
        ),
    ],
)  # fmt: skip
def test_faults_are_located(source: str, message: str) -> None:
    (found,) = bril.lower(source.encode(), "text.bril").diagnostics
    assert (found.severity, found.code) == ("error", "syntax")
    assert f"{found.line}:{found.col}: {found.message}" == message


def test_a_function_with_a_fault_costs_only_itself() -> None:
    lowered = bril.lower(b"@bad {\n  jmp .x;\n}\n@good {\n  ret;\n}", "text.bril")
    assert [function.name for function in lowered.functions] == ["good"]
    assert [item.function for item in lowered.diagnostics] == ["bad"]


def test_undecodable_bytes_are_located() -> None:
    found: Lowered = bril.lower(b"@main {\n\xff}", "text.bril")
    assert [(item.code, item.line) for item in found.diagnostics] == [("undecodable", 2)]


LOOP = """@main(n: int) {{
.top:
  zero: int = const 0;
  one: int = const 1;
  {first}jmp .loop;
.loop:
  {phis}
  print i j;
  i2: int = add i one;
  c: bool = lt i2 n;
  {again}br c .loop .end;
.end:
  ret;
}}
"""


def test_both_ssa_forms_are_read() -> None:
    """Two phis that read each other: their values change place at the same time."""
    older = LOOP.format(first="", phis="i: int = phi zero .top i2 .loop;\n  j: int = phi one .top i .loop;", again="")
    newer = LOOP.format(
        first="set i zero; set j one; ", phis="i: int = get;\n  j: int = get;", again="set j i; set i i2; "
    )
    for source in (older, newer):
        assert run(lower(source), (3,)).output == ["0 1", "1 0", "2 1"]
        functions = lower(source)
        to_ssa(functions, "braun")
        assert len(functions[0].blocks[1].phis) == 2
        for form in ("bril", "bril-phi", "bril-json"):
            assert run(lower(emit(functions, form)), (3,)).output == ["0 1", "1 0", "2 1"]


def test_a_set_on_a_path_not_taken_does_no_harm() -> None:
    """The shadow variable of a `get` keeps what was sent last, whichever way the program goes."""
    source = """@main(c: bool) {
  a: int = const 1;
  set x a;
  br c .far .near;
.far:
  b: int = const 2;
  set x b;
.near:
  x: int = get;
  print x;
}
"""
    assert run(lower(source), (True,)).output == ["2"]
    assert run(lower(source), (False,)).output == ["1"]


def test_versions_keep_out_of_the_way_of_names() -> None:
    source = "@main(c: bool) {\n  x.1: int = const 7;\n.l:\n  x: int = const 1;\n  x: int = add x x.1;\n  print x;\n}"
    functions = lower(source)
    to_ssa(functions, "braun")
    assert emit(functions).splitlines()[3:6] == [
        "  x.2: int = const 1;",
        "  x.3: int = add x.2 x.1;",
        "  print x.3;",
    ]
    assert run(lower(emit(functions)), (True,)).output == ["8"]


def test_undefined_operands_have_the_type_that_is_wanted() -> None:
    source = "@main: float {\n  x: float = fadd a b;\n  p: bool = not q;\n  print y;\n  br p .l .l;\n.l:\n  ret z;\n}"
    functions = lower(source)
    to_ssa(functions, "braun")
    assert emit(functions).splitlines() == [
        "@main: float {",
        "  undef.float: float = undef;",
        "  undef.bool: bool = undef;",
        "  undef.int: int = undef;",
        "  x: float = fadd undef.float undef.float;",
        "  p: bool = not undef.bool;",
        "  print undef.int;",
        "  br p .l .l;",
        ".l:",
        "  ret undef.float;",
        "}",
    ]


def test_types_outlive_the_instructions_that_gave_them() -> None:
    """The only instructions that say the type of x are the copies that folding takes away; the phi still needs it."""
    source = """@main(p: bool, a: int, b: int) {
  br p .l .r;
.l:
  x: int = id a;
  jmp .j;
.r:
  x: int = id b;
.j:
  print x a b;
}
"""
    functions = lower(source)
    to_ssa(functions, "braun")
    fold_copies(functions[0])
    assert "  x: int = get;" in emit(functions).splitlines()
    assert destruct(functions[0]) == 2
    assert emit(functions).splitlines()[3] == "  x: int = id a;"


def test_only_bril_prints_as_bril() -> None:
    (module,) = batch.lower(b"let x = 1;", "text.js").functions
    with pytest.raises(UsageError, match="did not come from a Bril program"):
        emit([module])
    with pytest.raises(UsageError, match="no form"):
        emit([], "llvm")


def test_names_that_text_cannot_say_are_for_json() -> None:
    program = {"functions": [{"name": "main", "instrs": [{"op": "const", "dest": "é", "type": "int", "value": 1}]}]}
    functions = lower(json.dumps(program))
    assert to_json(functions) == program
    with pytest.raises(UsageError, match="bril-json"):
        emit(functions)


def test_a_deep_type_is_no_recursion() -> None:
    depth = 20_000
    source = f"@main {{\n  x: {'ptr<' * depth}int{'>' * depth} = alloc n;\n}}\n"
    assert emit(lower(source)) == source


def test_faults_of_notation_are_errors_of_ours() -> None:
    with pytest.raises(SyntaxFault, match=r"^1:0: "):
        notation.parse("struct")


@pytest.mark.parametrize("stage", ["hir", "ssa", "destructed"])
@pytest.mark.parametrize("form", ["bril", "bril-phi", "bril-json"])
def test_command(stage: str, form: str) -> None:
    path = CASES / "13-lost-copy.bril"
    words = ["ssa", str(path), "--stage", stage, "--emit", form, "--builder", "braun"]
    result = CliRunner().invoke(app, words, catch_exceptions=False)
    assert result.exit_code == 0
    assert run(lower(result.output), (3, 1)).output == run(lower(path.read_text("utf-8")), (3, 1)).output == ["2"]
    phis = {"bril": "= get", "bril-phi": "= phi", "bril-json": '"get"'}[form]
    assert (phis in result.output) == (stage == "ssa")


def test_command_reports_a_fault() -> None:
    result = CliRunner().invoke(app, ["ssa", "-", "--language", "bril"], input="@main {\n  jmp .x;\n}\n")
    assert result.exit_code == 1
    assert "2:2: there is no label .x in @main [syntax]" in result.output


def test_every_golden_has_its_input() -> None:
    assert {path.stem for path in CASES.glob("*.expected")} == {path.stem for path in INPUTS}
