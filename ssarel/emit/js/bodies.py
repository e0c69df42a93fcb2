"""One function as JavaScript: a `switch` over its blocks in a loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ssarel.cfg import reachable
from ssarel.emit.js.instructions import Instructions, Unprintable, asked_types, makers_of
from ssarel.emit.js.loops import rounds
from ssarel.emit.js.names import Names, key_text, unprintable
from ssarel.ir import UNDEF, Block, Function, Instr, Terminal, Var

TESTS = {"&&": "!{}", "||": "{}", "??": "{} != null", "?.": "{} != null"}
"""When the first target of a branch under a Logical or Optional terminal is taken."""


class Body:
    """Prints one function.

    module:  what functions call a variable of the module, by its source name.
    shown:   names of the module's variables that functions read, by the variable before renaming; only for its body.
    text:    nested functions as printed.
    exports: by exported name, the variable that is exported.
    is_strict: is all of the program strict code?
    """

    def __init__(
        self,
        path: str,
        function: Function,
        names: Names,
        module: Mapping[str, str],
        shown: Mapping[int, str],
        text: Callable[[Function], str],
        exports: Mapping[str, str],
        is_strict: bool,
    ) -> None:
        self.is_strict = is_strict
        self.path = path
        self.function = function
        self.names = names
        self.shown = shown
        self.pc = names.helper("pc")
        self.error = names.helper("error")
        reached = reachable(function)
        self.blocks = {id: block for id, block in function.blocks.items() if id in reached}
        self.through = _through(self.blocks)
        hoisted = frozenset(
            instr.attr[1].id
            for block in self.blocks.values()
            for instr in block.instrs
            if instr.op == "DeclareContext" and instr.attr[0].startswith("Hoisted")
        )
        self.instructions = Instructions(
            names, module, hoisted, makers_of(function), asked_types(function), text, exports
        )
        self.rounds = rounds(function)
        terminals = [block.terminal for block in self.blocks.values()]
        self.handlers = {t.links["handler"]: names.of(t.uses[0]) for t in terminals if t.op == "Try" and t.uses}
        self.loops = {(t.links["loop"], t.links["fallthrough"]) for t in terminals if t.op in ("ForOf", "ForIn")}
        self.tests = {
            t.links["fallthrough"]: TESTS[t.attr if t.op == "Logical" else "?."]
            for t in terminals
            if t.op in ("Logical", "Optional")
        }
        self.check()

    def check(self) -> None:
        """Raises: InputError for what only the whole function shows."""
        function = self.function
        steps = [step for block in self.blocks.values() for step in block.steps()]
        if function.is_generator and any(str(param.var.name or "").startswith("#") for param in function.params):
            raise unprintable(self.path, function, None, "a default or pattern among the parameters of a generator")
        arguments = next((step for step in steps if step.op == "Arguments"), None)
        if arguments is not None and self.is_mapped(steps):
            raise unprintable(self.path, function, arguments, "arguments that share a variable with a parameter")
        for block in self.blocks.values():
            for step in block.instrs:
                if step.op in ("Yield", "YieldDelegate") and block.terminal.op == "MaybeThrow":
                    raise unprintable(self.path, function, step, "yield inside try")

    def is_mapped(self, steps: Sequence[Instr]) -> bool:
        """Does it show that `arguments` and the parameters of a sloppy function are the same variables?"""
        function = self.function
        if self.is_strict or "use strict" in function.directives:
            return False
        if any(param.rest or str(param.var.name or "").startswith("#") for param in function.params):
            return False
        params = {param.var.decl for param in function.params}
        makers = self.instructions.makers
        lists = {var for var, maker in makers.items() if maker.op == "Arguments"}
        is_read = any(
            not lists.isdisjoint(step.uses) and (step.op, step.attr) != ("PropertyLoad", "length") for step in steps
        )
        is_stored = any(step.op in ("PropertyStore", "ComputedStore") and step.uses[0] in lists for step in steps)
        is_assigned = any(
            (step.op == "StoreContext" and step.uses[0].decl in params)
            or any(var.decl in params for var in step.defs[:-1])
            for step in steps
        )
        return is_stored or (is_read and is_assigned)

    def variables(self) -> list[Var]:
        """Every variable that the reachable code mentions and that is neither a parameter nor captured."""
        given = {param.var.id for param in self.function.params} | {var.id for var in self.function.context}
        found: dict[int, Var] = {}
        for param in self.function.params:
            if self.is_apart(param.var):
                found[param.var.id] = param.var
        given -= set(found)
        for block in self.blocks.values():
            for phi in block.phis:
                found[phi.target.id] = phi.target
            for step in block.steps():
                for var in (*step.uses, *step.defs):
                    found[var.id] = var
                if step.op == "DeclareContext":
                    found[step.attr[1].id] = step.attr[1]
        return [var for id, var in found.items() if id not in given and var is not UNDEF]

    def statements(self) -> list[str]:
        """The variables' declarations and the loop over the blocks."""
        declared = [self.names.of(var) for var in self.variables()]
        keys = [self.keys(id) for id in self.key_blocks()]
        lines = [f"let {', '.join(dict.fromkeys([*declared, *keys]))};"] if declared or keys else []
        for param in self.function.params:
            if self.is_apart(param.var):
                given = self.parameter(param.var)
                lines.append(f"{self.names.of(param.var)} = {f'{{ v: {given} }}' if param.var.cell else given};")
        lines.append(f"let {self.pc} = {self.function.entry}, {self.names.helper('item')};")
        label = f"{self.names.helper('body')}: " if self.function.kind == "module" else ""
        lines.append(f"{label}for (;;) switch ({self.pc}) {{")
        for block in self.blocks.values():
            lines.extend(self.block(block))
        lines.append("}")
        return lines

    def parameter(self, var: Var) -> str:
        """What the head of the function calls a parameter."""
        return f"{self.names.of(var)}{self.names.helper('in') if self.is_apart(var) else ''}"

    def is_apart(self, var: Var) -> bool:
        """Is this parameter copied first? JavaScript may tie the one it gives to an element of `arguments`."""
        return var.cell or self.mentions("Arguments")

    def expression(self) -> str:
        """The function as an expression."""
        function = self.function
        if function.kind in ("constructor", "field", "static"):
            raise unprintable(self.path, function, None, "a class")
        heads = (f"{'...' if param.rest else ''}{self.parameter(param.var)}" for param in function.params)
        strict = [f'"{text}";' for text in function.directives if self.takes_directives()]
        inner = "\n".join("  " + line for line in [*strict, *self.statements()])
        parameters, body = ", ".join(heads), f"{{\n{inner}\n}}"
        is_async = "async " if function.is_async else ""
        if function.kind == "arrow":
            return f"({is_async}({parameters}) => {body})"
        star = "*" if function.is_generator else ""
        if function.kind in ("method", "getter", "setter"):
            return f"({{ {is_async}{star}method({parameters}) {body} }}).method"
        name = f" {self.names.helper('self')}" if self.mentions("Self") else ""
        text = f"({is_async}function{star}{name}({parameters}) {body})"
        if name or not function.name:
            return text
        key = key_text(function.name)
        return f"({{ {key}: {text} }})[{key}]"

    def takes_directives(self) -> bool:
        """A function with a rest parameter may have no `use strict` of its own: parameters are simple then."""
        return not any(param.rest for param in self.function.params)

    def mentions(self, op: str) -> bool:
        """Is there a reachable instruction of this kind?"""
        return any(step.op == op for block in self.blocks.values() for step in block.instrs)

    def block(self, block: Block) -> list[str]:
        """A `case`."""
        code: list[str] = []
        for step in block.instrs:
            if step.op == "NextPropertyOf":
                item, result = self.names.helper("item"), self.names.of(step.result)
                code.append(f"{item} = {self.keys(block.id)}.next();")
                code.append(f"{result} = {item}.value; {item} = {item}.done ? undefined : {item};")
                continue
            try:
                code.append(self.instructions.print(step))
            except Unprintable as error:
                raise unprintable(self.path, self.function, step, str(error)) from None
            code += [f"{self.shown[var.decl]} = {self.names.of(var)};" for var in made(step) if var.decl in self.shown]
        terminal = block.terminal
        inner = [f"  {line}" for line in code]
        open_rounds = [loop for loop in self.rounds if block.id in loop.blocks]
        if terminal.op == "MaybeThrow":
            handler = terminal.targets[1]
            store = self.handlers.get(handler) or self.handlers.get(self.through.get(handler))
            caught = [f"{store} = {self.error};"] if store else []
            caught += self.leave(block, handler, "abandon")
            inner = ["  try {", *(f"  {line}" for line in inner), f"  }} catch ({self.error}) {{"]
            inner += [f"    {line}" for line in caught] + ["  }"]
        elif open_rounds and code:
            inner = self.guarded(inner, [self.names.of(loop.iterator) for loop in open_rounds])
        return [f"case {block.id}:", *inner, *(f"  {line}" for line in self.terminal(block, terminal))]

    def guarded(self, code: list[str], iterators: list[str]) -> list[str]:
        """Code in a for-of loop whose exceptions leave the function, and so may a generator at each `yield`."""
        abandon = [f"    {self.names.helper('abandon')}({iterator});" for iterator in iterators]
        lines = ["  try {", *(f"  {line}" for line in code)]
        done = self.names.helper("done")
        if self.function.is_generator:
            lines = [f"  let {done} = false;", *lines, f"    {done} = true;"]
            abandon.insert(0, f"    {done} = true;")
        lines += [f"  }} catch ({self.error}) {{", *abandon, f"    throw {self.error};"]
        if self.function.is_generator:
            closed = [f"    if (!{done}) {self.names.helper('leave')}({iterator});" for iterator in iterators]
            return ["  {", *lines, "  } finally {", *closed, "  }", "  }"]
        return [*lines, "  }"]

    def leave(self, block: Block, target: int, helper: str = "leave") -> list[str]:
        """Go to `target`: end the iterators of the loops that this leaves, give the phis their values at once."""
        lines = [
            f"{self.names.helper(helper)}({self.names.of(loop.iterator)});"
            for loop in self.rounds
            if block.id in loop.blocks and target not in loop.blocks and target != loop.test
        ]
        of = self.names.of
        copies = [(of(phi.target), of(phi.args[block.id])) for phi in self.function.blocks[target].phis]
        if len(copies) == 1:
            lines.append(f"{copies[0][0]} = {copies[0][1]};")
        elif copies:
            lines.append(f"[{', '.join(a for a, _ in copies)}] = [{', '.join(b for _, b in copies)}];")
        targets = [phi.target for phi in self.function.blocks[target].phis]
        lines += [f"{self.shown[var.decl]} = {of(var)};" for var in targets if var.decl in self.shown]
        return [*lines, f"{self.pc} = {target};", "continue;"]

    def terminal(self, block: Block, terminal: Terminal) -> list[str]:
        """The jump at the end of a block."""
        uses = [self.names.of(var) for var in terminal.uses]
        ends = [self.names.of(loop.iterator) for loop in self.rounds if block.id in loop.blocks]
        match terminal.op:
            case "Return":
                ended = [f"{self.names.helper('leave')}({iterator});" for iterator in ends]
                is_module = self.function.kind == "module"
                return [*ended, f"break {self.names.helper('body')};" if is_module else f"return {uses[0]};"]
            case "Throw":
                return [*(f"{self.names.helper('abandon')}({iterator});" for iterator in ends), f"throw {uses[0]};"]
            case "Unreachable":
                return ['throw new Error("unreachable");']
            case "If" | "Branch":
                test = self.test(terminal, uses[0])
                then, other = (self.leave(block, target) for target in terminal.targets)
                return [f"if ({test}) {{ {' '.join(then)} }}", *other]
            case "Switch":
                return self.switch(block, terminal, uses)
            case "ForIn":
                (target,) = terminal.targets
                init = target if target in self.key_blocks() else self.through[target]
                steps = [s for s in self.function.blocks[init].instrs if s.op == "NextPropertyOf"]
                object_ = self.names.of(steps[0].uses[0])
                start = [f"{self.keys(init)} = {self.names.helper('keys')}({object_});"]
                return start + self.leave(block, target)
            case "Jump" | "Unsupported":
                raise unprintable(self.path, self.function, terminal, f"{terminal.op} {terminal.attr or ''}".strip())
            case _:
                return self.leave(block, terminal.targets[0])

    def test(self, terminal: Terminal, value: str) -> str:
        """When the first target of a branch is taken."""
        then, other = terminal.targets
        for first in (then, self.through.get(then)):
            for second in (other, self.through.get(other)):
                if (first, second) in self.loops:
                    return self.names.helper("item")
        if terminal.op == "Branch":
            return self.tests.get(terminal.links["fallthrough"], "{}").format(value)
        return value

    def switch(self, block: Block, terminal: Terminal, uses: list[str]) -> list[str]:
        """The jumps of a `switch`: its tests are done already, in order."""
        compared = iter(uses[1:])
        default = ['throw new Error("no case");']
        lines: list[str] = []
        for target, is_default in zip(terminal.targets, terminal.attr, strict=True):
            if is_default:
                default = self.leave(block, target)
            else:
                lines.append(f"if ({uses[0]} === {next(compared)}) {{ {' '.join(self.leave(block, target))} }}")
        return lines + default

    def key_blocks(self) -> list[int]:
        """The blocks that step through the names of a for-in loop."""
        return [id for id, block in self.blocks.items() if any(s.op == "NextPropertyOf" for s in block.instrs)]

    def keys(self, block: int) -> str:
        """The variable that holds the names which a for-in loop goes through."""
        return self.names.helper(f"keys{block}")


def made(step: Instr) -> list[Var]:
    """The variables, values or cells, that an instruction makes or may make anew."""
    match step.op:
        case "DeclareContext":
            return [step.attr[1]]
        case "StoreContext":
            return [step.uses[0]]
        case _:
            return step.defs


def _through(blocks: Mapping[int, Block]) -> dict[int, int]:
    """The blocks that only copy, as those on split edges do, and where they lead."""
    return {
        id: block.terminal.targets[0]
        for id, block in blocks.items()
        if block.terminal.op == "Goto" and all(instr.op == "LoadLocal" for instr in block.instrs)
    }
