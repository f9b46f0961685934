"""Error tagging's files in and out: the kinds there are."""

from medlens.tagging.exports import EXPORTS
from medlens.tagging.imports import IMPORTS

__all__ = ["EXPORTS", "IMPORTS"]
