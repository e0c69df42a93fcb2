"""The command line."""

from ssarel.cli import check, dictionary, explore, produce, results, runs
from ssarel.cli.app import app, main

__all__ = ["app", "check", "dictionary", "explore", "main", "produce", "results", "runs"]
