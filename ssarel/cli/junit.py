"""JUnit XML of a comparison: a test suite a file, a test case a function."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

if TYPE_CHECKING:
    from ssarel.compare import Comparison
    from ssarel.sources import Source

_TITLE = re.compile(r"(.*):(\d+) (.*)", re.DOTALL)
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def document(titles: Iterable[str], comparison: Comparison, sources: Sequence[Source]) -> str:
    """The text of the document.

    titles:  of the functions compared, as `Batch.title` gives them; those that are equal are one test case.
    sources: an input that could not be analysed is a test case with an error.

    A failure has a line for each difference, as `differences` words it.
    """
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for item in comparison.mismatches:
        found[item["function"]].append(item)
    allowed: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for item in comparison.allowed:
        allowed[item["function"]].append(item)
    suites: dict[str, ElementTree.Element] = {}

    def case(path: str, name: str) -> ElementTree.Element:
        if path not in suites:
            suites[path] = ElementTree.Element("testsuite", name=_text(path), tests="0", failures="0", errors="0")
        _count(suites[path], "tests")
        return ElementTree.SubElement(suites[path], "testcase", classname=_text(path), name=_text(name))

    for title in dict.fromkeys(titles):
        parts = _TITLE.fullmatch(title)
        path, name = (parts[1], f"{parts[3]}:{parts[2]}") if parts else ("relations", title)
        element = case(path, name)
        if title in found:
            _count(suites[path], "failures")
            message = f"{len(found[title])} differences between {', '.join(comparison.outcomes)}"
            failure = ElementTree.SubElement(element, "failure", type="mismatch", message=message)
            failure.text = _text(differences(found[title]))
        if title in allowed:
            ElementTree.SubElement(element, "system-out").text = _text("allowed:\n" + differences(allowed[title]))
    for source in sources:
        for item in source.diagnostics:
            if item.severity == "error":
                element = case(source.path, f"{item.code}:{item.line}:{item.col}")
                _count(suites[source.path], "errors")
                ElementTree.SubElement(element, "error", type=item.code, message=_text(item.message))
    seconds = sum(outcome.seconds + outcome.rename_seconds for outcome in comparison.outcomes.values())
    root = ElementTree.Element("testsuites", name="ssarel compare", time=f"{seconds:.3f}")
    for count in ("tests", "failures", "errors"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in suites.values())))
    root.extend(suites.values())
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def differences(items: Iterable[dict[str, Any]]) -> str:
    """A line for each: kind, block, variable, and what each builder has."""
    return "\n".join(
        f"{item['kind']} in block {item['block']} of {item['variable']}: {json.dumps(item['sides'])}"
        + (f" ({item['label']})" if "label" in item else "")
        for item in items
    )


def _count(suite: ElementTree.Element, what: str) -> None:
    suite.set(what, str(int(suite.get(what, "0")) + 1))


def _text(text: str) -> str:
    """`text` without what XML cannot hold, which is shown as an escape."""
    return _NOT_XML.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
