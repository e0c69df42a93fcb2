"""Where facts/, rules/ and queries/ lie: beside the package in a checkout, inside it when installed from a wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder `name`: facts, rules or queries.

    Raises: FileNotFoundError if the installation is not whole.
    """
    for base in (_PACKAGE / "_data", _PACKAGE.parent):
        if (base / name).is_dir():
            return base / name
    raise FileNotFoundError(f"ssarel's {name}/ is missing from the installation at {_PACKAGE}")
