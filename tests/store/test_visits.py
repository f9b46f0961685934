"""What others did since a lead was last at Home."""

from __future__ import annotations

from datetime import timedelta

from medlens.review import (
    assignment,
    changes_since_lead_visit,
    hand_out_settings,
    judging,
)
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id, utc_now
from tests.store.made_up import TASK, person, poems

PLAIN = HandOut(raters_per_item=2, items_per_rater=5, gold_share=0)
LATER = timedelta(hours=1)


def test_a_visit_goes_on_for_half_an_hour_and_the_one_before_it_is_told(store: Store) -> None:
    lead = person(store, "Lena", lead=True)
    assert changes_since_lead_visit.record_visit_and_return_previous(store, lead) is None
    assert changes_since_lead_visit.record_visit_and_return_previous(store, lead) is None
    first = utc_now()
    began = changes_since_lead_visit.record_visit_and_return_previous(
        store, lead, now=utc_now() + LATER
    )
    assert began is not None
    assert began < first
    # Reloaded, it is the same visit still.
    assert changes_since_lead_visit.record_visit_and_return_previous(store, lead) == began
    assert (
        changes_since_lead_visit.record_visit_and_return_previous(
            store, person(store, "Olga", lead=True)
        )
        is None
    )


def test_what_others_did_since_is_counted_and_not_ones_own(store: Store) -> None:
    poems(store, 4)
    lead, anna = person(store, "Lena", lead=True), person(store, "Anna")
    olga = person(store, "Olga", lead=True)
    given = {"dataset": "poems", "rater": anna.id}

    def judge() -> None:
        item = assignment.give_next_item_and_return_id(store, TASK, PLAIN, **given)
        assert item
        token = new_id()
        judging.submit_judgment(
            store, TASK, item=item, rater=anna.id, token=token, body={"score": 5}
        )

    judge()
    since = utc_now()
    assert (
        changes_since_lead_visit.change_counts_by_kind_since(store, since=since, viewer=lead) == {}
    )
    judge()
    flagged = assignment.give_next_item_and_return_id(store, TASK, PLAIN, **given)
    assert flagged
    about = {"item": flagged, "rater": anna.id, "kind": "flag", "reason": "No text."}
    assignment.record_opened_skipped_or_flagged(store, TASK, PLAIN, **about)
    hand_out_settings.change_task_settings(store, TASK.name, "poems", {"seed": 3}, by=lead)
    hand_out_settings.change_task_settings(store, TASK.name, "poems", {"seed": 4}, by=olga)
    assert changes_since_lead_visit.change_counts_by_kind_since(
        store, since=since, viewer=lead
    ) == {
        "judgment": 1,
        "flag": 1,
        "settings": 1,
    }
