"""Ids of crowd platforms: noted beside raters, one each, and worth nothing to sign in with."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd
import pytest

from medlens.errors import InvalidInput, NotAllowed
from medlens.review import (
    assignment,
    audit_log,
    completion_code_rules_and_decisions,
    consensus,
    copy_round_to_datasets,
    crowd_platforms_and_worker_ids_of_rounds,
    hand_out_settings,
    invitations,
    judging,
    practice,
    rater_exclusion,
    remarks_between_raters_and_leads,
    rounds,
)
from medlens.review.completion_code_rules_and_decisions import Rule, Work
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id
from tests.store.made_up import TASK, person, poems

ROUND = (TASK.name, "poems")


@pytest.fixture
def lead(store: Store) -> Rater:
    return person(store, "Lena", lead=True)


@pytest.fixture
def token(store: Store, lead: Rater) -> str:
    poems(store, 2)
    crowd_platforms_and_worker_ids_of_rounds.set_or_remove_platform_of_round(
        store, *ROUND, parameter="PROLIFIC_PID", code="C1", by=lead
    )
    return invitations.make_invitation_and_return_link_secret(
        store, by=lead, task=TASK.name, dataset="poems", uses=9
    )


def come(store: Store, token: str, who: Rater, **said: str) -> None:
    invitations.accept_and_return_invitation_admitting_rater(
        store, token, who, leads=lambda rater: True, said=said
    )


def sessions_of(store: Store, viewer: Rater) -> pd.DataFrame:
    task_of = {ROUND: TASK}
    return crowd_platforms_and_worker_ids_of_rounds.crowd_sessions_table(
        crowd_platforms_and_worker_ids_of_rounds.list_crowd_sessions(
            store, viewer=viewer, task_of=lambda *of: task_of.get(of)
        )
    )


def test_who_comes_with_an_id_has_it_noted_with_the_platforms_study_and_session(
    store: Store, lead: Rater, token: str
) -> None:
    rosa = person(store, "Rosa")
    for _ in range(2):
        come(store, token, rosa, PROLIFIC_PID="5f1", STUDY_ID="s1", SESSION_ID="<x>", more="m")
    assert (
        crowd_platforms_and_worker_ids_of_rounds.worker_id_of_rater(store, *ROUND, rosa.id) == "5f1"
    )
    [row] = sessions_of(store, lead).to_dict("records")
    assert (row["rater"], row["worker"]) == ("Rosa", "5f1")
    assert (row["STUDY_ID"], row["SESSION_ID"]) == ("s1", "")
    with pytest.raises(NotAllowed):
        sessions_of(store, rosa)


def test_an_id_belongs_to_one_rater_and_a_rater_has_one(
    store: Store, lead: Rater, token: str
) -> None:
    rosa, ben = person(store, "Rosa"), person(store, "Ben")
    come(store, token, rosa, PROLIFIC_PID="5f1")
    with pytest.raises(InvalidInput, match="Somebody else has come to this round as 5f1"):
        come(store, token, ben, PROLIFIC_PID="5f1")
    assert not invitations.was_admitted_by_invitation(store, ben.id)
    with pytest.raises(InvalidInput, match="as 5f1 before, and now as 6a2"):
        come(store, token, rosa, PROLIFIC_PID="6a2")
    # An id that is a rater's own id or name makes nobody that rater.
    come(store, token, ben, PROLIFIC_PID=rosa.id)
    assert (
        crowd_platforms_and_worker_ids_of_rounds.worker_id_of_rater(store, *ROUND, ben.id)
        == rosa.id
    )
    assert (
        crowd_platforms_and_worker_ids_of_rounds.worker_id_of_rater(store, *ROUND, rosa.id) == "5f1"
    )


def test_an_id_with_other_characters_is_refused_and_nothing_is_accepted(
    store: Store, token: str
) -> None:
    rosa = person(store, "Rosa")
    text = ["", "{{%PROLIFIC_PID%}}", "<script>", "a b", "a\n", "=1+1", "é", "x" * 65, "../.."]
    for wrong in (*text, "a'--"):
        with pytest.raises(InvalidInput, match="Your id from the platform is missing"):
            come(store, token, rosa, PROLIFIC_PID=wrong)
    assert not invitations.was_admitted_by_invitation(store, rosa.id)
    assert store.rows("select 1 from crowd_worker") == []


def test_a_platform_is_set_and_taken_away_beside_the_other_settings(
    store: Store, lead: Rater, token: str
) -> None:
    hand_out_settings.change_task_settings(store, *ROUND, {"deadline": "2030-01-31"}, by=lead)
    assert crowd_platforms_and_worker_ids_of_rounds.platform_of_round(
        store, *ROUND
    ) == crowd_platforms_and_worker_ids_of_rounds.Platform("PROLIFIC_PID", "", "C1")
    crowd_platforms_and_worker_ids_of_rounds.set_or_remove_platform_of_round(
        store, *ROUND, parameter=" ", by=lead
    )
    assert crowd_platforms_and_worker_ids_of_rounds.platform_of_round(store, *ROUND) is None
    assert hand_out_settings.task_settings_set_by_lead(store, *ROUND)["deadline"] == "2030-01-31"
    rosa = person(store, "Rosa")
    come(store, token, rosa, PROLIFIC_PID="5f1")
    assert crowd_platforms_and_worker_ids_of_rounds.worker_id_of_rater(store, *ROUND, rosa.id) == ""


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
            crowd_platforms_and_worker_ids_of_rounds.set_or_remove_platform_of_round(
                store, *ROUND, **given
            )  # type: ignore[arg-type]
    with pytest.raises(NotAllowed):
        crowd_platforms_and_worker_ids_of_rounds.set_or_remove_platform_of_round(
            store, *ROUND, parameter="workerId", by=person(store, "Rosa")
        )
    assert crowd_platforms_and_worker_ids_of_rounds.platform_of_round(store, *ROUND) is None


SETTINGS = HandOut(raters_per_item=1, items_per_rater=5, gold_share=0)


def does(store: Store, who: Rater, what: str, *, score: int = 5) -> str:
    """Somebody is given an item, and judges it, flags it, skips it or leaves it; returns it."""
    item = assignment.give_next_item_and_return_id(
        store, TASK, SETTINGS, dataset="poems", rater=who.id
    )
    assert item is not None
    if what == "judge":
        judge(store, who, item, score)
    elif what != "leave":
        about = {"item": item, "rater": who.id, "kind": what, "reason": "Odd."}
        assignment.record_opened_skipped_or_flagged(store, TASK, SETTINGS, **about)
    return item


def judge(store: Store, who: Rater, item: str, score: int = 5) -> None:
    said = {"item": item, "rater": who.id, "token": new_id(), "body": {"score": score}}
    judging.submit_judgment(store, TASK, **said)


def outcome(
    store: Store, who: Rater, *, finished: bool = True
) -> completion_code_rules_and_decisions.Outcome:
    return completion_code_rules_and_decisions.decide_and_record_completion_outcome(
        store, TASK, dataset="poems", rater=who.id, is_finished=lambda: finished
    )


def work_of(store: Store, who: Rater) -> Work:
    return completion_code_rules_and_decisions.completion_work_by_rater(
        store, TASK, "poems", [who.id]
    )[who.id]


def test_who_judges_what_was_handed_out_gets_the_code_and_who_flags_it_waits_for_a_lead(
    store: Store, lead: Rater
) -> None:
    poems(store, 10)
    rosa, ben = person(store, "Rosa"), person(store, "Ben")
    for what in ("judge", "judge", "judge", "flag", "judge"):
        does(store, rosa, what)
        does(store, ben, "flag")
    assert outcome(store, rosa, finished=False).is_ == ""
    assert outcome(store, rosa).is_ == "given"
    now = outcome(store, ben)
    assert (now.is_, set(now.missed)) == ("waiting", {"judged", "passed_over"})
    assert now.work == Work(handed_out=5, flagged=5)
    outcome(store, ben)  # Told twice, noted once.
    assert completion_code_rules_and_decisions.undecided_code_counts_by_round(store) == {ROUND: 1}
    kinds = store.rows("select rater, kind from completion_event order by seq")
    assert kinds == [(rosa.id, "shown"), (ben.id, "asked")]


def test_a_leads_decision_goes_before_the_rule_and_is_kept_with_its_reason(
    store: Store, lead: Rater, token: str
) -> None:
    rosa = person(store, "Rosa")
    come(store, token, rosa, PROLIFIC_PID="5f1")
    for _ in range(2):
        does(store, rosa, "flag")
    assert outcome(store, rosa).is_ == "waiting"
    for wrong in ({"by": rosa}, {"reason": " "}, {"rater": "nobody"}):
        asked = {"rater": rosa.id, "given": True, "reason": "Broken items.", "by": lead, **wrong}
        with pytest.raises((NotAllowed, InvalidInput)):
            completion_code_rules_and_decisions.give_or_refuse_code(store, *ROUND, **asked)
    completion_code_rules_and_decisions.give_or_refuse_code(
        store, *ROUND, rosa.id, given=True, reason="Broken items.", by=lead
    )
    assert outcome(store, rosa, finished=False).is_ == "given"
    assert not completion_code_rules_and_decisions.undecided_code_counts_by_round(store)
    [row] = sessions_of(store, lead).to_dict("records")
    assert {
        name: row[name] for name in ("worker", "handed_out", "judged", "flagged", "skipped")
    } == {
        "worker": "5f1",
        "handed_out": 2,
        "judged": 0,
        "flagged": 2,
        "skipped": 0,
    }
    assert (row["code"], row["decided_by"], row["decision_reason"]) == (
        *("given by a lead", "Lena", "Broken items."),
    )
    completion_code_rules_and_decisions.give_or_refuse_code(
        store, *ROUND, rosa.id, given=False, reason="All flags are idle.", by=lead
    )
    assert outcome(store, rosa).is_ == "refused"
    assert len(store.rows("select 1 from completion_event")) == 3
    told = audit_log.entries_table(store, viewer=lead)
    assert [one for one in told["detail"] if "idle" in one] == [
        "refused for made_up_rating of poems: All flags are idle."
    ]


def test_who_judges_after_all_what_they_flagged_gets_the_code_without_a_lead(
    store: Store, lead: Rater
) -> None:
    poems(store, 2)
    rosa = person(store, "Rosa")
    flagged = [does(store, rosa, "flag") for _ in range(2)]
    assert outcome(store, rosa).is_ == "waiting"
    for item in flagged:
        judge(store, rosa, item)
    assert outcome(store, rosa).is_ == "given"
    assert not completion_code_rules_and_decisions.undecided_code_counts_by_round(store)
    # What was shown stays shown, whatever the rule becomes.
    crowd_platforms_and_worker_ids_of_rounds.set_or_remove_platform_of_round(
        store, *ROUND, parameter="", rule=Rule(least_gold=100), by=lead
    )
    assert outcome(store, rosa).is_ == "given"


def test_items_that_were_skipped_and_went_to_others_were_handed_out_all_the_same(
    store: Store, lead: Rater
) -> None:
    poems(store, 4)
    rosa, ben = person(store, "Rosa"), person(store, "Ben")
    for what in ("skip", "skip", "judge", "judge"):
        does(store, rosa, what)
    for _ in range(2):
        does(store, ben, "judge")
    assert work_of(store, rosa) == Work(handed_out=4, judged=2, skipped=2)
    assert outcome(store, rosa).is_ == "waiting"
    # What a lead took back is nobody's fault.
    mia = person(store, "Mia")
    poems(store, 6)
    does(store, mia, "judge")
    does(store, mia, "leave")
    assert work_of(store, mia) == Work(handed_out=2, judged=1)
    assignment.release_unfinished_items_and_count(
        store, TASK, dataset="poems", rater=mia.id, by=lead
    )
    assert work_of(store, mia) == Work(handed_out=1, judged=1)


def test_practice_counts_for_no_code_and_hidden_gold_can_be_a_check_of_attention(
    store: Store, lead: Rater
) -> None:
    first, hidden, *_ = poems(store, 3)
    for item in (first, hidden):
        gold = {"item": item, "expected": {"at_least": 8}, "active": True, "by": lead}
        consensus.set_or_unset_gold_item(store, TASK, **gold)
    practice.mark_gold_item_as_practice(store, TASK, item=first, why="It rhymes.", by=lead)
    rosa, ben = person(store, "Rosa"), person(store, "Ben")
    for who, score in ((rosa, 9), (ben, 2)):
        for _ in range(3):
            settings = HandOut(raters_per_item=2, items_per_rater=5, gold_share=0.5)
            where = {"dataset": "poems", "rater": who.id}
            item = assignment.give_next_item_and_return_id(store, TASK, settings, **where)
            assert item is not None
            judge(store, who, item, score)
    assert work_of(store, rosa) == Work(handed_out=2, judged=2, gold=1, gold_hits=1)
    assert work_of(store, ben) == Work(handed_out=2, judged=2, gold=1, gold_hits=0)
    assert outcome(store, ben).is_ == "given"
    crowd_platforms_and_worker_ids_of_rounds.set_or_remove_platform_of_round(
        store, *ROUND, parameter="PROLIFIC_PID", code="C1", rule=Rule(least_gold=50), by=lead
    )
    mia = person(store, "Mia")
    for item in (hidden,):
        assignment.assign_item_to_lead_for_answer_key(store, TASK, SETTINGS, item=item, by=lead)
    assert outcome(store, rosa).is_ == "given"
    assert set(outcome(store, mia).missed) == {"judged", "gold"}
    # Their last answer is what counts.
    judge(store, ben, hidden, 8)
    assert work_of(store, ben).gold_hits == 1


def test_a_hidden_gold_item_whose_key_a_person_made_says_nothing_for_their_code(
    store: Store, lead: Rater
) -> None:
    own, hidden = poems(store, 2)
    other = person(store, "Otto", lead=True)
    for item, by in ((own, lead), (hidden, other)):
        gold = {"item": item, "expected": {"at_least": 8}, "active": True, "by": by}
        consensus.set_or_unset_gold_item(store, TASK, **gold)
    # Where everyone answers every item they are given both; from themselves nothing is hidden.
    every = replace(TASK, everyone=True)
    for _ in range(2):
        where = {"dataset": "poems", "rater": lead.id}
        item = assignment.give_next_item_and_return_id(store, every, SETTINGS, **where)
        assert item is not None
        judge(store, lead, item, 9 if item == own else 2)
    assert work_of(store, lead) == Work(handed_out=2, judged=2, gold=1, gold_hits=0)
    half = Rule(least_gold=50)
    assert set(
        completion_code_rules_and_decisions.shortfalls_by_bound_in_words(work_of(store, lead), half)
    ) == {"gold"}


def test_what_a_lead_sent_back_counts_for_no_code_until_it_is_judged_again(
    store: Store, lead: Rater
) -> None:
    first, second, *_ = poems(store, 3)
    rosa = person(store, "Rosa")
    for _ in range(3):
        does(store, rosa, "judge")
    gold = {"item": first, "expected": {"at_least": 4}, "active": True, "by": lead}
    consensus.set_or_unset_gold_item(store, TASK, **gold)
    whole = work_of(store, rosa)
    assert (whole.handed_out, whole.judged) == (3, 3)
    back = {"rater": rosa.id, "kind": "return", "text": "Read it again.", "by": lead}
    # What counts until it is made anew counts here too.
    remarks_between_raters_and_leads.store_remark_on_work(
        store, TASK, item=second, counts=True, **back
    )
    assert work_of(store, rosa) == whole
    for item in (first, second):
        remarks_between_raters_and_leads.store_remark_on_work(
            store, TASK, item=item, counts=False, **back
        )
    assert work_of(store, rosa) == Work(handed_out=3, judged=1)
    assert set(outcome(store, rosa).missed) == {"judged"}
    # Flagged instead, it is flagged; judged again, it counts again.
    noted = {"item": second, "rater": rosa.id, "kind": "flag", "reason": "Odd."}
    assignment.record_opened_skipped_or_flagged(store, TASK, SETTINGS, **noted)
    assert work_of(store, rosa) == Work(handed_out=3, judged=1, flagged=1)
    judge(store, rosa, second)
    judge(store, rosa, first)
    assert work_of(store, rosa) == whole


def test_what_was_skipped_before_it_was_judged_and_sent_back_is_open_again(
    store: Store, lead: Rater
) -> None:
    poems(store, 1)
    rosa = person(store, "Rosa")
    item = does(store, rosa, "skip")
    assert work_of(store, rosa) == Work(handed_out=1, skipped=1)
    judge(store, rosa, item)
    back = {"rater": rosa.id, "kind": "return", "text": "Read it again.", "by": lead}
    remarks_between_raters_and_leads.store_remark_on_work(
        store, TASK, item=item, counts=False, **back
    )
    assert work_of(store, rosa) == Work(handed_out=1)


def test_excluded_work_brings_no_code_unless_a_lead_gives_it(store: Store, lead: Rater) -> None:
    poems(store, 1)
    rosa = person(store, "Rosa")
    does(store, rosa, "judge")
    rater_exclusion.exclude_or_return_rater(
        store, rosa.id, reason="Too fast.", by=lead, task=TASK.name, dataset="poems"
    )
    assert set(outcome(store, rosa).missed) == {"excluded"}


def test_a_rounds_rule_is_set_with_its_platform_and_goes_along_to_other_datasets(
    store: Store, lead: Rater, token: str
) -> None:
    # Rounds that were set up before there were rules have the default.
    assert completion_code_rules_and_decisions.completion_rule_of_round(store, *ROUND) == Rule(
        80, 20, 0
    )
    rule = Rule(least_judged=60, most_passed_over=40, least_gold=50)
    crowd_platforms_and_worker_ids_of_rounds.set_or_remove_platform_of_round(
        store, *ROUND, parameter="PROLIFIC_PID", code="C1", rule=rule, by=lead
    )
    crowd_platforms_and_worker_ids_of_rounds.set_or_remove_platform_of_round(
        store, *ROUND, parameter="workerId", code="C2", by=lead
    )
    assert completion_code_rules_and_decisions.completion_rule_of_round(store, *ROUND) == rule
    assert crowd_platforms_and_worker_ids_of_rounds.platform_of_round(
        store, *ROUND
    ) == crowd_platforms_and_worker_ids_of_rounds.Platform("workerId", "", "C2")
    poems(store, 2, dataset="more")
    rounds.open_or_close_round(store, TASK, "poems", state="open", by=lead)
    copy_round_to_datasets.open_round_alike_on_other_datasets(
        store, TASK, "poems", ["more"], usual=HandOut(), by=lead
    )
    assert (
        completion_code_rules_and_decisions.completion_rule_of_round(store, TASK.name, "more")
        == rule
    )
