"""MedLens: clinicians check what language models say about medicine."""

__version__ = "0.2.0"
