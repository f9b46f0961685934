"""The kinds of files that error tagging imports and exports."""

from medlens.studies.tagging.exports import EXPORTS
from medlens.studies.tagging.imports import IMPORTS

__all__ = ["EXPORTS", "IMPORTS"]
