"""Which function lowers which syntax node, and the loop that runs them without recursion.

A handler returns its value at once, or is a generator that yields the lowering of each part it needs and is sent back
the part's value: `value = yield expression(b, node)`. `run` keeps the suspended ones on a list, so that depth of
nesting costs memory only.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from types import GeneratorType
from typing import Any

from ssarel.frontends.javascript.builder import Builder
from ssarel.frontends.javascript.syntax import Node

Steps = Generator[Any, Any, Any]
Handler = Callable[[Builder, Node], Any]

EXPRESSIONS: dict[str, Handler] = {}
STATEMENTS: dict[str, Handler] = {}


def expression_handler(*types: str) -> Callable[[Handler], Handler]:
    """Register a function that lowers these expression nodes to the variable of their value."""

    def register(handler: Handler) -> Handler:
        EXPRESSIONS.update(dict.fromkeys(types, handler))
        return handler

    return register


def statement_handler(*types: str) -> Callable[[Handler], Handler]:
    """Register a function that lowers these statement nodes."""

    def register(handler: Handler) -> Handler:
        STATEMENTS.update(dict.fromkeys(types, handler))
        return handler

    return register


def expression(b: Builder, node: Node) -> Any:
    """Lower an expression; yield the outcome to get its variable."""
    kind = node.type
    while kind == "parenthesized_expression":
        node = node.children[0]
        kind = node.type
    return (EXPRESSIONS.get(kind) or EXPRESSIONS["*"])(b, node)


def statement(b: Builder, node: Node) -> Any:
    """Lower a statement; yield the outcome to have it done."""
    return (STATEMENTS.get(node.type) or STATEMENTS["*"])(b, node)


def run(steps: Any) -> Any:
    """Run a lowering to its end."""
    if type(steps) is not GeneratorType:
        return steps
    waiting: list[Any] = []
    resume = steps.send
    value: Any = None
    while True:
        try:
            value = resume(value)
        except StopIteration as stop:
            value = stop.value
            if not waiting:
                return value
            resume = waiting.pop()
            continue
        if type(value) is GeneratorType:
            waiting.append(resume)
            resume = value.send
            value = None


def unwrap(node: Node) -> Node:
    """`node` without parentheses around it."""
    while node.type == "parenthesized_expression":
        node = node.children[0]
    return node
