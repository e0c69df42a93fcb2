"""Which files a command reads: folders, globs, ignore files, exclusions; git is asked whether it agrees."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from ssarel import ignore
from ssarel.cli import app
from ssarel.errors import UsageError
from ssarel.paths import Choice, find


def plant(root: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def names(root: Path, *given: str | Path, choice: Choice | None = None) -> list[str]:
    found = find([root / path for path in given] or [root], choice or Choice())
    return [file.relative_to(root).as_posix() for file in found]


FILES: dict[str, str] = dict.fromkeys(
    ("a.js", "a.test.js", "dist/a.js", "dist/keep.js", "src/b.js", "src/dist/b.js", "src/gen/c.js", "src/gen/keep.js"),
    "",
)
RULES = {
    "": sorted(FILES),
    "*.js": [],
    "dist": ["a.js", "a.test.js", "src/b.js", "src/gen/c.js", "src/gen/keep.js"],
    "dist/": ["a.js", "a.test.js", "src/b.js", "src/gen/c.js", "src/gen/keep.js"],
    "/dist": ["a.js", "a.test.js", "src/b.js", "src/dist/b.js", "src/gen/c.js", "src/gen/keep.js"],
    "src/dist": ["a.js", "a.test.js", "dist/a.js", "dist/keep.js", "src/b.js", "src/gen/c.js", "src/gen/keep.js"],
    "a.js/": sorted(FILES),
    "*.test.js": [name for name in sorted(FILES) if name != "a.test.js"],
    "a*\n!a.js\n": [name for name in sorted(FILES) if name != "a.test.js"],
    "dist\n!dist/keep.js": ["a.js", "a.test.js", "src/b.js", "src/gen/c.js", "src/gen/keep.js"],
    "**/gen/*\n!keep.js": [name for name in sorted(FILES) if name != "src/gen/c.js"],
    "*\n!*/\n!keep.js": ["dist/keep.js", "src/gen/keep.js"],
    "src/**\n!src/gen/": ["a.js", "a.test.js", "dist/a.js", "dist/keep.js"],
    "**/gen": [name for name in sorted(FILES) if "gen" not in name],
    "# *.js\n\\#": sorted(FILES),
    "[z-a].js\n[x\nb\\": sorted(FILES),
}


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("place", [".gitignore", ".git/info/exclude"])
def test_ignore_files_leave_out(tmp_path: Path, rules: str, place: str) -> None:
    plant(tmp_path, {**FILES, place: rules})
    if RULES[rules]:
        assert names(tmp_path) == RULES[rules]
    else:
        with pytest.raises(UsageError, match="no source files"):
            names(tmp_path)
    assert names(tmp_path, choice=Choice(ignore_files=False)) == sorted(FILES)


@pytest.mark.parametrize("rules", [rules for rules in RULES if "[" not in rules and RULES[rules]])
def test_exclude_leaves_out_what_an_ignore_file_would(tmp_path: Path, rules: str) -> None:
    plant(tmp_path, FILES)
    assert names(tmp_path, choice=Choice(tuple(rules.split("\n")))) == RULES[rules]


def test_the_closest_ignore_file_decides_and_exclude_before_it(tmp_path: Path) -> None:
    rules = {".gitignore": "dist\nc.js\n", "src/.gitignore": "!dist/\nb.js\n", "src/dist/.gitignore": "!b.js"}
    plant(tmp_path, {**FILES, **rules})
    assert names(tmp_path) == ["a.js", "a.test.js", "src/dist/b.js", "src/gen/keep.js"]
    choice = Choice(("a.test.js", "!c.js"))
    assert names(tmp_path, choice=choice) == ["a.js", "src/dist/b.js", "src/gen/c.js", "src/gen/keep.js"]


def test_folders_above_count_up_to_the_root_of_the_repository(tmp_path: Path) -> None:
    plant(tmp_path, {f"repo/{name}": text for name, text in FILES.items()})
    plant(tmp_path, {".gitignore": "*.js", "repo/.gitignore": "keep.js", "repo/src/.gitignore": "/gen/c.js"})
    assert names(tmp_path / "repo", "src/gen") == ["src/gen/c.js", "src/gen/keep.js"], "there is no repository"
    plant(tmp_path, {"repo/.git/info/exclude": "/src/dist", "repo/src/gen/d.js": ""})
    assert names(tmp_path / "repo", "src/gen") == ["src/gen/d.js"]
    assert names(tmp_path / "repo", "src") == ["src/b.js", "src/gen/d.js"]
    assert names(tmp_path / "repo", "src/dist") == ["src/dist/b.js"], "a folder that is named is read"
    plant(tmp_path, {"repo/src/dist/.gitignore": "b.js", "repo/src/dist/more.js": ""})
    assert names(tmp_path / "repo", "src/dist") == ["src/dist/more.js"]
    plant(tmp_path, {".git/info/exclude": "/repo/dist/"})
    assert "repo/dist/a.js" in names(tmp_path), "a repository inside another one has rules of its own"


def test_a_named_file_is_read_whatever_leaves_it_out(tmp_path: Path) -> None:
    plant(tmp_path, {**FILES, ".gitignore": "*.js"})
    assert names(tmp_path, "a.js", "src/b.js", choice=Choice(("*.js",))) == ["a.js", "src/b.js"]


def test_what_is_left_out_is_not_walked_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, {**FILES, "node_modules/x/x.js": "", ".gitignore": "dist\n"})
    listed: list[str] = []
    scan = os.scandir

    def scandir(path: str) -> object:
        listed.append(os.path.relpath(path, tmp_path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert names(tmp_path, choice=Choice(("gen/",))) == ["a.js", "a.test.js", "src/b.js"]
    assert sorted(listed) == [".", "src"]


def test_a_folder_that_cannot_be_listed_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, FILES)
    scan = os.scandir

    def scandir(path: str) -> object:
        if os.path.basename(path) == "gen":
            raise PermissionError(13, "Permission denied", path)
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)
    with pytest.raises(UsageError, match="gen: cannot be listed: Permission denied; --exclude leaves it out"):
        names(tmp_path)
    assert "src/b.js" in names(tmp_path, choice=Choice(("gen",)))


GLOBS = {
    "*.js": ["a.js", "a.test.js"],
    "**/*.js": [name for name in sorted(FILES) if "dist" not in name],
    "src/*/keep.js": ["src/gen/keep.js"],
    "src/*.js": ["src/b.js"],
    "src/**/[bc].js": ["src/b.js", "src/gen/c.js"],
    "s?c/gen": ["src/gen/c.js", "src/gen/keep.js"],
}


@pytest.mark.parametrize("pattern", GLOBS)
def test_globs_match_what_is_not_left_out(tmp_path: Path, pattern: str) -> None:
    plant(tmp_path, {**FILES, ".gitignore": "dist", ".git/HEAD": ""})
    assert names(tmp_path, pattern) == GLOBS[pattern]


def test_a_file_named_like_a_glob_is_that_file(tmp_path: Path) -> None:
    plant(tmp_path, {"[id].js": "", "i.js": ""})
    assert names(tmp_path, "[id].js") == ["[id].js"]


@pytest.mark.parametrize(
    ("given", "exclude", "message"),
    [
        ("src/*.ts", "", r"src/\*\.ts: matches no source file"),
        ("nowhere/*.js", "", r"nowhere/\*\.js: no folder .*nowhere"),
        ("src/[z-a]*", "", r"no pattern: "),
        ("src", "a\\", r"'a\\\\' is no pattern of gitignore's"),
        ("src", "*", "no source files"),
    ],
)
def test_wrong_patterns(tmp_path: Path, given: str, exclude: str, message: str) -> None:
    plant(tmp_path, FILES)
    with pytest.raises(UsageError, match=message):
        names(tmp_path, given, choice=Choice((exclude,)))


SEGMENTS = ("a", "b", "x.js", "y.js", "*", "**", "*.js", "a*", "?", "[ab]", "[!a]", "x.*", "*a", "**.js")


def draw_line(rng: Random) -> str:
    line = "/".join(rng.choice(SEGMENTS) for _ in range(rng.choice((1, 1, 1, 2, 2, 3))))
    return rng.choice(("", "", "!")) + rng.choice(("", "", "/")) + line + rng.choice(("", "", "/"))


def draw_tree(rng: Random) -> dict[str, str]:
    """Twenty files up to four folders deep, and ignore files with a few lines in some of the folders."""
    tree: dict[str, str] = {}
    for _ in range(20):
        folders = [rng.choice(("a", "b", "ab", "x.js.d")) for _ in range(rng.randrange(5))]
        tree["/".join([*folders, rng.choice(("x.js", "y.js", "a.js", "b.js"))])] = ""
    places = {name.rpartition("/")[0] for name in tree} | {""}
    for place in ("", *rng.sample(sorted(places), min(len(places), 3))):
        tree[f"{place}/.gitignore".lstrip("/")] = "\n".join(draw_line(rng) for _ in range(rng.randint(1, 4)))
    tree[".git/info/exclude"] = draw_line(rng)
    return tree


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not on PATH")
def test_git_agrees(tmp_path: Path) -> None:
    """`git ls-files --others --exclude-standard` lists the same files of random trees with random rules."""
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    environment["XDG_CONFIG_HOME"] = str(tmp_path)
    kept = 0
    for seed in range(60):
        root = tmp_path / f"r{seed}"
        root.mkdir()
        subprocess.run(["git", "init", "-q", root], check=True, env=environment)
        tree = draw_tree(Random(seed))
        plant(root, tree)
        command = ["git", "-C", root, "ls-files", "--others", "--exclude-standard", "-z"]
        listed = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
        expected = sorted(name for name in listed.split("\0") if name.endswith(".js"))
        try:
            found = sorted(names(root))
        except UsageError:
            found = []
        rules = {name: text for name, text in tree.items() if not name.endswith(".js")}
        assert found == expected, rules
        kept += len(found)
    assert 60 < kept < 60 * 15


def test_patterns_are_about_the_entry_itself() -> None:
    found = ignore.Patterns.of("/r", ["*.js", "!b/"])
    assert [found.verdict(path) for path in ("/r/b/", "/r/b/x.js", "/r/a/", "/r/b")] == [False, True, None, None]


@pytest.mark.parametrize("command", ["analyze", "facts", "compare", "check", "profile"])
def test_commands_share_the_options(tmp_path: Path, command: str) -> None:
    plant(tmp_path, {"src/a.js": "f(1);", "src/b.js": "let = ;", "src/c.js": "let = ;", "src/.gitignore": "c.js"})
    output = ["-o", str(tmp_path / "out.duckdb")] if command in ("analyze", "facts") else []
    output += ["--jobs", "1"] if command == "analyze" else []
    words = [command, f"{tmp_path}/s*/*.js", *output]
    fewer = CliRunner().invoke(app, [*words, "--exclude", "b.js", "--exclude", "none"], catch_exceptions=False)
    more = CliRunner().invoke(app, [*words, "--exclude", "b.js", "--no-ignore"], catch_exceptions=False)
    assert [result.exit_code for result in (fewer, more)] == [0, 1]
    assert fewer.stderr == ""
    assert [line.split(":")[0] for line in more.stderr.splitlines()] == [f"{tmp_path}/src/c.js"]
