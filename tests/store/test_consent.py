"""What people agree to before they judge: versions, who agreed when, and nothing before that."""

from __future__ import annotations

import pytest

from medlens.errors import Conflict, NotAllowed
from medlens.review import assignment, consent, hand_out_settings
from medlens.review.tasks import HandOut
from medlens.store import Store
from tests.store.made_up import TASK, person, poems

PLAIN = HandOut(raters_per_item=2, items_per_rater=5, gold_share=0)
ROUND = (TASK.name, "poems")


def take(store: Store, rater: str) -> str | None:
    return assignment.give_next_item_and_return_id(store, TASK, PLAIN, dataset="poems", rater=rater)


def test_nobody_is_handed_an_item_before_they_agree_to_the_text_that_stands(store: Store) -> None:
    poems(store, 4)
    lead, anna = person(store, "Lena", lead=True), person(store, "Anna")
    assert consent.consent_text_still_needed(store, *ROUND, rater=anna.id) is None
    assert take(store, anna.id)
    consent.write_consent_text(store, *ROUND, "We keep your name.", by=lead)
    assert take(store, anna.id) is None
    # What could be given is still told, so that Home leads there.
    assert assignment.load_rater_queue(store, TASK, PLAIN, dataset="poems", rater=anna.id).more == 3
    consent.record_consent_to_version(store, *ROUND, rater=anna, version=1)
    consent.record_consent_to_version(store, *ROUND, rater=anna, version=1)
    assert take(store, anna.id)
    consent.write_consent_text(store, *ROUND, "We keep your name and age.", by=lead)
    assert take(store, anna.id) is None
    with pytest.raises(Conflict, match="changed a moment ago"):
        consent.record_consent_to_version(store, *ROUND, rater=anna, version=1)
    consent.record_consent_to_version(store, *ROUND, rater=anna, version=2)
    found = consent.consents_table(store, *ROUND, viewer=lead)
    assert found[["rater", "version", "text"]].to_numpy().tolist() == [
        ["Anna", 1, "We keep your name."],
        ["Anna", 2, "We keep your name and age."],
    ]
    consent.write_consent_text(store, *ROUND, "", by=lead)
    assert consent.consent_text_still_needed(store, *ROUND, rater=lead.id) is None


def test_agreeing_in_one_round_is_for_nobody_else_and_no_other_round(store: Store) -> None:
    poems(store, 2)
    lead, anna, ben = person(store, "Lena", lead=True), person(store, "Anna"), person(store, "Ben")
    for dataset in ("poems", "odes"):
        consent.write_consent_text(store, TASK.name, dataset, "We keep your name.", by=lead)
    consent.record_consent_to_version(store, *ROUND, rater=anna, version=1)
    assert consent.consent_text_still_needed(store, *ROUND, rater=anna.id) is None
    assert consent.consent_text_still_needed(store, *ROUND, rater=ben.id) is not None
    assert consent.consent_text_still_needed(store, TASK.name, "odes", rater=anna.id) is not None


def test_other_settings_and_the_same_words_make_no_new_version(store: Store) -> None:
    poems(store, 1)
    lead = person(store, "Lena", lead=True)
    consent.write_consent_text(store, *ROUND, "We keep your name.", by=lead)
    hand_out_settings.change_task_settings(store, *ROUND, {"seed": 4}, by=lead)
    consent.write_consent_text(store, *ROUND, " We keep your name. ", by=lead)
    assert [(one.version, one.by) for one in consent.list_consent_text_versions(store, *ROUND)] == [
        (1, "Lena")
    ]
    assert hand_out_settings.hand_out_settings_in_force(store, *ROUND, PLAIN).seed == 4


def test_only_leads_write_it_and_the_later_of_two_is_told(store: Store) -> None:
    poems(store, 1)
    lead, anna = person(store, "Lena", lead=True), person(store, "Anna")
    with pytest.raises(NotAllowed):
        consent.write_consent_text(store, *ROUND, "Mine.", by=anna)
    with pytest.raises(NotAllowed):
        consent.consents_table(store, *ROUND, viewer=anna)
    consent.write_consent_text(store, *ROUND, "Lena's.", by=lead, base=0)
    with pytest.raises(Conflict, match="Lena wrote version 1 in the meantime"):
        consent.write_consent_text(
            store, *ROUND, "Olga's.", by=person(store, "Olga", lead=True), base=0
        )
