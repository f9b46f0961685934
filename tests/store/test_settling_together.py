"""Items on which people nearly agree are settled in one press, each with a decision of its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from medlens.errors import Conflict, NotAllowed
from medlens.review import consensus, near_agreement_search_and_settling
from medlens.review.judging import make_imported_judgment_row
from medlens.review.near_agreement_search_and_settling import (
    NearAgreement,
    find_near_agreements,
    settle_near_agreements_and_return_outcome,
)
from medlens.review.raters import Rater
from medlens.store import Store, utc_now
from tests.store.made_up import TASK, Rating, person, poems, with_methods

SCALE = replace(TASK, scales={"score": tuple(range(1, 11))})


def judged(store: Store, *scores: tuple[int, ...], task=SCALE) -> list[str]:
    """Poems with these scores by as many people; returns their ids."""
    ids = poems(store, len(scores))
    for item, given in zip(ids, scores, strict=True):
        for number, score in enumerate(given):
            rater = person(store, f"Rater {number}")
            row = make_imported_judgment_row(
                task.name, item, rater.id, Rating(score=score, why="so")
            )
            store.append("judgment", row)
    return ids


def near(store: Store, lead: Rater, task=SCALE) -> list[NearAgreement]:
    return find_near_agreements(
        task, consensus.current_judgments(store, task, dataset="poems", viewer=lead)
    )


def decisions(store: Store, lead: Rater) -> dict[str, list[consensus.Word]]:
    return consensus.decision_lists_in_force_by_item_id(store, SCALE, dataset="poems", viewer=lead)


def test_what_was_settled_together_can_be_withdrawn_but_for_what_somebody_changed_since(
    store: Store,
) -> None:
    lena, lars = person(store, "Lena", lead=True), person(store, "Lars", lead=True)
    first, second = judged(store, (9, 9, 2), (9, 9, 2))
    wanted = near(store, lena)
    done = settle_near_agreements_and_return_outcome(
        store, SCALE, wanted=wanted, dataset="poems", by=lena
    )
    assert done.revisions == {first: 1, second: 1}
    body = {"score": 2, "why": "no"}
    consensus.record_adjudication(store, SCALE, item=second, body=body, reason="Read.", by=lars)
    taken_back = consensus.withdraw_adjudications_and_list_items(
        store, SCALE, decisions=done.revisions, by=lena
    )
    assert taken_back == [first]
    assert list(decisions(store, lena)) == [second]
    # Settled together again, the item has a decision that comes after the one withdrawn.
    again = settle_near_agreements_and_return_outcome(
        store, SCALE, wanted=wanted, dataset="poems", by=lena
    )
    assert (again.revisions, again.decided) == ({first: 3}, ["poem1"])


def test_a_withdrawn_decision_counts_nowhere_and_stays_in_the_history(store: Store) -> None:
    lena = person(store, "Lena", lead=True)
    [item] = judged(store, (9, 9, 2))
    body = {"score": 2, "why": "no"}
    consensus.record_adjudication(store, SCALE, item=item, body=body, reason="Read.", by=lena)

    def answers() -> list[tuple[object, bool]]:
        table = consensus.consensus_table(store, SCALE, dataset="poems", viewer=lena)
        of = table[table["variable"] == "score"]
        return list(zip(of["answer"], of["adjudicated"], strict=True))

    assert answers() == [(2, True)]
    withdraw = {"decisions": {item: 1}, "by": lena, "reason": "Too early."}
    assert consensus.withdraw_adjudications_and_list_items(store, SCALE, **withdraw) == [item]
    assert consensus.withdraw_adjudications_and_list_items(store, SCALE, **withdraw) == []
    assert answers() == [(9, False)]
    assert consensus.adjudicated_answers_by_item_name(store, SCALE, dataset="poems") == {}
    assert decisions(store, lena) == {}
    history = consensus.all_decisions_by_item(store, SCALE, dataset="poems", viewer=lena)
    assert [(one.reason, one.withdrawn) for one in history[item]] == [
        ("Read.", False),
        ("Too early.", True),
    ]
    table = consensus.all_adjudications_table(store, viewer=lena)
    assert list(zip(table["stands"], table["withdrawn"], strict=True)) == [
        (False, False),
        (False, True),
    ]
    with pytest.raises(Conflict):
        consensus.record_adjudication(
            store, SCALE, item=item, body=body, reason="Again.", by=lena, base=0
        )
    consensus.record_adjudication(
        store, SCALE, item=item, body=body, reason="Again.", by=lena, base=2
    )
    assert answers() == [(2, True)]
    with pytest.raises(NotAllowed):
        consensus.withdraw_adjudications_and_list_items(
            store, SCALE, decisions={item: 3}, by=person(store, "Rosa")
        )
    assert answers() == [(2, True)]


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("scores", "answer"),
    [
        ((9, 9, 2), 9),
        ((9, 9, 9, 2), 9),
        ((9, 9, 2, 2), None),
        # Of two who differ, nobody is the one apart, however near.
        ((8, 9), None),
        ((5, 6, 7), 6),
        ((5, 6, 7, 7, 6), 6),
        ((5, 5, 7, 7), None),
        # A median that nobody gave is no answer.
        ((5, 5, 6, 6), None),
        ((4, 6, 7, 6, 4), None),
        ((7, 7, 7), None),
    ],
)
def test_people_nearly_agree_if_all_but_one_or_all_but_a_point_do(
    store: Store, scores: tuple[int, ...], answer: int | None
) -> None:
    lena = person(store, "Lena", lead=True)
    judged(store, scores)
    assert [each.answer.score for each in near(store, lena)] == [answer] * (answer is not None)


def test_on_a_short_scale_or_none_a_point_is_too_much(store: Store) -> None:
    lena = person(store, "Lena", lead=True)
    judged(store, (1, 2, 3))
    assert near(store, lena)
    assert not near(store, lena, replace(SCALE, scales={"score": (1, 2, 3)}))
    assert not near(store, lena, TASK)


def test_an_answer_that_is_one_thing_is_nearly_agreed_on_as_a_whole(store: Store) -> None:
    lena = person(store, "Lena", lead=True)
    judged(store, (3, 9, 7), (9, 9, 7))
    # Each part has a majority of its own: 3 is not high, and 7 not even higher.
    parts = with_methods(
        TASK, values_compared_for_agreement=lambda v: {"high": v.score > 5, "higher": v.score > 8}
    )
    assert [each.name for each in near(store, lena, parts)] == ["poem1"]


def test_each_item_keeps_a_decision_of_its_own_marked_as_settled_together(store: Store) -> None:
    lena = person(store, "Lena", lead=True)
    first, second, divided = judged(store, (9, 9, 2), (5, 6, 7), (1, 5, 9))
    outcome = settle_near_agreements_and_return_outcome(
        store, SCALE, wanted=near(store, lena), dataset="poems", by=lena
    )
    assert sorted(outcome.settled) == ["poem0", "poem1"]
    made = decisions(store, lena)
    assert divided not in made
    assert [(word.value.score, word.reason, word.together) for word in made[first]] == [
        (9, "2 of 3 raters gave this answer.", True)
    ]
    assert [(word.value.score, word.together) for word in made[second]] == [(6, True)]
    # Settled again, it is a decision by itself; the other one stays as it was.
    consensus.record_adjudication(
        store, SCALE, item=first, body={"score": 2, "why": "no"}, reason="Read.", by=lena, base=1
    )
    table = consensus.all_adjudications_table(store, viewer=lena)
    rows = zip(table["item"], table["stands"], table["settled_together"], strict=True)
    assert [tuple(row) for row in rows] == [
        ("poem0", False, True),
        ("poem0", True, False),
        ("poem1", True, True),
    ]


def test_what_others_decided_opened_or_judged_meanwhile_is_left_alone_and_named(
    store: Store,
) -> None:
    lena, lars = person(store, "Lena", lead=True), person(store, "Lars", lead=True)
    decided, opened, changed, _ = judged(store, *[(9, 9, 2)] * 4)
    wanted = near(store, lena)
    consensus.record_adjudication(
        store, SCALE, item=decided, body={"score": 2, "why": "no"}, reason="Read.", by=lars
    )
    consensus.claim_item_or_name_holder(store, SCALE, item=opened, by=lars)
    late = person(store, "Late")
    row = make_imported_judgment_row(SCALE.name, changed, late.id, Rating(score=1, why="no"))
    store.append("judgment", row)
    outcome = settle_near_agreements_and_return_outcome(
        store, SCALE, wanted=wanted, dataset="poems", by=lena
    )
    assert outcome == near_agreement_search_and_settling.SettledTogether(
        settled=["poem3"],
        revisions={wanted[3].item: 1},
        decided=["poem0"],
        open=["poem1"],
        changed=["poem2"],
    )
    [word] = decisions(store, lena)[decided]
    assert (word.by, word.reason, word.together) == ("Lars", "Read.", False)


def test_a_decision_made_at_the_same_moment_stands_and_all_the_others_are_settled(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    lena, lars = person(store, "Lena", lead=True), person(store, "Lars", lead=True)
    first, *_ = judged(store, *[(9, 9, 2)] * 3)
    wanted, append = near(store, lena), store.append

    def append_second(table: str, *rows: object) -> int:
        monkeypatch.setattr(store, "append", append)
        consensus.record_adjudication(
            store, SCALE, item=first, body={"score": 2, "why": "no"}, reason="Read.", by=lars
        )
        return append(table, *rows)

    monkeypatch.setattr(store, "append", append_second)
    outcome = settle_near_agreements_and_return_outcome(
        store, SCALE, wanted=wanted, dataset="poems", by=lena
    )
    assert (outcome.settled, outcome.decided) == (["poem1", "poem2"], ["poem0"])
    assert {item: len(words) for item, words in decisions(store, lena).items()} == dict.fromkeys(
        [each.item for each in wanted], 1
    )


def test_if_others_come_first_each_time_nothing_is_settled_and_that_is_said(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    lena = person(store, "Lena", lead=True)
    judged(store, (9, 9, 2))
    wanted = near(store, lena)

    def conflict(*_: object) -> int:
        raise Conflict("Somebody was first.")

    monkeypatch.setattr(store, "append", conflict)
    with pytest.raises(Conflict, match="nothing is settled yet"):
        settle_near_agreements_and_return_outcome(
            store, SCALE, wanted=wanted, dataset="poems", by=lena
        )
    assert not decisions(store, lena)


def test_what_a_lead_is_about_to_judge_is_not_offered_nor_settled(store: Store) -> None:
    lena = person(store, "Lena", lead=True)
    given, free, judged_by_her = judged(store, *[(9, 9, 2)] * 3)
    for item in (given, judged_by_her):
        place = {"task": SCALE.name, "item": item, "rater": lena.id, "slot": 3, "generation": 1}
        store.append("assignment", {**place, "gold": False, "lease_until": utc_now()})
    row = make_imported_judgment_row(SCALE.name, judged_by_her, lena.id, Rating(score=9))
    store.append("judgment", row)
    found = near(store, lena)
    offered = near_agreement_search_and_settling.filter_near_agreements_viewer_can_settle(
        store, SCALE, found, decided=(), viewer=lena
    )
    assert {each.item for each in offered} == {free, judged_by_her}
    outcome = settle_near_agreements_and_return_outcome(
        store, SCALE, wanted=found, dataset="poems", by=lena
    )
    assert outcome.changed == ["poem0"]
    assert {item: words[0].judged for item, words in decisions(store, lena).items()} == {
        free: False,
        judged_by_her: True,
    }


def test_an_answer_against_the_rules_is_not_offered(store: Store) -> None:
    lena = person(store, "Lena", lead=True)
    judged(store, (1, 1, 9), (9, 9, 1))
    bare = with_methods(
        SCALE, problems_of_answer=lambda value, body: ["No."] if value.score == 1 else []
    )
    offered = near_agreement_search_and_settling.filter_near_agreements_viewer_can_settle(
        store, bare, near(store, lena), decided=(), viewer=lena
    )
    assert [each.name for each in offered] == ["poem1"]
    outcome = settle_near_agreements_and_return_outcome(
        store, bare, wanted=near(store, lena), dataset="poems", by=lena
    )
    assert (outcome.settled, outcome.changed) == (["poem1"], ["poem0"])


def test_only_leads_settle_together(store: Store) -> None:
    lena = person(store, "Lena", lead=True)
    judged(store, (9, 9, 2))
    wanted = near(store, lena)
    with pytest.raises(NotAllowed):
        settle_near_agreements_and_return_outcome(
            store, SCALE, wanted=wanted, dataset="poems", by=person(store, "Rosa")
        )


@pytest.mark.parametrize(
    ("scores", "bare"),
    [
        ((9, 9, 2), True),
        # The one apart is within a point, as near as on the rest of the scale.
        ((9, 9, 8), False),
        ((8, 9, 10), False),
        # Of four, three stand together.
        ((9, 9, 9, 2), False),
    ],
)
def test_two_against_one_who_is_far_away_is_a_bare_majority(
    store: Store, scores: tuple[int, ...], bare: bool
) -> None:
    lead = person(store, "Lena", lead=True)
    judged(store, scores)
    [found] = near(store, lead)
    assert found.is_bare_majority is bare


def test_without_a_scale_two_against_one_is_always_a_bare_majority(store: Store) -> None:
    lead = person(store, "Lena", lead=True)
    judged(store, (9, 9, 8), task=replace(TASK, scales={}))
    [found] = near(store, lead, task=replace(TASK, scales={}))
    assert found.is_bare_majority
