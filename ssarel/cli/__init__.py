"""The command line."""

from ssarel.cli import check, explore, produce, results, runs
from ssarel.cli.app import app, main

__all__ = ["app", "check", "explore", "main", "produce", "results", "runs"]
