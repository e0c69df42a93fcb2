"""The command line's frame: options every command shares, exit codes, errors as one line on standard error."""

from __future__ import annotations

import io
import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer
import typer.core

from ssarel import __version__
from ssarel.errors import InputError, SsarelError

HELP = """SSA as a database: control flow, dominance, liveness, phis and def-use of whole code bases as tables.

Exit codes: 0 fine; 1 a finding (compare found a mismatch) or an input that could not be analysed; 2 usage or
environment (a path or query that does not exist, a locked database, a missing engine); 130 stopped by Ctrl-C.
"""

EPILOG = "First steps:  ssarel analyze src -o ssa.duckdb  |  ssarel query ssa.duckdb dead_def  |  ssarel ssa app.js"

ORDER = (
    "analyze",
    "ssa",
    "facts",
    "query",
    "schema",
    "explain",
    "report",
    "export",
    "check",
    "compare",
    "diff",
    "profile",
    "doctor",
)


class _Group(typer.core.TyperGroup):
    """Turns what a command raises into one line on standard error and an exit code."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Commands in the order in which a person needs them."""
        return sorted(super().list_commands(ctx), key=ORDER.index)

    def invoke(self, ctx: Any) -> Any:
        """Run the command named on the command line."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            _drop_output()  # its reader has gone
            raise typer.Exit(0) from None
        except OSError as error:
            _drop_output()  # it may be what could not be written
            _say(f"error: {error}", error)
            raise typer.Exit(2) from None
        except KeyboardInterrupt as stop:
            _say("stopped", stop)
            number = signal.SIGTERM if isinstance(stop, _Terminated) else signal.SIGINT
            raise typer.Exit(128 + number) from None
        except RuntimeError as error:
            if str(error) != "Query interrupted":  # what DuckDB makes of Ctrl-C
                raise
            _say("stopped", error)
            raise typer.Exit(130) from None
        except SsarelError as error:
            _say(f"error: {error}", error)
            raise typer.Exit(1 if isinstance(error, InputError) else 2) from None
        return result


def _drop_output() -> None:
    """Let go of what standard output still holds: Python flushes it once more on its way out."""
    with suppress(OSError):  # it may be no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(what: str, error: BaseException) -> None:
    """Print one line: what happened, and what was noted on the way."""
    print("; ".join([what, *getattr(error, "__notes__", ())]), file=sys.stderr)


app = typer.Typer(
    cls=_Group,
    help=HELP,
    epilog=EPILOG,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"ssarel {__version__}")
        raise typer.Exit


@app.callback()
def _root(  # pyright: ignore[reportUnusedFunction]
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Hold the options that stand before the command."""


class _Terminated(KeyboardInterrupt):
    """Someone asked the process to end; cleaned up after as Ctrl-C is."""


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise _Terminated


def main() -> None:
    """Run the command line; the entry point of the console script."""
    signal.signal(signal.SIGTERM, _stop)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    app()
