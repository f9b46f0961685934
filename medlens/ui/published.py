"""The papers' numbers: read once, shown beside our own and by themselves, with what is wrong."""

from __future__ import annotations

import html

import pandas as pd
import streamlit as st

from medlens.settings import PROJECT
from medlens.ui.charts import csv_button

_FOLDER = PROJECT / "data" / "published"
_COLUMNS = ["key", "figure", "group", "value", "unit", "printed_in", "known_inconsistency"]
_SAID = ("", "count", "typo", "p", "OR")
_HEAD = "<thead><tr><th>number</th><th>value</th><th>known inconsistency</th></tr></thead>"
_STYLE = """
<style>
  .paper { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
  .paper th { text-align: left; font-weight: 400; opacity: 0.7; }
  .paper th, .paper td { padding: 0.4rem 1rem 0.4rem 0; vertical-align: top; }
  .paper tr { border-bottom: 1px solid rgb(128 128 128 / 25%); }
  .paper td:last-child { max-width: 28rem; opacity: 0.85; }
  @media (max-width: 640px) {
    .paper thead { display: none; }
    .paper tr { display: grid; grid-template-columns: 1fr minmax(auto, 45%); }
    .paper td:nth-child(2) { padding-right: 0; text-align: right; }
    .paper td:last-child { grid-column: 1 / -1; padding-top: 0; }
    .paper td:last-child:empty { display: none; }
    .paper td:last-child::before { content: "Inconsistent: "; }
  }
</style>
"""


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
    """The numbers as a table, in words where the file has them; on a phone each is a block."""
    with st.container(key=key):
        st.html(_drawn(table))


def _drawn(table: pd.DataFrame) -> str:
    named = ["what"] if "what" in table.columns else ["figure", "group"]
    rows = [
        f"<tr><td>{html.escape(', '.join(filter(None, (one[name] for name in named))))}</td>"
        f"<td>{html.escape(_with_unit(one['value'], one['unit']))}</td>"
        f"<td>{html.escape(one['known_inconsistency'])}</td></tr>"
        for one in table.to_dict("records")
    ]
    return f"{_STYLE}<table class='paper'>{_HEAD}<tbody>{''.join(rows)}</tbody></table>"


def _with_unit(value: str, unit: str) -> str:
    """A number with its unit, where that is not said already."""
    return value if unit in _SAID or unit in value else f"{value} {unit}"
