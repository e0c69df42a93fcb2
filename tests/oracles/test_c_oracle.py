"""C compiled without optimisation: rewritten modules verify, do the same, and have the phis of LLVM's mem2reg."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ssarel.builders import llvm_peer
from ssarel.errors import InputError
from tests.llvm_programs import call_each
from tests.oracles.c import corpus

SOURCE = Path(__file__).resolve().parents[1] / "cases" / "c" / "kinds.c"
FUNCTIONS = re.findall(r"^int (\w+)\(int \w+, int \w+\)", SOURCE.read_text("utf-8"), re.MULTILINE)
pytestmark = [pytest.mark.clang, pytest.mark.llvm]


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return corpus.compiled(SOURCE, tmp_path_factory.mktemp("c"))


@pytest.fixture(scope="module")
def found(module: Path) -> corpus.Found:
    return corpus.examine(module)


def test_phis_are_those_of_mem2reg(found: corpus.Found) -> None:
    assert found.mismatches == []
    assert found.labelled == {llvm_peer.FOLDED: 1}
    assert found.functions == len(FUNCTIONS) + 2
    assert found.phis > 40


@pytest.mark.parametrize("name", FUNCTIONS)
def test_rewritten_functions_do_the_same(name: str, module: Path, found: corpus.Found) -> None:
    arguments = [(a, b) for a in (-3, 0, 1, 6, 35) for b in (-2, 1, 4, 21)]
    results = call_each(module.read_text("utf-8"), name, arguments)
    assert call_each(found.text, name, arguments) == results
    assert len(set(results)) > 3


def test_c_that_does_not_compile_is_said_with_its_place(tmp_path: Path) -> None:
    broken = tmp_path / "broken.c"
    broken.write_text("int f(void) {\n  return x;\n}\n")
    with pytest.raises(InputError, match=r"broken\.c:2:10: error: use of undeclared identifier 'x'"):
        corpus.compiled(broken, tmp_path)
    assert corpus.main([str(broken)]) == 1
