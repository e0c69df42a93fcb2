"""Two databases held against each other: functions added, removed, changed, and the phis they gained and lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ssarel.database import Database

Key = tuple[str, str, int]
"""Which function: path, name, and its rank from 0 among those of this name in the file, in source order."""

Phi = tuple[str, int]
"""Which phi: the variable as it is written, and the position of the block in its function."""

BODIES = r"""
with
    place as (
        select func_block.func, func_block.block, func_block.pos, instr, block_instr.pos as step
        from func_block
        inner join block_instr using (block)
    ),

    access as (
        select func, instr, 'w' as kind, 0 as pos, var from def inner join place using (instr)
        union all
        select func, instr, 'r', use.pos, var from use inner join place using (instr)
    ),

    numbered as (
        select *, dense_rank() over (partition by func order by var) as number
        from access
    ),

    operands as (
        select instr, string_agg(kind || pos || '=' || number, ' ' order by kind, pos, number) as text
        from numbered
        group by instr
    ),

    code as (
        select
            place.func,
            string_agg(
                place.pos || ' ' || regexp_replace(instr_text.text, '(\$|\bbb)\d+', '\1', 'g')
                || ' ' || coalesce(operands.text, ''),
                chr(10) order by place.pos, place.step
            ) as text
        from place
        inner join instr_text using (instr)
        left join operands using (instr)
        group by place.func
    ),

    graph as (
        select source.func, string_agg(source.pos || '>' || target.pos, ' ' order by source.pos, target.pos) as text
        from edge
        inner join func_block as source on source.block = edge.src
        inner join func_block as target on target.block = edge.dst
        group by source.func
    )

select
    func.func_id,
    source_file.path,
    func.name,
    row_number() over (partition by source_file.path, func.name order by func.func_id) - 1 as rank,
    func.line,
    md5(coalesce(code.text, '') || chr(0) || coalesce(graph.text, '')) as body
from func
inner join source_file using (file)
left join code on code.func = func.func_id
left join graph on graph.func = func.func_id
order by func.func_id
"""
"""Functions with a hash of their code that does not depend on ids, on lines, or on what stands around them."""

PHIS = """
select func_block.func, coalesce(var_name.name, ''), func_block.pos
from phi
inner join func_block using (block)
left join var_name using (var)
"""


@dataclass(frozen=True, slots=True)
class Function:
    """A function of one of the databases: where it stands, a hash of its code, its phis."""

    line: int
    body: str
    phis: Counter[Phi]


@dataclass(frozen=True, slots=True)
class Change:
    """What happened to one function. gained, lost: phis that only the new or only the old database has."""

    kind: str
    key: Key
    line: int
    gained: tuple[Phi, ...] = ()
    lost: tuple[Phi, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Keys change, path, function, rank, line, gained and lost (lists of variable and block)."""
        path, name, rank = self.key
        gained, lost = (
            [{"variable": variable, "block": block} for variable, block in phis] for phis in (self.gained, self.lost)
        )
        return {
            "change": self.kind,
            "path": path,
            "function": name,
            "rank": rank,
            "line": self.line,
            "gained": gained,
            "lost": lost,
        }


def diff(old: Database, new: Database) -> Iterator[Change]:
    """What differs, sorted by path and name: `added`, `removed`, or `changed` in code or in phis.

    Functions correspond by path, name and rank. An added function gained all of its phis, a removed one lost them.
    Cost: a pass over each database.
    """
    before, after = _functions(old), _functions(new)
    for key in sorted(before.keys() | after.keys()):
        was, now = before.get(key), after.get(key)
        if was is None and now is not None:
            yield Change("added", key, now.line, gained=_sorted(now.phis))
        elif was is not None and now is None:
            yield Change("removed", key, was.line, lost=_sorted(was.phis))
        elif was is not None and now is not None and (was.body, was.phis) != (now.body, now.phis):
            yield Change("changed", key, now.line, _sorted(now.phis - was.phis), _sorted(was.phis - now.phis))


def _sorted(phis: Counter[Phi]) -> tuple[Phi, ...]:
    return tuple(sorted(phis.elements()))


def _functions(database: Database) -> dict[Key, Function]:
    phis: dict[int, Counter[Phi]] = {}
    for func, variable, block in database.connection.execute(PHIS).fetchall():
        phis.setdefault(func, Counter())[variable, block] += 1
    return {
        (path, name, rank): Function(line, body, phis.get(func, Counter()))
        for func, path, name, rank, line, body in database.connection.execute(BODIES).fetchall()
    }
