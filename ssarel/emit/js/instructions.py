"""One instruction as one JavaScript statement."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from ssarel.emit.js.names import Names, key_text
from ssarel.ir import Function, GlobalRef, Instr, Var

ASSIGNING = frozenset({"Const", "Let", "Function", "Class", "Catch"})
"""Kinds of store that make a new cell, unless it was declared ahead of them."""


class Unprintable(Exception):
    """The instruction has no JavaScript form; the text names the construct."""


class Instructions:
    """Prints the instructions of one function.

    module:   what functions call a variable of the module, by its source name.
    hoisted:  ids of the cells that are declared ahead of their first store.
    makers:   the op that made each variable, for those with one that matters.
    asked:    values that only `typeof` reads: it allows a global that does not exist.
    text:     nested functions as printed.
    exports:  by exported name, the variable that is exported.
    """

    def __init__(
        self,
        names: Names,
        module: Mapping[str, str],
        hoisted: frozenset[int],
        makers: Mapping[Var, Instr],
        asked: frozenset[Var],
        text: Callable[[Function], str],
        exports: Mapping[str, str],
    ) -> None:
        self.names = names
        self.name = names.of
        self.module = module
        self.hoisted = hoisted
        self.makers = makers
        self.asked = asked
        self.text = text
        self.exports = exports

    def print(self, step: Instr) -> str:
        """A statement. Raises: Unprintable."""
        uses = [self.name(var) for var in step.uses]
        result = self.name(step.result)
        match step.op:
            case "StoreLocal":
                return f"{result} = {self.name(step.defs[0])} = {uses[0]};"
            case "DeclareLocal":
                return f"{self.name(step.defs[0])} = undefined;"
            case "PrefixUpdate":
                target = self.name(step.defs[0])
                return f"{target} = {uses[0]}; {result} = {step.attr}{target};"
            case "PostfixUpdate":
                target = self.name(step.defs[0])
                return f"{target} = {uses[0]}; {result} = {target}{step.attr};"
            case "DeclareContext":
                return f"{self.name(step.attr[1])} = {{ v: undefined }};"
            case "StoreContext":
                if step.attr in ASSIGNING and step.uses[0].id not in self.hoisted:
                    return f"{uses[0]} = {{ v: {uses[1]} }}; {result} = {uses[1]};"
                return f"{result} = {uses[0]}.v = {uses[1]};"
            case "Destructure":
                return self.destructure(step, uses)
            case "IteratorNext":
                item = self.names.helper("item")
                return f"{item} = {self.names.helper('step')}({uses[0]}); {result} = {item} && {item}[0];"
            case "Export":
                return f"{self.exports[step.attr]} = {uses[0]};"
            case "Debugger":
                return "debugger;"
            case "Object" if any(kind in ("get", "set") for kind, _ in step.attr):
                return self.accessors(step, uses)
            case _:
                return f"{result} = {self.value(step, uses)};"

    def value(self, step: Instr, uses: list[str]) -> str:
        """The right-hand side of an instruction that only computes."""
        attr = step.attr
        helper = self.names.helper
        match step.op:
            case "Primitive":
                return "undefined" if attr == "<undefined>" else attr
            case "RegExp":
                return attr
            case "LoadLocal" | "TypeCast":
                return uses[0]
            case "LoadContext":
                return f"{uses[0]}.v"
            case "LoadGlobal":
                name = self.load_global(attr)
                is_asked = step.result in self.asked
                return f'typeof {name} === "undefined" ? undefined : {name}' if is_asked else name
            case "StoreGlobal":
                return f"{self.module.get(attr, attr)} = {uses[0]}"
            case "Unary":
                return f"{attr} {uses[0]}"
            case "Binary":
                return f"{uses[0]} {attr} {uses[1]}"
            case "Call" | "New":
                return self.call(step, uses)
            case "MethodCall":
                return f"{helper('call')}({uses[1]}, {uses[0]}, [{arguments(uses[2:], attr)}])"
            case "PropertyLoad":
                return f"{uses[0]}[{property_text(attr)}]"
            case "ComputedLoad":
                return f"{uses[0]}[{uses[1]}]"
            case "PropertyStore":
                return f"{uses[0]}[{property_text(attr)}] = {uses[1]}"
            case "ComputedStore":
                return f"{uses[0]}[{uses[1]}] = {uses[2]}"
            case "PropertyDelete":
                return f"delete {uses[0]}[{property_text(attr)}]"
            case "ComputedDelete":
                return f"delete {uses[0]}[{uses[1]}]"
            case "Array":
                places = iter(uses)
                return f"[{''.join(',' if kind == '-' else f'{kind[1:] and kind}{next(places)},' for kind in attr)}]"
            case "Object":
                return f"{{{', '.join(self.properties(attr, uses))}}}"
            case "TemplateLiteral":
                return template(uses, attr)
            case "TaggedTemplate":
                maker = self.makers.get(step.uses[0])
                if maker is not None and maker.op in ("PropertyLoad", "ComputedLoad"):
                    raise Unprintable("a tagged template whose tag is a method")
                return uses[0] + template(uses[1:], attr)
            case "Function" | "ObjectMethod":
                captured = ", ".join(self.name(var) for var in attr.context)
                text = self.text(attr)
                return f"(({captured}) => {text})({', '.join(uses)})" if uses else text
            case "GetIterator":
                return f"{helper('iterate')}({uses[0]})"
            case "NextPropertyOf":
                raise Unprintable("a for-in loop without its head")
            case "ToNumeric":
                return f"{helper('numeric')}({uses[0]})"
            case "Increment":
                return f"{helper('add')}({uses[0]})"
            case "Decrement":
                return f"{helper('subtract')}({uses[0]})"
            case "Await":
                maker = self.makers.get(step.uses[0])
                if maker is not None and maker.op == "IteratorNext":
                    raise Unprintable("for await")
                return f"await {uses[0]}"
            case "Yield":
                return f"yield {uses[0] if uses else ''}"
            case "YieldDelegate":
                return f"yield* {uses[0]}"
            case "This":
                return "this"
            case "Self":
                return helper("self")
            case "Arguments":
                return "arguments"
            case "MetaProperty":
                return attr
            case "ImportCall" if len(uses) == 1:
                return f"import({uses[0]})"
            case "ConstAssignment":
                return f"{helper('constant')}()"
            case _:
                raise Unprintable(CONSTRUCTS.get(step.op, f"{step.op}{f' {attr}' if isinstance(attr, str) else ''}"))

    def call(self, step: Instr, uses: list[str]) -> str:
        """A call or `new`."""
        maker = self.makers.get(step.uses[0])
        if step.op == "Call" and maker is not None and maker.op == "LoadGlobal" and maker.attr.name == "eval":
            raise Unprintable("a call of eval")
        return f"{'new ' if step.op == 'New' else ''}{uses[0]}({arguments(uses[1:], step.attr)})"

    def load_global(self, ref: GlobalRef) -> str:
        """A variable of the module, an import or a real global."""
        if ref.binding != "module":
            return ref.name
        found = self.module.get(ref.name, ref.name)
        if not found:
            raise Unprintable(f"{ref.name}, which is the name of two variables of the module,")
        return found

    def properties(self, shape: tuple[tuple[str, str | None], ...], uses: list[str]) -> list[str]:
        """The properties of an object literal."""
        places = iter(uses)
        items: list[str] = []
        for kind, key in shape:
            if kind == "spread":
                items.append(f"...{next(places)}")
                continue
            if kind == "prop" and key is not None and key.strip('"') == "__proto__":
                raise Unprintable("the property __proto__ in an object literal")
            text = next(places) if key is None else key_text(key)
            items.append(f"[{text}]: {next(places)}")
        return items

    def accessors(self, step: Instr, uses: list[str]) -> str:
        """An object with accessors: these are added one by one, and what follows them."""
        result = self.name(step.result)
        lines = [f"{result} = {{}};"]
        places = iter(uses)
        for kind, key in step.attr:
            if kind == "spread":
                raise Unprintable("a spread in an object literal with accessors")
            if kind == "prop" and key is not None and key.strip('"') == "__proto__":
                raise Unprintable("the property __proto__ in an object literal")
            text = next(places) if key is None else key_text(key)
            word = kind if kind in ("get", "set") else "value"
            lines.append(f'{self.names.helper("accessor")}({result}, {text}, "{word}", {next(places)});')
        return " ".join(lines)

    def destructure(self, step: Instr, uses: list[str]) -> str:
        """A pattern: JavaScript takes it apart itself."""
        _, form, items = step.attr
        targets = iter(self.name(var) for var in step.defs[:-1])
        result = f"{self.name(step.result)} = "
        if form == "array":
            inner = "".join(
                "," if kind == "-" else f"...{next(targets)}" if kind == "..." else f"{next(targets)},"
                for kind in items
            )
            return f"{result}([{inner}] = {uses[0]});"
        computed = iter(uses[1:])
        parts: list[str] = []
        for kind, key in items:
            if kind == "rest":
                parts.append(f"...{next(targets)}")
            else:
                text = next(computed) if key is None else key_text(key)
                parts.append(f"[{text}]: {next(targets)}")
        return f"{result}({{{', '.join(parts)}}} = {uses[0]});"


CONSTRUCTS = {
    "ClassExpression": "a class",
    "Super": "super",
    "PrivateIn": "a private name",
    "JsxExpression": "JSX",
    "JsxFragment": "JSX",
    "JSXText": "JSX",
    "Enum": "an enum",
    "EnumMember": "an enum",
    "With": "with",
    "Dispose": "using",
    "Delete": "delete of a variable",
    "ImportCall": "an import call with options",
}
"""What people call the constructs that have an instruction and no printed form."""


def arguments(uses: list[str], spreads: tuple[bool, ...]) -> str:
    """An argument list."""
    return ", ".join(f"{'...' if spread else ''}{use}" for use, spread in zip(uses, spreads, strict=True))


def template(uses: list[str], raws: tuple[str, ...]) -> str:
    """A template literal."""
    return "`" + raws[0] + "".join(f"${{{use}}}{raw}" for use, raw in zip(uses, raws[1:], strict=True)) + "`"


def property_text(name: str) -> str:
    """The name of a property that a member expression has, as a string literal."""
    if name.startswith("#"):
        raise Unprintable("a private name")
    return json.dumps(name)


def makers_of(function: Function) -> dict[Var, Instr]:
    """The instruction that makes each temporary, for the checks that need it."""
    ops = ("PropertyLoad", "ComputedLoad", "LoadGlobal", "IteratorNext", "Arguments")
    return {instr.result: instr for block in function.blocks.values() for instr in block.instrs if instr.op in ops}


def asked_types(function: Function) -> frozenset[Var]:
    """The values that `typeof` reads and nothing else does."""
    readers: dict[Var, list[bool]] = {}
    for block in function.blocks.values():
        for step in block.steps():
            for var in step.uses:
                readers.setdefault(var, []).append(step.op == "Unary" and step.attr == "typeof")
    return frozenset(var for var, kinds in readers.items() if all(kinds))
