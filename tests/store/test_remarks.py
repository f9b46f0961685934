"""Raters ask and flag, leads answer and return, and what is returned is judged anew."""

from __future__ import annotations

from dataclasses import replace

import pytest

from medlens.errors import InvalidInput, NotAllowed
from medlens.review import (
    assignment,
    audit_log,
    consensus,
    judging,
    remarks_between_raters_and_leads,
)
from medlens.review.assignments_held_in_memory import (
    FLAG_TAKEN_BACK,
    _held,
    assignment_ledger_of_task,
)
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id
from medlens.ui.list_of_remarks_on_item import item_remarks_as_markdown_lines
from medlens.ui.task_share_and_desk_message_receiver import TaskShare
from tests.store.made_up import TASK, Rating, person, poems


class Commented(Rating):
    comment: str = ""


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
    given = assignment.give_next_item_and_return_id(
        store, TASK, HANDED, dataset="poems", rater=rosa.id
    )
    assert given
    return given


def judge(store: Store, rater: Rater, item: str, score: int) -> None:
    judging.submit_judgment(
        store, TASK, item=item, rater=rater.id, token=new_id(), body={"score": score}, base=None
    )


def scores(store: Store, lead: Rater) -> list[int]:
    found = consensus.current_judgments(store, TASK, dataset="poems", viewer=lead)
    return [one.score for one in found["value"]]


@pytest.mark.first_quick
@pytest.mark.parametrize("counts", [True, False])
def test_what_is_returned_counts_as_the_lead_says_until_the_rater_judges_it_anew(
    store: Store, lead: Rater, rosa: Rater, item: str, counts: bool
) -> None:
    of = {"item": item, "rater": rosa.id, "by": lead}
    with pytest.raises(InvalidInput, match="nothing to return"):
        remarks_between_raters_and_leads.store_remark_on_work(
            store, TASK, **of, kind="return", text="Read line two."
        )
    judge(store, rosa, item, 3)
    before = consensus.data_version_of_consensus(store)
    remarks_between_raters_and_leads.store_remark_on_work(
        store, TASK, **of, kind="return", text="Read line two.", counts=counts
    )
    assert consensus.data_version_of_consensus(store) > before
    assert scores(store, lead) == ([3] if counts else [])
    [told] = remarks_between_raters_and_leads.list_remarks_awaiting_rater(store, rater=rosa.id)
    assert (told.kind, told.name, told.text, told.by) == (
        "return",
        "poem0",
        "Read line two.",
        "Lena",
    )
    judge(store, rosa, item, 8)
    assert scores(store, lead) == [8]
    assert remarks_between_raters_and_leads.list_remarks_awaiting_rater(store, rater=rosa.id) == []
    history = judging.list_revisions_viewer_may_see(store, TASK, item=item, viewer=lead)
    assert [one["value"].score for one in history] == [3, 8]
    [entry] = audit_log.entries_table(store, viewer=lead, kinds=["return"])["detail"]
    assert entry == "poem0 of made_up_rating" + (", not counted until then" * (not counts)) + (
        ": Read line two."
    )


def test_a_rater_asks_a_lead_answers_and_the_rater_has_seen_it(
    store: Store, lead: Rater, rosa: Rater, item: str
) -> None:
    mine = {"item": item, "rater": rosa.id, "by": rosa}
    remarks_between_raters_and_leads.store_remark_on_work(
        store, TASK, **mine, kind="unclear", text="Does rhyme count?"
    )
    assignment.record_opened_skipped_or_flagged(
        store, TASK, HANDED, item=item, rater=rosa.id, kind="flag", reason="Cut off."
    )

    def inbox() -> list[tuple[str, str, str]]:
        found = remarks_between_raters_and_leads.remarks_for_leads_table(
            store, TASK, dataset="poems", viewer=lead
        )
        return list(zip(found["what"], found["says"], found["answer"], strict=True))

    assert inbox() == [("flag", "Cut off.", ""), ("unclear", "Does rhyme count?", "")]
    remarks_between_raters_and_leads.store_remark_on_work(
        store, TASK, item=item, rater=rosa.id, kind="answer", text=" It does. ", by=lead
    )
    assert [answer for *_, answer in inbox()] == ["It does.", "It does."]
    [told] = remarks_between_raters_and_leads.list_remarks_awaiting_rater(store, rater=rosa.id)
    assert (told.kind, told.text, told.dataset) == ("answer", "It does.", "poems")
    remarks_between_raters_and_leads.store_remark_on_work(store, TASK, **mine, kind="seen")
    assert remarks_between_raters_and_leads.list_remarks_awaiting_rater(store, rater=rosa.id) == []
    remarks_between_raters_and_leads.store_remark_on_work(
        store, TASK, **mine, kind="unclear", text="And metre?"
    )
    assert inbox()[0] == ("unclear", "And metre?", "")
    said = remarks_between_raters_and_leads.list_remarks_on_item(
        store, TASK, item=item, rater=rosa.id, viewer=rosa
    )
    assert [one.text for one in said] == ["Does rhyme count?", "It does.", "And metre?"]
    told = remarks_between_raters_and_leads.all_remarks_table(store, viewer=lead)["text"].tolist()
    assert told == ["Does rhyme count?", "Cut off.", "It does.", "And metre?"]


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
            remarks_between_raters_and_leads.store_remark_on_work(
                store, TASK, item=item, rater=rater.id, kind=kind, text="x", by=by
            )
    with pytest.raises(InvalidInput, match="Nothing is said"):
        remarks_between_raters_and_leads.store_remark_on_work(
            store, TASK, item=item, rater=rosa.id, kind="answer", text=" ", by=lead
        )
    with pytest.raises(NotAllowed):
        remarks_between_raters_and_leads.list_remarks_on_item(
            store, TASK, item=item, rater=rosa.id, viewer=tom
        )
    with pytest.raises(NotAllowed):
        remarks_between_raters_and_leads.remarks_for_leads_table(
            store, TASK, dataset="poems", viewer=rosa
        )
    assert store.rows("select count(*) from remark") == [(0,)]


COMMENTED = replace(TASK, name="commented_rating", value=Commented)


def comment(store: Store, rater: Rater, item: str, text: str) -> None:
    judging.submit_judgment(
        store,
        COMMENTED,
        item=item,
        rater=rater.id,
        token=new_id(),
        body={"score": 5, "comment": text},
    )


def whole_history(store: Store, lead: Rater, rosa: Rater) -> tuple[str, Rater]:
    """An item that Rosa flags, asks about, and judges with a comment, and that is returned to her;
    Tom flags it too.
    """
    tom = person(store, "Tom")
    [item] = poems(store, 1)
    for rater in (rosa, tom):
        assert assignment.give_next_item_and_return_id(
            store, COMMENTED, HANDED, dataset="poems", rater=rater.id
        )
    of = {"item": item, "rater": rosa.id}
    assignment.record_opened_skipped_or_flagged(
        store, COMMENTED, HANDED, **of, kind="flag", reason="Cut off."
    )
    remarks_between_raters_and_leads.store_remark_on_work(
        store, COMMENTED, **of, kind="unclear", text="Does rhyme count?", by=rosa
    )
    remarks_between_raters_and_leads.store_remark_on_work(
        store, COMMENTED, **of, kind="answer", text="It does.", by=lead
    )
    comment(store, rosa, item, "It limps.")
    assignment.record_opened_skipped_or_flagged(
        store, COMMENTED, HANDED, item=item, rater=tom.id, kind="flag", reason="No title."
    )
    back = {"kind": "return", "text": "Read line two.", "by": lead, "counts": False}
    remarks_between_raters_and_leads.store_remark_on_work(store, COMMENTED, **of, **back)
    comment(store, rosa, item, "It limps.")
    comment(store, rosa, item, "It limps less.")
    return item, tom


def test_the_history_of_an_item_says_that_a_flag_was_taken_back(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    item, tom = whole_history(store, lead, rosa)
    of = {"item": item, "rater": tom.id}
    assignment.record_opened_skipped_or_flagged(
        store, COMMENTED, HANDED, **of, kind="open", reason=FLAG_TAKEN_BACK
    )
    said = remarks_between_raters_and_leads.list_remarks_on_item(
        store, COMMENTED, item=item, viewer=lead
    )
    assert [(one.kind, one.whose, one.text, one.by) for one in said] == [
        *HISTORY,
        ("unflag", "Tom", "", "Tom"),
    ]
    lines = item_remarks_as_markdown_lines(said, named=True)
    assert lines[-1].startswith("**Tom** took the flag back :gray[")
    kinds = remarks_between_raters_and_leads.all_remarks_table(store, viewer=lead)["kind"]
    assert list(kinds)[-1] == "unflag"
    # The report counts the flags that stand.
    told = remarks_between_raters_and_leads.count_remarks_by_kind(store, COMMENTED, dataset="poems")
    assert told["flag"] == 1


HISTORY = [
    ("flag", "Rosa", "Cut off.", "Rosa"),
    ("unclear", "Rosa", "Does rhyme count?", "Rosa"),
    ("answer", "Rosa", "It does.", "Lena"),
    ("comment", "Rosa", "It limps.", "Rosa"),
    ("flag", "Tom", "No title.", "Tom"),
    ("return", "Rosa", "Read line two.", "Lena"),
    ("comment", "Rosa", "It limps less.", "Rosa"),
]


def test_flags_questions_comments_and_returns_are_one_history_of_an_item(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    item, _ = whole_history(store, lead, rosa)
    said = remarks_between_raters_and_leads.list_remarks_on_item(
        store, COMMENTED, item=item, viewer=lead
    )
    assert [(one.kind, one.whose, one.text, one.by) for one in said] == HISTORY
    assert remarks_between_raters_and_leads.remarks_by_item(
        store, COMMENTED, dataset="poems", viewer=None
    ) == {item: said}
    assert (
        remarks_between_raters_and_leads.remarks_by_item(store, TASK, dataset="poems", viewer=None)
        == {}
    )
    hers = remarks_between_raters_and_leads.list_remarks_on_item(
        store, COMMENTED, item=item, viewer=lead, rater=rosa.id
    )
    assert hers == [one for one in said if one.whose == "Rosa"]


def test_the_export_of_remarks_has_every_flag_and_comment_and_says_what_was_judged_since(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    whole_history(store, lead, rosa)
    table = remarks_between_raters_and_leads.all_remarks_table(store, viewer=lead)
    told = table[["kind", "rater", "text", "by"]].itertuples(index=False, name=None)
    assert list(told) == HISTORY
    assert list(table)[:10] == [
        *("study", "task", "dataset", "item", "rater", "kind", "text", "counts", "by", "at")
    ]
    assert table["judged_since"].tolist() == [True] * 4 + [False, True, False]
    assert table["counts"].tolist() == [True] * 5 + [False, True]


def test_a_flag_stays_in_the_list_of_flags_when_its_item_is_judged_and_is_answered_there(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    item, tom = whole_history(store, lead, rosa)

    def flags() -> list[tuple[str, str, bool]]:
        found = remarks_between_raters_and_leads.remarks_for_leads_table(
            store, COMMENTED, dataset="poems", viewer=lead
        )
        found = found[found["what"] == "flag"]
        return list(zip(found["says"], found["answer"], found["judged_since"], strict=True))

    assert flags() == [("No title.", "", False), ("Cut off.", "Read line two.", True)]
    of = {"item": item, "rater": tom.id}
    judging.submit_judgment(store, COMMENTED, **of, token=new_id(), body={"score": 5})
    assert flags()[0] == ("No title.", "", True)
    remarks_between_raters_and_leads.store_remark_on_work(
        store, COMMENTED, **of, kind="answer", text="It has none.", by=lead
    )
    assert flags()[0] == ("No title.", "It has none.", True)
    assignment.record_opened_skipped_or_flagged(
        store, COMMENTED, HANDED, **of, kind="flag", reason="Nor an end."
    )
    assert flags()[0] == ("Nor an end.", "", False)


def test_what_waits_for_an_answer_is_counted_as_the_list_of_flags_and_questions_has_it(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    def waiting() -> int:
        listed = remarks_between_raters_and_leads.remarks_for_leads_table(
            store, COMMENTED, dataset="poems", viewer=lead, comments=False
        )
        many = remarks_between_raters_and_leads.unanswered_remark_counts_by_round(store).get(
            (COMMENTED.name, "poems"), 0
        )
        assert many == (listed["answer"] == "").sum()
        return many

    assert waiting() == 0
    item, tom = whole_history(store, lead, rosa)
    assert waiting() == 1
    of = {"item": item, "rater": rosa.id}
    for question in ("Does metre count?", "And the title?"):
        remarks_between_raters_and_leads.store_remark_on_work(
            store, COMMENTED, **of, kind="unclear", text=question, by=rosa
        )
    assert waiting() == 3
    remarks_between_raters_and_leads.store_remark_on_work(
        store, COMMENTED, **of, kind="answer", text="Neither does.", by=lead
    )
    assert waiting() == 1
    remarks_between_raters_and_leads.store_remark_on_work(
        store, COMMENTED, item=item, rater=tom.id, kind="answer", text="It has none.", by=lead
    )
    assert waiting() == 0


def test_what_was_said_is_counted_by_rater_and_item(store: Store, lead: Rater, rosa: Rater) -> None:
    item, _ = whole_history(store, lead, rosa)
    told = {"flag": 2, "unclear": 1, "answer": 1, "return": 1, "comment": 1, "outstanding": 0}
    assert (
        remarks_between_raters_and_leads.count_remarks_by_kind(store, COMMENTED, dataset="poems")
        == told
    )
    of = {"item": item, "rater": rosa.id}
    remarks_between_raters_and_leads.store_remark_on_work(
        store, COMMENTED, **of, kind="return", text="Again, please.", by=lead
    )
    assert remarks_between_raters_and_leads.count_remarks_by_kind(
        store, COMMENTED, dataset="poems"
    ) == {
        **told,
        "outstanding": 1,
    }
    assignment.record_opened_skipped_or_flagged(
        store, COMMENTED, HANDED, **of, kind="flag", reason="I cannot."
    )
    assert (
        remarks_between_raters_and_leads.count_remarks_by_kind(store, COMMENTED, dataset="poems")
        == told
    )


def test_reviewers_read_their_own_questions_and_what_leads_told_them_and_nothing_else(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    item, tom = whole_history(store, lead, rosa)
    said = remarks_between_raters_and_leads.list_remarks_on_item(
        store, COMMENTED, item=item, viewer=rosa, rater=rosa.id
    )
    assert [one.kind for one in said] == ["unclear", "answer", "return"]
    assert (
        remarks_between_raters_and_leads.list_remarks_on_item(
            store, COMMENTED, item=item, viewer=tom, rater=tom.id
        )
        == []
    )
    for viewer, rater in ((tom, rosa.id), (tom, ""), (rosa, "")):
        with pytest.raises(NotAllowed):
            remarks_between_raters_and_leads.list_remarks_on_item(
                store, COMMENTED, item=item, viewer=viewer, rater=rater
            )
    with pytest.raises(NotAllowed):
        remarks_between_raters_and_leads.remarks_by_item(
            store, COMMENTED, dataset="poems", viewer=rosa
        )
    with pytest.raises(NotAllowed):
        remarks_between_raters_and_leads.all_remarks_table(store, viewer=rosa)


# -- what was sent back is work ------------------------------------------------------------------


@pytest.fixture
def nine(store: Store, rosa: Rater) -> list[str]:
    """Nine items, all of which Rosa has judged."""
    poems(store, 12)
    items = []
    while item := assignment.give_next_item_and_return_id(
        store, TASK, HANDED, dataset="poems", rater=rosa.id
    ):
        judge(store, rosa, item, 5)
        items.append(item)
    assert len(items) == 9
    return items


def send_back(store: Store, lead: Rater, rater: Rater, item: str, *, counts: bool = False) -> None:
    said = {"kind": "return", "text": "Read line two.", "by": lead, "counts": counts}
    remarks_between_raters_and_leads.store_remark_on_work(
        store, TASK, item=item, rater=rater.id, **said
    )


def queue_of(store: Store, rater: Rater) -> assignment.RaterQueue:
    return assignment.load_rater_queue(store, TASK, HANDED, dataset="poems", rater=rater.id)


def desk_of(store: Store, rater: Rater) -> TaskShare:
    desk = TaskShare(store=store, task=TASK, settings=HANDED, dataset="poems", rater=rater)
    desk.open_named_or_next_item()
    return desk


@pytest.mark.first_quick
@pytest.mark.parametrize("counts", [True, False])
def test_what_was_sent_back_is_not_done_and_no_other_item_is_given_in_its_place(
    store: Store, lead: Rater, rosa: Rater, nine: list[str], counts: bool
) -> None:
    assert queue_of(store, rosa).progress_in_words == "9 of 9 done"
    assert desk_of(store, rosa).item is None
    send_back(store, lead, rosa, nine[3], counts=counts)
    send_back(store, lead, rosa, nine[3], counts=counts)
    held = queue_of(store, rosa)
    assert (held.done, held.total, held.done_and_total) == (8, 9, (8, 9))
    assert held.progress_in_words == "8 of 9 done, 1 sent back to you"
    assert [place.item for place in held.places_sent_back] == [nine[3]]
    assert held.place_and_state_in_words(held.places[3]) == "4 of 9, sent back to you"
    assert held.place_and_state_in_words(held.places[0]) == "1 of 9, 1 sent back to you"
    assert (
        assignment.give_next_item_and_return_id(store, TASK, HANDED, dataset="poems", rater=rosa.id)
        is None
    )
    desk = desk_of(store, rosa)
    assert desk.item == nine[3]
    judge(store, rosa, nine[3], 7)
    assert queue_of(store, rosa).progress_in_words == "9 of 9 done"
    assert desk_of(store, rosa).item is None


def test_what_was_sent_back_comes_before_new_items_and_after_them_once_it_is_skipped(
    store: Store, lead: Rater, rosa: Rater, item: str
) -> None:
    poems(store, 3)
    judge(store, rosa, item, 5)
    send_back(store, lead, rosa, item)
    desk = desk_of(store, rosa)
    assert desk.item == item
    assignment.record_opened_skipped_or_flagged(
        store, TASK, HANDED, item=item, rater=rosa.id, kind="skip"
    )
    desk.open_named_or_next_item()
    other = desk.item
    assert other not in (None, item)
    assert queue_of(store, rosa).done == 0
    while desk.item != item:
        assert desk.item is not None
        judge(store, rosa, desk.item, 5)
        desk.open_named_or_next_item()
    assert queue_of(store, rosa).progress_in_words == "2 of 3 done, 1 sent back to you"
    assignment.record_opened_skipped_or_flagged(
        store, TASK, HANDED, item=item, rater=rosa.id, kind="skip"
    )
    desk.open_named_or_next_item()
    assert desk.item is None


def test_a_flag_answers_what_was_sent_back(
    store: Store, lead: Rater, rosa: Rater, nine: list[str]
) -> None:
    send_back(store, lead, rosa, nine[0])
    assignment.record_opened_skipped_or_flagged(
        store, TASK, HANDED, item=nine[0], rater=rosa.id, kind="flag", reason="I cannot."
    )
    assert remarks_between_raters_and_leads.list_remarks_awaiting_rater(store, rater=rosa.id) == []
    assert queue_of(store, rosa).progress_in_words == "9 of 9 done"
    # Sent back again, it waits again; a flag of before answers nothing.
    send_back(store, lead, rosa, nine[0])
    assert (
        len(remarks_between_raters_and_leads.list_remarks_awaiting_rater(store, rater=rosa.id)) == 1
    )
    assert queue_of(store, rosa).progress_in_words == "8 of 9 done, 1 sent back to you"


def test_what_is_sent_back_is_known_in_whatever_order_the_facts_are_read(
    store: Store, lead: Rater, rosa: Rater, nine: list[str]
) -> None:
    before = queue_of(store, rosa)
    send_back(store, lead, rosa, nine[1])
    followed = queue_of(store, rosa)
    assert followed != before
    _held.pop(store)
    assert queue_of(store, rosa) == followed
    assert assignment_ledger_of_task(store, TASK.name).by_rater[rosa.id][nine[1]].is_sent_back
