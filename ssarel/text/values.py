"""The text of any instruction or terminal: fixed shapes, lists, and the rest, down to the form of an unknown opcode."""

from __future__ import annotations

import re
from collections.abc import Callable

from ssarel.ir import Function, GlobalRef, Instr, Terminal
from ssarel.text import lists
from ssarel.text.notation import NAME, STRING, Notation, Parts, Place, bare_or_quoted, compile_pattern, quote, unquote
from ssarel.text.shapes import shapes

PRIMITIVE = re.compile(rf"{STRING}|-?[0-9][\w.+-]*|null|true|false|<undefined>|-?Infinity|NaN", re.DOTALL)
_RAW = re.compile(r"(?:[^`\\$]+|\\.|\$(?!\{))*", re.DOTALL)

_OP = r"[^\W\d][\w.-]*"
_WORD = re.compile(_OP)


def write_value(step: Instr, words: Notation) -> str:
    """Return the text of an instruction behind ` = `, or of a terminal; a nested function's own text is left out."""
    for shape in shapes(words).get(step.op, ()):
        text = shape.write(step, words)
        if text is not None:
            return text
    writer = _WRITERS.get(step.op)
    text = writer(step, words) if writer is not None else None
    return _write_generic(step, words) if text is None else text


def read_value(text: str, place: Place, words: Notation) -> Parts | None:
    """Undo `write_value`. Returns None if `text` follows no form."""
    word = _WORD.match(text)
    if word is not None:
        for shape in shapes(words).get(word[0], ()):
            parts = shape.read(text, place, words)
            if parts is not None:
                return parts
        reader = _READERS.get(word[0])
        parts = reader(text, place, words) if reader is not None else None
        if parts is not None:
            return parts
    if PRIMITIVE.fullmatch(text):
        return Parts("Primitive", [], [], text)
    return _read_template(text, place, words) or _read_generic(text, place, words)


def _write_primitive(step: Instr, words: Notation) -> str | None:
    return step.attr if isinstance(step.attr, str) and PRIMITIVE.fullmatch(step.attr) else None


def _write_template(step: Instr, words: Notation) -> str | None:
    places = [words.write_place(var) for var in step.uses]
    tag = places.pop(0) if step.op == "TaggedTemplate" else ""
    pieces = [step.attr[0]]
    for place, raw in zip(places, step.attr[1:], strict=True):
        pieces += ["${", place, "}", raw]
    return f"{tag}`{''.join(pieces)}`"


def _read_template(text: str, place: Place, words: Notation) -> Parts | None:
    found = compile_pattern(r"(%P)?`(.*)`", words).fullmatch(text)
    if found is None:
        return None
    hole = compile_pattern(r"\$\{(%P)\}", words)
    uses = [] if found[1] is None else [place(found[1])]
    raws: list[str] = []
    at = 0
    while True:
        raw = _RAW.match(found[2], at)
        assert raw is not None  # it may be empty
        raws.append(raw[0])
        if raw.end() == len(found[2]):
            return Parts("TemplateLiteral" if found[1] is None else "TaggedTemplate", uses, [], tuple(raws))
        filled = hole.match(found[2], raw.end())
        if filled is None:
            return None
        uses.append(place(filled[1]))
        at = filled.end()


def _write_global(step: Instr, words: Notation) -> str | None:
    if not isinstance(step.attr, GlobalRef):
        return None
    binding, name, module, imported = step.attr
    local = words.write_name(name)
    if module is None:
        return f"LoadGlobal({binding}) {local}"
    source = module if words.is_react else quote(module)[1:-1]
    if binding == "import":
        renamed = "" if imported in (None, name) else f"{words.write_name(imported)} as "
        local = f"{{ {renamed}{local} }}"
    elif binding == "namespace":
        local = f"* as {local}"
    return f"LoadGlobal import {local} from '{source}'"


def _read_global(text: str, place: Place, words: Notation) -> Parts | None:
    imported = ".*" if words.is_react else "%N"
    clause = rf"(?:(\* as )?(%N)|\{{ (?:({imported}) as )?(%N) \}})"
    pattern = rf"LoadGlobal(?:\((global|module)\) (%N)| import {clause} from '(.*)')"
    found = compile_pattern(pattern, words).fullmatch(text)
    if found is None:
        return None
    binding, free, is_namespace, whole, renamed, named, source = found.groups()
    if binding is not None:
        return Parts("LoadGlobal", [], [], GlobalRef(binding, words.read_name(free)))
    module = source if words.is_react else unquote(f'"{source}"')
    if named is not None:
        name = words.read_name(named)
        ref = GlobalRef("import", name, module, name if renamed is None else words.read_name(renamed))
    else:
        ref = GlobalRef("namespace" if is_namespace else "default", words.read_name(whole), module)
    return Parts("LoadGlobal", [], [], ref)


def _write_declare_context(step: Instr, words: Notation) -> str | None:
    kind, variable = step.attr
    return f"DeclareContext {kind} {words.write_place(variable)}"


def _read_declare_context(text: str, place: Place, words: Notation) -> Parts | None:
    found = compile_pattern(r"DeclareContext (\w+) (%P)", words).fullmatch(text)
    return None if found is None else Parts("DeclareContext", [], [], (found[1], place(found[2])))


def _write_function(step: Instr, words: Notation) -> str | None:
    name = step.attr.name if isinstance(step.attr, Function) else step.attr
    places = map(words.write_place, step.uses)
    if words.is_react:
        return f"{step.op} {name or ''} @context[{','.join(places)}] @aliasingEffects=[]"
    return f"{step.op}{'' if name is None else ' ' + bare_or_quoted(name)} @context[{', '.join(places)}]"


def _read_function(text: str, place: Place, words: Notation) -> Parts | None:
    """Read the line that makes a function; `attr` is its name until the parser puts the function there."""
    pattern = (
        r"(Function|ObjectMethod) (\S*) @context\[((?:%P(?:,%P)*)?)\] @aliasingEffects=\[\]"
        if words.is_react
        else rf"(Function|ObjectMethod)(?: ({NAME}|%S))? @context\[(%A)\]"
    )
    found = compile_pattern(pattern, words).fullmatch(text)
    if found is None:
        return None
    name = words.read_name(found[2]) if found[2] else None
    return Parts(found[1], list(map(place, lists.places_in(found[3], words))), [], name)


def _write_switch(step: Instr, words: Notation) -> str | None:
    assert isinstance(step, Terminal)
    test, *tests = map(words.write_place, step.uses)
    cases = iter(tests)
    lines = [f"Switch ({test})"]
    for target, is_default in zip(step.targets, step.attr, strict=True):
        lines.append(f"{'Default' if is_default else 'Case ' + next(cases)}: bb{target}")
    lines.append(f"Fallthrough: bb{step.links['fallthrough']}")
    return "\n    ".join(lines)


def _read_switch(text: str, place: Place, words: Notation) -> Parts | None:
    lines = text.split("\n    ")
    head = compile_pattern(r"Switch \((%P)\)", words).fullmatch(lines[0])
    case = compile_pattern(r"(?:Default|Case (%P)): bb([0-9]+)", words)
    cases = [case.fullmatch(line) for line in lines[1:-1]]
    end = re.fullmatch(r"Fallthrough: bb([0-9]+)", lines[-1])
    if head is None or end is None:
        return None
    uses, targets, attr = [place(head[1])], list[int](), list[bool]()
    for found in cases:
        if found is None:
            return None
        if found[1] is not None:
            uses.append(place(found[1]))
        attr.append(found[1] is None)
        targets.append(int(found[2]))
    return Parts("Switch", uses, [], tuple(attr), targets, {"fallthrough": int(end[1])})


def _write_generic(step: Instr, words: Notation) -> str:
    if not _WORD.fullmatch(step.op) or not isinstance(step.attr, str | None):
        raise ValueError(f"{step.op!r} with attribute {step.attr!r} has no printed form")
    text = step.op if step.attr is None else f"{step.op} {quote(step.attr)}"
    if step.uses:
        text += f"({', '.join(map(words.write_place, step.uses))})"
    if isinstance(step, Terminal):
        text += " " + ", ".join(f"bb{target}" for target in step.targets) if step.targets else ""
        return text + "".join(f" {role}=bb{'null' if to is None else to}" for role, to in step.links.items())
    return text + (" -> " + ", ".join(map(words.write_place, step.defs[:-1])) if len(step.defs) > 1 else "")


def _read_generic(text: str, place: Place, words: Notation) -> Parts | None:
    pattern = (
        rf"({_OP})(?: (%S))?(?:\((%A)\))?(?: -> (%A))?"
        r"(?: (bb[0-9]+(?:, bb[0-9]+)*))?((?: \w+=bb(?:[0-9]+|null))*)"
    )
    found = compile_pattern(pattern, words).fullmatch(text)
    if found is None:
        return None
    op, attr, uses, defs, targets, links = found.groups(default="")
    return Parts(
        op,
        list(map(place, lists.places_in(uses, words))),
        list(map(place, lists.places_in(defs, words))),
        unquote(attr) if attr else None,
        [int(target) for target in re.findall("[0-9]+", targets)],
        {role: None if to == "null" else int(to) for role, to in re.findall(r"(\w+)=bb(\w+)", links)},
    )


_WRITERS: dict[str, Callable[[Instr, Notation], str | None]] = {
    "Primitive": _write_primitive,
    "TemplateLiteral": _write_template,
    "TaggedTemplate": _write_template,
    "Array": lists.write_array,
    "Object": lists.write_object,
    "Call": lists.write_call,
    "New": lists.write_call,
    "MethodCall": lists.write_call,
    "Destructure": lists.write_destructure,
    "LoadGlobal": _write_global,
    "DeclareContext": _write_declare_context,
    "StartMemoize": lists.write_memo,
    "JsxExpression": lists.write_jsx,
    "JsxFragment": lists.write_fragment,
    "Function": _write_function,
    "ObjectMethod": _write_function,
    "Switch": _write_switch,
}

_READERS: dict[str, Callable[[str, Place, Notation], Parts | None]] = {
    "Array": lists.read_array,
    "Object": lists.read_object,
    "Call": lists.read_call,
    "New": lists.read_call,
    "MethodCall": lists.read_call,
    "Destructure": lists.read_destructure,
    "LoadGlobal": _read_global,
    "DeclareContext": _read_declare_context,
    "StartMemoize": lists.read_memo,
    "JSX": lists.read_jsx,
    "JsxFragment": lists.read_fragment,
    "Function": _read_function,
    "ObjectMethod": _read_function,
    "Switch": _read_switch,
}
