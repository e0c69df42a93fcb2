"""The printed IR: real dumps byte for byte, everything else there and back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from goldens import FILES, sections
from hypothesis import given, settings
from hypothesis import strategies as st
from structure import snapshot

from ssarel import text
from ssarel.errors import SyntaxFault, UsageError
from ssarel.frontends import hir
from ssarel.ir import UNDEF, Block, Function, GlobalRef, Instr, Param, Phi, Terminal, Var

PICK = """\
async pick(p$0, ...rest$1): $9
use strict
bb0 (block):
  [1] $2 = LoadLocal p$0
  [2] $3 = Unary - $2
  [3] $4 = Function each @context[rest$1]
      generator each(x$5): $8
      bb2 (block):
        [1] $6 = LoadContext rest$1
        [2] $7 = Yield "delegate"($6, x$5)
        [3] Return Void $7
  [4] If ($3) then:bb1 else:bb3 fallthrough=bb3
bb1 (block):
  predecessor blocks: bb0
  [5] $10 = "bb9 (block):"
  [6] Goto bb3
bb3 (block):
  predecessor blocks: bb1 bb0
  y$26: phi(bb1: y$21, bb0: undef)
  [7] Return Explicit y$26"""


def read(printed: str, profile: str = "default") -> Function:
    (function,) = text.parse(printed, profile)
    return function


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_dumps_print_back_byte_for_byte(path: Path) -> None:
    for name, dump in sections(path):
        function = read(dump, "react")
        assert text.format(function, "react") == dump, name
        again = read(text.format(function))
        assert snapshot(again) == snapshot(function), name


def test_shared_dumps_print_back_byte_for_byte(shared: Path) -> None:
    for path in (shared / "cases" / "js" / "react").glob("*.txt"):
        for name, dump in sections(path):
            assert text.format(read(dump, "react"), "react") == dump, (path.name, name)


def test_there_are_dumps() -> None:
    assert sum(len(list(sections(path))) for path in FILES) >= 250


def test_short_form() -> None:
    function = read(PICK)
    assert text.format(function) == PICK
    assert (function.is_async, function.is_generator, function.kind, function.directives) == (
        True,
        False,
        "function",
        ["use strict"],
    )
    entry = function.blocks[0]
    assert (entry.instrs[1].op, entry.instrs[1].attr) == ("Unary", "-")
    inner = entry.instrs[2].attr
    assert isinstance(inner, Function)
    assert (inner.root, inner.is_generator, inner.context) == (False, True, [function.params[1].var])
    assert function.params[1].var.cell
    assert not function.params[0].var.cell
    assert function.blocks[3].phis[0].args[0] is UNDEF
    assert function.next_id == 27


def test_react_form_of_the_same_function() -> None:
    printed = text.format(read(PICK), "react")
    assert printed.startswith("pick(<unknown> p$0, ...<unknown> rest$1): <unknown> $9\nuse strict\n")
    assert "  [2] <unknown> $3 = Unary <unknown> $2\n" in printed
    assert "  [3] <unknown> $4 = Function each @context[<unknown> rest$1] @aliasingEffects=[]\n      each(" in printed


def test_format_instr() -> None:
    entry = read(PICK).blocks[0]
    assert [text.format_instr(step) for step in entry.steps()] == [
        "$2 = LoadLocal p$0",
        "$3 = Unary - $2",
        "$4 = Function each @context[rest$1]",
        "If ($3) then:bb1 else:bb3 fallthrough=bb3",
    ]


def test_root_functions_are_linked_by_name_and_order() -> None:
    printed = """\
<<module>>(): $3
bb0 (block):
  [1] $0 = Function f @context[]
  [2] $1 = Function @context[]
  [3] $2 = Function f @context[]
  [4] Return Void $2

f(): $0
bb0 (block):
  [1] Return Void $0

arrow <<anonymous>>(): $0
bb0 (block):
  [1] Return Void $0

f(a$0): $1
bb0 (block):
  [1] Return Void $1"""
    functions = text.parse(printed)
    module, first, arrow, second = functions
    assert module.kind == "module"
    assert [instr.attr for instr in module.blocks[0].instrs] == [first, arrow, second]
    assert "\n\n".join(map(text.format, functions)) == printed
    assert read(text.format(module)).blocks[0].instrs[0].attr == "f"


def test_strings_follow_json_but_for_surrogates() -> None:
    assert text.quote('"\\\b\t\n\f\r\0\x1f\x7f\u2028é𠮷\ud800/') == (
        '"\\"\\\\\\b\\t\\n\\f\\r\\u0000\\u001f\x7f\u2028é𠮷\\ud800/"'
    )


@pytest.mark.parametrize(
    ("printed", "message"),
    [
        ("f($0): $1\n\n", "t.hir:2:0: expected a block"),
        ("what is this", "t.hir:1:0: expected a function header, such as `name(x$0): $1`, not 'what is this'"),
        ("f(): $0\nbb0 (block):\n  [1] $1 = Add ($0", "t.hir:3:11: expected a value, not 'Add ($0'"),
        ("f(): $0\nbb0 (block):\n  [1] Return $0,", "t.hir:3:6: expected a terminal, not 'Return $0,'"),
        ("f(): $0\nbb0 (block):\n  [1] $1 = 1", "t.hir:4:0: expected an instruction or a terminal"),
        ("f(): $0\nbb0 (block):\n  [1] Goto bb7", "t.hir:3:0: there is no bb7 in this function"),
        (
            "f(): $0\nbb0 (block):\n  [1] $1 = Goto bb0",
            "t.hir:3:11: Goto names blocks and so is a terminal; it has no result",
        ),
        (
            "f(): $0\nbb0 (block):\n  hello",
            "t.hir:3:0: expected predecessors, a phi, an instruction or a terminal, not 'hello'",
        ),
        (
            "f(): $0\nbb0 (block):\n  [1] Return Void x$0",
            "t.hir:3:0: x$0 has the id of $0; ids are unique within a root function",
        ),
        (
            "f(): $0\nbb0 (block):\n  x$1: phi(bb3: x$2)\n",
            "t.hir:3:0: a phi has one operand for each predecessor block",
        ),
        ("f(): $0\nbb0 (block):\n  [1] Goto bb0\nbb0 (block):", "t.hir:4:0: bb0 is there twice"),
        ('f(): $0\n"\\q"\nbb0 (block):', 't.hir:2:0: "\\q" is not a JSON string'),
    ],
)
def test_faults_are_located(printed: str, message: str) -> None:
    with pytest.raises(SyntaxFault) as fault:
        text.parse(printed, path="t.hir")
    assert str(fault.value) == message


def test_unknown_profile() -> None:
    with pytest.raises(UsageError, match="there are default and react"):
        text.parse("", "reakt")


def test_deep_nesting_needs_no_recursion() -> None:
    inner: Function | None = None
    for level in range(1200):
        instrs = [] if inner is None else [Instr("Function", [], [Var(level)], inner, number=1)]
        block = Block(level, "block", instrs, Terminal("Unreachable", [], [], number=2))
        inner = Function(None, [], {level: block}, level, root=level == 1199)
    assert inner is not None
    assert snapshot(read(text.format(inner))) == snapshot(inner)


def test_many_blocks() -> None:
    size = 60_000
    blocks = {id: Block(id, "block", [], Terminal("Goto", [], [id + 1], attr=""), [id - 1]) for id in range(1, size)}
    blocks[size] = Block(size, "block", [], Terminal("Unreachable", [], []), [size - 1])
    blocks[1].preds = []
    function = Function("wide", [], blocks, 1)
    assert snapshot(read(text.format(function))) == snapshot(function)


# As an input language

PLAIN = """\
f(a$0): $9
bb0 (block):
  [1] If (a$0) then:bb1 else:bb2 fallthrough=bb2
bb1 (block):
  [2] Goto bb2
bb2 (block):
  [3] Return Explicit a$0
"""


def test_hir_files_need_no_predecessors_and_may_have_any_line_ends() -> None:
    lowered = hir.lower(PLAIN.replace("\n", "\r\n").encode(), "f.hir")
    assert not lowered.diagnostics
    function = lowered.functions[0]
    assert function.blocks[2].preds == [1, 0]
    assert (function.line, function.blocks[1].terminal.line, function.blocks[1].terminal.col) == (1, 5, 2)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_hir_files_may_be_dumps(path: Path) -> None:
    lowered = hir.lower(path.read_bytes(), path.name)
    dumps = [dump for _, dump in sections(path) if ": phi(" not in dump]
    assert [text.format(function, "react") for function in lowered.functions] == dumps
    assert {item.code for item in lowered.diagnostics} <= {"already-ssa"}
    assert len(lowered.functions) + len(lowered.diagnostics) == len(list(sections(path)))


@pytest.mark.parametrize(
    ("source", "code", "message", "line", "col"),
    [
        (PLAIN[:-4].encode(), "syntax", "expected a terminal, not 'Return Explicit '", 7, 6),
        (b"f(\xff): $1", "undecodable", "byte 2 is not UTF-8: invalid start byte", 1, 0),
        (
            PLAIN.replace("bb1 (block):", "bb1 (block):\n  predecessor blocks: bb0").encode(),
            "syntax",
            "the predecessor blocks of bb2 in f are bb1 bb0",
            1,
            0,
        ),
    ],
)
def test_bad_hir_files(source: bytes, code: str, message: str, line: int, col: int) -> None:
    lowered = hir.lower(source, "dir:1/f.hir")
    (found,) = lowered.diagnostics
    assert not lowered.functions
    assert (found.severity, found.code, found.message, found.line, found.col) == ("error", code, message, line, col)


# Any function there and back

VARS = [
    *(Var(id) for id in range(4)),
    *(Var(4 + at, name) for at, name in enumerate(("x", "$", "a$1", "#t4", "π", "undef", "1st", "𠮷"))),
    *(
        Var(20 + at, name)
        for at, name in enumerate(("a.b", "a b", "", 'q"\\', "x$1 = y$2", "tab\t\n", "<hole>", "\ud800"))
    ),
]
CELLS = [Var(40 + at, name, cell=True) for at, name in enumerate(("cell", "odd cell", None))]
KINDS = ("function", "arrow", "method", "getter", "setter", "constructor", "field", "static", "module")

anything = st.text(max_size=8) | st.sampled_from(
    ["", "bb0 (block):", "a\nb", " x ", '"', "\ud800", "it's", "`${", "undef"]
)
identifier = st.sampled_from(["a", "foo", "$x", "Ünï", "#private", "_"])
word = st.sampled_from(["Const", "Let", "Reassign", "HoistedFunction"])
operator = st.sampled_from(["+", "-", "in", "instanceof", "===", "typeof", ">>>="]) | anything
raw = anything.map(lambda part: part.replace("\\", "\\\\").replace("`", "\\`").replace("${", "\\${"))
string = anything.map(text.quote)
key = identifier.filter(lambda name: name != "#private") | st.sampled_from(["0", "1.5", "1e+21"]) | string
var = st.sampled_from(VARS)
use = var | st.just(UNDEF)
cell = st.sampled_from(CELLS)
uses = st.lists(use, max_size=4)
item_kinds = st.lists(st.sampled_from([".", "...", "-"]), max_size=4).map(tuple)


def instr(op: str, draw: Callable[[st.SearchStrategy[Any]], Any], uses: list[Var], attr: Any, *targets: Var) -> Instr:
    return Instr(op, uses, [*targets, draw(var)], attr, number=draw(st.integers(0, 999)))


@st.composite
def fixed(draw: Any) -> Instr:
    """Instructions with a fixed number of operands."""
    attrs: dict[str, tuple[int, st.SearchStrategy[Any]]] = {
        "Primitive": (
            0,
            string | st.sampled_from(["null", "true", "<undefined>", "1.5", "1e-7", "10n", "Infinity", "NaN"]),
        ),
        "JSXText": (0, string),
        "RegExp": (0, st.sampled_from(["/a b/gi", '/[/"`]/', "/\\n/"])),
        "Unary": (1, st.none() | operator),
        "Binary": (2, operator),
        "LoadLocal": (1, st.none()),
        "StoreGlobal": (1, anything),
        "PropertyLoad": (1, anything | key),
        "PropertyDelete": (1, anything),
        "PropertyStore": (2, anything),
        "ComputedLoad": (2, st.none()),
        "ComputedDelete": (2, st.none()),
        "ComputedStore": (3, st.none()),
        "Await": (1, st.none()),
        "TypeCast": (1, anything | st.sampled_from(["", ":TPrimitive", ":TObject<BuiltInArray>"])),
        "GetIterator": (1, st.none()),
        "IteratorNext": (2, st.none()),
        "NextPropertyOf": (1, st.none()),
        "MetaProperty": (0, st.sampled_from(["import.meta", "new.target"])),
        "Debugger": (0, st.none()),
        "FinishMemoize": (1, st.none()),
    }
    op = draw(st.sampled_from(sorted(attrs)))
    count, attr = attrs[op]
    return instr(op, draw, [draw(use) for _ in range(count)], draw(attr))


@st.composite
def writing(draw: Any) -> Instr:
    """Instructions that write variables, or read and write cells."""
    match draw(st.integers(0, 5)):
        case 0:
            return instr(draw(st.sampled_from(["PostfixUpdate", "PrefixUpdate"])), draw, [draw(use)], "++", draw(var))
        case 1:
            return instr("StoreLocal", draw, [draw(use)], draw(word), draw(var))
        case 2:
            return instr("DeclareLocal", draw, [], draw(word), draw(var))
        case 3:
            return instr("DeclareContext", draw, [], (draw(word), draw(cell)))
        case 4:
            return instr("LoadContext", draw, [draw(cell)], None)
        case _:
            return instr("StoreContext", draw, [draw(cell), draw(use)], draw(word))


@st.composite
def listing(draw: Any) -> Instr:
    """Instructions with any number of operands."""
    op = draw(
        st.sampled_from(
            [
                "TemplateLiteral",
                "TaggedTemplate",
                "Array",
                "Call",
                "New",
                "MethodCall",
                "UnsupportedNode",
                "JsxFragment",
            ]
        )
    )
    read = draw(uses)
    match op:
        case "TemplateLiteral":
            return instr(op, draw, read, tuple(draw(raw) for _ in range(len(read) + 1)))
        case "TaggedTemplate":
            return instr(op, draw, [draw(use), *read], tuple(draw(raw) for _ in range(len(read) + 1)))
        case "Array":
            kinds = draw(item_kinds)
            return instr(op, draw, [draw(use) for kind in kinds if kind != "-"], kinds)
        case "Call" | "New" | "MethodCall":
            callees = [draw(use) for _ in range(2 if op == "MethodCall" else 1)]
            return instr(op, draw, callees + read, tuple(draw(st.booleans()) for _ in read))
        case "UnsupportedNode":
            return instr(op, draw, read, "ClassDeclaration")
        case _:
            return instr(op, draw, read, None)


@st.composite
def structured(draw: Any) -> Instr:
    """Objects, patterns, JSX, globals, memo markers."""
    match draw(st.integers(0, 5)):
        case 0:
            kind = st.sampled_from(["prop", "method", "get", "set"])
            items = draw(st.lists(st.tuples(kind, st.none() | key) | st.just(("spread", None)), max_size=4))
            count = sum(2 if kind != "spread" and name is None else 1 for kind, name in items)
            return instr("Object", draw, [draw(use) for _ in range(count)], tuple(items))
        case 1:
            kinds = draw(item_kinds)
            targets = [draw(var) for kind in kinds if kind != "-"]
            return instr("Destructure", draw, [draw(use)], (draw(word), "array", kinds), *targets)
        case 2:
            entry = st.tuples(st.just("prop"), st.none() | key) | st.just(("rest", None))
            items = draw(st.lists(entry, max_size=4))
            computed = sum(item == ("prop", None) for item in items)
            attr = (draw(word), "object", tuple(items))
            return instr(
                "Destructure", draw, [draw(use) for _ in range(computed + 1)], attr, *(draw(var) for _ in items)
            )
        case 3:
            tag = draw(st.none() | st.sampled_from(["div", "my-tag", "a$1", "undef"]))
            names = tuple(draw(st.lists(st.none() | st.sampled_from(["a", "data-a", "e:f", "$x"]), max_size=3)))
            children = draw(st.none() | st.integers(0, 3))
            count = (tag is None) + len(names) + (children or 0)
            return instr("JsxExpression", draw, [draw(use) for _ in range(count)], (tag, names, children))
        case 4:
            binding = draw(st.sampled_from(["global", "module", "default", "namespace", "import"]))
            module = None if binding in ("global", "module") else draw(anything)
            imported = draw(anything) if binding == "import" else None
            return instr("LoadGlobal", draw, [], GlobalRef(binding, draw(anything), module, imported))
        case _:
            path = st.sampled_from(["", ".a", "?.b", ".a?.b.c"])
            deps = draw(
                st.none() | st.lists(st.tuples(st.none() | st.sampled_from(["Foo", "$"]), path), max_size=3).map(tuple)
            )
            return instr("StartMemoize", draw, [draw(var) for root, _ in deps or () if root is None], deps)


@st.composite
def other(draw: Any) -> Instr:
    """Opcodes of other languages, and known ones with unusual operands."""
    op = draw(
        st.sampled_from(
            [
                "Yield",
                "A",
                "add",
                "zext",
                "_",
                "fcmp.olt",
                "Größe",
                "Binary",
                "LoadLocal",
                "Return",
                "Call",
                "Object",
                "If",
            ]
        )
    )
    return instr(op, draw, draw(uses), draw(st.none() | anything), *draw(st.lists(var, max_size=2)))


LINKS = {
    "If": ("fallthrough",), "Branch": ("fallthrough",), "Logical": ("fallthrough",), "Ternary": ("fallthrough",),
    "Optional": ("fallthrough",), "Sequence": ("fallthrough",), "Label": ("fallthrough",), "Switch": ("fallthrough",),
    "While": ("loop", "fallthrough"), "DoWhile": ("test", "fallthrough"),
    "For": ("test", "loop", "update", "fallthrough"), "ForOf": ("test", "loop", "fallthrough"),
    "ForIn": ("loop", "fallthrough"), "Try": ("handler", "fallthrough"),
}  # fmt: skip
TARGETS = {"If": 2, "Branch": 2, "MaybeThrow": 2, "Return": 0, "Throw": 0, "Unreachable": 0, "Unsupported": 0}


@st.composite
def terminal(draw: Any, ids: list[int]) -> Terminal:
    ops = ["Goto", "MaybeThrow", "Return", "Throw", "Unreachable", "Unsupported", "Jump", *LINKS]
    op = draw(st.sampled_from(ops))
    block = st.sampled_from(ids)
    links: dict[str, int | None] = {role: draw(block) for role in LINKS.get(op, ())}
    if op == "For" and draw(st.booleans()):
        links["update"] = None
    count = TARGETS.get(op, 1)
    read = [
        draw(use) for _ in range(op in ("If", "Branch", "Return", "Throw") or (op == "Try" and draw(st.booleans())))
    ]
    attr: Any = None
    match op:
        case "Goto":
            attr = draw(st.sampled_from(["", "Continue"]))
        case "Logical":
            attr = draw(st.sampled_from(["&&", "||", "??"]))
        case "Optional":
            attr = draw(st.booleans())
        case "Return":
            attr = draw(st.sampled_from(["Explicit", "Implicit", "Void"]))
        case "Switch":
            attr = tuple(draw(st.lists(st.booleans(), max_size=4)))
            count, read = len(attr), [draw(use) for _ in range(1 + attr.count(False))]
        case "Jump":
            attr, read, count = draw(st.none() | anything), draw(uses), draw(st.integers(0, 3))
        case _:
            pass
    return Terminal(op, read, [draw(block) for _ in range(count)], links, attr, number=draw(st.integers(0, 999)))


@st.composite
def functions(draw: Any, depth: int = 2, root: bool = True) -> Function:
    ids = draw(st.lists(st.integers(0, 99), min_size=1, max_size=3, unique=True))
    blocks: dict[int, Block] = {}
    context: list[Var] = []
    for id in ids:
        preds = draw(st.lists(st.sampled_from(ids), max_size=3, unique=True))
        instrs = draw(st.lists(fixed() | writing() | listing() | structured() | other(), max_size=3))
        if depth and draw(st.booleans()):
            inner = draw(functions(depth - 1, False))
            made = instr(draw(st.sampled_from(["Function", "ObjectMethod"])), draw, inner.context, inner)
            made.uses = list(inner.context)
            instrs.append(made)
        phis = [Phi(draw(var), {pred: draw(use) for pred in preds}) for _ in range(draw(st.integers(0, 2)))]
        kind = draw(st.sampled_from(["block", "value", "loop", "sequence", "catch"]))
        blocks[id] = Block(id, kind, instrs, draw(terminal(ids)), preds, phis)
    if not root:
        context = draw(st.lists(var, max_size=2))
    params = [Param(draw(var), draw(st.booleans())) for _ in range(draw(st.integers(0, 3)))]
    kind = draw(st.sampled_from(KINDS))
    returns = draw(st.none() | var)
    directives = draw(st.lists(anything, max_size=2))
    name = draw(st.none() | identifier | anything)
    flags = draw(st.booleans()), draw(st.booleans())
    return Function(name, params, blocks, ids[0], returns, context, directives, 0, 0, root, kind, *flags)


@settings(max_examples=250, deadline=None)
@given(functions())
def test_any_function_comes_back(function: Function) -> None:
    assert snapshot(read(text.format(function))) == snapshot(function)
