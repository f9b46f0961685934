"""The paper's numbers beside ours and by themselves."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd
import streamlit as st

from medlens.ebmqa.models import STUDY
from medlens.stats.figures import FigureRow, figure_rows
from medlens.ui.ebmqa import nav
from medlens.ui.ebmqa.source import Source
from medlens.ui.figures import published


def draw_beside(rows: pd.DataFrame | Iterable[FigureRow], name: str) -> None:
    """The paper's numbers of these figures; ``name`` is that of the view.

    Where filters are on, it is said that ours are of part of the questions.
    """
    table = rows if isinstance(rows, pd.DataFrame) else figure_rows(rows, study=STUDY)
    note = ""
    if nav.filtered(st.query_params.to_dict()):
        note = "Filters are on: ours are of the questions that they leave, the paper's of all."
    published.draw_beside(STUDY, table, f"ebmqa.published.{name}", note=note)


def draw(_source: Source) -> None:
    """All of the paper's numbers."""
    published.draw_all(STUDY, key="ebmqa.published", paper="Avnat et al. 2024")
