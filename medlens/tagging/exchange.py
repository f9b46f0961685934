"""Error tagging's files in and out: the kinds there are."""

from medlens.tagging.exports import EXPORTS, gold_hits, tagged
from medlens.tagging.imports import IMPORTS

__all__ = ["EXPORTS", "IMPORTS", "gold_hits", "tagged"]
