"""Values whose text is a list of places: calls, arrays, objects, patterns, JSX, memo markers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ssarel.ir import Instr, Var
from ssarel.text.notation import EFFECT, Notation, Parts, Place, compile_pattern, quote, unquote


def _items(pattern: str, text: str, words: Notation) -> list[re.Match[str]] | None:
    """Split `text` into matches of `pattern` joined by `, `; None if there is anything else in it."""
    found: list[re.Match[str]] = []
    item = compile_pattern(pattern, words)
    at = 0
    while text:
        match = item.match(text, at)
        if match is None:
            return None
        found.append(match)
        at = match.end() + 2
        if match.end() == len(text):
            break
        if not text.startswith(", ", match.end()):
            return None
    return found


def _write_arguments(uses: Iterable[Var], spreads: Iterable[bool], words: Notation) -> str:
    pairs = zip(uses, spreads, strict=True)
    return ", ".join(("..." if spread else "") + words.write_place(var) for var, spread in pairs)


def write_call(step: Instr, words: Notation) -> str | None:
    """Print a Call, New or MethodCall; None if `attr` does not say which arguments are spread."""
    fixed = 2 if step.op == "MethodCall" else 1
    if not isinstance(step.attr, tuple) or len(step.attr) != len(step.uses) - fixed or len(step.defs) != 1:
        return None
    callee = ".".join(words.write_place(var) for var in step.uses[:fixed])
    return f"{step.op} {callee}({_write_arguments(step.uses[fixed:], step.attr, words)})"


def read_call(text: str, place: Place, words: Notation) -> Parts | None:
    """Undo `write_call`."""
    found = compile_pattern(r"(Call|New) (%P)\((%A)\)|(MethodCall) (%P)\.(%P)\((%A)\)", words).fullmatch(text)
    if found is None:
        return None
    call, callee, arguments, method_call, receiver, method, method_arguments = found.groups(default="")
    callees = [callee] if call else [receiver, method]
    pairs = compile_pattern(r"(\.\.\.)?(%P)", words).findall(arguments or method_arguments)
    uses = [place(printed) for printed in (*callees, *(printed for _, printed in pairs))]
    return Parts(call or method_call, uses, [], tuple(bool(spread) for spread, _ in pairs))


def _write_items(kinds: tuple[str, ...], places: Iterator[str]) -> str:
    return ", ".join("<hole>" if kind == "-" else ("..." if kind == "..." else "") + next(places) for kind in kinds)


def _read_items(text: str, place: Place, words: Notation) -> tuple[list[Var], tuple[str, ...]] | None:
    items = _items(r"<hole>|(\.\.\.)?(%P)", text, words)
    if items is None:
        return None
    kinds = tuple("-" if item[2] is None else item[1] or "." for item in items)
    return [place(item[2]) for item in items if item[2] is not None], kinds


def write_array(step: Instr, words: Notation) -> str | None:
    """Print an Array."""
    if not isinstance(step.attr, tuple):
        return None
    return f"Array [{_write_items(step.attr, map(words.write_place, step.uses))}]"


def read_array(text: str, place: Place, words: Notation) -> Parts | None:
    """Undo `write_array`."""
    read = _read_items(text[7:-1], place, words) if text.startswith("Array [") and text[-1] == "]" else None
    return None if read is None else Parts("Array", read[0], [], read[1])


def write_fragment(step: Instr, words: Notation) -> str | None:
    """Print a JsxFragment."""
    return f"JsxFragment [{', '.join(map(words.write_place, step.uses))}]"


def read_fragment(text: str, place: Place, words: Notation) -> Parts | None:
    """Undo `write_fragment`."""
    found = compile_pattern(r"JsxFragment \[(%A)\]", words).fullmatch(text)
    return None if found is None else Parts("JsxFragment", list(map(place, places_in(found[1], words))), [])


def places_in(text: str, words: Notation) -> list[str]:
    """Return the printed places in `text`, in order."""
    return compile_pattern(r"%P", words).findall(text)


def _write_key(key: str | None, places: Iterator[str], words: Notation) -> str:
    """Print a key; React does not escape what is in its quotes."""
    if key is None:
        return f"[{next(places)}]"
    return f'"{unquote(key)}"' if words.is_react and key.startswith('"') else key


def _read_key(printed: str, words: Notation) -> str:
    return quote(printed[1:-1]) if words.is_react and printed.startswith('"') else printed


def _key_pattern(words: Notation) -> str:
    string = r'"[^"]*(?:"(?!: %P)[^"]*)*"' if words.is_react else "%S"
    return rf'(?:\[(%P)\]|({string}|[^\s"\[\]{{}},:]+)): (%P)'


def write_object(step: Instr, words: Notation) -> str | None:
    """Print an Object."""
    if not isinstance(step.attr, tuple):
        return None
    places = map(words.write_place, step.uses)
    items: list[str] = []
    for kind, key in step.attr:
        if kind == "spread":
            items.append(f"...{next(places)}")
        else:
            word = "" if kind == "prop" or words.is_react else f"{kind} "
            items.append(f"{word}{_write_key(key, places, words)}: {next(places)}")
    return f"Object {{ {', '.join(items)} }}"


def read_object(text: str, place: Place, words: Notation) -> Parts | None:
    """Undo `write_object`."""
    if not (text.startswith("Object { ") and text.endswith(" }")):
        return None
    word = "(^)?" if words.is_react else "(?:(method|get|set) )?"
    items = _items(rf"\.\.\.(%P)|{word}{_key_pattern(words)}", text[9:-2], words)
    if items is None:
        return None
    uses: list[Var] = []
    attr: list[tuple[str, str | None]] = []
    for item in items:
        spread, kind, computed, key, value = item.groups()
        uses += [place(printed) for printed in (spread, computed, value) if printed is not None]
        attr.append(("spread", None) if spread else (kind or "prop", key and _read_key(key, words)))
    return Parts("Object", uses, [], tuple(attr))


def write_destructure(step: Instr, words: Notation) -> str | None:
    """Print a Destructure."""
    kind, form, items = step.attr
    value, *keys = map(words.write_place, step.uses)
    targets = map(words.write_place, step.defs[:-1])
    if form == "array":
        return f"Destructure {kind} [ {_write_items(items, targets)} ] = {value}"
    computed = iter(keys)
    texts = [
        f"...{next(targets)}" if item == "rest" else f"{_write_key(key, computed, words)}: {next(targets)}"
        for item, key in items
    ]
    return f"Destructure {kind} {{ {', '.join(texts)} }} = {value}"


def read_destructure(text: str, place: Place, words: Notation) -> Parts | None:
    """Undo `write_destructure`."""
    found = compile_pattern(r"Destructure (\w+) (?:\[ (.*) \]|\{ (.*) \}) = (%P)", words).fullmatch(text)
    if found is None:
        return None
    uses = [place(found[4])]
    if found[2] is not None:
        read = _read_items(found[2], place, words)
        return None if read is None else Parts("Destructure", uses, read[0], (found[1], "array", read[1]))
    items = _items(rf"\.\.\.(%P)|{_key_pattern(words)}", found[3], words)
    if items is None:
        return None
    defs: list[Var] = []
    attr: list[tuple[str, str | None]] = []
    for item in items:
        rest, computed, key, target = item.groups()
        if computed is not None:
            uses.append(place(computed))
        defs.append(place(rest or target))
        attr.append(("rest", None) if rest else ("prop", key and _read_key(key, words)))
    return Parts("Destructure", uses, defs, (found[1], "object", tuple(attr)))


def write_memo(step: Instr, words: Notation) -> str | None:
    """Print a StartMemoize."""
    if step.attr is None:
        return "StartMemoize deps=(none)"
    locals_ = (words.write_place(var).removeprefix(EFFECT) for var in step.uses)
    deps = ((next(locals_) if root is None else words.write_name(root)) + path for root, path in step.attr)
    return f"StartMemoize deps={','.join(deps)}"


def read_memo(text: str, place: Place, words: Notation) -> Parts | None:
    """Undo `write_memo`."""
    if text == "StartMemoize deps=(none)":
        return Parts("StartMemoize", [], [])
    effect = EFFECT if words.is_react else ""
    local = words.place.removeprefix(EFFECT)
    item = compile_pattern(rf"(?:({local})|(%N))((?:\??\.[^.?,]+)*)", words)
    uses: list[Var] = []
    attr: list[tuple[str | None, str]] = []
    for dep in filter(None, text.removeprefix("StartMemoize deps=").split(",")):
        found = item.fullmatch(dep)
        if found is None:
            return None
        if found[1] is not None:
            uses.append(place(effect + found[1]))
        attr.append((found[2] and words.read_name(found[2]), found[3]))
    return Parts("StartMemoize", uses, [], tuple(attr))


def write_jsx(step: Instr, words: Notation) -> str | None:
    """Print a JsxExpression."""
    builtin, names, children = step.attr
    places = map(words.write_place, step.uses)
    tag = next(places) if builtin is None else _write_tag(builtin, words)
    props = "".join(f" ...{next(places)}" if name is None else f" {name}={{{next(places)}}}" for name in names)
    props += " " if props else ""
    if children is None:
        return f"JSX <{tag}{props}/>"
    return f"JSX <{tag}{props}>{''.join(f'{{{place}}}' for place in places)}</{tag}>"


def _write_tag(builtin: str, words: Notation) -> str:
    return quote(builtin) if not words.is_react and compile_pattern("%P", words).fullmatch(builtin) else builtin


def read_jsx(text: str, place: Place, words: Notation) -> Parts | None:
    """Undo `write_jsx`."""
    tag = "[^\\s<>/]+" if words.is_react else r"%S|[^\s<>/\"]+"
    attribute = r"(?: \.\.\.%P| [^\s={}]+=\{%P\})"
    pattern = rf"JSX <(?:(%P)|({tag}))({attribute}*) ?(?:/>|(>)((?:\{{%P\}})*)</.*>)"
    found = compile_pattern(pattern, words).fullmatch(text)
    if found is None:
        return None
    dynamic, builtin, props, has_children, children = found.groups()
    pairs = compile_pattern(r" (?:\.\.\.|([^\s={}]+)=\{)(%P)\}?", words).findall(props)
    inner = places_in(children, words) if has_children else []
    uses = [place(printed) for printed in (*filter(None, [dynamic]), *(printed for _, printed in pairs), *inner)]
    if builtin is not None and not words.is_react and builtin.startswith('"'):
        builtin = unquote(builtin)
    names = tuple(name or None for name, _ in pairs)
    return Parts("JsxExpression", uses, [], (builtin, names, len(inner) if has_children else None))
