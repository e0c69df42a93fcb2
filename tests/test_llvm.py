"""LLVM IR in and out.

Each module of tests/cases/ll has an `.expected`: `[phi]` is what is true of it by definition, one phi a line: function,
block, slot, and for each predecessor the value; and `[llvm]` is its functions rewritten, which `pytest --bless` renews.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import llvmlite.binding as llvm
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import ssarel
from ssarel import batch, text, verify
from ssarel.builders import llvm_peer
from ssarel.cli import app
from ssarel.compare import Batch, compare
from ssarel.construct import to_ssa
from ssarel.emit.llvm import emit
from ssarel.errors import EngineError, UsageError
from ssarel.facts import emit as emit_facts
from ssarel.frontends.llvm.assembly import Body, Step, read
from ssarel.sources import Source
from tests.llvm_programs import STATEMENTS, call, functions, modules, structured
from tests.test_cases import read_expected

CASES = Path(__file__).parent / "cases" / "ll"
INPUTS = sorted(CASES.glob("*.ll"))
BUILDERS = ("duckdb", pytest.param("souffle", marks=pytest.mark.souffle), "cytron", "braun")
each_case = pytest.mark.parametrize("path", INPUTS, ids=lambda path: path.stem)
NOT_FOR_LLVM_14 = {"callbr"}

CHOOSE = """
define i32 @choose(i32 %given) {
entry:
  %x = alloca i32
  %c = icmp ne i32 %given, 0
  store i32 2, ptr %x
  br i1 %c, label %set, label %join
set:
  store i32 3, ptr %x
  br label %join
join:
  %v = load i32, ptr %x
  ret i32 %v
}
"""
COUNT_TO = """
define i32 @count_to(i32 %n) {
  %2 = alloca i32
  store i32 0, ptr %2
  br label %3
3:
  %4 = load i32, ptr %2
  %5 = icmp slt i32 %4, %n
  br i1 %5, label %6, label %9
6:
  %7 = load i32, ptr %2
  %8 = add i32 %7, 1
  store i32 %8, ptr %2
  br label %3
9:
  %10 = load i32, ptr %2
  ret i32 %10
}
""".replace("(i32 %n)", "(i32)").replace("%n", "%0")


def lower(code: str | bytes, name: str = "text.ll") -> Source:
    return batch.lower(code.encode() if isinstance(code, str) else code, name)


def rewritten(code: str | bytes, builder: str = "cytron") -> str:
    source = lower(code)
    assert not batch.is_failed(source), source.diagnostics
    to_ssa(source.functions, builder)
    return emit(source.functions)


def definitions(module: str) -> list[str]:
    return re.findall(r"^define .*?^}$", module, re.MULTILINE | re.DOTALL)


def new_phis(before: Body, after: Body) -> Iterator[tuple[int, Step]]:
    for block, (old, new) in enumerate(zip(before.chunks, after.chunks, strict=True)):
        found = [step for step in new.steps if step.op == "phi"]
        for phi in found[: len(found) - sum(step.op == "phi" for step in old.steps)]:
            yield block, phi


@each_case
@pytest.mark.parametrize("builder", BUILDERS)
def test_cases(path: Path, builder: str, pytestconfig: pytest.Config) -> None:
    source = batch.read(path)
    to_ssa(source.functions, builder)
    phis: list[str] = []
    printed = emit(source.functions)
    for function, body in zip(source.functions, read(printed.encode(), "").bodies, strict=True):
        before = function.notes.body
        reached = {
            chunk.label
            for chunk, block in zip(body.chunks, function.blocks.values(), strict=True)
            if block.preds or block.id == function.entry
        }
        slots = [phi.target.decl for block in function.blocks.values() for phi in block.phis]
        tokens = {var.decl: slot.alloca.result for var, slot in function.notes.slots.items()}
        for (block, phi), slot in zip(new_phis(before, body), slots, strict=True):
            args = sorted(f"{pred} {value}" for value, pred in set(phi.incoming()) if pred in reached)
            phis.append(f"{function.title} {before.chunks[block].label} {tokens[slot]}: {', '.join(args)}")
    golden = path.with_suffix(".expected")
    if pytestconfig.getoption("--bless") and builder == "braun":
        known, _, _ = golden.read_text("utf-8").partition("\n[llvm]\n")
        shown = "\n\n".join(definitions(printed))
        golden.write_text(f"{known.rstrip()}\n\n[llvm]\n{shown}\n", encoding="utf-8")
    expected = read_expected(golden)
    assert sorted(phis) == expected["phi"]
    assert [line for item in definitions(printed) for line in item.split("\n") if line] == expected["llvm"]


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("01-entry-has-predecessor", "3:2: Entry block to function must not have predecessors"),
        ("02-phi-misses-a-predecessor", "9:2: PHINode should have one entry for each predecessor"),
        ("04-two-values-for-one-predecessor", "7:2: PHI node has multiple entries for the same basic block"),
    ],
)
def test_invalid_cases_are_rejected_where_they_are(name: str, place: str) -> None:
    path = CASES / "invalid" / f"{name}.ll"
    result = CliRunner().invoke(app, ["ssa", str(path), "--emit", "llvm"])
    assert result.exit_code == 1
    assert f"{path.as_posix()}:{place}" in result.output
    assert f"(LLVM {'.'.join(map(str, llvm.llvm_version_info))})" in result.output


@pytest.mark.parametrize(
    ("code", "place"),
    [
        ("define i32 @f() {\n  ret i32 %x\n}", (2, 10)),
        ('@s = global [2 x i8] c"é"\ndefine void @é() {', (2, 12)),
        ('define i8 @"é"() { ret i8 "é" nonsense', (1, 26)),
        ("define void @f() {\n  ret void\n}\ndefine void @g() {\na:\n  br label %a\n}", (6, 2)),
        (
            "define void @f() {\na:\n  ret void\n}\ndefine i32 @g(i1 %c) {\na:\n  br i1 %c, label %b, label %d\nb:\n"
            "  %x = add i32 1, 1\n  br label %d\nd:\n  ret i32 %x\n}",
            (9, 2),
        ),
    ],
)
def test_faults_have_a_place(code: str, place: tuple[int, int]) -> None:
    source = lower(code)
    assert not source.functions
    assert [(item.severity, item.code, (item.line, item.col)) for item in source.diagnostics] == [
        ("error", "syntax", place)
    ]


def test_a_fault_in_a_module_with_debug_info_is_one_too() -> None:
    header = "define i32 @debug(i32 %n) !dbg !5 {\n"
    code = (CASES / "kinds.ll").read_text().replace(header, header + "  store i32 0, i32* %1\n")
    (problem,) = lower(code).diagnostics
    assert problem.message.startswith("Instruction does not dominate all uses (LLVM")
    assert code.split("\n")[problem.line - 1] == "  %1 = alloca i32, align 4"
    bitcode = llvm.parse_assembly(code, llvm.create_context()).as_bitcode()
    assert [item.message for item in lower(bitcode, "text.bc").diagnostics] == [problem.message]


def test_opaque_pointers_are_read() -> None:
    assert [function.title for function in batch.read(CASES / "invalid" / "03-opaque-pointer-syntax.ll").functions] == [
        "f"
    ]


def test_bytes_that_are_no_text_are_rejected() -> None:
    assert [(item.code, item.line) for item in lower(b"\n; \xff\n").diagnostics] == [("syntax", 2)]


def test_without_llvmlite_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    (problem,) = lower(CHOOSE).diagnostics
    assert (problem.severity, problem.code) == ("error", "missing-extra")
    assert "pip install 'ssarel[llvm]'" in problem.message


def test_places_are_those_of_the_text() -> None:
    source = batch.read(CASES / "kinds.ll")
    for function in source.functions:
        assert source.lines[function.line - 1][function.col :].startswith("define ")
        for block in function.blocks.values():
            for step in block.steps():
                if step.op not in ("label", "phi_operand"):
                    there = source.lines[step.line - 1][step.col :]
                    op = step.op.removesuffix("_value")
                    assert re.match(rf"(%\S+ = |%\"[^\"]*\" = )?{op}\b", there), (op, there)


def test_text_that_leaves_out_numbers_is_placed_at_its_function() -> None:
    source = lower("\ndefine i32 @f(i32) {\n  add i32 %0, 1\n  ret i32 %2\n}")
    assert {step.line for block in source.functions[0].blocks.values() for step in block.steps()} == {2}


def test_bitcode_is_read_as_text_is() -> None:
    code = (CASES / "kinds.ll").read_text()
    bitcode = llvm.parse_assembly(code, llvm.create_context()).as_bitcode()
    source = lower(bitcode, "text.bc")
    assert not source.diagnostics
    assert source.lines[source.functions[1].line - 1].startswith("define i32 @names")
    to_ssa(source.functions, "braun")
    assert definitions(emit(source.functions)) == definitions(rewritten(code))


def test_bitcode_that_is_none_is_rejected() -> None:
    (problem,) = lower(b"BC\xc0\xde rest", "text.bc").diagnostics
    assert problem.code == "syntax"
    assert "cannot read it" in problem.message


@each_case
def test_every_value_is_a_variable_with_one_definition(path: Path) -> None:
    for function in batch.read(path).functions:
        slots = {*function.notes.slots}
        steps = [step for block in function.blocks.values() for step in block.steps()]
        written = [var for step in steps for var in step.defs] + [param.var for param in function.params]
        plain = [var for var in written if var not in slots]
        assert len(plain) == len(set(plain))
        assert {var for step in steps for var in step.uses} <= {*written, *slots}
        assert text.format(text.parse(text.format(function))[0]) == text.format(function)


def test_operands_of_old_phis_are_read_at_the_end_of_their_predecessors() -> None:
    (function,) = batch.read(CASES / "22-existing-phi-plus-slot.ll").functions
    (operand,) = [step for step in function.blocks[1].instrs if step.op == "phi_operand"]
    assert [var.name for var in operand.uses] == ["n"]
    assert operand.attr == "%k"
    (phi,) = [step for step in function.blocks[3].instrs if step.op == "phi"]
    assert (phi.uses, phi.result.name) == ([], "k")


def test_relations_pass_every_check() -> None:
    with ssarel.analyze(INPUTS) as opened:
        outcomes = list(verify.verify(opened.connection))
    assert len(outcomes) > 30
    assert [(item.check.name, item.rows) for item in outcomes if item.missing or item.rows] == []


def test_blocks_keep_their_names_in_the_relations() -> None:
    source = batch.read(CASES / "19-quoted-and-unnamed.ll")
    rows = emit_facts([source]).tables["instr_text"].to_pylist()
    labels = [row["text"].partition(" = ")[2] for row in rows if row["op"] == "label"]
    assert labels == ['label "1"', 'label "Basic Block(7)\\ttab"', 'label "\\\\back"']


def test_debug_records_of_slots_go_and_those_of_values_stay() -> None:
    (printed,) = [item for item in definitions(rewritten((CASES / "kinds.ll").read_text())) if "@debug" in item]
    assert printed.count("#dbg_declare") == 1
    assert "#dbg_declare(ptr %y" in printed


@each_case
def test_a_module_whose_slots_are_not_versioned_is_left_alone(path: Path) -> None:
    code = path.read_text()
    if "double" not in code:  # a slot that nothing uses goes in any case
        assert definitions(emit(lower(code).functions)) == definitions(str(llvm.parse_assembly(code)))


def test_only_chosen_functions_are_rewritten(tmp_path: Path) -> None:
    path = tmp_path / "two.ll"
    path.write_text(CHOOSE + COUNT_TO)
    result = CliRunner().invoke(app, ["ssa", str(path), "--emit", "llvm", "--function", "choose"])
    assert result.exit_code == 0
    choose, count_to = definitions(result.output)
    assert ("alloca" in choose, "alloca" in count_to) == (False, True)


def test_other_languages_are_not_printed_as_llvm() -> None:
    functions = batch.lower_one("function f() {}")
    with pytest.raises(UsageError, match="did not come from LLVM IR"):
        emit(functions)


@pytest.mark.parametrize(
    ("name", "argument", "value"),
    [("choose", 1, 3), ("choose", 0, 2), ("count_to", -1, 0), ("count_to", 0, 0), ("count_to", 2, 2)],
)
@pytest.mark.parametrize("builder", BUILDERS)
def test_rewritten_functions_run(name: str, argument: int, value: int, builder: str) -> None:
    code = CHOOSE + COUNT_TO
    after = rewritten(code, builder)
    assert "alloca" not in after
    assert after.count(" = phi ") == 2
    assert call(code, name, argument) == call(after, name, argument) == value


ARGUMENTS = st.lists(st.tuples(st.integers(-3, 5), st.integers(-3, 5)), min_size=1, max_size=3)


def check_runs_alike(code: str, arguments: list[tuple[int, int]]) -> None:
    after = rewritten(code)
    assert not re.search(r"%s\d = alloca", after)
    assert after == rewritten(code, "braun")
    for pair in arguments:
        assert call(code, "f", *pair) == call(after, "f", *pair)


@settings(max_examples=60, deadline=None)
@given(functions(), ARGUMENTS)
def test_any_control_flow_runs_alike(code: str, arguments: list[tuple[int, int]]) -> None:
    check_runs_alike(code, arguments)


@settings(max_examples=40, deadline=None)
@given(STATEMENTS.map(structured), ARGUMENTS)
def test_nested_statements_run_alike(code: str, arguments: list[tuple[int, int]]) -> None:
    check_runs_alike(code, arguments)


def reachable(body: Body) -> set[str]:
    chunks = {chunk.label: chunk for chunk in body.chunks}
    found = [body.chunks[0].label]
    for label in found:
        found += [target for target in chunks[label].steps[-1].targets if target not in found]
    return set(found)


def folded(phis: dict[str, Step], gone: set[str]) -> dict[str, str]:
    """What the phis `gone` became: the one value that enters them, through each other, other than undef."""
    values: dict[str, str] = {}

    def entering(token: str) -> set[str]:
        seen = [token]
        leaves: set[str] = set()
        for phi in seen:
            for value in {values.get(value, value) for value, _ in phis[phi].incoming()}:
                if value in gone and value not in values:
                    seen += [value] if value not in seen else []
                else:
                    leaves.add(value)
        return leaves - {"undef"}

    while gone - values.keys():
        single = {token: found for token in gone - values.keys() if len(found := entering(token)) <= 1}
        assert single, "LLVM folded a phi of several values"
        token, found = next(iter(single.items()))
        value = next(iter(found), "undef")
        values = {name: value if known == token else known for name, known in values.items()} | {token: value}
    return values


def normal(body: Body, before: Body, kept: set[str] | None = None) -> tuple[list[list[str]], set[str]]:
    """The reachable blocks of `body` as texts, phis of slots in one form and sorted, only those `kept`; their names."""
    phis = {
        phi.result or "": (phi, f"{str(phi.result).rpartition('.')[0]}@{block}")
        for block, phi in new_phis(before, body)
    }
    values = {token: name for token, (_, name) in phis.items()}
    if kept is not None:
        gone = {token for token, (_, name) in phis.items() if name not in kept}
        became = folded({token: phi for token, (phi, _) in phis.items()}, gone)
        values |= {token: values.get(value, value) for token, value in became.items()}

    def replace(line: str) -> str:
        plain = re.sub(r", ![\w.]+ !\d+", "", line).replace("poison", "undef")
        return re.sub(r"%[\w.]+", lambda token: values.get(token[0], token[0]), plain)

    blocks: list[list[str]] = []
    reached = reachable(body)
    for chunk in body.chunks:
        heads = [(phis[step.result][1], step) for step in chunk.steps if step.result in phis]
        lines = [
            f"{name} {sorted(replace(f'{value} {pred}') for value, pred in step.incoming())}"
            for name, step in heads
            if kept is None or name in kept
        ]
        rest = [f"{step.result} {step.op} {replace(step.text)}" for step in chunk.steps if step.result not in phis]
        blocks.append(sorted(lines) + rest if chunk.label in reached else [])
    return blocks, {name for _, name in phis.values()}


def check_equal_to_mem2reg(path: Path) -> None:
    before, after, _ = llvm_peer.promote(path)
    ours = read(rewritten("\n".join(before.lines)).encode(), "")
    for original, theirs, mine in zip(before.bodies, after.bodies, ours.bodies, strict=True):
        expected, kept = normal(theirs, original)
        found, names = normal(mine, original, kept)
        assert kept <= names
        assert found == expected


@pytest.mark.llvm
@pytest.mark.parametrize(
    "path", [path for path in INPUTS if path.stem not in NOT_FOR_LLVM_14], ids=lambda path: path.stem
)
def test_cases_equal_mem2reg(path: Path) -> None:
    check_equal_to_mem2reg(path)


@pytest.mark.llvm
@settings(max_examples=8, deadline=None)
@given(modules(10))
def test_any_control_flow_equals_mem2reg(tmp_path_factory: pytest.TempPathFactory, code: str) -> None:
    path = tmp_path_factory.mktemp("any") / "any.ll"
    path.write_text(code)
    check_equal_to_mem2reg(path)
    functions, _ = batch.gather([path])
    found = compare(functions, ("cytron", "llvm"))
    assert not found.mismatches


@pytest.mark.llvm
def test_compare_labels_what_llvm_does_otherwise() -> None:
    functions, sources = batch.gather([path for path in INPUTS if path.stem not in NOT_FOR_LLVM_14])
    found = compare(functions, ("cytron", "llvm"))
    assert not any(map(batch.is_failed, sources))
    assert not found.mismatches
    assert [
        (Path(item["function"].split(":")[0]).stem, item["variable"].partition("$")[0], item["label"])
        for item in found.allowed
    ] == [
        ("04-load-before-any-store", "x", llvm_peer.FOLDED),
        ("kinds", "agg", llvm_peer.FOLDED),
    ]


ADDRESS_IN_A_SLOT = """
define i32 @f(i1 %c) {
  %p = alloca ptr
  %x = alloca i32
  store ptr %x, ptr %p
  store i32 1, ptr %x
  br i1 %c, label %a, label %b
a:
  %q = load ptr, ptr %p
  store i32 2, ptr %q
  br label %b
b:
  %v = load i32, ptr %x
  ret i32 %v
}
"""


@pytest.mark.llvm
def test_compare_says_what_llvm_promotes_later(tmp_path: Path) -> None:
    path = tmp_path / "later.ll"
    path.write_text(ADDRESS_IN_A_SLOT)
    found = compare(batch.gather([path])[0], ("cytron", "llvm"))
    assert not found.mismatches
    assert [(item["variable"], item["label"]) for item in found.allowed] == [("%x", llvm_peer.LATER)]


@pytest.mark.llvm
def test_compare_sees_a_phi_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    functions, _ = batch.gather([CASES / "17-swap-two-slots.ll"])
    honest = llvm_peer.place_phis

    def forgetful(*given: object) -> llvm_peer.Placed:
        placed = honest(*given)  # pyright: ignore[reportArgumentType]
        placed.phis[0].pop()
        return placed

    monkeypatch.setattr(llvm_peer, "place_phis", forgetful)
    (difference,) = compare(functions, ("cytron", "llvm")).mismatches
    assert difference["sides"] == {"cytron": True, "llvm": False}


@pytest.mark.llvm
def test_functions_marked_optnone_are_compared_too(tmp_path: Path) -> None:
    path = tmp_path / "optnone.ll"
    path.write_text(CHOOSE.replace(") {", ") #0 {") + "attributes #0 = { noinline optnone }\n")
    found = compare(batch.gather([path])[0], ("cytron", "llvm"))
    assert (found.mismatches, found.allowed) == ([], [])
    assert found.outcomes["llvm"].phis == found.outcomes["cytron"].phis != [[]]


@pytest.mark.llvm
def test_a_file_that_is_too_new_for_opt_is_said_to_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "new.ll"
    path.write_text("define i32 @f(i32 %n) {\n  %v = add future i32 %n, 1\n  ret i32 %v\n}\n")
    with pytest.raises(EngineError, match=r"opt of LLVM [\d.]+ cannot read it; a newer LLVM may"):
        llvm_peer.promote(path)


def test_llvm_builds_nothing_from_other_languages(examples_batch: Batch) -> None:
    with pytest.raises(UsageError, match="LLVM IR"):
        compare(examples_batch, ("llvm",))


@pytest.fixture
def examples_batch(tmp_path: Path) -> Batch:
    (tmp_path / "a.js").write_text("function f(a) { return a; }")
    return batch.gather([tmp_path])[0]


def test_unnamed_slots_have_phis_of_their_own() -> None:
    code = """
define i64 @f(i1 %0) {
  %2 = alloca i32
  %3 = alloca i64
  store i32 1, ptr %2
  store i64 1, ptr %3
  br i1 %0, label %4, label %5
4:
  store i32 2, ptr %2
  store i64 2, ptr %3
  br label %5
5:
  %6 = load i32, ptr %2
  %7 = load i64, ptr %3
  %8 = zext i32 %6 to i64
  %9 = add i64 %8, %7
  ret i64 %9
}
"""
    printed = rewritten(code)
    assert "%.0 = phi i32 [ 1, %1 ], [ 2, %2 ]" in printed
    assert "%.1 = phi i64 [ 1, %1 ], [ 2, %2 ]" in printed


def test_a_phi_takes_no_name_that_is_taken() -> None:
    printed = rewritten(CHOOSE.replace("%v", "%x.0").replace("set:", "x.1:").replace("%set", "%x.1"))
    assert "%x.2 = phi i32 [ 2, %entry ], [ 3, %x.1 ]" in printed
