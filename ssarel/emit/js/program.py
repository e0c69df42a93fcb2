"""Programs: the module body, imports and exports around it, and the helpers that are called."""

from __future__ import annotations

from collections.abc import Sequence

from ssarel.emit.js.bodies import Body
from ssarel.emit.js.names import Names, key_text, unprintable
from ssarel.emit.js.runtime import HELPERS
from ssarel.ir import Function, GlobalRef, Instr, Var, all_functions


def emit(functions: Sequence[Function], path: str = "<stdin>") -> str:
    """`functions` as a JavaScript program that does what the source does.

    A module body runs where it stands, with the imports whose names are read before it and its exports behind it;
    without a module body each function is declared under its own name, and variables of the module are read by theirs.
    A variable is `name$id`, a cell an object with one property `v`, a function a `switch` over its blocks in a loop.

    Not kept, since the IR does not have them: the text and `length` of functions with defaults, names that functions
    take from where they stand, errors for reads before a declaration, imports for effect only, re-exports, and the
    text of the source in messages such as `f is not a function`.

    path: the file that errors name.

    Raises: InputError, located, for a construct without a printed form (classes, JSX, `with`, enums, `for await`,
            `yield` inside `try`, tagged templates on methods and others).
    Cost:   linear in the program times the nesting depth of functions.
    """
    if not functions:
        return ""
    names = Names(functions)
    every = [function for function, _ in all_functions(list(functions))]
    module = next((function for function in functions if function.kind == "module"), None)
    shared = _Shared(path, module, every, names)
    printed: dict[int, str] = {}

    def text(function: Function) -> str:
        return printed[id(function)]

    for function in reversed(every):
        if function is not module:
            printed[id(function)] = Body(
                path, function, names, shared.names, {}, text, {}, shared.is_strict
            ).expression()
    if module is None:
        lines = [_declaration(path, function, text(function)) for function in functions]
    else:
        lines = shared.program(
            Body(path, module, names, shared.names, shared.shown, text, shared.exports, shared.is_strict)
        )
    body = "\n".join(lines)
    helpers = [
        f"const {names.helper(name)} = {code};" for name, code in HELPERS.items() if f"{names.helper(name)}(" in body
    ]
    return "\n".join([*shared.imports(), *helpers, body]) + "\n"


def _declaration(path: str, function: Function, text: str) -> str:
    if function.context:
        raise unprintable(path, function, None, "a variable of the function around it")
    return f"var {function.name} = {text};" if function.name else f"{text};"


class _Shared:
    """What functions share: the variables of the module, imports and exports.

    names:    by source name, what functions call a variable of the module; an empty text if two have that name.
    shown:    by variable before renaming, the name under which functions see it.
    exports:  by exported name, the variable that is exported.
    assigned: names that functions assign and do not own.
    """

    def __init__(self, path: str, module: Function | None, every: Sequence[Function], names: Names) -> None:
        self.path = path
        self.module = module
        self.mark = names
        self.every = every
        self.names: dict[str, str] = {}
        self.shown: dict[int, str] = {}
        self.refs: dict[str, GlobalRef] = {}
        self.assigned: set[str] = set()
        exported = dict.fromkeys(step.attr for step in (_steps(module) if module else ()) if step.op == "Export")
        self.exports = {name: names.helper(f"export{at}") for at, name in enumerate(exported)}
        read: set[str] = set()
        for function in every:
            for step in _steps(function):
                if step.op == "StoreGlobal":
                    self.assigned.add(step.attr)
                elif isinstance(step.attr, GlobalRef):
                    if step.attr.binding == "module":
                        read.add(step.attr.name)
                    elif step.attr.binding != "global":
                        self.refs[step.attr.name] = step.attr
        read |= self.assigned
        is_module = bool(self.exports or self.refs)
        self.is_strict = is_module or (module is not None and "use strict" in module.directives)
        owned: dict[str, set[int]] = {}
        cells: set[int] = set()
        for var in _variables(module) if module else ():
            if var.name in read:
                owned.setdefault(var.name, set()).add(var.decl)
                if var.cell:
                    cells.add(var.decl)
        for name, decls in owned.items():
            shown = f"{name}{names.mark}"
            self.names[name] = ""
            if len(decls) == 1:
                (decl,) = decls
                self.names[name] = shown
                self.shown[decl] = shown
                if decl in cells:
                    self.names[name] += ".v"

    def imports(self) -> list[str]:
        """An import for each imported name that is read."""
        lines: list[str] = []
        for name, ref in self.refs.items():
            what = {"default": name, "namespace": f"* as {name}"}.get(
                ref.binding, f"{{ {key_text(ref.imported or name)} as {name} }}"
            )
            lines.append(f"import {what} from {key_text(ref.module or '')};")
        return lines

    def program(self, body: Body) -> list[str]:
        """The module body where it stands, and the exports."""
        module = body.function
        for step in _steps(module):
            if step.op == "Export" and (step.attr == "=" or step.attr in self.assigned):
                what = "export =" if step.attr == "=" else f"the export {step.attr}, which functions assign,"
                raise unprintable(self.path, module, step, what)
        declared = [*self.shown.values(), *self.exports.values()]
        lines = [f'"{text}";' for text in module.directives]
        lines += [f"let {', '.join(declared)};"] if declared else []
        lines += body.statements()
        if self.exports:
            listed = ", ".join(f"{name} as {key_text(exported)}" for exported, name in self.exports.items())
            lines.append(f"export {{ {listed} }};")
        return lines


def _steps(function: Function) -> list[Instr]:
    return [step for block in function.blocks.values() for step in block.instrs]


def _variables(function: Function) -> list[Var]:
    found: dict[int, Var] = {}
    for block in function.blocks.values():
        for step in block.steps():
            for var in (*step.uses, *step.defs):
                found[var.id] = var
            if step.op == "DeclareContext":
                found[step.attr[1].id] = step.attr[1]
    return list(found.values())
