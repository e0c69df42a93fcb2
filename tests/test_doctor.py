"""What doctor looks for."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ssarel import doctor
from ssarel.cli import app

ROOT = Path(__file__).resolve().parents[1]


def test_doctor_lists_what_extras_need(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "bin" / "java"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho openjdk 11.0.2\n")
    old.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    monkeypatch.setitem(doctor.EXTRAS, "no-such-package", ("spark", "nothing"))
    rows = {row["what"]: row for row in json.loads(CliRunner().invoke(app, ["doctor", "--format", "json"]).stdout)}
    assert (rows["java"]["status"], rows["java"]["version"]) == ("broken", "11.0.2")
    assert rows["java"]["how to get it"].startswith("Java 17 or newer")
    assert rows["no-such-package"]["status"] == "missing"
    assert rows["no-such-package"]["how to get it"] == "pip install 'ssarel[spark]'"
    assert {"pyspark", "llvmlite", "graphviz-pure", "dot"} <= rows.keys()


def test_doctor_names_every_package_that_is_required() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = {re.split(r"[^\w.-]", text)[0] for text in project["dependencies"]}
    assert names == set(doctor.PACKAGES)
    for package, (extra, _) in doctor.EXTRAS.items():
        assert any(text.startswith(package) for text in project["optional-dependencies"][extra])
