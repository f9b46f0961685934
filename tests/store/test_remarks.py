"""Raters ask and flag, leads answer and return, and what is returned is judged anew."""

from __future__ import annotations

import pytest

from medlens.errors import InvalidInput, NotAllowed
from medlens.review import assignment, audit, consensus, judging, remarks
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id
from tests.store.made_up import TASK, person, poems

HANDED = HandOut(raters_per_item=2, items_per_rater=9, gold_share=0)


@pytest.fixture
def lead(store: Store) -> Rater:
    return person(store, "Lena", lead=True)


@pytest.fixture
def rosa(store: Store, lead: Rater) -> Rater:
    return person(store, "Rosa")


@pytest.fixture
def item(store: Store, rosa: Rater) -> str:
    poems(store, 1)
    given = assignment.next_item(store, TASK, HANDED, dataset="poems", rater=rosa.id)
    assert given
    return given


def judge(store: Store, rater: Rater, item: str, score: int) -> None:
    judging.submit(
        store, TASK, item=item, rater=rater.id, token=new_id(), body={"score": score}, base=None
    )


def scores(store: Store, lead: Rater) -> list[int]:
    found = consensus.judgments(store, TASK, dataset="poems", viewer=lead)
    return [one.score for one in found["value"]]


@pytest.mark.parametrize("counts", [True, False])
def test_what_is_returned_counts_as_the_lead_says_until_the_rater_judges_it_anew(
    store: Store, lead: Rater, rosa: Rater, item: str, counts: bool
) -> None:
    of = {"item": item, "rater": rosa.id, "by": lead}
    with pytest.raises(InvalidInput, match="nothing to return"):
        remarks.say(store, TASK, **of, kind="return", text="Read line two.")
    judge(store, rosa, item, 3)
    before = consensus.version(store)
    remarks.say(store, TASK, **of, kind="return", text="Read line two.", counts=counts)
    assert consensus.version(store) > before
    assert scores(store, lead) == ([3] if counts else [])
    [told] = remarks.waiting(store, rater=rosa.id)
    assert (told.kind, told.name, told.text, told.by) == (
        "return",
        "poem0",
        "Read line two.",
        "Lena",
    )
    judge(store, rosa, item, 8)
    assert scores(store, lead) == [8]
    assert remarks.waiting(store, rater=rosa.id) == []
    history = judging.history(store, TASK, item=item, viewer=lead)
    assert [one["value"].score for one in history] == [3, 8]
    [entry] = audit.entries(store, viewer=lead, kinds=["return"])["detail"]
    assert entry == "poem0 of made_up_rating" + (", not counted until then" * (not counts)) + (
        ": Read line two."
    )


def test_a_rater_asks_a_lead_answers_and_the_rater_has_seen_it(
    store: Store, lead: Rater, rosa: Rater, item: str
) -> None:
    mine = {"item": item, "rater": rosa.id, "by": rosa}
    remarks.say(store, TASK, **mine, kind="unclear", text="Does rhyme count?")
    assignment.note(store, TASK, HANDED, item=item, rater=rosa.id, kind="flag", reason="Cut off.")

    def inbox() -> list[tuple[str, str, str]]:
        found = remarks.inbox(store, TASK, dataset="poems", viewer=lead)
        return list(zip(found["what"], found["says"], found["answer"], strict=True))

    assert inbox() == [("flag", "Cut off.", ""), ("unclear", "Does rhyme count?", "")]
    remarks.say(store, TASK, item=item, rater=rosa.id, kind="answer", text=" It does. ", by=lead)
    assert [answer for *_, answer in inbox()] == ["It does.", "It does."]
    [told] = remarks.waiting(store, rater=rosa.id)
    assert (told.kind, told.text, told.dataset) == ("answer", "It does.", "poems")
    remarks.say(store, TASK, **mine, kind="seen")
    assert remarks.waiting(store, rater=rosa.id) == []
    remarks.say(store, TASK, **mine, kind="unclear", text="And metre?")
    assert inbox()[0] == ("unclear", "And metre?", "")
    said = remarks.thread(store, TASK, item=item, rater=rosa.id, viewer=rosa)
    assert [one.text for one in said] == ["Does rhyme count?", "It does.", "And metre?"]
    assert remarks.table(store, viewer=lead)["text"].tolist() == [one.text for one in said]


def test_nobody_speaks_for_a_lead_or_for_another_rater(
    store: Store, lead: Rater, rosa: Rater, item: str
) -> None:
    tom = person(store, "Tom")
    for kind, rater, by in (
        ("answer", rosa, rosa),
        ("return", rosa, tom),
        ("unclear", rosa, tom),
        ("unclear", tom, tom),
        ("seen", rosa, lead),
    ):
        with pytest.raises(NotAllowed):
            remarks.say(store, TASK, item=item, rater=rater.id, kind=kind, text="x", by=by)
    with pytest.raises(InvalidInput, match="Nothing is said"):
        remarks.say(store, TASK, item=item, rater=rosa.id, kind="answer", text=" ", by=lead)
    with pytest.raises(NotAllowed):
        remarks.thread(store, TASK, item=item, rater=rosa.id, viewer=tom)
    with pytest.raises(NotAllowed):
        remarks.inbox(store, TASK, dataset="poems", viewer=rosa)
    assert store.rows("select count(*) from remark") == [(0,)]
