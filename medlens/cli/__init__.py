"""``python -m medlens``: words to commands, nothing else."""

from medlens.cli.verbs import main

__all__ = ["main"]
