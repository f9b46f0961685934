"""``python -m medlens``: turns words into commands, nothing else."""

from medlens.cli.verbs import main

__all__ = ["main"]
