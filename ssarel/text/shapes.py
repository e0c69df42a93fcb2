"""Instructions and terminals with a fixed shape: each is written once, and both prints and reads."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import count
from typing import Any

from ssarel.ir import Instr, Terminal, Var
from ssarel.text.notation import STRING, Notation, Parts, Place

_FIELD = re.compile(r"\{(\w+)\}")


class Shape:
    """One way to print an opcode, with these fields:

    `{u}` a value read, `{d}` a target written, `{t}` a successor, `{role}` a link of that role; and for the attribute
    `{kind}`, `{operator}`, `{name}`, `{string}`, `{word}`, `{regexp}`, `{rest}`, `{flag}` (a bool), `{unprinted}`.
    Without an attribute field the attribute is `attr`.
    """

    def __init__(self, op: str, template: str, words: Notation, attr: object = None) -> None:
        self.op = op
        self.attr = attr
        patterns = {
            "u": words.place,
            "d": words.place,
            "t": r"bb\d+",
            "kind": r"\w+",
            "operator": r"\S+",
            "name": words.name,
            "string": STRING,
            "word": r"[\w.]+",
            "rest": r"[^\n]*",
            "regexp": r"/[^\n]*",
            "flag": "true|false",
            "unprinted": "",
        }
        pieces = _FIELD.split(template)
        literals = pieces[0::2]
        self.fields = pieces[1::2]
        self.roles = {field for field in self.fields if field not in patterns}
        self.attr_field = next((field for field in self.fields if field in patterns and len(field) > 1), None)
        self.counts = tuple(self.fields.count(field) for field in "udt")
        self.attr_pattern = re.compile(patterns[self.attr_field]) if self.attr_field else None
        groups = [f"({patterns.get(field, 'bb(?:[0-9]+|null)')})" for field in self.fields]
        texts = [re.escape(literal) for literal in literals]
        self.pattern = re.compile("".join(text + group for text, group in zip(texts, [*groups, ""], strict=True)))
        reads, writes, _ = self.counts
        at = {"u": count(), "d": count(reads), "t": count(reads + writes), self.attr_field: count(sum(self.counts))}
        holes = [f"{{{next(at[field]) if field in at else field}}}" for field in self.fields]
        self.format = "".join(text + hole for text, hole in zip(literals, [*holes, ""], strict=True)).format

    def write(self, step: Instr, words: Notation) -> str | None:
        """Return `step` in this shape, None if it does not fit."""
        if isinstance(step, Terminal):
            return self._write_terminal(step, words)
        reads, writes, targets = self.counts
        if len(step.uses) != reads or len(step.defs) - 1 != writes or targets or self.roles:
            return None
        fill = _with_attr(self, step.attr, words)
        return None if fill is None else fill(*map(words.write_place, step.uses + step.defs))

    def _write_terminal(self, step: Terminal, words: Notation) -> str | None:
        counts = (len(step.uses), len(step.defs), len(step.targets))
        attr = self.write_attr(step.attr, words)
        if attr is None or counts != self.counts or step.links.keys() != self.roles:
            return None
        places = [words.write_place(var) for var in (*step.uses, *step.defs)]
        blocks = [f"bb{target}" for target in step.targets]
        links = {role: "bbnull" if link is None else f"bb{link}" for role, link in step.links.items()}
        return self.format(*places, *blocks, attr, **links)

    def read(self, text: str, place: Place, words: Notation) -> Parts | None:
        """Return what `text` says in this shape, None if it has another."""
        found = self.pattern.fullmatch(text)
        if found is None:
            return None
        uses, defs, targets = list[Var](), list[Var](), list[int]()
        links: dict[str, int | None] = {}
        attr = self.attr
        for field, printed in zip(self.fields, found.groups(), strict=True):
            match field:
                case "u":
                    uses.append(place(printed))
                case "d":
                    defs.append(place(printed))
                case "t":
                    targets.append(int(printed[2:]))
                case self.attr_field:
                    attr = self._read_attr(printed, words)
                case role:
                    links[role] = None if printed == "bbnull" else int(printed[2:])
        return Parts(self.op, uses, defs, attr, targets, links)

    def write_attr(self, attr: Any, words: Notation) -> str | None:
        """Return the text of `attr`, None if it does not fit."""
        if self.attr_field == "unprinted":
            return ""
        if self.attr_field == "flag":
            return str(attr).lower() if isinstance(attr, bool) else None
        if self.attr_pattern is None:
            return "" if attr == self.attr else None
        if not isinstance(attr, str):
            return None
        printed = words.write_name(attr) if self.attr_field == "name" else attr
        return printed if self.attr_pattern.fullmatch(printed) else None

    def _read_attr(self, printed: str, words: Notation) -> object:
        if self.attr_field == "flag":
            return printed == "true"
        if self.attr_field == "unprinted":
            return None
        return words.read_name(printed) if self.attr_field == "name" else printed


@lru_cache(1 << 16)
def _with_attr(shape: Shape, attr: Any, words: Notation) -> Callable[..., str] | None:
    """What makes the text of an instruction in `shape` with `attr` from its places; None if `attr` does not fit."""
    printed = shape.write_attr(attr, words)
    if printed is None:
        return None
    holes = [f"{{{number}}}" for number in range(sum(shape.counts))]
    return shape.format(*holes, printed.replace("{", "{{").replace("}", "}}")).format


_INSTRUCTIONS = """
JSXText {string}
RegExp {regexp}
Binary {u} {operator} {u}
LoadLocal {u}
LoadContext {u}
StoreLocal {kind} {d} = {u}
StoreContext {kind} {u} = {u}
DeclareLocal {kind} {d}
StoreGlobal {name} = {u}
PropertyLoad {u}.{name}
PropertyDelete {u}.{name}
PropertyStore {u}.{name} = {u}
ComputedLoad {u}[{u}]
ComputedDelete {u}[{u}]
ComputedStore {u}[{u}] = {u}
PostfixUpdate {d} = {u} {operator}
PrefixUpdate {d} = {operator} {u}
Await {u}
TypeCast {u}: {rest}
GetIterator collection={u}
IteratorNext iterator={u} collection={u}
NextPropertyOf {u}
MetaProperty {word}
Debugger
UnsupportedNode {word}
FinishMemoize decl={u}
"""

_TERMINALS = """
If ({u}) then:{t} else:{t} fallthrough={fallthrough}
Branch ({u}) then:{t} else:{t} fallthrough:{fallthrough}
Logical {operator} test:{t} fallthrough={fallthrough}
Ternary test:{t} fallthrough={fallthrough}
Optional (optional={flag}) test:{t} fallthrough={fallthrough}
Sequence block={t} fallthrough={fallthrough}
Label block={t} fallthrough={fallthrough}
While test={t} loop={loop} fallthrough={fallthrough}
DoWhile loop={t} test={test} fallthrough={fallthrough}
For init={t} test={test} loop={loop} update={update} fallthrough={fallthrough}
ForOf init={t} test={test} loop={loop} fallthrough={fallthrough}
ForIn init={t} loop={loop} fallthrough={fallthrough}
Try block={t} handler={handler} handlerBinding=({u}) fallthrough={fallthrough}
Try block={t} handler={handler} fallthrough={fallthrough}
MaybeThrow continuation={t} handler={t}
Return {kind} {u}
Throw {u}
Unreachable
Unsupported
"""


@cache
def shapes(words: Notation) -> dict[str, tuple[Shape, ...]]:
    """Return the shapes of each opcode, the one to prefer first."""
    by_op: dict[str, tuple[Shape, ...]] = {}

    def add(template: str, attr: object = None) -> None:
        op = re.split(r"[ (]", template)[0]
        by_op[op] = (*by_op.get(op, ()), Shape(op, template, words, attr))

    for line in (_INSTRUCTIONS + _TERMINALS).split("\n"):
        if line:
            add(line)
    add("Goto {t}", "")
    add("Goto(Continue) {t}", "Continue")
    for unary in ("Unary {unprinted}{u}",) if words.is_react else ("Unary {u}", "Unary {operator} {u}"):
        add(unary)
    return by_op
