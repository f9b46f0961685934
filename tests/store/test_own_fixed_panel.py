"""A study's file may say that its panel is fixed: figures then speak for these people alone."""

from __future__ import annotations

import io

import pandas as pd
import pytest

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.review import hand_out_settings
from medlens.review.chart_specifications import add_rater_dots
from medlens.store import Store
from medlens.studies.own import figures as own_figures
from medlens.studies.own import study
from medlens.tables import write_table

pytestmark = pytest.mark.usefixtures("read_near")

TEXT = """\
id = "panel"
title = "Panel"
instructions = "Read it."
raters_per_item = 6

[[column]]
name = "answer"
means = "the answer"

[[pane]]
title = "Answer"
column = "answer"

[[question]]
id = "safe"
kind = "yes_no"
text = "Safe?"
required = true

[[question]]
id = "score"
kind = "scale"
text = "How good?"
low = "bad"
high = "good"
"""
PEOPLE, ITEMS = 6, 8


def table_of(rows: list[dict[str, object]]) -> bytes:
    out = io.BytesIO()
    write_table(pd.DataFrame(rows), out, format="csv")
    return out.getvalue()


def figures(store: Store) -> pd.DataFrame:
    table = work_behind_commands.make_export_table(
        store, Settings(), "figures", viewer=None, study="own", dataset="panel"
    )
    return table[table["figure"].str.contains("safe|score")].set_index(["figure", "group"])


@pytest.fixture
def judged(store: Store) -> Store:
    """Eight items by six people, of whom the later ones find less of it safe, and score lower."""
    study.store_study_file_version_and_return_it(store, TEXT, name="STUDY.toml", by=None)
    names = [f"i{at}" for at in range(ITEMS)]
    judgments = [
        {
            "item": item,
            "rater": f"Rater {who}",
            "rater_kind": "person",
            "blind": True,
            "safe": "yes" if (at + 2 * who) % 12 < 7 else "no",
            "score": min(5, max(1, 5 - who + at % 2)),
        }
        for at, item in enumerate(names)
        for who in range(PEOPLE)
    ]
    rows = [{"item": item, "answer": f"Text of {item}."} for item in names]
    for kind, table in (("own-items", rows), ("own-judgments", judgments)):
        work_behind_commands.import_file(
            *(store, Settings(), kind, table_of(table)), name="x.csv", dataset="panel"
        )
    return store


def test_a_fixed_panel_is_all_that_figures_speak_for_and_their_intervals_are_narrower(
    judged: Store,
) -> None:
    others = figures(judged)
    study.store_study_file_version_and_return_it(
        judged, f"fixed_panel = true\n{TEXT}", name="STUDY.toml", by=None
    )
    fixed = figures(judged)
    same = others.index.intersection(fixed.index)
    changed = [key for key in same if others.loc[key, "speaks_for"] == "raters like these"]
    assert len(changed) >= 3
    for key in changed:
        assert fixed.loc[key, "speaks_for"] == "these 6 raters, a fixed panel", key
        assert fixed.loc[key, "value"] == others.loc[key, "value"]
        widths = [table.loc[key, "high"] - table.loc[key, "low"] for table in (fixed, others)]
        assert widths[0] < widths[1], key


def test_a_lead_changes_in_the_app_what_the_file_says_of_the_panel(judged: Store) -> None:
    study.store_study_file_version_and_return_it(
        judged, f"fixed_panel = true\n{TEXT}", name="STUDY.toml", by=None
    )
    task = study.open_study(judged, Settings(), "panel").task
    hand_out_settings.declare_raters_fixed(judged, [task], "panel", fixed=False, by=None)
    assert set(figures(judged)["speaks_for"]) == {"", "raters like these", "these 6 raters"}
    hand_out_settings.declare_raters_fixed(judged, [task], "panel", fixed=True, by=None)
    assert set(figures(judged)["speaks_for"]) == {"", "these 6 raters, a fixed panel"}


def test_beside_a_mean_is_each_persons_own_by_name(judged: Store) -> None:
    data = own_figures.load_figure_data(
        judged, study.open_study(judged, Settings(), "panel"), None, {}
    )
    figure = next(one for one in own_figures.FIGURES.figures if one.name == "means")
    [chart] = own_figures.FIGURES.make_charts_of_figure(figure, data, "means", {})
    shown = add_rater_dots(chart, own_figures.FIGURES.rater_names(data)).raters
    assert shown is not None
    assert shown["rater"].tolist() == [f"Rater {who}" for who in range(PEOPLE)]
    assert set(shown["n"]) == {ITEMS}
    # Of eight items half have one more: 4.5 without the limit at 5, and one less from each to next.
    assert shown["value"].tolist() == [5.0, 4.5, 3.5, 2.5, 1.5, 1.0]
