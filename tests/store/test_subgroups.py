"""Groups of raters by their answers, and of items by what their files say of them."""

from __future__ import annotations

import io

import pandas as pd

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.review import rater_and_item_subgroups, survey_answers_and_completion_code
from medlens.store import Store
from medlens.studies.registry import STUDIES
from medlens.tables import write_table
from tests.store.made_up import person

TAGGING = STUDIES["tagging"]


def items_of(store: Store, table: pd.DataFrame) -> rater_and_item_subgroups.Groups:
    out = io.BytesIO()
    write_table(table.assign(question="Why?", response="So."), out, format="csv")
    settings = Settings()
    work_behind_commands.import_file(
        store, settings, "items", out.getvalue(), name="i.csv", dataset="mine"
    )
    opened = TAGGING.open(store, settings, "mine")
    return rater_and_item_subgroups.group_items_by_file_columns(TAGGING, store, opened, "response")


def test_items_fall_into_groups_by_any_column_of_their_file_that_is_no_text(store: Store) -> None:
    names = [f"r{n}" for n in range(14)]
    found = items_of(
        store,
        pd.DataFrame(
            {
                "item": names,
                "ward": ["North"] * 5 + ["South"] * 8 + [""],
                # Ages from 20 to 59 by 3, in bands of 10; 14 days in three months.
                "age": range(20, 60, 3),
                "seen": [f"2024-{1 + n // 5:02}-{1 + n:02}" for n in range(14)],
                # One value is no group, 14 names are too many, and long texts are no names.
                "hospital": "St Mary's",
                "case": names,
                "note": ["a" * 61] * 7 + ["b"] * 7,
            }
        ),
    )
    ids = dict(store.rows("select name, id from item"))
    assert [group for group in found if group[0] == "ward"] == [
        ("ward", "North"),
        ("ward", "South"),
    ]
    assert found["ward", "North"] == {ids[name] for name in names[:5]}
    assert [value for column, value in found if column == "age"] == [
        *("under 30", "30 to 39", "40 to 49", "50 or more")
    ]
    # 20, 23, 26 and 29.
    assert found["age", "under 30"] == {ids[name] for name in names[:4]}
    assert found["seen", "2024-01"] == {ids[name] for name in names[:5]}
    assert {column for column, _ in found} == {"ward", "age", "seen"}


def test_of_several_columns_all_must_fit_and_of_one_any_of_its_values() -> None:
    groups = {
        ("ward", "North"): frozenset("ab"),
        ("ward", "South"): frozenset("cd"),
        ("age", "under 30"): frozenset("bce"),
    }
    assert rater_and_item_subgroups.ids_in_all_chosen_groups(groups, [*groups]) == {"b", "c"}
    assert rater_and_item_subgroups.ids_in_all_chosen_groups(
        groups, [("ward", "North"), ("age", "under 30")]
    ) == {"b"}
    assert (
        rater_and_item_subgroups.format_group_label(("age_group", "under 30"))
        == "Age group: under 30"
    )


def test_raters_fall_into_groups_by_their_answers_and_may_be_in_several(store: Store) -> None:
    ann, bob, cid = (person(store, name).id for name in ("Ann", "Bob", "Cid"))
    for rater, works, years in (
        (ann, ["ward", "office"], 3),
        (bob, "ward", 3),
        (cid, None, 3),
    ):
        body = {"works": works, "years": years, "trained": rater == ann}
        survey_answers_and_completion_code.save_survey_answers(
            store, form="background", rater=rater, answers=body
        )
    found = rater_and_item_subgroups.group_raters_by_survey_answers(store, [ann, bob, cid])
    assert found == {
        ("works", "ward"): {ann, bob},
        ("works", "office"): {ann},
        ("trained", "yes"): {ann},
        ("trained", "no"): {bob, cid},
    }
    # Of two who said the same there is nothing to tell apart.
    assert rater_and_item_subgroups.group_raters_by_survey_answers(store, [bob]) == {}
