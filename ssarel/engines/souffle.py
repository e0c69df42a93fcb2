"""The other engine: rules/main.dl on Soufflé, run as a process of its own."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as pc

from ssarel import fields, schema
from ssarel.engines import DEFAULT_OUTPUTS, Step, Tables
from ssarel.errors import EngineError, EngineUnavailable, SchemaError
from ssarel.resources import folder
from ssarel.ssa_facts import SSA

RELATIONS = '.include "relations.dl"'

_INTERFERENCE = "\n".join(
    [RELATIONS, '.include "../facts/copies.dl"', *(f'.include "{rule.file}.dl"' for rule in schema.OUT_OF_SSA)]
)

INPUTS = schema.inputs(())
"""What the rules read."""

LATER_INPUTS = {**{name: schema.BASE[name] for name in ("literal", "operation", "branch_target")}, **SSA}
"""What rules can read besides, once a run is done."""

TABBED = pc.WriteOptions(include_header=False, delimiter="\t", quoting_style="none")


class SouffleEngine:
    """Evaluates the rules with `souffle` from PATH.

    compile: translate the rules to C++ once and keep the program in the user's cache folder.
    timeout: seconds for a whole run, translation left out.
    profile: have Soufflé log what each relation takes, for `steps`; a compiled program that does is another one.

    Raises: EngineUnavailable if Soufflé is not there or older than 2.5.
    """

    name = "souffle"

    def __init__(self, compile: bool = False, timeout: float | None = None, profile: bool = False) -> None:
        found = shutil.which("souffle")
        if found is None:
            raise EngineUnavailable("Soufflé is not on PATH; `ssarel doctor` says how to get it")
        has = version(found)
        numbers = tuple(int(part) for part in re.findall(r"\d+", has)[:2])
        if numbers and numbers < (2, 5):
            raise EngineUnavailable(f"{found} is Soufflé {has}; ssarel needs 2.5, see `ssarel doctor`")
        self.program = found
        self.compile = compile
        self.timeout = timeout
        self.profile = profile
        self.steps: list[Step] = []

    def run(self, base: Tables, outputs: Sequence[str] = DEFAULT_OUTPUTS) -> dict[str, pa.Table]:
        """See `Engine.run`. Soufflé computes only what `outputs` need; process start and files are part of the cost."""
        schema.needed(outputs)
        known = {**schema.DERIVED, **schema.INTERFERENCE}
        shapes = {name: known[name] for name in outputs}
        program = _INTERFERENCE if schema.INTERFERENCE.keys() & shapes.keys() else RELATIONS
        return self._evaluate(program, base, schema.inputs(outputs), shapes, self.compile)

    def extend(self, program: str, given: Tables, outputs: Mapping[str, schema.Relation]) -> dict[str, pa.Table]:
        """The relations `outputs` that the Datalog text `program` defines over everything a run made, `given`.

        It may name what facts/schema.dl, facts/ssa.dl and rules/ declare; other base relations are empty. It is
        interpreted. Raises: EngineError with Soufflé's message, which names file and line.
        """
        inputs = (f".input {name}" for name in LATER_INPUTS)
        program = "\n".join([RELATIONS, '.include "../facts/ssa.dl"', *inputs, program])
        return self._evaluate(program, given, {**INPUTS, **LATER_INPUTS}, outputs, False)

    def _evaluate(
        self,
        program: str,
        given: Tables,
        inputs: Mapping[str, schema.Relation],
        outputs: Mapping[str, schema.Relation],
        compile: bool,
    ) -> dict[str, pa.Table]:
        text = "\n".join([program, *(f".output {name}" for name in sorted(outputs)), ""])
        with tempfile.TemporaryDirectory(prefix="ssarel-souffle-") as work:
            facts, made = Path(work, "facts"), Path(work, "out")
            facts.mkdir()
            made.mkdir()
            rows = write_facts(given, facts, inputs)
            command = self._compiled(text) if compile else self._translation(text, Path(work))
            log = Path(work, "log.json")
            command += ["-F", str(facts), "-D", str(made), *(["-p", str(log)] if self.profile else [])]
            self._call(command, f"the rules on {rows}", Path(work), self.timeout)
            self.steps = read_log(log) if self.profile else []
            return {name: read_output(made / f"{name}.csv", shape) for name, shape in outputs.items()}

    def _call(self, command: Sequence[str], what: str, work: Path, timeout: float | None = None) -> None:
        """Run `command` in `work`; judge it by its exit status and by what it says."""
        try:
            status, said = _finished(command, work, timeout)
        except subprocess.TimeoutExpired as error:
            raise EngineError(f"Soufflé passed {timeout} s on {what}; see --timeout") from error
        except OSError as error:
            raise EngineUnavailable(f"{command[0]} cannot be started: {error.strerror}") from error
        if status < 0:
            name = signal.Signals(-status).name
            raise EngineError(f"Soufflé was killed by {name} on {what}; it may have run out of memory")
        faults = [line for line in said.splitlines() if "Error" in line]
        if status or faults:
            reason = (faults or said.splitlines() or ["no message"])[0]
            raise EngineError(f"Soufflé failed with exit status {status} on {what}: {reason}")

    def _translation(self, text: str, work: Path) -> list[str]:
        """The command that reads the program `text`, written to `work`."""
        program = work / "outputs.dl"
        program.write_text(text, encoding="utf-8")
        return [self.program, "--no-preprocessor", "-w", "-I", str(folder("rules")), str(program)]

    def _compiled(self, text: str) -> list[str]:
        """The compiled program `text`, which includes rules/ only, from the cache or made now."""
        files = [*sorted(folder("facts").glob("*.dl")), *sorted(folder("rules").rglob("*.dl"))]
        compiler = os.environ.get("CXX") or shutil.which("c++") or ""
        log = ["-p", "log.json"] if self.profile else []
        parts = [version(self.program), compiler, text, *log, *(file.read_text("utf-8") for file in files)]
        key = hashlib.sha256("\0".join(parts).encode()).hexdigest()
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ssarel"
        target = cache / f"rules-{key[:16]}"
        if not target.exists():
            cache.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=cache) as work:
                fresh = Path(work, "rules")
                command = [*self._translation(text, Path(work)), *log, "-o", str(fresh)]
                self._call(command, "the translation of the rules to C++", Path(work))
                if not fresh.exists():
                    raise EngineError("Soufflé made no program of the rules")
                fresh.replace(target)
        return [str(target)]


def _finished(command: Sequence[str], work: Path, timeout: float | None) -> tuple[int, str]:
    """Run `command` to its end. Returns its exit status and standard error.

    It gets a process group of its own, which is killed on Ctrl-C and on a timeout: a compiler runs below Soufflé.
    """
    process = subprocess.Popen(
        command,
        cwd=work,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        said = process.communicate(timeout=timeout)[1]
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    return process.returncode, said.decode(errors="replace").strip()


def version(program: str) -> str:
    """The version line of `program`. Raises: EngineUnavailable if it does not say one."""
    try:
        done = subprocess.run(
            [program, "--version"], stdin=subprocess.DEVNULL, capture_output=True, timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngineUnavailable(f"{program} cannot be started: {error}") from error
    found = re.search(r"Version: *(\S+)", done.stdout.decode(errors="replace"))
    if done.returncode or found is None:
        raise EngineUnavailable(f"{program} --version says no version")
    return found[1]


def write_facts(given: Tables, target: Path, inputs: Mapping[str, schema.Relation] = INPUTS) -> str:
    """Write the relations `inputs`, integers and words of ours, to `target`. Returns how much it is, for messages."""
    sizes: list[str] = []
    for name, relation in inputs.items():
        if name not in given:
            raise SchemaError(f"base relation {name} is missing")
        table = given[name].select(relation.arrow.names).cast(relation.arrow)
        pc.write_csv(table, target / f"{name}.facts", TABBED)
        sizes.append(f"{table.num_rows} {name}")
    return ", ".join(sizes) + " rows"


def read_output(path: Path, relation: schema.Relation) -> pa.Table:
    """The rows of one output file. Raises: EngineError if it is missing or holds something else than numbers."""
    if not path.exists():
        raise EngineError(f"Soufflé wrote no {path.name}")
    try:
        return fields.read_plain(path, relation.arrow)
    except pa.ArrowInvalid as error:
        raise EngineError(f"Soufflé wrote {path.name} in an unexpected form: {error}") from error


def read_log(path: Path) -> list[Step]:
    """What each relation that rules define took, helpers of one file too, in the order in which they were begun.

    path: what Soufflé's `-p` wrote. Its times are microseconds. The rows and the time of a relation are those of its
    rules that start it and of each iteration; the last iteration of a recursion finds nothing new.
    Raises: EngineError if the file is missing or has another form.
    """
    try:
        relations: dict[str, Any] = json.loads(path.read_text("utf-8"))["root"]["program"]["relation"]
        defined = {name: entry for name, entry in relations.items() if "loadtime" not in entry}
        begun = {name: min((start for start, _ in _spans(entry)), default=0) for name, entry in defined.items()}
        return [_step(name, defined[name]) for name in sorted(defined, key=lambda name: begun[name])]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise EngineError(f"Soufflé wrote a profile in an unexpected form: {error!r}") from error


def _step(name: str, entry: dict[str, Any]) -> Step:
    iterations = list(entry.get("iteration", {}).values())
    rows = sum(part["num-tuples"] for part in [entry, *iterations])
    return Step(name, rows, sum(end - start for start, end in _spans(entry)) / 1e6, len(iterations))


def _spans(entry: dict[str, Any]) -> list[tuple[int, int]]:
    """When Soufflé worked on one relation: its first rules, then each iteration, and copying what that found."""
    parts = [entry, *entry.get("iteration", {}).values()]
    return [(part[key]["start"], part[key]["end"]) for part in parts for key in ("runtime", "copytime") if key in part]
