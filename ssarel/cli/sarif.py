"""SARIF 2.1.0 logs, for commands whose rows stand at places in source files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


@dataclass(frozen=True, slots=True)
class Result:
    """One row at its place.

    level: error, warning or note.
    path:  empty if there is none. line: from 1, 0 if there is none. col: from 0, in Unicode code points.
    """

    rule: str
    level: str
    message: str
    path: str = ""
    line: int = 0
    col: int = 0
    function: str = ""


def log(rules: Mapping[str, str], results: Iterable[Result], warnings: Sequence[str] = ()) -> dict[str, Any]:
    """A log of one run. rules: names and what they say. warnings: what could not be run."""
    from ssarel import __version__

    index = {name: at for at, name in enumerate(rules)}
    described = [{"id": name, "shortDescription": {"text": text}} for name, text in rules.items()]
    notes = [{"level": "warning", "message": {"text": text}} for text in warnings]
    run = {
        "tool": {"driver": {"name": "ssarel", "version": __version__, "rules": described}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notes}],
        "results": [_result(item, index[item.rule]) for item in results],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(item: Result, index: int) -> dict[str, Any]:
    location: dict[str, Any] = {}
    if item.path:
        place: dict[str, Any] = {"artifactLocation": {"uri": quote(item.path)}}
        if item.line:
            place["region"] = {"startLine": item.line, "startColumn": item.col + 1}
        location["physicalLocation"] = place
    if item.function:
        location["logicalLocations"] = [{"name": item.function, "kind": "function"}]
    return {
        "ruleId": item.rule,
        "ruleIndex": index,
        "level": item.level,
        "message": {"text": item.message},
        "locations": [location] if location else [],
    }
