"""The architecture as a test: imports go one way."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import ssarel

PACKAGE = Path(ssarel.__file__).parent
LAYERS = (
    "errors",
    "ignore",
    "garbage",
    "processes",
    "resources",
    "schema",
    "ir",
    "sources",
    "text",
    "cfg",
    "react_passes",
    "flow",
    "operations",
    "ssa",
    "frontends",
    "emit",
    "interpret",
    "facts",
    "ssa_facts",
    "fields",
    "folders",
    "partition",
    "engines",
    "spark",
    "rename",
    "builders",
    "construct",
    "interference",
    "destruct",
    "shards",
    "workers",
    "compare",
    "query",
    "dictionary",
    "explain",
    "report",
    "notebook",
    "database",
    "current",
    "packs",
    "diff",
    "resume",
    "verify",
    "paths",
    "batch",
    "profile",
    "analysis",
    "doctor",
    "cli",
)
"""Left imports nothing from its right: this tuple is the architecture drawing."""


def files_of(layer: str) -> list[Path]:
    return sorted((PACKAGE / layer).rglob("*.py")) or [PACKAGE / f"{layer}.py"]


def imported_layers(layer: str) -> set[str]:
    found: set[str] = set()
    for path in files_of(layer):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module == "ssarel":
                names = [f"ssarel.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [node.module or ""]
            found |= {name.split(".")[1] for name in names if name.startswith("ssarel.")}
    return found - {"__version__"}


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_go_one_way(layer: str) -> None:
    assert imported_layers(layer) <= set(LAYERS[: LAYERS.index(layer) + 1])


def test_every_module_is_a_layer() -> None:
    modules = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert modules - {"__init__"} == set(LAYERS)


def test_an_import_to_the_right_would_be_seen() -> None:
    assert "facts" in imported_layers("folders")
    assert "frontends" in imported_layers("batch")
