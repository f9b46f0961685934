"""Practice items: newcomers get them first and are told after each; they count nowhere."""

from __future__ import annotations

from datetime import timedelta

import pytest

from medlens.errors import InvalidInput, NotAllowed
from medlens.review import (
    agreement,
    assignment,
    changes_since_lead_visit,
    consensus,
    items_selected_to_hand_out,
    judging,
    practice,
    remarks_between_raters_and_leads,
    work_progress_and_pace_by_item_and_rater,
)
from medlens.review import assignments_held_in_memory as ledgers
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.review.work_progress_and_pace_by_item_and_rater import (
    list_item_counts_per_number_of_judgments,
)
from medlens.store import Store, new_id, utc_now
from tests.store.made_up import TASK, person, poems
from tests.store.test_assignment import PLAIN, judge, take

WHERE = {"dataset": "poems"}


def prepared(store: Store, count: int = 2) -> tuple[list[str], Rater]:
    """Ten poems, the first so many for practice: 8 and more is expected of each."""
    ids, lead = poems(store, 10), person(store, "Lena", lead=True)
    for item in ids[:count]:
        consensus.set_or_unset_gold_item(
            store, TASK, item=item, expected={"at_least": 8}, active=True, by=lead
        )
        practice.mark_gold_item_as_practice(store, TASK, item=item, why="It rhymes.", by=lead)
    return ids, lead


def ask(store: Store, by: Rater, **rules: int) -> None:
    practice.set_practice_rules(store, TASK.name, "poems", practice.Rules(**rules), by=by)


def queue(store: Store, rater: str, settings: HandOut = PLAIN) -> assignment.RaterQueue:
    return assignment.load_rater_queue(store, TASK, settings, rater=rater, **WHERE)


def test_a_newcomer_practises_first_and_is_told_what_was_expected(store: Store) -> None:
    ids, _ = prepared(store)
    anna = person(store, "Anna").id
    assert queue(store, anna).total == 2
    assert take(store, anna) == ids[0]
    assert [one.item for one in queue(store, anna).places] == ids[:2]
    assert (
        queue(store, anna).place_and_state_in_words(queue(store, anna).places[0])
        == "practice 1 of 2"
    )
    assert (queue(store, anna).practising, queue(store, anna).done_and_total) == (True, (0, 2))
    # Nothing else before both are done.
    assert take(store, anna) is None
    judge(store, ids[0], anna, 9)
    [first] = practice.practice_standing_of_rater(
        store, TASK, rater=anna, **WHERE
    ).items_tried_in_last_attempt
    assert (first.name, first.hit, first.why, first.new) == ("poem0", True, "It rhymes.", True)
    assert first.expected == {"at_least": 8}
    assert practice.expected_answer_in_words(TASK, first.expected) == "At least: 8"
    assert take(store, anna) is None
    judge(store, ids[1], anna, 2)
    judge(store, ids[1], anna, 10)
    # The first try counts, whatever is changed after what was expected was told.
    now = practice.practice_standing_of_rater(store, TASK, rater=anna, **WHERE)
    assert (
        [one.hit for one in now.items_tried_in_last_attempt],
        now.count_of_expected_answers_given,
        now.has_passed,
    ) == (
        [True, False],
        1,
        True,
    )
    item = take(store, anna)
    assert item in ids[2:]
    # Practice takes nothing of the share: 8 items are left of ten.
    assert queue(store, anna).total == 10
    assert (queue(store, anna).practising, queue(store, anna).done_and_total) == (False, (0, 8))
    # At the desk, too, items for practice are numbered apart: two of them, and eight others.
    now_held = queue(store, anna)
    told = ["practice 1 of 2", "practice 2 of 2", "1 of 8"]
    assert [now_held.place_and_state_in_words(place) for place in now_held.places] == told
    judge(store, item, anna)
    # Looking back at practice: 2 of these 2 are done, and 1 of the 8 others.
    now_held = queue(store, anna)
    done = [
        (now_held.count_finished(place), now_held.last_item_number(place))
        for place in now_held.places
    ]
    assert done == [(2, 2), (2, 2), (1, 8)]


def test_what_is_seen_is_new_no_more(store: Store) -> None:
    ids, _ = prepared(store)
    anna = person(store, "Anna")
    take(store, anna.id)
    judge(store, ids[0], anna.id)
    remarks_between_raters_and_leads.store_remark_on_work(
        store, TASK, item=ids[0], rater=anna.id, kind="seen", by=anna
    )
    assert [
        one.new
        for one in practice.practice_standing_of_rater(
            store, TASK, rater=anna.id, **WHERE
        ).items_tried_in_last_attempt
    ] == [False]


def test_what_is_practised_counts_nowhere(store: Store) -> None:
    ids, lead = prepared(store)
    anna, ben = person(store, "Anna").id, person(store, "Ben").id
    for rater in (anna, ben):
        take(store, rater)
        for item in ids[:2]:
            judge(store, item, rater, 9)
        item = take(store, rater)
        assert item
        judge(store, item, rater)
    judged = consensus.current_judgments(store, TASK, viewer=lead, **WHERE)
    assert not set(judged["item_id"]) & set(ids[:2])
    assert len(judged) == 2
    key = consensus.gold_items_table(store, TASK, viewer=lead, **WHERE)
    assert list(key["practice"]) == ["It rhymes.", "It rhymes."]
    assert {one.n for one in agreement.gold_hit_rates_by_rater(TASK, judged, key).values()} == {0}
    # For a completion code, too, only gold that nobody is told of says how attentive they were.
    assert consensus.expected_answers_by_hidden_gold_item(store, TASK, **WHERE) == {}
    consensus.set_or_unset_gold_item(
        store, TASK, item=ids[5], expected={"at_least": 3}, active=True, by=lead
    )
    assert consensus.expected_answers_by_hidden_gold_item(store, TASK, **WHERE) == {
        ids[5]: {"at_least": 3}
    }
    assert (
        sum(count for _, count in list_item_counts_per_number_of_judgments(store, TASK, **WHERE))
        == 8
    )
    assert (
        work_progress_and_pace_by_item_and_rater.work_amounts_by_task_and_dataset(
            store, viewer=lead
        )[TASK.name, "poems"].lately
        == 2
    )
    flow = work_progress_and_pace_by_item_and_rater.flow_counts_of_items_and_judgments(
        store, TASK, **WHERE
    )
    assert (flow.offered, flow.revisions, flow.judged) == (8, 2, {anna: 1, ben: 1})
    assert list(
        work_progress_and_pace_by_item_and_rater.work_by_rater_table(
            store, TASK, viewer=lead, **WHERE
        )["judged"]
    ) == [
        1,
        1,
    ]
    assert (
        work_progress_and_pace_by_item_and_rater.own_pace_by_task_and_dataset(store, anna)[
            TASK.name, "poems"
        ].lately
        == 1
    )
    since = utc_now() - timedelta(hours=1)
    assert (
        changes_since_lead_visit.change_counts_by_kind_since(store, since=since, viewer=lead)[
            "judgment"
        ]
        == 2
    )
    # Hidden gold again: what was judged of it counts.
    practice.mark_gold_item_as_practice(store, TASK, item=ids[0], why=None, by=lead)
    assert len(consensus.current_judgments(store, TASK, viewer=lead, **WHERE)) == 4


def test_who_does_not_meet_the_mark_gets_nothing_until_a_lead_lets_them_in(store: Store) -> None:
    ids, lead = prepared(store, 3)
    ask(store, lead, mark=2)
    anna, ben = person(store, "Anna").id, person(store, "Ben").id
    for rater, scores in ((anna, (9, 8, 2)), (ben, (9, 1, 2))):
        take(store, rater)
        for item, score in zip(ids, scores, strict=False):
            body = {"score": score, "why": "w"}
            judging.submit_judgment(
                store, TASK, item=item, rater=rater, token=f"{rater}{item}", body=body
            )
    assert take(store, anna) in ids[3:]
    assert take(store, ben) is None
    assert queue(store, ben).more == 0
    found = practice.practice_standings_by_rater(store, TASK, viewer=lead, **WHERE)
    assert {
        rater: (one.count_of_expected_answers_given, one.has_passed) for rater, one in found.items()
    } == {
        anna: (2, True),
        ben: (1, False),
    }
    with pytest.raises(InvalidInput, match="Say why"):
        practice.admit_or_bar_despite_practice(store, TASK.name, "poems", ben, reason=" ", by=lead)
    practice.admit_or_bar_despite_practice(
        store, TASK.name, "poems", ben, reason="Has done this for years.", by=lead
    )
    assert take(store, ben) in ids[3:]
    [(said,)] = store.rows("select body->>'detail' from audit_event where kind = 'practice'")
    assert said == "Ben let in: Has done this for years."


def test_a_lead_who_takes_back_that_somebody_was_let_in_is_obeyed(store: Store) -> None:
    ids, lead = prepared(store, 1)
    ask(store, lead, mark=1)
    ben = person(store, "Ben").id
    take(store, ben)
    judge(store, ids[0], ben, 3)
    practice.admit_or_bar_despite_practice(
        store, TASK.name, "poems", ben, reason="Trained.", by=lead
    )
    practice.admit_or_bar_despite_practice(
        store, TASK.name, "poems", ben, reason="By mistake.", by=lead, back=True
    )
    assert take(store, ben) is None


def test_what_is_taken_back_holds_for_who_has_begun_meanwhile(store: Store) -> None:
    ids, lead = prepared(store, 1)
    ask(store, lead, mark=1)
    ben = person(store, "Ben").id
    take(store, ben)
    judge(store, ids[0], ben, 3)
    practice.admit_or_bar_despite_practice(
        store, TASK.name, "poems", ben, reason="Trained.", by=lead
    )
    item = take(store, ben)
    assert item
    judge(store, item, ben)
    practice.admit_or_bar_despite_practice(
        store, TASK.name, "poems", ben, reason="By mistake.", by=lead, back=True
    )
    assert take(store, ben) is None
    assert assignment.failed_practice_of_rater(store, TASK, rater=ben, **WHERE)
    practice.admit_or_bar_despite_practice(
        store, TASK.name, "poems", ben, reason="Trained now.", by=lead
    )
    assert take(store, ben) in ids[1:]


def fail(store: Store, rater: str, score: int = 1) -> list[str]:
    """Judges all that the rater was given for practice with this score; returns which those are."""
    given = [one.item for one in queue(store, rater).places if one.state == "open"]
    for item in given:
        base = judging.load_draft_or_current_judgment(store, TASK, item=item, rater=rater).revision
        said = {"token": f"{rater}{item}{new_id()}", "body": {"score": score, "why": "w"}}
        judging.submit_judgment(store, TASK, item=item, rater=rater, base=base, **said)
    return given


def again(store: Store, rater: str) -> None:
    assignment.begin_practice_attempt(store, TASK, PLAIN, rater=rater, **WHERE)


def test_a_further_attempt_is_of_items_not_had_and_then_of_those_had_longest_ago(
    store: Store,
) -> None:
    ids, lead = prepared(store, 5)
    ask(store, lead, mark=2, each=2, attempts=4)
    ben = person(store, "Ben").id
    assert queue(store, ben).total == 2
    take(store, ben)
    had = [fail(store, ben)]
    for _ in range(2):
        assert take(store, ben) is None
        again(store, ben)
        had.append(fail(store, ben))
    assert [len(one) for one in had] == [2, 2, 2]
    # Five items: two, two others, and in the third the fifth and one of the first two.
    assert not {*had[0]} & {*had[1]}
    assert {*had[0], *had[1], *had[2]} == {*ids[:5]}
    assert len({*had[2]} & {*had[0]}) == 1
    now = practice.practice_standing_of_rater(store, TASK, rater=ben, **WHERE)
    assert [[one.item for one in tried] for tried in now.tries] == had
    assert (now.count_of_attempts_left, now.has_passed) == (1, False)
    again(store, ben)
    fail(store, ben, score=9)
    now = practice.practice_standing_of_rater(store, TASK, rater=ben, **WHERE)
    assert [practice.count_answers_as_expected(one) for one in now.tries] == [0, 0, 0, 2]
    assert now.has_passed
    assert take(store, ben) in ids[5:]


def test_an_item_practised_again_begins_empty_and_its_first_answer_counts(store: Store) -> None:
    ids, lead = prepared(store, 1)
    ask(store, lead, mark=1, attempts=2)
    ben = person(store, "Ben").id
    take(store, ben)
    fail(store, ben)
    assert (
        judging.load_draft_or_current_judgment(store, TASK, item=ids[0], rater=ben).value.score == 1
    )
    again(store, ben)
    begun = judging.load_draft_or_current_judgment(store, TASK, item=ids[0], rater=ben)
    assert (begun.value, begun.revision) == (None, 0)
    fail(store, ben)
    fail(store, ben)
    judge(store, ids[0], ben, 9)
    # The second answer of the second attempt is none of either.
    now = practice.practice_standing_of_rater(store, TASK, rater=ben, **WHERE)
    assert [practice.count_answers_as_expected(one) for one in now.tries] == [0, 0]
    assert take(store, ben) is None
    with pytest.raises(NotAllowed, match="no attempt left"):
        again(store, ben)


def test_nobody_tries_again_who_is_not_held_back(store: Store) -> None:
    ids, lead = prepared(store, 1)
    ask(store, lead, mark=1, attempts=3)
    anna = person(store, "Anna").id
    take(store, anna)
    fail(store, anna, score=9)
    with pytest.raises(NotAllowed, match="no attempt left"):
        again(store, anna)
    assert take(store, anna) in ids[1:]


def test_attempts_are_read_back_by_another_process(store: Store) -> None:
    _, lead = prepared(store, 1)
    ask(store, lead, mark=1, attempts=3)
    ben = person(store, "Ben").id
    take(store, ben)
    fail(store, ben)
    again(store, ben)
    before = queue(store, ben)
    ledgers._held.pop(store)
    assert queue(store, ben) == before
    assert [one.state for one in before.places] == ["open"]


def test_another_practice_item_is_another_try(store: Store) -> None:
    ids, lead = prepared(store, 1)
    ask(store, lead, mark=1)
    ben = person(store, "Ben").id
    take(store, ben)
    judge(store, ids[0], ben, 3)
    assert take(store, ben) is None
    consensus.set_or_unset_gold_item(
        store, TASK, item=ids[1], expected={"at_least": 8}, active=True, by=lead
    )
    practice.mark_gold_item_as_practice(store, TASK, item=ids[1], why="", by=lead)
    assert take(store, ben) == ids[1]
    judge(store, ids[1], ben, 8)
    assert take(store, ben) in ids[2:]


def test_practice_is_given_where_a_sample_without_it_was_drawn(store: Store) -> None:
    ids, lead = prepared(store)
    items_selected_to_hand_out.sample_items_to_hand_out_and_count_new(
        store, TASK, many=3, dataset="poems", seed=1, said="three", by=lead
    )
    anna = person(store, "Anna").id
    assert take(store, anna) == ids[0]
    assert [one.item for one in queue(store, anna).places] == ids[:2]
    for item in ids[:2]:
        judge(store, item, anna, 9)
    # Both, and the three that were drawn.
    assert queue(store, anna).total == 5
    assert (
        work_progress_and_pace_by_item_and_rater.flow_counts_of_items_and_judgments(
            store, TASK, **WHERE
        ).offered
        == 3
    )


def test_who_has_begun_is_not_sent_to_practise(store: Store) -> None:
    ids, lead = poems(store, 5), person(store, "Lena", lead=True)
    anna = person(store, "Anna").id
    item = take(store, anna)
    assert item
    judge(store, item, anna)
    other = next(one for one in ids if one != item)
    consensus.set_or_unset_gold_item(
        store, TASK, item=other, expected={"at_least": 8}, active=True, by=lead
    )
    practice.mark_gold_item_as_practice(store, TASK, item=other, why="", by=lead)
    assert take(store, anna) not in (None, other)


def test_what_was_skipped_comes_back_and_what_is_flagged_is_done(store: Store) -> None:
    ids, _ = prepared(store)
    anna = person(store, "Anna").id
    take(store, anna)
    assignment.record_opened_skipped_or_flagged(
        store, TASK, PLAIN, item=ids[0], rater=anna, kind="skip"
    )
    judge(store, ids[1], anna)
    assert queue(store, anna).back == (ids[0],)
    assert take(store, anna) is None
    assignment.record_opened_skipped_or_flagged(
        store, TASK, PLAIN, item=ids[0], rater=anna, kind="flag", reason="Not a poem."
    )
    assert take(store, anna) in ids[2:]


def test_a_new_key_or_an_imported_one_leaves_an_item_for_practice(store: Store) -> None:
    ids, lead = prepared(store, 1)
    keys = {"expected": {"at_least": 3}, "active": True, "by": lead}
    consensus.set_or_unset_gold_item(store, TASK, item=ids[0], **keys)
    assert (
        consensus.set_gold_from_key_and_count(store, TASK, answers={ids[0]: {"at_least": 3}}) == 0
    )
    assert (
        consensus.set_gold_from_key_and_count(store, TASK, answers={ids[0]: {"at_least": 4}}) == 1
    )
    key = consensus.gold_items_table(store, TASK, viewer=lead, **WHERE)
    assert list(key["expected"]) == [{"at_least": 4}]
    assert list(key["practice"]) == ["It rhymes."]


def test_only_leads_set_practice_up_and_only_of_gold_items(store: Store) -> None:
    ids, lead = prepared(store)
    anna = person(store, "Anna")
    with pytest.raises(InvalidInput, match="not a gold item yet"):
        practice.mark_gold_item_as_practice(store, TASK, item=ids[5], why="", by=lead)
    for wrong, told in (
        ({"mark": 3}, "0 to 2"),
        ({"mark": 2, "each": 1}, "0 to 1"),
        ({"each": 3}, "1 to 2"),
        ({"attempts": 0}, "1 to 20"),
    ):
        with pytest.raises(InvalidInput, match=told):
            ask(store, lead, **wrong)
    for what in (
        lambda: practice.mark_gold_item_as_practice(store, TASK, item=ids[0], why=None, by=anna),
        lambda: ask(store, anna, mark=1),
        lambda: practice.admit_or_bar_despite_practice(
            store, TASK.name, "poems", anna.id, reason="I", by=anna
        ),
        lambda: practice.practice_standings_by_rater(store, TASK, viewer=anna, **WHERE),
    ):
        with pytest.raises(NotAllowed):
            what()


def test_who_has_set_a_key_does_not_practise_on_it_and_is_not_told_that_it_was_expected(
    store: Store,
) -> None:
    ids, lead = prepared(store, 2)
    other = person(store, "Lars", lead=True)
    consensus.set_or_unset_gold_item(
        store, TASK, item=ids[2], expected={"at_least": 8}, active=True, by=other
    )
    practice.mark_gold_item_as_practice(store, TASK, item=ids[2], why="It rhymes.", by=other)
    ask(store, lead, mark=3)
    assert practice.practice_items_for_rater(store, TASK.name, rater=lead.id, **WHERE) == [ids[2]]
    assert practice.practice_items_for_rater(store, TASK.name, rater=other.id, **WHERE) == ids[:2]
    assert practice.practice_items_for_rater(store, TASK.name, rater="anybody", **WHERE) == ids[:3]
    # The mark asks no more of them than there is.
    assert take(store, lead.id) == ids[2]
    assert queue(store, lead.id).total == 1
    judge(store, ids[2], lead.id, 9)
    now = practice.practice_standing_of_rater(store, TASK, rater=lead.id, **WHERE)
    assert (now.items, now.mark, now.has_passed, len(now.items_tried_in_last_attempt)) == (
        1,
        1,
        True,
        1,
    )
    assert take(store, lead.id) in ids[3:]
    # Who changes a key knows it too.
    consensus.set_or_unset_gold_item(
        store, TASK, item=ids[0], expected={"at_least": 7}, active=True, by=other
    )
    assert practice.practice_items_for_rater(store, TASK.name, rater=lead.id, **WHERE) == [ids[2]]
    assert practice.practice_items_for_rater(store, TASK.name, rater=other.id, **WHERE) == [ids[1]]


def test_an_answer_given_before_an_item_was_for_practice_is_no_try_of_whoever_gave_it(
    store: Store,
) -> None:
    ids, lead = poems(store, 3), person(store, "Lena", lead=True)
    anna, ben = person(store, "Anna").id, person(store, "Ben").id
    # A lead answers one for its key; of another, a reviewer's answer becomes the key.
    assignment.assign_item_to_lead_for_answer_key(store, TASK, PLAIN, item=ids[0], by=lead)
    judge(store, ids[0], lead.id, 9)
    held = take(store, anna)
    assert held is not None
    judge(store, held, anna, 9)
    for item in dict.fromkeys((ids[0], held)):
        consensus.set_or_unset_gold_item(
            store, TASK, item=item, expected={"at_least": 9}, active=True, by=lead
        )
        practice.mark_gold_item_as_practice(store, TASK, item=item, why="So.", by=lead)
    for rater in (lead.id, anna):
        now = practice.practice_standing_of_rater(store, TASK, rater=rater, **WHERE)
        assert held not in [one.item for one in now.items_tried_in_last_attempt]
        assert not any(one.new for one in now.items_tried_in_last_attempt)
    assert practice.practice_standings_by_rater(store, TASK, viewer=lead, **WHERE) == {}
    # Others practise on it.
    assert take(store, ben) in (ids[0], held)


def test_a_lead_who_answers_another_leads_practice_item_for_its_key_is_not_practising(
    store: Store,
) -> None:
    ids, _ = prepared(store, 1)
    other = person(store, "Lars", lead=True)
    assignment.assign_item_to_lead_for_answer_key(store, TASK, PLAIN, item=ids[0], by=other)
    judge(store, ids[0], other.id, 2)
    assert (
        practice.practice_standing_of_rater(
            store, TASK, rater=other.id, **WHERE
        ).items_tried_in_last_attempt
        == ()
    )
    assert take(store, other.id) in ids[1:]


def test_a_flag_in_practice_is_none_of_the_flagged_items_on_home(store: Store) -> None:
    ids, lead = prepared(store)
    anna = person(store, "Anna").id
    assert take(store, anna) == ids[0]
    flag = {"kind": "flag", "reason": "It does not rhyme."}
    assignment.record_opened_skipped_or_flagged(store, TASK, PLAIN, item=ids[0], rater=anna, **flag)
    assert (
        work_progress_and_pace_by_item_and_rater.work_amounts_by_task_and_dataset(
            store, viewer=lead
        )
        == {}
    )
    practice.mark_gold_item_as_practice(store, TASK, item=ids[0], why=None, by=lead)
    assert (
        work_progress_and_pace_by_item_and_rater.work_amounts_by_task_and_dataset(
            store, viewer=lead
        )[TASK.name, "poems"].flagged
        == 1
    )
