"""The papers' numbers: read once, shown beside our own and by themselves, with what is wrong."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from medlens.settings import PROJECT
from medlens.ui.charts import csv_button

_FOLDER = PROJECT / "data" / "published"
_COLUMNS = ["key", "figure", "group", "value", "unit", "printed_in", "known_inconsistency"]
_SHOWN = ["value", "unit", "known_inconsistency"]


def published(study: str) -> pd.DataFrame:
    """A study's numbers as printed, where they stand, and what is known to be wrong with them.

    Columns: key, figure, group, value, unit, printed_in, known_inconsistency, and where the file
    has it ``what``: the number in words. Empty where there is no file.
    """
    file = _FOLDER / f"{study}.csv"
    return _read(study, file.stat().st_mtime_ns if file.exists() else 0)


@st.cache_resource(max_entries=8, show_spinner=False)
def _read(study: str, changed: int) -> pd.DataFrame:
    if not changed:
        return pd.DataFrame(columns=_COLUMNS)
    table = pd.read_csv(_FOLDER / f"{study}.csv", dtype=str, keep_default_na=False)
    return table.drop(columns=["study"])


def draw_beside(table: pd.DataFrame, key: str) -> None:
    """Some of a paper's numbers, folded up below a chart; nothing where there are none."""
    if table.empty:
        return
    opened = st.expander(f"Published · {len(table)}", key=key, on_change="rerun")
    if opened.open:
        with opened:
            draw_table(table, f"{key}.rows")


def draw_all(table: pd.DataFrame, *, key: str, paper: str, csv: str) -> None:
    """All of a paper's numbers; ``paper`` is how it is cited, ``csv`` the name of the file."""
    st.markdown("##### The paper's numbers")
    st.caption(f"{paper}, with the inconsistencies that are known.")
    if st.toggle("Only those with a known inconsistency", key=f"{key}.inconsistent"):
        table = table[table["known_inconsistency"] != ""]
    draw_table(table, f"{key}.all")
    csv_button(table, csv)


def draw_table(table: pd.DataFrame, key: str) -> None:
    """The numbers as a table, in words where the file has them."""
    named = ["what"] if "what" in table.columns else ["figure", "group"]
    shown = table[[*named, *_SHOWN]]
    st.dataframe(
        shown.rename(columns={"what": "number", "known_inconsistency": "known inconsistency"}),
        key=key, hide_index=True, alt="Published figures",
        column_config={
            "number": st.column_config.TextColumn(width="large"),
            "known inconsistency": st.column_config.TextColumn(width="large"),
        },
    )  # fmt: skip
