"""Drafts, revisions, blindness."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pandas as pd
import pytest

from medlens.config.question_forms_and_answer_checks import UNANSWERED
from medlens.errors import Conflict, InvalidInput, NotAllowed
from medlens.review import (
    assignment,
    consensus,
    judging,
    raters,
    survey_answers_and_completion_code,
)
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id
from tests.store.made_up import TASK, Rating, person, poems, with_methods

SETTINGS = HandOut(raters_per_item=5, gold_share=0)


@pytest.fixture
def item(store: Store) -> str:
    return poems(store, 1)[0]


@pytest.fixture
def anna(store: Store, item: str) -> Rater:
    return given(store, "Anna")


def given(store: Store, name: str, *, lead: bool = False) -> Rater:
    rater = person(store, name, lead=lead)
    assignment.give_next_item_and_return_id(store, TASK, SETTINGS, dataset="poems", rater=rater.id)
    return rater


def save(store: Store, item: str, rater: Rater, score: int, *, base: int, token: str = "") -> int:
    return judging.save_draft(
        store,
        TASK,
        item=item,
        rater=rater.id,
        base=base,
        token=token or new_id(),
        body={"score": score},
        active_seconds=3.5,
    ).revision


def submit(store: Store, item: str, rater: Rater, score: int, token: str = "") -> int:
    return judging.submit_judgment(
        store, TASK, item=item, rater=rater.id, token=token or new_id(), body={"score": score}
    ).revision


def test_a_draft_is_there_again_after_the_store_was_closed(
    store: Store, item: str, anna: Rater, reopened: Callable[[], Store]
) -> None:
    assert save(store, item, anna, 4, base=0) == 1
    assert save(store, item, anna, 6, base=1) == 2
    found = judging.load_draft_or_current_judgment(reopened(), TASK, item=item, rater=anna.id)
    assert (found.revision, found.value.score, found.active_seconds) == (2, 6, 3.5)


def test_a_repeated_message_is_not_a_second_draft(store: Store, item: str, anna: Rater) -> None:
    token = new_id()
    assert save(store, item, anna, 4, base=0, token=token) == 1
    assert save(store, item, anna, 4, base=0, token=token) == 1
    assert store.rows("select count(*) from draft") == [(1,)]


def test_a_token_used_for_something_else_is_refused_and_nothing_is_acknowledged(
    store: Store, item: str, anna: Rater
) -> None:
    token, other = new_id(), new_id()
    assert save(store, item, anna, 4, base=0, token=token) == 1
    with pytest.raises(InvalidInput, match="same token"):
        save(store, item, anna, 5, base=1, token=token)
    assert submit(store, item, anna, 6, other) == 1
    with pytest.raises(InvalidInput, match="same token"):
        submit(store, item, anna, 7, other)
    survey_answers_and_completion_code.save_survey_answers(
        store, form="f", rater=anna.id, answers={"a": 1}, token=token
    )
    survey_answers_and_completion_code.save_survey_answers(
        store, form="f", rater=anna.id, answers={"a": 1}, token=token
    )
    with pytest.raises(InvalidInput, match="same token"):
        survey_answers_and_completion_code.save_survey_answers(
            store, form="f", rater=anna.id, answers={"a": 2}, token=token
        )
    assert store.rows("select body->>'$.score' from draft") == [("4",)]
    assert store.rows("select body->>'$.score' from judgment") == [("6",)]
    assert store.rows("select count(*) from survey") == [(1,)]


def test_a_token_used_on_another_item_or_by_another_person_is_refused(
    store: Store, item: str, anna: Rater
) -> None:
    token = new_id()
    elsewhere = {"task": TASK.name, "item": "another", "rater": "somebody else"}
    spent = {"active_seconds": 0, "idle_seconds": 0}
    body = {"body": {"score": 4}, "revision": 1, "id": token}
    store.append("draft", {**elsewhere, **spent, **body})
    with pytest.raises(InvalidInput, match="same token"):
        save(store, item, anna, 4, base=0, token=token)
    store.append(
        "judgment", {**elsewhere, **body, "blind": True, "origin": "app", "complete": True}
    )
    with pytest.raises(InvalidInput, match="same token"):
        submit(store, item, anna, 4, token)


def test_the_later_of_two_tabs_is_refused_and_nothing_is_merged(
    store: Store, item: str, anna: Rater
) -> None:
    save(store, item, anna, 4, base=0)
    with pytest.raises(Conflict, match="another tab"):
        save(store, item, anna, 9, base=0)
    assert (
        judging.load_draft_or_current_judgment(store, TASK, item=item, rater=anna.id).value.score
        == 4
    )


def test_of_twenty_tabs_saving_at_once_one_wins(store: Store, item: str, anna: Rater) -> None:
    won: list[int] = []
    lost: list[Conflict] = []

    def race(score: int) -> None:
        try:
            save(store, item, anna, score, base=0)
            won.append(score)
        except Conflict as conflict:
            lost.append(conflict)

    threads = [threading.Thread(target=race, args=(1 + n % 10,)) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(won), len(lost)) == (1, 19)
    assert (
        judging.load_draft_or_current_judgment(store, TASK, item=item, rater=anna.id).value.score
        == won[0]
    )


def test_submitting_again_is_a_new_revision_and_the_last_one_stands(
    store: Store, item: str, anna: Rater
) -> None:
    token = new_id()
    assert submit(store, item, anna, 3, token) == 1
    assert submit(store, item, anna, 3, token) == 1
    assert submit(store, item, anna, 8) == 2
    standing = consensus.current_judgments(store, TASK, dataset="poems", viewer=None)
    assert [value.score for value in standing["value"]] == [8]
    revisions = judging.list_revisions_viewer_may_see(store, TASK, item=item, viewer=anna)
    assert [row["value"].score for row in revisions] == [3, 8]


def test_ones_own_last_answers_on_many_items_are_those_on_each_and_take_one_query(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = poems(store, 12)
    rater = person(store, "Anna")
    given = []
    for score in range(10):
        item = assignment.give_next_item_and_return_id(
            store, TASK, SETTINGS, dataset="poems", rater=rater.id
        )
        assert item
        given.append(item)
        submit(store, item, rater, 3)
        submit(store, item, rater, 3 + score % 5)
    one_by_one = {
        item: judging.last_own_answer(store, TASK, item=item, rater=rater.id) for item in given
    }
    asked = []
    rows = store.rows

    def counted(query: str, **given: object) -> object:
        asked.append(query)
        return rows(query, **given)

    monkeypatch.setattr(store, "rows", counted)
    found = judging.last_own_answer_by_item(store, TASK, item_ids=ids, rater=rater.id)
    assert found == one_by_one
    assert len(asked) == 1


def test_a_judgment_that_breaks_a_rule_is_not_written(store: Store, item: str, anna: Rater) -> None:
    for body, says in (
        ({"score": 11}, "score"),
        ({"score": "high"}, "score"),
        ({}, "score"),
        ({"score": 5, "mood": "blue"}, "mood"),
        ({"score": 1}, "needs a reason"),
    ):
        with pytest.raises(InvalidInput, match=says):
            judging.submit_judgment(
                store, TASK, item=item, rater=anna.id, token=new_id(), body=body
            )
    assert store.rows("select count(*) from judgment") == [(0,)]


def test_a_refused_answer_is_kept_as_a_draft(store: Store, item: str, anna: Rater) -> None:
    of = {"item": item, "rater": anna.id}
    with pytest.raises(InvalidInput, match="needs a reason"):
        judging.submit_judgment(store, TASK, **of, token=new_id(), body={"score": 1}, base=0)
    assert judging.load_draft_or_current_judgment(store, TASK, **of).value.score == 1


def test_others_are_hidden_until_one_has_committed(store: Store, item: str, anna: Rater) -> None:
    ben = given(store, "Ben")
    submit(store, item, ben, 9)
    with pytest.raises(NotAllowed, match="after you have submitted"):
        judging.list_others_judgments_and_record_view(store, TASK, item=item, viewer=anna)
    assert judging.list_revisions_viewer_may_see(store, TASK, item=item, viewer=anna) == []
    submit(store, item, anna, 2)
    seen = judging.list_others_judgments_and_record_view(store, TASK, item=item, viewer=anna)
    assert [(row["rater"], row["value"].score) for row in seen] == [("Ben", 9)]


def test_a_second_thought_after_the_reveal_is_marked_and_figures_use_the_first(
    store: Store, item: str, anna: Rater
) -> None:
    ben = given(store, "Ben")
    submit(store, item, ben, 9)
    submit(store, item, anna, 2)
    judging.list_others_judgments_and_record_view(store, TASK, item=item, viewer=anna)
    submit(store, item, anna, 9)
    blind = consensus.current_judgments(store, TASK, dataset="poems", viewer=None)
    last = consensus.current_judgments(store, TASK, dataset="poems", viewer=None, blind=False)
    assert dict(zip(blind["rater"], [v.score for v in blind["value"]], strict=True)) == {
        "Anna": 2,
        "Ben": 9,
    }
    assert dict(zip(last["rater"], [v.score for v in last["value"]], strict=True))["Anna"] == 9
    assert list(last["blind"]) == [False, True]


def test_a_lead_who_looked_first_is_not_blind(store: Store, item: str, anna: Rater) -> None:
    submit(store, item, anna, 2)
    lead = given(store, "Lead", lead=True)
    judging.list_others_judgments_and_record_view(store, TASK, item=item, viewer=lead)
    submit(store, item, lead, 3)
    assert store.rows("select blind from judgment where rater = $r", r=lead.id) == [(False,)]


def test_a_reviewer_gets_only_their_own_rows_and_never_the_gold_key(
    store: Store, item: str, anna: Rater
) -> None:
    ben = given(store, "Ben")
    submit(store, item, anna, 2)
    submit(store, item, ben, 9)
    own = consensus.current_judgments(store, TASK, dataset="poems", viewer=anna)
    assert list(own["rater"]) == ["Anna"]
    with pytest.raises(NotAllowed):
        consensus.gold_items_table(store, TASK, dataset="poems", viewer=anna)
    with pytest.raises(NotAllowed):
        consensus.set_or_unset_gold_item(store, TASK, item=item, expected={}, active=True, by=anna)


def test_the_majority_stands_unless_a_lead_adjudicates(store: Store, item: str) -> None:
    people = [given(store, name) for name in ("Anna", "Ben", "Cleo")]
    for rater, score in zip(people, (4, 4, 9), strict=True):
        submit(store, item, rater, score)
    [row] = consensus.consensus_table(store, TASK, dataset="poems", viewer=None).to_dict("records")
    assert (row["answer"], row["votes"], row["n"], row["adjudicated"]) == (4, 2, 3, False)
    lead = person(store, "Lead", lead=True)
    consensus.record_adjudication(
        store, TASK, item=item, body={"score": 7}, reason="Metre counts.", by=lead
    )
    [row] = consensus.consensus_table(store, TASK, dataset="poems", viewer=None).to_dict("records")
    assert (row["answer"], row["adjudicated"]) == (7, True)


def test_where_no_answer_holds_the_item_has_no_consensus_and_the_export_says_why(
    store: Store, item: str
) -> None:
    for name in ("Anna", "Ben", "Cleo"):
        submit(store, item, given(store, name), 4)
    lead = person(store, "Lead", lead=True)
    with pytest.raises(InvalidInput, match="Nothing is settled yet"):
        consensus.record_adjudication(store, TASK, item=item, body=None, reason=" ", by=lead)
    consensus.record_adjudication(store, TASK, item=item, body=None, reason="Not a poem.", by=lead)
    with pytest.raises(InvalidInput, match="The decision is still the one before"):
        consensus.record_adjudication(store, TASK, item=item, body=None, reason=" ", by=lead)
    [row] = consensus.consensus_table(store, TASK, dataset="poems", viewer=None).to_dict("records")
    assert (row["answer"], row["votes"], row["adjudicated"]) == (None, 0, True)
    assert row["reason"] == "Not a poem."
    assert consensus.adjudicated_answers_by_item_name(store, TASK, dataset="poems") == {
        "poem0": None
    }
    [word] = consensus.decision_lists_in_force_by_item_id(
        store, TASK, dataset="poems", viewer=None
    )[item]
    assert (word.value, TASK.decision_in_words(word.value)) == (None, "No answer is right")
    assert list(consensus.all_adjudications_table(store, viewer=None)["decision"]) == ["null"]
    # It can be taken back.
    body = {"score": 4}
    consensus.record_adjudication(
        store, TASK, item=item, body=body, reason="It is.", by=lead, base=1
    )
    [row] = consensus.consensus_table(store, TASK, dataset="poems", viewer=None).to_dict("records")
    assert (row["answer"], row["reason"]) == (4, "It is.")


def test_of_two_adjudicators_the_later_one_reads_the_words_before_and_both_stay(
    store: Store, item: str, anna: Rater
) -> None:
    submit(store, item, anna, 4)
    first, second = (given(store, name, lead=True) for name in ("Lea", "Lou"))
    submit(store, item, second, 9)

    def settle(by: Rater, score: int, *, base: int) -> None:
        consensus.record_adjudication(
            store, TASK, item=item, body={"score": score}, reason="It scans.", by=by, base=base
        )

    settle(first, 4, base=0)
    with pytest.raises(Conflict, match="Somebody else has settled"):
        settle(second, 9, base=0)
    settle(second, 9, base=1)
    words = consensus.decision_lists_in_force_by_item_id(
        store, TASK, dataset="poems", viewer=first
    )[item]
    assert [(one.value.score, one.by, one.judged) for one in words] == [
        (4, "Lea", False),
        (9, "Lou", True),
    ]
    with pytest.raises(NotAllowed):
        consensus.decision_lists_in_force_by_item_id(store, TASK, dataset="poems", viewer=anna)


def test_the_most_divided_items_come_first_and_unanimous_ones_not_at_all(store: Store) -> None:
    scores = {"alike": (4, 4, 4), "two to one": (4, 4, 9), "all apart": (1, 5, 9), "alone": (3,)}
    judged = pd.DataFrame(
        [
            (item, item, f"rater{at}", "person", Rating(score=score))
            for item, given in scores.items()
            for at, score in enumerate(given)
        ]
        # A model has no voice in whether people are divided.
        + [("alike", "alike", "m", "model", Rating(score=1))],
        columns=["item_id", "item", "rater", "rater_kind", "value"],
    )
    found = consensus.disagreements_table(TASK, judged)
    assert found["item"].tolist() == ["all apart", "two to one"]
    # Of the three pairs of 4, 4 and 9 two differ.
    assert found["divided"].tolist() == pytest.approx([1.0, 2 / 3])
    assert found["raters"].tolist() == [3, 3]
    assert found["on"].tolist() == ["Score", "Score"]


def test_no_clear_majority_is_no_answer(store: Store, item: str) -> None:
    for name, score in (("Anna", 4), ("Ben", 9)):
        submit(store, item, given(store, name), score)
    [row] = consensus.consensus_table(store, TASK, dataset="poems", viewer=None).to_dict("records")
    assert row["answer"] is None


def test_two_people_of_one_name_are_both_shown(store: Store, item: str, anna: Rater) -> None:
    other = raters.find_or_add_rater_by_name(store, "Anna", origin="import")
    submit(store, item, anna, 2)
    store.append(
        "judgment",
        {
            "task": TASK.name,
            "item": item,
            "rater": other.id,
            "revision": 1,
            "blind": True,
            "body": Rating(score=9).model_dump_json(),
            "origin": "import",
            "complete": True,
        },
    )
    lead = person(store, "Lead", lead=True)
    seen = judging.list_revisions_viewer_may_see(store, TASK, item=item, viewer=lead)
    assert {row["rater"]: row["value"].score for row in seen} == {
        "Anna (app)": 2,
        "Anna (import)": 9,
    }
    both = judging.list_others_judgments_and_record_view(store, TASK, item=item, viewer=lead)
    assert {row["rater"] for row in both} == {"Anna (app)", "Anna (import)"}


@pytest.mark.parametrize(
    ("faults", "missing", "told"),
    [
        (1, 0, "Fault 1."),
        (0, 1, "Question 1 – please answer this question."),
        (0, 60, "60 answers are missing."),
        # What is wrong is told before what the desk itself shows to be missing.
        (2, 3, "Fault 1. Fault 2. 3 answers are missing."),
        (60, 0, "Fault 1. Fault 2. Fault 3. Fault 4. And 56 more."),
    ],
)
def test_what_is_wrong_is_told_and_of_what_is_missing_the_only_one_or_how_many(
    store: Store, item: str, anna: Rater, faults: int, missing: int, told: str
) -> None:
    problems = [f"Question {n} – {UNANSWERED}" for n in range(1, missing + 1)]
    problems += [f"Fault {n}." for n in range(1, faults + 1)]
    task = with_methods(TASK, problems_of_answer=lambda value, body: problems)
    with pytest.raises(InvalidInput) as refused:
        judging.submit_judgment(
            store, task, item=item, rater=anna.id, token=new_id(), body={"score": 5}
        )
    assert refused.value.message == told
