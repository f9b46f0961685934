"""The desk: which item lies on it, and what becomes of each message from the browser."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.review import judging, raters, remarks_between_raters_and_leads
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id
from medlens.studies.registry import STUDIES
from medlens.studies.tagging import tasks
from medlens.studies.tagging.study_in_dataset import open_study
from medlens.ui.span_desk import SpanDesk as Desk
from medlens.ui.span_tagger import parse_message
from medlens.ui.tagging.response_for_span_desk import marking_setup_of_responses
from tests.store.conftest import Filled
from tests.store.made_up import person

FILES = Settings()


@pytest.fixture
def demo(filled: Filled) -> Store:
    return filled(STUDIES["tagging"].demo)


def desk_of(store: Store, rater: Rater, *, items: int = 3, gold: float = 0) -> Desk:
    study = open_study(store, FILES)
    settings = HandOut(items_per_rater=items, gold_share=gold)
    desk = Desk(
        store=store,
        task=study.task,
        marking=marking_setup_of_responses(study),
        settings=settings,
        dataset=study.dataset,
        rater=rater,
    )
    desk.open_named_or_next_item()
    return desk


@pytest.fixture
def desk(demo: Store) -> Desk:
    return desk_of(demo, person(demo, "Anna"))


def mark(desk: Desk, label: str = "hallucination_of_information", **change: Any) -> dict[str, Any]:
    """A body with the first ten characters marked."""
    text = desk.tagger_data_with_answer()["text"]
    span = {
        "start": 0,
        "end": 10,
        "quote": text[:10],
        "labels": [label],
        "comment": "",
        "link": "",
        "located": "exact",
    } | change
    return {"spans": [span], "comment": ""}


def say(
    desk: Desk, action: str, body: dict[str, Any] | None = None, **change: Any
) -> dict[str, Any]:
    """Send a message as the browser does; returns the answer."""
    data = desk.tagger_data_with_answer()
    fields: dict[str, Any] = {
        "token": new_id(),
        "rater": data["rater"],
        "item": data["item"],
        "base": data["rev"],
        "action": action,
        "body": body or {"spans": [], "comment": ""},
        "reason": "",
        "seconds": {"active": 4.0, "idle": 1.0},
        "attempt": 1,
    }
    desk.carry_out_message_and_set_acknowledgement(parse_message(fields | change))
    assert desk.ack is not None
    return desk.ack


def test_a_draft_is_acknowledged_with_its_revision_and_is_there_after_a_reload(desk: Desk) -> None:
    answer = say(desk, "draft", mark(desk))
    assert (answer["rev"], answer["error"]) == (1, None)
    again = desk_of(desk.store, desk.rater)
    assert again.item == desk.item
    assert (
        again.tagger_data_with_answer()["draft"]["spans"][0]["quote"]
        == desk.tagger_data_with_answer()["text"][:10]
    )
    assert again.tagger_data_with_answer()["clock"]["item_seconds"] == 4.0


def test_submitting_moves_on_and_counts(desk: Desk) -> None:
    first = desk.item
    answer = say(desk, "submit", mark(desk))
    assert answer["error"] is None
    assert desk.item not in (None, first)
    assert desk.tagger_data_with_answer()["progress"]["done"] == 1
    assert desk.tagger_data_with_answer()["progress"]["position"] == 2
    assert desk.tagger_data_with_answer()["draft"] == {"spans": [], "comment": ""}


def test_the_items_that_a_move_leads_to_are_sent_ahead_and_are_the_ones_that_come(
    desk: Desk,
) -> None:
    first = desk.handle_of_current_item
    assert desk.tagger_data_with_answer()["ahead"]["moves"] == {}
    say(desk, "draft", mark(desk))
    ahead = desk.tagger_data_with_answer()["ahead"]
    after = ahead["moves"]["submit"]
    assert after == ahead["moves"]["next"] == ahead["moves"]["skip"]
    assert set(ahead["items"]) == {after}
    assert set(ahead["items"][after]) == {"item", "text", "title", "context"}
    say(desk, "submit", mark(desk, "sticking_with_wrong_diagnosis"))
    assert desk.handle_of_current_item == after
    assert desk.tagger_data_with_answer()["text"] == ahead["items"][after]["text"]
    assert desk.tagger_data_with_answer()["ahead"]["moves"]["previous"] == first


def test_after_the_last_item_the_desk_is_empty(desk: Desk) -> None:
    for _ in range(3):
        say(desk, "submit", mark(desk))
    assert desk.item is None
    assert desk.queue.done == desk.queue.total == 3


def test_next_behind_the_last_item_leads_to_the_end_and_not_in_circles(desk: Desk) -> None:
    for _ in range(3):
        say(desk, "submit", mark(desk))
    assert desk.item is None
    desk.open_named_or_next_item(desk.queue.places[-1].name)
    assert desk.tagger_data_with_answer()["progress"]["has_next"]
    say(desk, "next")
    assert desk.item is None


def test_what_is_no_message_is_answered_under_its_token(desk: Desk) -> None:
    desk.answer_invalid_message(
        "a-token", InvalidInput("The page sent a comment that is too long.", hint="Cut.")
    )
    assert desk.tagger_data_with_answer()["ack"] == {
        "token": "a-token",
        "rev": 0,
        "saved_at": "",
        "newer": None,
        "error": {
            "message": "The page sent a comment that is too long.",
            "hint": "Cut.",
            "passing": False,
        },
    }


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"spans": []}, "at least one"),
        ({"label": "unsupported_medical_claim"}, "link"),
        ({"both": True}, "excludes"),
    ],
)
def test_a_submission_against_the_rules_is_refused_but_kept_as_a_draft(
    desk: Desk, change: dict[str, Any], says: str
) -> None:
    body = mark(desk, change.get("label", "hallucination_of_information"))
    if "spans" in change:
        body = {"spans": [], "comment": "Looked at it."}
    if "both" in change:
        body["spans"][0]["labels"] = ["hallucination_of_information", "reasonable_response"]
    item = desk.item
    answer = say(desk, "submit", body)
    assert says in answer["error"]["message"]
    assert desk.item == item
    assert answer["rev"] == 1
    assert desk.store.rows("select count(*) from judgment where origin = 'app'") == [(0,)]
    # What follows builds on the draft that was kept.
    assert say(desk, "draft", mark(desk))["error"] is None


def test_marks_that_do_not_fit_do_not_take_another_tabs_draft_for_their_own(desk: Desk) -> None:
    other = desk_of(desk.store, desk.rater)
    assert say(other, "draft", mark(other))["rev"] == 1
    refused = say(desk, "submit", mark(desk, start=0, end=10, quote="something!"))
    assert refused["error"]
    assert refused["rev"] == 0
    assert say(desk, "draft", mark(desk, "sticking_with_wrong_diagnosis"))["newer"]["rev"] == 1


@pytest.mark.first_quick
@pytest.mark.parametrize(
    "change",
    [
        {"start": 5, "end": 15},
        {"start": 0, "end": 10, "quote": "something!"},
        {"start": 0, "end": 10**6},
        {"labels": ["made_up"]},
    ],
)
def test_marks_that_do_not_fit_the_text_are_not_even_a_draft(
    desk: Desk, change: dict[str, Any]
) -> None:
    answer = say(desk, "draft", mark(desk, **change))
    assert answer["error"] is not None
    assert desk.store.rows("select count(*) from draft") == [(0,)]


def test_a_message_that_comes_a_second_time_behind_the_next_changes_nothing(desk: Desk) -> None:
    data = desk.tagger_data_with_answer()
    fields = {
        "rater": data["rater"],
        "item": data["item"],
        "body": mark(desk),
        "reason": "",
        "seconds": {"active": 1, "idle": 0},
        "attempt": 1,
    }
    first = parse_message({**fields, "token": new_id(), "base": 0, "action": "submit"})
    desk.carry_out_message_and_set_acknowledgement(first)
    second = desk.handle_of_current_item
    say(desk, "previous")
    assert desk.handle_of_current_item == data["item"] != second
    answer = desk.ack
    desk.carry_out_message_and_set_acknowledgement(first)
    assert (desk.handle_of_current_item, desk.ack) == (data["item"], answer)


def test_a_repeated_message_changes_nothing(desk: Desk) -> None:
    token, item = new_id(), desk.item
    data = desk.tagger_data_with_answer()
    message = parse_message(
        {
            "token": token,
            "rater": data["rater"],
            "item": data["item"],
            "base": 0,
            "action": "submit",
            "body": mark(desk),
            "reason": "",
            "seconds": {"active": 1, "idle": 0},
            "attempt": 1,
        }
    )
    desk.carry_out_message_and_set_acknowledgement(message)
    moved_to = desk.item
    desk.carry_out_message_and_set_acknowledgement(message)
    assert desk.item == moved_to != item
    # A new session (the server was restarted) gets the same message again.
    fresh = desk_of(desk.store, desk.rater)
    fresh.carry_out_message_and_set_acknowledgement(message)
    assert fresh.ack is not None
    assert fresh.ack["error"] is None
    assert fresh.store.rows("select count(*) from judgment where origin = 'app'") == [(1,)]


def test_the_second_tab_is_shown_the_newer_state(desk: Desk) -> None:
    other = desk_of(desk.store, desk.rater)
    assert other.item == desk.item
    say(desk, "draft", mark(desk))
    answer = say(other, "draft", mark(other, "ignore_missing_information"))
    assert "another tab" in answer["error"]["message"]
    assert answer["newer"]["rev"] == 1
    assert answer["newer"]["draft"]["spans"][0]["labels"] == ["hallucination_of_information"]
    assert answer["newer"]["submitted"] is False
    # Told of it, the tab can put its own state on top.
    after = say(other, "draft", mark(other, "ignore_missing_information"), base=1)
    assert (after["error"], after["rev"]) == (None, 2)


def test_the_second_tab_is_told_that_the_first_one_has_submitted_the_item(desk: Desk) -> None:
    other = desk_of(desk.store, desk.rater)
    assert say(desk, "submit", mark(desk))["error"] is None
    newer = say(other, "draft", mark(other, "ignore_missing_information"))["newer"]
    assert newer["submitted"] is True
    assert newer["draft"]["spans"][0]["labels"] == ["hallucination_of_information"]


def test_another_persons_marks_are_never_written_as_mine(demo: Store) -> None:
    anna, ben = person(demo, "Anna"), person(demo, "Ben")
    desk = desk_of(demo, ben)
    answer = say(desk, "draft", mark(desk), rater=anna.id)
    assert "somebody else" in answer["error"]["message"]
    assert demo.rows("select count(*) from draft") == [(0,)]


def test_skip_flag_previous_and_next_find_their_items(desk: Desk) -> None:
    first = desk.item
    say(desk, "skip")
    second = desk.item
    assert second != first
    assert say(desk, "flag")["error"]["message"].startswith("A flag needs a reason")
    say(desk, "flag", reason="Cut off.")
    third = desk.item
    assert third not in (first, second)
    say(desk, "previous")
    assert desk.item == second
    assert (
        desk.tagger_data_with_answer()["state"],
        desk.tagger_data_with_answer()["flag_reason"],
    ) == ("flagged", "Cut off.")
    say(desk, "next")
    assert desk.item == third


def test_a_flag_is_taken_back_at_the_desk_which_says_so_and_keeps_the_item(
    demo: Store, desk: Desk
) -> None:
    lead = raters.find_or_add_rater_by_name(demo, "Lena", role="lead")

    def flags() -> list[str]:
        found = remarks_between_raters_and_leads.remarks_for_leads_table(
            demo, desk.task, dataset="demo", viewer=lead, comments=False
        )
        many = remarks_between_raters_and_leads.unanswered_remark_counts_by_round(demo)
        assert many.get((desk.task.name, "demo"), 0) == len(found)
        return list(found["says"])

    item = desk.item
    say(desk, "flag", reason="Cut off.")
    assert flags() == ["Cut off."]
    say(desk, "previous")
    assert not desk.tagger_data_with_answer()["is_flag_taken_back"]
    say(desk, "unflag")
    assert desk.item == item
    assert (
        desk.tagger_data_with_answer()["state"],
        desk.tagger_data_with_answer()["flag_reason"],
    ) == ("open", "")
    assert desk.tagger_data_with_answer()["is_flag_taken_back"]
    # Nobody is asked to answer it any more; what is said anew is.
    assert flags() == []
    say(desk, "flag", reason="It has no end.")
    assert flags() == ["It has no end."]


def test_a_flag_of_what_was_submitted_stands_until_it_is_taken_back_at_the_desk(desk: Desk) -> None:
    def told() -> tuple[object, ...]:
        names = ("state", "flag_reason", "is_flag_taken_back")
        return tuple(desk.tagger_data_with_answer()[name] for name in names)

    item = desk.item
    say(desk, "submit", mark(desk))
    say(desk, "previous")
    say(desk, "flag", mark(desk), reason="It is cut off.")
    assert desk.item != item
    say(desk, "previous")
    assert desk.item == item
    assert told() == ("submitted", "It is cut off.", False)
    # Neither a change nor its submission takes the flag back.
    say(desk, "draft", mark(desk, start=1, quote=desk.tagger_data_with_answer()["text"][1:10]))
    say(desk, "submit", mark(desk))
    say(desk, "previous")
    assert told() == ("submitted", "It is cut off.", False)
    say(desk, "unflag", mark(desk))
    assert desk.item == item
    assert told() == ("submitted", "", True)
    say(desk, "submit", mark(desk))
    say(desk, "previous")
    assert told() == ("submitted", "", False)


def test_a_flag_that_a_lead_has_answered_by_returning_the_item_can_be_set_again(
    demo: Store, desk: Desk
) -> None:
    lead = raters.find_or_add_rater_by_name(demo, "Lena", role="lead")
    item = desk.item
    assert item
    say(desk, "submit", mark(desk))
    say(desk, "previous")
    say(desk, "flag", mark(desk), reason="It is cut off.")
    of = {"item": item, "rater": desk.rater.id}
    remarks_between_raters_and_leads.store_remark_on_work(
        demo, desk.task, **of, kind="return", text="Look again.", by=lead
    )
    say(desk, "previous")
    assert desk.item == item
    assert desk.tagger_data_with_answer()["flag_reason"] == ""
    say(desk, "flag", mark(desk), reason="It is cut off still.")
    say(desk, "previous")
    assert desk.tagger_data_with_answer()["flag_reason"] == "It is cut off still."
    # Taken back, what was sent back waits again.
    say(desk, "unflag", mark(desk))
    assert desk.tagger_data_with_answer()["state"] == "sent back"
    waiting = remarks_between_raters_and_leads.list_remarks_awaiting_rater(
        demo, rater=desk.rater.id
    )
    assert [one.item for one in waiting] == [item]


def test_after_a_skip_no_item_is_numbered_beyond_the_last(desk: Desk) -> None:
    say(desk, "skip")
    # 3 have become 4, which is said.
    assert desk.left_behind == "Item 1 skipped, another added for it"
    seen = []
    for _ in range(3):
        progress = desk.tagger_data_with_answer()["progress"]
        seen.append((progress["position"], progress["total"]))
        say(desk, "submit", mark(desk))
    assert seen == [(2, 4), (3, 4), (4, 4)]
    assert desk.item is None
    assert desk.queue.done == desk.queue.total == 3


def test_what_was_skipped_comes_back_at_the_end_once(demo: Store) -> None:
    [(items,)] = demo.rows("select count(*) from item")
    desk = desk_of(demo, person(demo, "Anna"), items=items)
    skipped = []
    for _ in range(2):
        skipped.append(desk.item)
        say(desk, "skip")
        # There is no other one to be added.
        assert desk.left_behind == f"Item {len(skipped)} skipped"
    while desk.item not in skipped:
        say(desk, "submit", mark(desk))
    assert desk.item == skipped[0]
    assert desk.queue.total == desk.queue.done + 2 > 20
    say(desk, "skip")
    assert desk.item == skipped[1]
    say(desk, "submit", mark(desk))
    assert desk.item is None
    assert desk_of(demo, desk.rater, items=items).item == skipped[0]


def test_next_leads_on_to_new_items_and_not_to_and_fro_between_two(desk: Desk) -> None:
    seen = [desk.item]
    for _ in range(2):
        say(desk, "next")
        seen.append(desk.item)
    assert len(set(seen)) == 3
    say(desk, "next")
    assert desk.item == seen[0]


def test_an_item_of_somebody_elses_queue_cannot_be_written_to(demo: Store) -> None:
    desk = desk_of(demo, person(demo, "Anna"))
    theirs = demo.rows("select id from item where id not in (select item from assignment) limit 1")[
        0
    ][0]
    answer = say(desk, "draft", {"spans": [], "comment": "x"}, item=theirs)
    assert "not in your queue" in answer["error"]["message"]
    answer = say(desk, "draft", {"spans": [], "comment": "x"}, item="nonsense")
    assert answer["error"] is not None


def test_gold_items_look_like_any_other(demo: Store) -> None:
    gold = {row[0] for row in demo.rows("select item from gold")}
    desk = desk_of(demo, person(demo, "Anna"), items=10, gold=0.2)
    seen = {}
    while desk.item is not None:
        seen[desk.item] = set(desk.tagger_data_with_answer()) | {
            "|".join(map(str, desk.tagger_data_with_answer()["progress"]))
        }
        assert (
            "gold"
            not in str(
                {k: v for k, v in desk.tagger_data_with_answer().items() if k != "text"}
            ).lower()
        )
        say(desk, "submit", mark(desk))
    assert gold <= set(seen)
    assert len({frozenset(keys) for keys in seen.values()}) == 1


def test_a_submitted_item_can_be_changed_and_submitted_again(desk: Desk) -> None:
    first = desk.item
    say(desk, "submit", mark(desk))
    say(desk, "previous")
    assert (desk.item, desk.tagger_data_with_answer()["state"]) == (first, "submitted")
    assert desk.tagger_data_with_answer()["draft"]["spans"]
    say(desk, "submit", mark(desk, "ignore_missing_information"))
    assert first is not None
    rows = judging.list_revisions_viewer_may_see(
        desk.store, desk.task, item=first, viewer=desk.rater
    )
    assert [row["revision"] for row in rows] == [1, 2]
    assert desk.task.name == tasks.NAME
