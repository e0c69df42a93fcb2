"""Every exception ssarel raises on purpose."""

from __future__ import annotations

from collections.abc import Iterable


class SsarelError(Exception):
    """Base class: catch this to catch every error ssarel raises on purpose."""


class InputError(SsarelError):
    """An input cannot be used. The message starts with its place: `path:line:col: ...`."""


class SyntaxFault(InputError):
    """A text does not follow its notation."""


class Rejected(InputError):
    """React Compiler refuses the function; the message is its own: `Category: reason (description)`."""


class SchemaError(InputError):
    """A relation, a column or a row does not fit facts/schema.dl."""


class EngineError(SsarelError):
    """A rule engine failed while it ran; the message says what was being run."""


class EngineUnavailable(EngineError):
    """The rule engine asked for is not installed or too old."""


class DatabaseError(SsarelError):
    """A database cannot be opened, is locked, or was not written by ssarel."""


class QueryError(SsarelError):
    """A query failed; the message is the database's own, with near names."""


class UsageError(SsarelError):
    """The caller asked for something that does not exist: a command option, a builder, a query."""


def near(name: str, known: Iterable[str]) -> str:
    """For a message about an unknown `name`: the question whether one like it was meant; empty if none is."""
    import difflib  # only what has failed needs it

    found = difflib.get_close_matches(name, list(known), 3, 0.5)
    return f"did you mean {' or '.join(found)}?" if found else ""
