"""Error tagging's files in and out: the kinds there are."""

from medlens.studies.tagging.exports import EXPORTS
from medlens.studies.tagging.imports import IMPORTS

__all__ = ["EXPORTS", "IMPORTS"]
