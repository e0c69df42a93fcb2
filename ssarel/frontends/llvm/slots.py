"""Which stack slots are variables: those that LLVM's mem2reg promotes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ssarel.frontends.llvm.assembly import LOCAL, NAME, Body, Step

_ADDRESS = re.compile(rf"ptr(?: addrspace\(\d+\))? (%{NAME})")
_STORED = re.compile(rf"(?!addrspace\()(.+), {_ADDRESS.pattern}")
_LIFETIME = re.compile(r"void @llvm\.lifetime\.(?:start|end)\.")
_MARKED = re.compile(r"(?:inalloca |swifterror )*")
_BRACKETS = re.compile(rf'%{NAME}|"[^"]*"|[(\[{{<]|[)\]}}>]|,')


@dataclass(slots=True)
class Slot:
    """One slot that is a variable.

    alloca:  the instruction that makes it.
    type:    of what it holds.
    loads:   the instructions that read it.
    stores:  those that write it, each with the value as LLVM prints it.
    markers: those that go with it: lifetime markers, and casts for them.
    """

    alloca: Step
    type: str
    loads: list[Step] = field(default_factory=list[Step])
    stores: list[tuple[Step, str]] = field(default_factory=list[tuple[Step, str]])
    markers: list[Step] = field(default_factory=list[Step])


def promotable(body: Body) -> dict[str, Slot]:
    """The slots of `body` by name, in order.

    A slot is made in the entry block, and its address is used for nothing but loads and stores of exactly its type that
    are not volatile, and for lifetime markers. Atomic ones count: nobody else can see the slot. Debug records count as
    nothing. A slot whose address is in another slot stays; LLVM looks again when it has promoted that one.
    Source: LLVM's isAllocaPromotable.
    """
    found = {step.result: Slot(step, _held_type(step)) for step in body.chunks[0].steps if step.op == "alloca"}
    if not found:
        return {}
    users: dict[str, list[Step]] = {}
    for step in body.steps():
        for name in dict.fromkeys(step.uses):
            users.setdefault(name, []).append(step)
    return {name: slot for name, slot in found.items() if name and _collect(slot, name, users)}


def _collect(slot: Slot, name: str, users: dict[str, list[Step]]) -> bool:
    """Put the users of slot `name` into `slot`. Returns False if one of them keeps it in memory."""
    for user in users.get(name, ()):
        if user.op == "load" and _is_load(slot.type, name, user):
            slot.loads.append(user)
        elif user.op == "store" and (value := _stored(slot.type, name, user)) is not None:
            slot.stores.append((user, value))
        elif _is_marker(user):
            slot.markers.append(user)
        elif _is_cast(user) and all(map(_is_marker, users.get(user.result or "", ()))):
            slot.markers += [user, *users.get(user.result or "", ())]
        else:
            return False
    return True


def _held_type(alloca: Step) -> str:
    marked = _MARKED.match(alloca.text)
    start = marked.end() if marked else 0
    depth = 0
    for token in _BRACKETS.finditer(alloca.text, start):
        if token[0] in "([{<":
            depth += 1
        elif token[0] in ")]}>":
            depth -= 1
        elif token[0] == "," and depth == 0:
            return alloca.text[start : token.start()]
    return alloca.text[start:]


def _is_load(held: str, name: str, load: Step) -> bool:
    """Whether `load` takes a whole `held` out of slot `name`, and is not volatile."""
    text = load.text.removeprefix("atomic ")
    found = _ADDRESS.match(text, len(held) + 2) if text.startswith(f"{held}, ") else None
    return found is not None and found[1] == name


def _stored(held: str, name: str, store: Step) -> str | None:
    """The value that `store` puts into slot `name`; None if its type is not `held`, or if it is the address itself."""
    text = store.text.removeprefix("atomic ")
    found = _STORED.match(text, len(held) + 1) if text.startswith(f"{held} ") else None
    return found[1] if found is not None and found[2] == name and store.uses.count(name) == 1 else None


def _is_marker(step: Step) -> bool:
    return step.op == "call" and _LIFETIME.match(step.text) is not None


def _is_cast(step: Step) -> bool:
    """Whether `step` only gives an address another type: a cast, or a step of no distance."""
    if step.op == "getelementptr":
        indices = LOCAL.sub("", step.text).split(", ")[2:]
        return all(re.fullmatch(r"i\d+ 0", index) for index in indices)
    return step.op in ("bitcast", "addrspacecast")
