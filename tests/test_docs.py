"""What the documents say is what the program does."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
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
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
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


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_document_shows_what_the_program_prints(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config
) -> None:
    for folder in ("docs", "facts", "rules"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    monkeypatch.chdir(tmp_path)
    text = document.read_text("utf-8")
    for block in CONSOLE.findall(text):
        for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = example.partition("\n")
            output = printed(shlex.split(command))
            if pytestconfig.getoption("--bless") and without_times(output) != without_times(expected):
                space = "\n" if expected.endswith("\n\n") else ""
                changed = block.replace(example, f"{command}\n{output.rstrip()}\n{space}")
                text, block = text.replace(block, changed), changed
            assert pytestconfig.getoption("--bless") or without_times(output) == without_times(expected), command
    if pytestconfig.getoption("--bless"):
        document.write_text(text, "utf-8")


def printed(words: Sequence[str]) -> str:
    if words[0] == "cat":
        return Path(words[1]).read_text("utf-8")
    assert words[0] == "ssarel"
    return CliRunner().invoke(app, words[1:], catch_exceptions=False).output


def test_documents_show_commands() -> None:
    assert len(CONSOLE.findall(README)) >= 3
    assert len(CONSOLE.findall((ROOT / "docs" / "tutorial.md").read_text("utf-8"))) >= 8


def without_times(text: str) -> str:
    return re.sub(r"(?m)^(seconds.*?) *[\d.]+$", r"\1", text).strip()


def test_readme_python_example_runs(tmp_path: Path) -> None:
    (tmp_path / "facts").symlink_to(ROOT / "facts")
    for code in re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL):
        subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True)


def test_readme_sends_people_to_the_same_tests_as_ci() -> None:
    assert "\n    .ci/run\n" in README


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document: Path) -> None:
    for path in re.findall(r"\]\(([\w./-]+)\)", document.read_text("utf-8")):
        assert (document.parent / path).exists(), path


def test_command_reference_is_what_the_program_says(pytestconfig: pytest.Config) -> None:
    path = ROOT / "docs" / "commands.md"
    if pytestconfig.getoption("--bless"):
        path.write_text(reference(), "utf-8")
    assert path.read_text("utf-8") == reference()


def reference() -> str:
    """Every command with its help, options and defaults."""
    parts = ["# Commands\n\nThe help of each command, made from the program (`pytest tests/test_docs.py --bless`).\n"]
    for name in COMMANDS:
        shown = CliRunner().invoke(app, [name, "--help"], prog_name="ssarel").output
        parts.append(f"## ssarel {name}\n\n```text\n{shown.strip()}\n```\n")
    return re.sub(r"[ \t]+$", "", "\n".join(parts), flags=re.MULTILINE)


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
