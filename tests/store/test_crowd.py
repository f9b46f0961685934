"""Ids of crowd platforms: noted beside raters, one each, and worth nothing to sign in with."""

from __future__ import annotations

import pytest

from medlens.errors import InvalidInput, NotAllowed
from medlens.review import crowd, hand_out, invitations
from medlens.review.raters import Rater
from medlens.store import Store
from tests.store.made_up import TASK, person, poems

ROUND = (TASK.name, "poems")


@pytest.fixture
def lead(store: Store) -> Rater:
    return person(store, "Lena", lead=True)


@pytest.fixture
def token(store: Store, lead: Rater) -> str:
    poems(store, 2)
    crowd.set_platform(store, *ROUND, parameter="PROLIFIC_PID", code="C1", by=lead)
    return invitations.make(store, by=lead, task=TASK.name, dataset="poems", uses=9)


def come(store: Store, token: str, who: Rater, **said: str) -> None:
    invitations.accept(store, token, who, leads=lambda rater: True, said=said)


def test_who_comes_with_an_id_has_it_noted_with_the_platforms_study_and_session(
    store: Store, lead: Rater, token: str
) -> None:
    rosa = person(store, "Rosa")
    for _ in range(2):
        come(store, token, rosa, PROLIFIC_PID="5f1", STUDY_ID="s1", SESSION_ID="<x>", more="m")
    assert crowd.worker_of(store, *ROUND, rosa.id) == "5f1"
    [row] = crowd.table(store, viewer=lead).to_dict("records")
    assert (row["rater"], row["worker"]) == ("Rosa", "5f1")
    assert (row["STUDY_ID"], row["SESSION_ID"]) == ("s1", "")
    with pytest.raises(NotAllowed):
        crowd.table(store, viewer=rosa)


def test_an_id_belongs_to_one_rater_and_a_rater_has_one(
    store: Store, lead: Rater, token: str
) -> None:
    rosa, ben = person(store, "Rosa"), person(store, "Ben")
    come(store, token, rosa, PROLIFIC_PID="5f1")
    with pytest.raises(InvalidInput, match="Somebody else has come to this round as 5f1"):
        come(store, token, ben, PROLIFIC_PID="5f1")
    assert not invitations.admits(store, ben.id)
    with pytest.raises(InvalidInput, match="as 5f1 before, and now as 6a2"):
        come(store, token, rosa, PROLIFIC_PID="6a2")
    # An id that is a rater's own id or name makes nobody that rater.
    come(store, token, ben, PROLIFIC_PID=rosa.id)
    assert crowd.worker_of(store, *ROUND, ben.id) == rosa.id
    assert crowd.worker_of(store, *ROUND, rosa.id) == "5f1"


def test_an_id_with_other_characters_is_refused_and_nothing_is_accepted(
    store: Store, token: str
) -> None:
    rosa = person(store, "Rosa")
    text = ["", "{{%PROLIFIC_PID%}}", "<script>", "a b", "a\n", "=1+1", "é", "x" * 65, "../.."]
    for wrong in (*text, "a'--"):
        with pytest.raises(InvalidInput, match="Your id from the platform is missing"):
            come(store, token, rosa, PROLIFIC_PID=wrong)
    assert not invitations.admits(store, rosa.id)
    assert store.rows("select 1 from crowd_worker") == []


def test_a_platform_is_set_and_taken_away_beside_the_other_settings(
    store: Store, lead: Rater, token: str
) -> None:
    hand_out.set_setting(store, *ROUND, {"deadline": "2030-01-31"}, by=lead)
    assert crowd.platform_of(store, *ROUND) == crowd.Platform("PROLIFIC_PID", "", "C1")
    crowd.set_platform(store, *ROUND, parameter=" ", by=lead)
    assert crowd.platform_of(store, *ROUND) is None
    assert hand_out.setting(store, *ROUND)["deadline"] == "2030-01-31"
    rosa = person(store, "Rosa")
    come(store, token, rosa, PROLIFIC_PID="5f1")
    assert crowd.worker_of(store, *ROUND, rosa.id) == ""


def test_a_platform_that_cannot_be_is_refused_in_words(store: Store, lead: Rater) -> None:
    for wrong in (
        {"parameter": "invite"},
        {"parameter": "STUDY_ID"},
        {"parameter": "a&b"},
        {"parameter": "", "code": "C1"},
        {"address": "javascript:alert(1)"},
        {"address": "http://app.prolific.com"},
        {"address": "https://"},
        {"address": "https://a b"},
        {"address": "https://user@evil.example"},
        {"address": "https://a/" + "x" * 500},
        {"code": "a b"},
    ):
        given = {"parameter": "workerId", "by": lead, **wrong}
        with pytest.raises(InvalidInput):
            crowd.set_platform(store, *ROUND, **given)  # type: ignore[arg-type]
    with pytest.raises(NotAllowed):
        crowd.set_platform(store, *ROUND, parameter="workerId", by=person(store, "Rosa"))
    assert crowd.platform_of(store, *ROUND) is None
