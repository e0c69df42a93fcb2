"""The command line."""

from ssarel.cli import check, produce, results
from ssarel.cli.app import app, main

__all__ = ["app", "check", "main", "produce", "results"]
