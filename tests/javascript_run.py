"""Runs lowered functions: the IR as a JavaScript program, one `switch` case a block. Only for tests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ssarel.ir import Block, Function, GlobalRef, Instr, Terminal, Var

ASSIGNING = frozenset({"Const", "Let", "Function", "Class", "Catch"})
TESTS = {"&&": "!{}", "||": "{}", "??": "{} != null", "?.": "{} != null"}
"""When the first target of a branch under a Logical or Optional terminal is taken."""

PRELUDE = """
const forInKeys = (o) => { const ks = []; for (const k in o) ks.push(k); return ks[Symbol.iterator](); };
const next = (it) => { const r = it.next(); return r; };
"""


class Translator:
    """Translates one file's functions.

    modules: names of module variables by name, for functions that read them.
    """

    def __init__(self, module: Function) -> None:
        self.module = module
        self.globals: dict[str, Var] = {}
        self.hoisted: set[int] = set()
        for var in variables(module):
            if var.name is not None:
                self.globals[var.name] = var

    def program(self) -> str:
        """A program that runs the module body; its `Export` instructions call `exported(name, value)`."""
        return PRELUDE + f"({self.function(self.module)})();\n"

    def function(self, function: Function) -> str:
        """A function expression."""
        owned = {var.id: var for var in variables(function)}
        params = {param.var.id for param in function.params}
        captured = {var.id for var in function.context}
        locals_ = [name(var) for id, var in owned.items() if id not in params and id not in captured]
        head = "".join(f"let {text};" for text in locals_)
        head += "".join(f"{name(p.var)} = {{v: {name(p.var)}}};" for p in function.params if p.var.cell)
        handlers = {
            block.terminal.links["handler"]: name(block.terminal.uses[0])
            for block in function.blocks.values()
            if block.terminal.op == "Try" and block.terminal.uses
        }
        loops = {
            (block.terminal.links["loop"], block.terminal.links["fallthrough"])
            for block in function.blocks.values()
            if block.terminal.op in ("ForOf", "ForIn")
        }
        tests = {
            block.terminal.links["fallthrough"]: TESTS[block.terminal.attr if block.terminal.op == "Logical" else "?."]
            for block in function.blocks.values()
            if block.terminal.op in ("Logical", "Optional")
        }
        self.hoisted = {
            step.attr[1].id
            for block in function.blocks.values()
            for step in block.instrs
            if step.op == "DeclareContext" and step.attr[0].startswith("Hoisted")
        }
        cases = "".join(self.block(function, block, handlers, (loops, tests)) for block in function.blocks.values())
        text = ", ".join(f"{'...' if param.rest else ''}{name(param.var)}" for param in function.params)
        body = f"{{ {head} let pc = {function.entry}, done; for (;;) switch (pc) {{ {cases} }} }}"
        word = "async " if function.is_async else ""
        if function.kind in ("arrow", "field"):
            return f"{word}({text}) => {body}"
        return f"{word}function{'*' if function.is_generator else ''} self({text}) {body}"

    def block(self, function: Function, block: Block, handlers: dict[int | None, str], meaning: tuple[Any, Any]) -> str:
        """A `case`."""
        hoisted = self.hoisted
        steps: list[str] = []
        for step in block.instrs:
            steps.append(self.instr(step))
            self.hoisted = hoisted
        code = " ".join(steps)
        terminal = block.terminal
        if terminal.op == "MaybeThrow":
            handler = terminal.targets[1]
            store = f"{handlers[handler]} = e;" if handler in handlers else ""
            code = f"try {{ {code} }} catch (e) {{ {store} pc = {handler}; continue; }}"
        return f"case {block.id}: {code} {self.terminal(function, terminal, *meaning)}\n"

    def terminal(self, function: Function, terminal: Terminal, loops: set[Any], tests: dict[int | None, str]) -> str:
        """The jump at the end of a block."""
        uses = [name(var) for var in terminal.uses]
        match terminal.op:
            case "Return":
                return f"return {uses[0]};"
            case "Throw":
                return f"throw {uses[0]};"
            case "Unreachable":
                return "throw new Error('unreachable');"
            case "If" | "Branch":
                then, other = terminal.targets
                test = (
                    tests.get(terminal.links["fallthrough"], "{}").format(uses[0])
                    if terminal.op == "Branch"
                    else uses[0]
                )
                test = "!done" if (then, other) in loops else test
                return f"pc = {test} ? {then} : {other}; continue;"
            case "Switch":
                compared = iter(uses[1:])
                default = "throw new Error('no case')"
                chain = ""
                for target, is_default in zip(terminal.targets, terminal.attr, strict=True):
                    if is_default:
                        default = f"pc = {target}"
                    else:
                        chain += f"if ({uses[0]} === {next(compared)}) {{ pc = {target}; continue; }} "
                return f"{chain} {default}; continue;"
            case "ForIn":
                keys = [
                    step.uses[0] for step in function.blocks[terminal.targets[0]].instrs if step.op == "NextPropertyOf"
                ]
                start = "".join(f"done = undefined; {name(var)} = forInKeys({name(var)});" for var in keys)
                return f"{start} pc = {terminal.targets[0]}; continue;"
            case _:
                return f"pc = {terminal.targets[0]}; continue;"

    def instr(self, step: Instr) -> str:
        """A statement."""
        op, attr = step.op, step.attr
        uses = [name(var) for var in step.uses]
        result = name(step.defs[-1])
        if op in ("StoreLocal", "PrefixUpdate", "PostfixUpdate", "DeclareLocal"):
            target = name(step.defs[0])
            match op:
                case "StoreLocal":
                    return f"{result} = {target} = {uses[0]};"
                case "DeclareLocal":
                    return f"{target} = undefined;"
                case "PrefixUpdate":
                    return f"{target} = {uses[0]}; {result} = {attr}{target};"
                case _:
                    return f"{target} = {uses[0]}; {result} = {target}{attr};"
        if op == "DeclareContext":
            return f"{name(attr[1])} = {{v: undefined}};"
        if op == "StoreContext":
            is_new = attr in ASSIGNING and step.uses[0].id not in self.hoisted
            return f"{uses[0]} = {{v: {uses[1]}}};" if is_new else f"{uses[0]}.v = {uses[1]};"
        if op == "Destructure":
            return self.destructure(step)
        if op == "Export":
            return f"exported({json.dumps(attr)}, {uses[0]});"
        if op == "IteratorNext":
            return f"{{ const r = {uses[0]}.next(); done = r.done; {result} = r.value; }}"
        if op == "NextPropertyOf":
            return f"{{ const r = {uses[0]}.next(); done = r.done; {result} = r.value; }}"
        return f"{result} = {self.value(step, uses)};"

    def value(self, step: Instr, uses: list[str]) -> str:
        """The right-hand side of an instruction that only computes."""
        op, attr = step.op, step.attr
        match op:
            case "Primitive":
                return "undefined" if attr == "<undefined>" else attr
            case "LoadLocal":
                return uses[0]
            case "LoadContext":
                return f"{uses[0]}.v"
            case "LoadGlobal":
                return self.load_global(attr)
            case "StoreGlobal":
                var = self.globals[attr]
                return f"{name(var)}{'.v' if var.cell else ''} = {uses[0]}"
            case "Unary":
                return f"{attr} {uses[0]}"
            case "Binary":
                return f"{uses[0]} {attr} {uses[1]}"
            case "Call" | "New":
                arguments = self.arguments(uses[1:], attr)
                return f"{'new ' if op == 'New' else ''}{uses[0]}({arguments})"
            case "MethodCall":
                return f"{uses[1]}.call({', '.join(filter(None, [uses[0], self.arguments(uses[2:], attr)]))})"
            case "PropertyLoad":
                return f"{uses[0]}[{json.dumps(attr)}]"
            case "ComputedLoad":
                return f"{uses[0]}[{uses[1]}]"
            case "PropertyStore":
                return f"{uses[0]}[{json.dumps(attr)}] = {uses[1]}"
            case "ComputedStore":
                return f"{uses[0]}[{uses[1]}] = {uses[2]}"
            case "PropertyDelete":
                return f"delete {uses[0]}[{json.dumps(attr)}]"
            case "ComputedDelete":
                return f"delete {uses[0]}[{uses[1]}]"
            case "Array":
                places = iter(uses)
                return f"[{''.join(',' if k == '-' else f'{k[1:] and k}{next(places)},' for k in attr)}]"
            case "Object":
                return self.object(attr, iter(uses))
            case "TemplateLiteral" | "TaggedTemplate":
                tag = uses.pop(0) if op == "TaggedTemplate" else ""
                return (
                    tag + "`" + attr[0] + "".join(f"${{{u}}}{raw}" for u, raw in zip(uses, attr[1:], strict=True)) + "`"
                )
            case "RegExp":
                return attr
            case "Function" | "ObjectMethod":
                hoisted = self.hoisted
                text = self.function(attr)
                self.hoisted = hoisted
                names = ", ".join(name(var) for var in attr.context)
                return f"(({names}) => ({text})).call(this, {names})" if names else f"({text})"
            case "GetIterator":
                return f"{uses[0]}[Symbol.iterator]()"
            case "ToNumeric":
                return f"+{uses[0]}"
            case "Increment" | "Decrement":
                return f"{uses[0]} {'+' if op == 'Increment' else '-'} 1"
            case "Await" | "Yield":
                return f"{op.lower()} {uses[0] if uses else ''}"
            case "YieldDelegate":
                return f"yield* {uses[0]}"
            case "This":
                return "this"
            case "Self":
                return "self"
            case "Arguments":
                return "arguments"
            case "ConstAssignment":
                return "(() => { throw new TypeError('Assignment to constant variable.') })()"
            case _:
                raise NotImplementedError(op)

    def load_global(self, ref: GlobalRef) -> str:
        """A module variable or a real global."""
        var = self.globals.get(ref.name) if ref.binding == "module" else None
        if var is None:
            return ref.name
        return f"{name(var)}{'.v' if var.cell else ''}"

    def arguments(self, uses: list[str], spreads: tuple[bool, ...]) -> str:
        """An argument list."""
        return ", ".join(f"{'...' if spread else ''}{use}" for use, spread in zip(uses, spreads, strict=True))

    def object(self, attr: tuple[Any, ...], places: Iterator[str]) -> str:
        """An object literal."""
        items: list[str] = []
        for kind, key in attr:
            if kind == "spread":
                items.append(f"...{next(places)}")
                continue
            key = (
                f"[{next(places)}]"
                if key is None
                else f"[{json.dumps(key)}]"
                if not key.startswith('"')
                else f"[{key}]"
            )
            value = next(places)
            items.append(f"{kind} {key}() {{}}" if kind in ("get", "set") else f"{key}: {value}")
        return f"{{{', '.join(items)}}}"

    def destructure(self, step: Instr) -> str:
        """A destructuring assignment."""
        _, form, items = step.attr
        value, *keys = (name(var) for var in step.uses)
        targets = iter(name(var) for var in step.defs[:-1])
        if form == "array":
            inner = "".join(
                "," if k == "-" else f"...{next(targets)}" if k == "..." else f"{next(targets)}," for k in items
            )
            return f"[{inner}] = {value};"
        computed = iter(keys)
        parts: list[str] = []
        for kind, key in items:
            if kind == "rest":
                parts.append(f"...{next(targets)}")
            else:
                text = (
                    f"[{next(computed)}]" if key is None else f"[{key if key.startswith(chr(34)) else json.dumps(key)}]"
                )
                parts.append(f"{text}: {next(targets)}")
        return f"({{{', '.join(parts)}}} = {value});"


def name(var: Var) -> str:
    """A JavaScript name that no other variable has."""
    return f"v{var.id}"


def variables(function: Function) -> list[Var]:
    """Every variable the function mentions itself."""
    found: dict[int, Var] = {param.var.id: param.var for param in function.params}
    for block in function.blocks.values():
        for step in block.steps():
            for var in (*step.uses, *step.defs):
                found.setdefault(var.id, var)
            if step.op == "DeclareContext":
                found.setdefault(step.attr[1].id, step.attr[1])
    return list(found.values())
