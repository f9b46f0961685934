"""Every kind of file that EBMQA reads and writes: questions, answers, figures."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from medlens.studies.ebmqa import question_files
from medlens.studies.ebmqa.answers import files as answer_files
from medlens.studies.ebmqa.figures import export_figures
from medlens.tables import Kind

IMPORTS: dict[str, Kind] = {
    **question_files.IMPORTS,
    **answer_files.IMPORTS,
}
"""Kinds of files that can be imported."""

EXPORTS: dict[str, tuple[str, Callable[..., pd.DataFrame]]] = {
    **question_files.EXPORTS,
    **answer_files.EXPORTS,
    "figures": ("Figures with their intervals, as on the page", export_figures),
}
"""Tables that can be exported: what they are, and who makes them."""
