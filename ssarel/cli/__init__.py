"""The command line."""

from ssarel.cli import produce, results
from ssarel.cli.app import app, main

__all__ = ["app", "main", "produce", "results"]
