"""Constants as both engines give them, and by definition."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

import pyarrow as pa

from ssarel import schema
from ssarel.engines.duckdb import DuckDBEngine
from ssarel.engines.souffle import INPUTS, LATER_INPUTS, SouffleEngine
from ssarel.operations import FALSE, LIMIT, UNDEFINED
from tests.rules_by_definition import rows_of

SHAPES = {rule.relation: schema.parse_relations(rule.datalog)[rule.relation] for rule in schema.AFTER_SSA}
"""The relations of rules/constant."""

OUTPUTS = ("executable_edge", "constant")

Rows = Mapping[str, Sequence[tuple[int | str, ...]]]
Found = dict[str, set[tuple[int, int]]]


def tables(rows: Rows) -> dict[str, pa.Table]:
    """The relations that the rules of constants read, empty where `rows` has nothing."""
    made: dict[str, pa.Table] = {}
    for name, relation in {**INPUTS, **LATER_INPUTS}.items():
        columns = list(zip(*rows.get(name, ()), strict=True)) or [()] * len(relation.columns)
        made[name] = pa.table(dict(zip(relation.arrow.names, columns, strict=True)), schema=relation.arrow)
    return made


def derive(engine: str, given: Mapping[str, pa.Table], outputs: Iterable[str] = OUTPUTS) -> Found:
    """The relations `outputs`, of two columns, of rules/constant over `given`."""
    shapes = {name: SHAPES[name] for name in outputs}
    if engine == "souffle":
        program = "\n".join(f'.include "{rule.file}.dl"' for rule in schema.AFTER_SSA)
        found = SouffleEngine().extend(program, given, shapes)
    else:
        connection = DuckDBEngine().connect()
        for name in (*INPUTS, *LATER_INPUTS):
            connection.register("arriving", given[name])
            connection.execute(f'create table "{name}" as from arriving')
        for rule in schema.AFTER_SSA:
            connection.execute(f'create table "{rule.relation}" as {rule.sql}')
        found = {name: connection.sql(f'from "{name}"').to_arrow_table() for name in shapes}
    lists = {name: [(a, b) for a, b in rows_of(found[name])] for name in shapes}
    assert {name: len(rows) for name, rows in lists.items()} == {name: len(set(rows)) for name, rows in lists.items()}
    return {name: set(rows) for name, rows in lists.items()}


def apply(operator: str, a: int, b: int) -> int | None:
    """What JavaScript's `operator` makes of two constants; None if that is no constant of ours.

    By its own numbers: doubles.
    """
    if operator == "copy":
        return a
    if operator == "!":
        return FALSE + is_false(a)
    if operator in ("===", "!=="):
        return FALSE + ((a == b) == (operator == "==="))
    if max(a, b) >= LIMIT:
        return None
    x, y = float(a), float(b)
    match operator:
        case "==" | "!=":
            return FALSE + ((x == y) == (operator == "=="))
        case "<" | "<=" | ">" | ">=":
            return FALSE + {"<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[operator]
        case "/" | "%" if y == 0:
            return None
        case "+" | "-" | "*" | "/" | "%":
            result = {"+": x + y, "-": x - y, "*": x * y, "/": x / (y or 1), "%": math.fmod(x, y or 1)}[operator]
        case "negate" | "number" | "increment" | "decrement":
            result = {"negate": -x, "number": x, "increment": x + 1, "decrement": x - 1}[operator]
        case _:
            return None
    is_constant = result.is_integer() and abs(result) < LIMIT and (result or math.copysign(1, result) > 0)
    return int(result) if is_constant else None


def is_false(constant: int) -> bool:
    return constant in (0, FALSE, UNDEFINED)


OPERATORS = (
    *("copy", "!", "===", "!==", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%"),
    *("negate", "number", "increment", "decrement"),
)
VARIES = None


def by_definition(given: Mapping[str, pa.Table]) -> Found:
    """`OUTPUTS` by Wegman & Zadeck's equations over whole functions, in rounds until nothing changes.

    A value is absent until something computes it, a constant, or VARIES; an edge is executable or not.
    """
    rows = {name: [tuple(row.values()) for row in given[name].to_pylist()] for name in given}
    literal = dict(rows["literal"])
    block_of = {instr: block for block, instr, _ in rows["block_instr"]}
    operands: dict[int, list[int]] = {}
    for instr, _, value in sorted(rows["ssa_use"]):
        operands.setdefault(instr, []).append(value)
    var_of = {value: var for value, var, _ in rows["value_var"]}
    operator_of = {(instr, var): operator for instr, var, operator in rows["operation"]}
    branches: dict[int, tuple[int, dict[int, int]]] = {}
    for instr, dst, taken in rows["branch_target"]:
        if instr in operands:
            branches.setdefault(block_of[instr], (operands[instr][0], {}))[1][dst] = taken
    phi_block = {value: block for block, value in rows["ssa_phi"]}

    state: dict[int, int | None] = {-1: VARIES}
    runs = {block for _, block in rows["entry"]}
    executable: set[tuple[int, int]] = set()

    def join(value: int, found: int | None) -> None:
        state[value] = found if state.get(value, found) == found else VARIES

    def may_take(src: int, dst: int) -> bool:
        test, targets = branches.get(src, (-1, {dst: 1}))
        if test not in state:
            return False
        found = state[test]
        return found is None or is_false(found) != bool(targets[dst])

    size = -1  # of what is known: it only grows
    while size != (size := sum(found is None for found in state.values()) + len(state) + len(executable)):
        executable |= {(src, dst) for src, dst in rows["edge"] if src in runs and may_take(src, dst)}
        runs |= {dst for _, dst in executable}
        for value, pred, arg in rows["ssa_phi_arg"]:
            if (pred, phi_block[value]) in executable and arg in state:
                join(value, state[arg])
        for instr, value in rows["ssa_def"]:
            operator = operator_of.get((instr, var_of[value]))
            read = operands.get(instr, [])
            if block_of[instr] not in runs:
                continue
            if instr in literal:
                join(value, literal[instr])
            elif operator is None or not read or any(state.get(arg, 0) is VARIES for arg in read[:2]):
                join(value, VARIES)
            elif all(arg in state for arg in read[:2]):
                first, second = state[read[0]], state[read[min(1, len(read) - 1)]]
                assert first is not None
                assert second is not None
                join(value, apply(operator, first, second))
    found = {(value, constant) for value, constant in state.items() if constant is not None}
    return {"executable_edge": executable, "constant": found}
