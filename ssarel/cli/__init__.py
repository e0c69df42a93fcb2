"""The command line."""

from ssarel.cli import check, dictionary, explore, export, produce, results, runs
from ssarel.cli.app import app, main

__all__ = ["app", "check", "dictionary", "explore", "export", "main", "produce", "results", "runs"]
