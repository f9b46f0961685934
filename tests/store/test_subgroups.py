"""Groups of raters by their answers, and of items by what their files say of them."""

from __future__ import annotations

import io

import pandas as pd

from medlens.app import commands
from medlens.config.settings import Settings
from medlens.review import subgroups, surveys
from medlens.store import Store
from medlens.studies.registry import STUDIES
from medlens.tables import write_table
from tests.store.made_up import person

TAGGING = STUDIES["tagging"]


def items_of(store: Store, table: pd.DataFrame) -> subgroups.Groups:
    out = io.BytesIO()
    write_table(table.assign(question="Why?", response="So."), out, format="csv")
    settings = Settings()
    commands.import_file(store, settings, "items", out.getvalue(), name="i.csv", dataset="mine")
    opened = TAGGING.open(store, settings, "mine")
    return subgroups.of_items(TAGGING, store, opened, "response")


def test_items_fall_into_groups_by_any_column_of_their_file_with_few_values(store: Store) -> None:
    names = [f"r{n}" for n in range(14)]
    found = items_of(
        store,
        pd.DataFrame(
            {
                "item": names,
                "ward": ["North"] * 5 + ["South"] * 8 + [""],
                # One value is no group, 14 are too many, and long texts are no names.
                "hospital": "St Mary's",
                "case": names,
                "note": ["a" * 61] * 7 + ["b"] * 7,
            }
        ),
    )
    ids = dict(store.rows("select name, id from item"))
    assert set(found) == {("ward", "North"), ("ward", "South")}
    assert found["ward", "North"] == {ids[name] for name in names[:5]}


def test_raters_fall_into_groups_by_their_answers_and_may_be_in_several(store: Store) -> None:
    ann, bob, cid = (person(store, name).id for name in ("Ann", "Bob", "Cid"))
    for rater, works, years in (
        (ann, ["ward", "office"], 3),
        (bob, "ward", 3),
        (cid, None, 3),
    ):
        body = {"works": works, "years": years, "trained": rater == ann}
        surveys.save(store, form="background", rater=rater, answers=body)
    found = subgroups.of_raters(store, [ann, bob, cid])
    assert found == {
        ("works", "ward"): {ann, bob},
        ("works", "office"): {ann},
        ("trained", "yes"): {ann},
        ("trained", "no"): {bob, cid},
    }
    # Of two who said the same there is nothing to tell apart.
    assert subgroups.of_raters(store, [bob]) == {}
