"""A newcomer to a demo begins with a short item; other studies' orders are what they were."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from medlens.config.settings import Settings
from medlens.review import assignment, raters
from medlens.review.tasks import HandOut
from medlens.store import Store
from medlens.studies.registry import STUDIES
from tests.store.made_up import TASK, person, poems

MOST_WORDS = {"error_spans": 175, "dialogue_realism": 240}
"""Of question and response, and of case and dialogue: a minute's reading."""


def words(found: object) -> int:
    if isinstance(found, dict):
        return sum(map(words, found.values()))
    if isinstance(found, list):
        return sum(map(words, found))
    return len(str(found or "").split())


def words_to_read(store: Store, item: str) -> int:
    """What stands on the desk of an item of Tag errors or Rate dialogues."""
    body = json.loads(store.value("select body from item_now where id = $item", item=item))
    if "response" in body:
        options = [one["text"] for one in body["options"]]
        return words([body["question"], options, body["response"]])
    case = json.loads(
        store.value("select body from item_now where name = $name", name=body["case"])
    )
    return words([case["content"], [turn["text"] for turn in body["turns"]]])


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "study, name", [("tagging", "error_spans"), ("agentclinic", "dialogue_realism")]
)
def test_the_first_item_of_a_demo_is_read_in_about_a_minute_by_everybody(
    store: Store, study: str, name: str
) -> None:
    STUDIES[study].demo(store)
    (task,) = (
        one
        for one in STUDIES[study].tasks(STUDIES[study].open(store, Settings(), "demo"))
        if one.name == name
    )
    settings = HandOut(raters_per_item=3, items_per_rater=20)
    lengths = []
    for number in range(8):
        rater = raters.find_or_add_rater_by_name(store, f"Newcomer {number}").id
        first, *others = (
            assignment.give_next_item_and_return_id(
                store, task, settings, dataset="demo", rater=rater
            )
            for _ in range(3)
        )
        assert first is not None
        assert words_to_read(store, first) <= MOST_WORDS[name]
        lengths += [words_to_read(store, other) for other in others if other]
    # Only the first one is chosen by its length.
    assert max(lengths) > MOST_WORDS[name]


def test_the_length_of_a_text_changes_no_order_outside_of_demos(store: Store) -> None:
    poems(store, 12)
    long_first = replace(TASK, length_at="$.text")
    settings = HandOut(raters_per_item=3, items_per_rater=5, gold_share=0)
    pool = assignment._pool(store, long_first, "poems")
    assert pool.short is None
    anna = person(store, "Anna").id
    given = assignment.give_next_item_and_return_id(
        store, long_first, settings, dataset="poems", rater=anna
    )
    own = assignment.array_of_item_sort_keys_for_rater(pool, seed=settings.seed, rater=anna)
    assert given == pool.ids[int(own.argmin())]
