"""An option that was added to a study later: only what was offered it counts."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.review import consensus
from medlens.review.agreement import compute_agreement_by_variable
from medlens.review.randomised_model_suggestions import classify_uptake_of_suggestion
from medlens.store import Store
from medlens.studies.own import figures as own_figures
from medlens.studies.own import study
from medlens.studies.own.study import open_study
from tests.store.conftest import Filled

pytestmark = pytest.mark.usefixtures("read_near")

TEXT = """\
id = "colours"
title = "Colours"
instructions = "Look."
raters_per_item = 2

[[column]]
name = "text"
means = "the text"

[[pane]]
title = "Text"
column = "text"

[[question]]
id = "colour"
kind = "single"
text = "Which?"
options = ["Red", "Blue"]

[[question]]
id = "marks"
kind = "multiple"
text = "Which are there?"
options = ["Dot", "Line"]
"""
LATER = TEXT.replace('"Blue"]', '"Blue", "Violet"]').replace('"Line"]', '"Line", "Ring"]')
NAMES = [f"c{number}" for number in range(12)]
ITEMS = "item,text\n" + "".join(f"{name},Text {name}.\n" for name in NAMES)


def add_colours(store: Store) -> None:
    """Twelve items, six judged by two people before the options were added, six after."""
    study.store_study_file_version_and_return_it(store, TEXT, name="STUDY.toml", by=None)
    work_behind_commands.import_file(
        store, Settings(), "own-items", ITEMS.encode(), name="items.csv", dataset="colours"
    )
    for name in NAMES[:6]:
        answer(store, name, colour="Red", marks="Dot")
    study.store_study_file_version_and_return_it(store, LATER, name="STUDY.toml", by=None)
    for name in NAMES[6:]:
        chosen = "Violet" if name == "c11" else "Blue"
        answer(store, name, version=2, colour=chosen, marks="Ring" if name != "c6" else "Line")


@pytest.fixture
def colours(filled: Filled) -> Store:
    return filled(add_colours)


def answer(
    store: Store, item: str, *, version: int = 1, people: str = "Rosa Sam", **cells: str
) -> None:
    """What people say of an item, with a version of the study's file."""
    table = pd.DataFrame(
        [{"item": item, "rater": who, "version": version, **cells} for who in people.split()]
    )
    source = table.to_csv(index=False).encode()
    work_behind_commands.import_file(
        store, Settings(), "own-judgments", source, name="judgments.csv", dataset="colours"
    )


def figures(store: Store) -> dict[tuple[str, str], dict[str, Any]]:
    table = work_behind_commands.make_export_table(
        store, Settings(), "figures", viewer=None, study="own", dataset="colours"
    )
    return {(row["figure"], row["group"]): row for row in table.to_dict("records")}


@pytest.mark.deep
@pytest.mark.parametrize(
    ("figure", "group", "counts", "unit"),
    [
        ("share_colour", "Violet", (2, 12, 24), "answers"),
        ("share_marks", "Ring", (10, 12, 24), "answers"),
        ("items_colour", "Violet", (1, 6, 12), "items"),
        ("items_marks", "Ring", (5, 6, 12), "items"),
    ],
)
def test_an_option_added_later_is_a_share_of_what_was_offered_it_and_says_so(
    colours: Store, figure: str, group: str, counts: tuple[int, int, int], unit: str
) -> None:
    chosen, offered, answered = counts
    row = figures(colours)[figure, group]
    assert (row["numerator"], row["denominator"]) == (chosen, offered)
    assert row["method"].endswith(f"; offered in {offered} of {answered} {unit}")


@pytest.mark.first_quick
@pytest.mark.parametrize("figure", ["share_colour", "items_colour"])
def test_options_that_were_always_there_are_a_share_of_everything(
    colours: Store, figure: str
) -> None:
    row = figures(colours)[figure, "Red"]
    assert row["denominator"] == (24 if figure == "share_colour" else 12)
    assert "offered" not in row["method"]


def test_agreement_on_an_option_added_later_is_about_those_who_were_offered_it(
    colours: Store,
) -> None:
    here = open_study(colours, Settings(), "colours")
    judged = consensus.current_judgments(colours, here.task, dataset="colours", viewer=None)
    agreed = compute_agreement_by_variable(here.task, judged)
    assert (agreed["marks: Dot"].alpha.n, agreed["marks: Ring"].alpha.n) == (12, 6)


def test_a_chart_says_that_an_option_was_not_offered_in_all_answers(colours: Store) -> None:
    data = own_figures.load_figure_data(
        colours, open_study(colours, Settings(), "colours"), None, {}
    )
    for rest, said in (("judgments", "12 answers"), ("items", "6 items")):
        [chart] = own_figures._answers_chart(data, "colour", {"rest": rest})
        assert f"“Violet” was not offered in all of them: its share is of {said}." in chart.n


def test_an_imported_judgment_that_gives_an_option_before_its_time_counts_for_it(
    colours: Store,
) -> None:
    answer(colours, "c0", people="Ada", colour="Violet")
    row = figures(colours)["share_colour", "Violet"]
    assert (row["numerator"], row["denominator"]) == (3, 13)


def test_an_option_back_after_it_was_gone_is_offered_from_then_on(store: Store) -> None:
    for text in (LATER, TEXT, LATER):
        study.store_study_file_version_and_return_it(store, text, name="STUDY.toml", by=None)
    asked = open_study(store, Settings(), "colours").declared.form.questions
    assert [one.added for one in asked] == [(("Violet", 3),), (("Ring", 3),)]


def test_a_suggestion_made_before_an_option_was_added_is_accepted_without_it(
    colours: Store,
) -> None:
    task = open_study(colours, Settings(), "colours").task
    before, after, other = (
        task.parse(json.dumps({"version": version, "answers": {"colour": "Red", "marks": marks}}))
        for version, marks in ((1, ["Dot"]), (2, ["Dot"]), (2, ["Dot", "Ring"]))
    )
    assert classify_uptake_of_suggestion(task, before, after) == "accepted"
    assert classify_uptake_of_suggestion(task, before, other) == "changed"


def test_a_judgment_could_have_only_the_options_of_its_version(colours: Store) -> None:
    task = study.open_study(colours, Settings(), "colours").task
    judged = consensus.current_judgments(colours, task, dataset="colours", viewer=None)
    could = [
        task.could_judgment_have_had_answer(value, "colour", "Violet") for value in judged["value"]
    ]
    assert could == [item in NAMES[6:] for item in judged["item"]]
    assert all(
        task.could_judgment_have_had_answer(value, "colour", "Red") for value in judged["value"]
    )
