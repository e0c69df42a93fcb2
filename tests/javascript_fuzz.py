"""Random JavaScript programs that always end and log what they do. Only for tests."""

from __future__ import annotations

import random

NAMES = ("a", "b", "c", "d", "x", "y")


class Writer:
    """Writes one program; `scopes` lists the names that may be read, `consts` those that may not be written."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.scopes: list[dict[str, str]] = []
        self.labels: list[tuple[str, bool]] = []
        self.loops = 0
        self.breakable = 0
        self.in_function = 0
        self.is_generator = False
        self.count = 0
        self.depth = 0

    def program(self) -> str:
        """A function `f(a, b)` and what it needs."""
        self.scopes = [{}]
        return self.function("f", ["a", "b"])

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def function(self, name: str, params: list[str], generator: bool = False) -> str:
        """A function declaration."""
        saved = self.labels, self.loops, self.breakable, self.is_generator
        self.labels, self.loops, self.breakable, self.is_generator = [], 0, 0, generator
        self.scopes.append(dict.fromkeys(params, "let"))
        self.in_function += 1
        body = self.block_body(self.random.randint(2, 5))
        self.in_function -= 1
        self.scopes.pop()
        self.labels, self.loops, self.breakable, self.is_generator = saved
        star = "*" if generator else ""
        return f"function{star} {name}({', '.join(params)}) {{ if (!tick()) return 0; {body} return {self.leaf()}; }}"

    def block_body(self, count: int) -> str:
        self.depth += 1
        text = " ".join(self.statement() for _ in range(count))
        self.depth -= 1
        return text

    def block(self) -> str:
        self.scopes.append({})
        text = self.block_body(self.random.randint(1, 3))
        self.scopes.pop()
        return f"{{ {text} }}"

    def readable(self) -> list[str]:
        return [name for scope in self.scopes for name in scope if scope[name] != "hidden"]

    def writable(self) -> list[str]:
        seen: dict[str, str] = {}
        for scope in self.scopes:
            seen.update(scope)
        return [name for name, kind in seen.items() if kind in ("let", "var")]

    def declare(self, name: str, kind: str) -> None:
        target = self.scopes[-1]
        target[name] = kind

    def leaf(self) -> str:
        names = self.readable()
        if names and self.random.random() < 0.75:
            return self.random.choice(names)
        return self.random.choice(["0", "1", "2", "'s'", "null", "undefined", "true"])

    def expression(self, depth: int = 2) -> str:
        r = self.random
        if depth <= 0:
            return self.leaf()
        e = lambda: self.expression(depth - 1)  # noqa: E731
        target = r.choice(self.writable() or [""])
        kind = r.randrange(22)
        if kind < 4:
            return self.leaf()
        if kind < 7:
            return f"({e()} {r.choice(['-', '===', '<', '!='])} {e()})"
        if kind == 7:
            return f"({e()} {r.choice(['&&', '||', '??'])} {e()})"
        if kind == 8:
            return f"({e()} ? {e()} : {e()})"
        if kind == 9 and target:
            return f"({target} = {e()})"
        if kind == 10 and target:
            return f"({target} {r.choice(['-=', '??=', '||=', '&&='])} {e()})"
        if kind == 11 and target:
            return r.choice([f"{target}++", f"++{target}", f"{target}--"])
        if kind == 12:
            return f"log({e()}, {e()})"
        if kind == 13:
            return f"({e()}, {e()})"
        if kind == 14:
            return f"`{r.randint(0, 9)}${{str({e()})}}`"
        if kind == 15:
            return f"[{e()}, {e()}][{r.randint(0, 2)}]"
        if kind == 16:
            return f"({{ p: {e()}, q: {e()} }}).{r.choice('pq')}"
        if kind == 17:
            return f"obj({e()})?.p?.[{e()}]"
        if kind == 18:
            return f"risky({e()})"
        if kind == 19:
            return self.closure()
        if kind == 20 and target:
            other = r.choice(self.writable())
            return f"([{target} = {e()}, {other}] = [{e()}, {e()}])[0]"
        if kind == 21:
            return f"call({self.leaf()}, {e()})"
        return self.leaf()

    def closure(self) -> str:
        self.scopes.append({"p": "let"})
        saved = self.labels, self.loops, self.breakable, self.is_generator
        self.labels, self.loops, self.breakable, self.is_generator = [], 0, 0, False
        if self.random.random() < 0.6 or self.depth > 4:
            text = f"((p) => tick() && {self.expression(1)})"
        else:
            text = f"((p) => {{ if (!tick()) return; {self.block_body(1)} return {self.leaf()}; }})"
        self.labels, self.loops, self.breakable, self.is_generator = saved
        self.scopes.pop()
        return text

    def statement(self) -> str:
        r = self.random
        deep = self.depth > 4
        kind = r.randrange(10 if deep else 31)
        if kind < 2:
            return f"log({self.expression()});"
        if kind < 4:
            return f"{self.expression(3)};"
        if kind < 6:
            return self.declaration()
        if kind == 6:
            return self.jump()
        if kind == 7:
            names = self.writable()
            return f"{r.choice(names)} = {self.expression()};" if names else ";"
        if kind == 8:
            return self.pattern()
        if kind == 9:
            return f"keep({self.closure()});"
        if kind < 13:
            text = f"if ({self.expression()}) {self.block()}"
            return text + (f" else {self.block()}" if r.random() < 0.5 else "")
        if kind < 18:
            return self.loop()
        if kind < 22:
            return self.attempt()
        if kind < 24:
            return self.switch()
        if kind == 24:
            label = self.fresh("L")
            self.labels.append((label, False))
            text = f"{label}: {self.block()}"
            self.labels.pop()
            return text
        if kind == 25:
            return self.block()
        if kind == 26:
            name = self.fresh("g")
            early = f"log({name}(1));" if r.random() < 0.5 else ""
            text = self.function(name, ["p", "q"])
            self.declare(name, "function")
            return f"{{ {early} {text} log({name}({self.leaf()}, 2)); }}"
        if kind == 27:
            name = self.fresh("h")
            text = f"const {name} = () => {name}_; let {name}_ = {self.expression()}; log({name}());"
            self.declare(name, "const")
            return text
        if kind == 29:
            return self.parameters()
        if kind == 28:
            name = self.fresh("gen")
            text = self.function(name, ["p"], generator=True)
            return f"{{ {text} for (const z of {name}(1)) log(z); }}"
        return f"keep(() => {self.expression(1)});"

    def parameters(self) -> str:
        """A function whose parameters have patterns, defaults and a closure, and whose body declares over them."""
        name, one, two = self.fresh("d"), self.fresh("q"), self.fresh("r")
        self.scopes.append({"p": "let"})
        default, closure = self.expression(1), self.closure()
        self.scopes[-1].update({one: "let", two: "let"})
        result = self.expression(1)
        self.scopes.pop()
        inner = self.random.choice(["", "var p = 5;", f"var {one};", "p = 6;"])
        self.declare(name, "const")
        head = f"function me(p, {{ {one} = {default} }} = {{}}, {two} = {closure})"
        body = f"if (!tick()) return 0; {inner} keep({two}); return [{result}, typeof me, arguments.length];"
        return f"const {name} = {head} {{ {body} }}; log({name}(1), {name}(2, {{}}, log));"

    def declaration(self) -> str:
        r = self.random
        kind = r.choice(["let", "const", "var", "let"])
        if kind == "var":
            name = r.choice(["v1", "v2", "v3"])
            text = f"var {name} = {self.expression()};" if r.random() < 0.8 else f"var {name};"
            self.scopes[-1][name] = "var"
            return text
        name = self.fresh("k")
        text = f"{kind} {name} = {self.expression()};"
        if kind == "let" and r.random() < 0.2:
            text = f"let {name};"
        self.declare(name, kind)
        return text

    def pattern(self) -> str:
        r = self.random
        one, two = self.fresh("m"), self.fresh("m")
        shape = r.randrange(3)
        if shape == 0:
            text = f"let [{one} = {self.expression(1)}, ...{two}] = [{self.expression(1)}, 3, 4];"
        elif shape == 1:
            text = f"let {{ p: {one} = {self.expression(1)}, ...{two} }} = {{ p: {self.expression(1)}, q: 1 }};"
        else:
            nested = f"{{ q: {one} }} = {{ q: {self.expression(1)} }}"
            text = f"let {{ p: {nested}, ['r' + 1]: {two} }} = {{ r1: {self.expression(1)} }};"
        self.declare(one, "let")
        self.declare(two, "let")
        return text

    def jump(self) -> str:
        r = self.random
        choices = [
            f"if ({self.expression()}) return {self.expression(1)};",
            f"if ({self.expression(1)}) throw {self.leaf()};",
        ]
        if self.breakable:
            choices += [f"if ({self.expression(1)}) break;", "break;"]
        if self.loops:
            choices += [f"if ({self.expression(1)}) continue;", "continue;"]
        for label, is_loop in self.labels:
            choices.append(
                f"if ({self.expression(1)}) {r.choice(['break', 'continue']) if is_loop else 'break'} {label};"
            )
        if r.random() < 0.1:
            choices.append(f"return {self.expression(1)};")
        if self.is_generator:
            choices.append(f"log(yield {self.expression(1)});")
        return r.choice(choices)

    def loop(self) -> str:
        r = self.random
        label = self.fresh("L") if r.random() < 0.3 else ""
        self.labels += [(label, True)] if label else []
        self.loops += 1
        self.breakable += 1
        self.scopes.append({})
        kind = r.randrange(8)
        if kind == 6:
            items = f"[[{self.expression(1)}], [{self.expression(1)}, 2]]"
            name, other = self.fresh("n"), self.fresh("n")
            default = self.expression(1)
            self.declare(name, "let")
            self.declare(other, "let")
            text = f"for (let [{name}, {other} = {default}] of {items}) {self.block()}"
        elif kind == 7:
            self.scopes[-1]["v2"] = "var"
            text = f"for (var v2 {r.choice(['of', 'in'])} [3, {self.leaf()}]) {self.block()}"
        elif kind == 0:
            text = f"while (tick() && {self.expression(1)}) {self.block()}"
        elif kind == 1:
            text = f"do {self.block()} while (tick() && {self.expression(1)});"
        elif kind == 2:
            name = self.fresh("i")
            self.declare(name, "let")
            text = f"for (let {name} = 0; tick() && {name} < {r.randint(1, 3)}; {name}++) {self.block()}"
        elif kind == 3:
            name = self.fresh("w")
            items = f"[{self.expression(1)}, {self.expression(1)}]"
            self.declare(name, r.choice(["const", "let"]))
            text = f"for ({self.scopes[-1][name]} {name} of {items}) {self.block()}"
        elif kind == 4:
            names = self.writable()
            head = r.choice(names) if names else "var v1"
            text = f"for ({head} {r.choice(['of', 'in'])} [{self.leaf()}, 7]) {self.block()}"
        else:
            text = f"for (;;) {{ if (!tick()) break; {self.block()} if ({self.expression(1)}) break; }}"
        self.scopes.pop()
        self.loops -= 1
        self.breakable -= 1
        self.labels = self.labels[:-1] if label else self.labels
        return f"{label}: {text}" if label else text

    def attempt(self) -> str:
        r = self.random
        text = f"try {self.block()}"
        shape = r.randrange(4)
        if shape != 2:
            name = self.fresh("e")
            self.scopes.append({name: "let"} if shape else {})
            text += f" catch ({name}) {self.block()}" if shape else f" catch {self.block()}"
            self.scopes.pop()
        if shape >= 2:
            text += f" finally {self.block()}"
        return text

    def switch(self) -> str:
        r = self.random
        self.breakable += 1
        self.scopes.append({})
        cases = []
        for _ in range(r.randint(1, 3)):
            test = r.choice(["1", "'s'", "null", self.expression(1)])
            inner = self.block() if r.random() < 0.7 else ""
            if r.random() < 0.15:
                name = self.fresh("s")
                inner += f"log({name}(1)); {self.function(name, ['p', 'q'])}"
                self.declare(name, "function")
            cases.append(f"case {test}: {inner} {'break;' if r.random() < 0.4 else ''}")
        if r.random() < 0.6:
            cases.insert(r.randint(0, len(cases)), f"default: {self.block()}")
        self.scopes.pop()
        self.breakable -= 1
        return f"switch ({self.expression(1)}) {{ {' '.join(cases)} }}"
