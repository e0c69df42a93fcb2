"""What the documents say is what the program does."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main
from typer.testing import CliRunner

import ssarel
from ssarel import query, schema
from ssarel.cli import app
from ssarel.database import VIEWS, Database
from ssarel.ssa_facts import SHAPES

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text("utf-8")
DICTIONARY = (ROOT / "facts" / "README.md").read_text("utf-8")
COMMANDS = sorted(typer.main.get_group(app).commands)
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def relations() -> dict[str, tuple[str, ...]]:
    shapes = {name: relation.arrow.names for name, relation in {**schema.BASE, **schema.DERIVED}.items()}
    return {**{name: tuple(columns) for name, columns in shapes.items()}, **SHAPES}


@pytest.mark.parametrize("name", sorted(relations()))
def test_relation_is_in_the_dictionary(name: str) -> None:
    assert f"| `{name}({', '.join(relations()[name])})` |" in DICTIONARY


@pytest.mark.parametrize("name", VIEWS)
def test_view_is_in_the_dictionary(name: str, examples: Database) -> None:
    columns = ", ".join(examples.sql(f"from {name} limit 0").columns)
    assert f"| `{name}({columns})` |" in DICTIONARY


def test_dictionary_has_nothing_else() -> None:
    named = set(re.findall(r"^\| `(\w+)\(", DICTIONARY, re.MULTILINE))
    assert named == {*relations(), *VIEWS, "run"}


def test_every_diagnostic_code_is_in_the_dictionary() -> None:
    made = re.compile(r"""(?:Diagnostic\(|report\([\w., ]+)\s*"(?:error|warning|note)",\s*"([a-z-]+)\"""")
    used = {code for path in (ROOT / "ssarel").rglob("*.py") for code in made.findall(path.read_text("utf-8"))}
    assert {"unreadable", "crash", "unsupported"} <= used
    assert used <= set(re.findall(r"^\| `([a-z-]+)` \|", DICTIONARY, re.MULTILINE))


@pytest.mark.parametrize("command", COMMANDS)
def test_command_has_help_with_an_example_and_stands_in_the_readme(command: str) -> None:
    result = CliRunner().invoke(app, [command, "--help"])
    assert f"ssarel {command}" in result.output
    assert f"ssarel {command}" in README


def test_readme_shows_what_the_program_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "facts").symlink_to(ROOT / "facts")
    monkeypatch.chdir(tmp_path)
    shown = 0
    for block in CONSOLE.findall(README):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = example.partition("\n")
            program, *words = shlex.split(command)
            if program == "cat":
                output = Path(words[0]).read_text("utf-8")
            else:
                assert program == "ssarel"
                output = CliRunner().invoke(app, words, catch_exceptions=False).output
            assert without_times(output) == without_times(expected), command
            shown += 1
    assert shown >= 4


def without_times(text: str) -> str:
    return re.sub(r"(?m)^(seconds.*?) *[\d.]+$", r"\1", text).strip()


def test_readme_python_example_runs(tmp_path: Path) -> None:
    (tmp_path / "facts").symlink_to(ROOT / "facts")
    for code in re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL):
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True)


def test_readme_sends_people_to_the_same_tests_as_ci() -> None:
    assert "\n    .ci/run\n" in README


@pytest.mark.parametrize("path", sorted(set(re.findall(r"\]\(([\w./-]+)\)", README))))
def test_readme_links_lead_somewhere(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.fixture(scope="module")
def examples() -> Iterator[Database]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        with ssarel.analyze("facts/examples") as database:
            yield database


@pytest.mark.parametrize("name", sorted(query.catalogue()))
def test_query_header_is_true(name: str, examples: Database) -> None:
    found = query.find(name)
    assert found.question.endswith("?")
    assert set(re.findall(r"\$(\w+)", found.sql)) == set(found.parameters)
    given = {"path": "loop.js", "line": "7", "variable": "i"}
    required = {key for key, meaning in found.parameters.items() if meaning.endswith("(required)")}
    frame = examples.query(name, **{key: given[key] for key in required})
    assert list(frame.columns) == list(found.columns)
    # What the examples do not show, the query's own case does.
    shown = frame.to_csv(index=False) + (ROOT / "tests" / "queries" / f"{name}.csv").read_text("utf-8")
    assert found.example in shown.splitlines()
