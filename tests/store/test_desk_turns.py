"""What happens at a desk happens one after the other, whichever thread it comes in."""

from __future__ import annotations

from threading import Thread
from typing import Any
from unittest.mock import Mock

import pytest

from medlens.errors import Conflict, StoreUnavailable
from medlens.review import assignment, judging
from medlens.review.tasks import HandOut
from medlens.store import Store
from medlens.studies.agentclinic.study_in_dataset import open_study
from medlens.studies.agentclinic.tasks import MARKS
from medlens.studies.registry import STUDIES
from medlens.ui.agentclinic.conversation import Marked, TurnMark
from medlens.ui.agentclinic.rating_desk import save_marks_from_browser
from medlens.ui.answer_form import Said, save_answers_from_browser_message
from medlens.ui.desk import Desk
from medlens.ui.desk_view import saved_state_in_words
from tests.store.conftest import Filled
from tests.store.made_up import person

SCORES = {"doctor": 7, "patient": 7, "measurement": 7, "empathy": 7}
MARK: Any = {"turn": 1, "mark": MARKS[0].id, "comment": ""}


def say_scores(desk: Desk, item: str) -> None:
    changes = {"doctor": (None, "7")}
    said = Said(token="one", item=item, session=desk.session, rev=0, changes=changes)
    save_answers_from_browser_message(
        desk, said, lambda _: (dict, lambda _, now: {"doctor": int(now["doctor"] or 0)})
    )


def say_marks(desk: Desk, item: str) -> None:
    save_marks_from_browser(
        desk, Marked(token="one", key=item, marks=[TurnMark(**MARK)], session=desk.session, base=0)
    )


@pytest.fixture
def demo(filled: Filled) -> Store:
    return filled(STUDIES["agentclinic"].demo)


def anna_at_the_desk(store: Store) -> Desk:
    study = open_study(store, "demo")
    return Desk(
        store=store,
        task=study.realism,
        settings=HandOut(),
        dataset=study.dataset,
        rater=person(store, "Anna"),
        lay_out=str,
    )


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("say", "kept"), [(say_scores, {"doctor": 7}), (say_marks, {"marks": [MARK]})]
)
def test_a_move_back_to_a_dialogue_waits_until_what_was_said_of_it_is_kept(
    demo: Store, monkeypatch: pytest.MonkeyPatch, say: Any, kept: dict[str, Any]
) -> None:
    desk = anna_at_the_desk(demo)
    desk.open_named_or_next_item()
    first = desk.item
    assert first is not None
    desk.go_by_steps_in_queue(1)
    assert desk.item != first
    back = Thread(target=desk.go_by_steps_in_queue, args=(-1,))
    save = judging.save_draft

    def slowly(*args: Any, **kwargs: Any) -> Any:
        back.start()
        back.join(0.3)
        return save(*args, **kwargs)

    monkeypatch.setattr(judging, "save_draft", slowly)
    say(desk, first)
    back.join(10)
    assert (desk.item, desk.revision) == (first, 1)
    assert kept.items() <= desk.body.items()


def test_a_draft_changes_nothing_beside_the_form_and_a_move_or_a_conflict_does(
    demo: Store,
) -> None:
    desk, other = anna_at_the_desk(demo), anna_at_the_desk(demo)
    desk.open_named_or_next_item()
    other.open_named_or_next_item()
    assert desk.item is not None
    assert other.item == desk.item
    before = desk.page_state_besides_answer()
    say_scores(desk, desk.item)
    assert desk.page_state_besides_answer() == before
    # The other tab's draft is refused: its page has to ask which one to keep.
    before = other.page_state_besides_answer()
    other.change_answer_and_save_draft(**SCORES | {"doctor": 1})
    assert other.newer is not None
    assert other.page_state_besides_answer() != before
    before = desk.page_state_besides_answer()
    desk.moved = False
    desk.skip_or_flag_and_move_on("skip")
    assert desk.page_state_besides_answer() != before


def test_a_field_may_be_called_item_or_self(demo: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = anna_at_the_desk(demo)
    desk.open_named_or_next_item()
    monkeypatch.setattr(Desk, "save_draft", lambda self: None)
    said: dict[str, Any] = {"item": "x", "self": "y"}
    assert desk.item is not None
    assert desk.change_answer_of_item_and_say_if_done(desk.item, **said)
    assert said.items() <= desk.body.items()


def test_the_next_item_is_claimed_once_this_one_is_begun_so_that_a_move_need_not_wait(
    demo: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = anna_at_the_desk(demo)
    desk.open_named_or_next_item()
    assert desk.item is not None
    desk.claim_next_item_once_work_has_begun()
    assert len(desk.queue.places) == 1
    say_scores(desk, desk.item)
    with monkeypatch.context() as patch:
        full = StoreUnavailable("The disk is full.")
        patch.setattr(assignment, "give_next_item_and_return_id", Mock(side_effect=full))
        desk.claim_next_item_once_work_has_begun()
        assert desk.is_answer_saved
        assert desk.error is None
    desk.claim_next_item_once_work_has_begun()
    desk.claim_next_item_once_work_has_begun()
    _, after = desk.queue.places
    monkeypatch.setattr(
        assignment, "give_next_item_and_return_id", Mock(side_effect=AssertionError)
    )
    desk.skip_or_flag_and_move_on("skip")
    assert desk.item == after.item


def test_of_an_item_skipped_or_flagged_is_said_that_another_was_added_and_so_one_more_is_counted(
    demo: Store,
) -> None:
    desk = anna_at_the_desk(demo)
    desk.settings = HandOut(items_per_rater=3, gold_share=0)
    desk.open_named_or_next_item()
    place = desk.queue_entry_of_current_item
    assert place is not None
    assert desk.place_in_words(place) == "1 of 3"
    for number, kind, done, where in (
        (1, "skip", "skipped", "2 of 4, 1 skipped"),
        (2, "flag", "flagged", "3 of 5, 1 skipped, 1 flagged"),
    ):
        desk.skip_or_flag_and_move_on(kind, "It ends in a sentence.")
        assert desk.left_behind == f"Item {number} {done}, another added for it"
        place = desk.queue_entry_of_current_item
        assert place is not None
        assert desk.place_in_words(place) == where
    desk.change_answer_and_save_draft(**SCORES)
    desk.submit_and_move_on()
    assert desk.left_behind == "Item 3 submitted"


def test_who_looks_over_a_finished_share_goes_from_one_item_to_the_next(demo: Store) -> None:
    desk = anna_at_the_desk(demo)
    desk.settings = HandOut(items_per_rater=3, gold_share=0)
    desk.open_named_or_next_item()
    for _ in range(3):
        assert desk.item is not None
        desk.change_answer_and_save_draft(**SCORES)
        desk.submit_and_move_on()
        assert desk.error is None
    # Who has just finished it is at its end.
    assert desk.item is None
    desk.put_item_of_queue_place_on_desk(desk.queue.places[0])
    for place in desk.queue.places:
        assert desk.item == place.item
        desk.submit_and_move_on()
        assert desk.left_behind == f"Item {place.number} submitted"
        if desk.item is not None:  # which was submitted before: that must not hide it
            said = saved_state_in_words(desk)
            assert said.startswith(f"Item {place.number} submitted · this one submitted "), said
    assert desk.item is None


def test_an_empty_submit_does_not_take_another_tabs_draft_for_its_own(demo: Store) -> None:
    one, other = anna_at_the_desk(demo), anna_at_the_desk(demo)
    one.open_named_or_next_item()
    other.open_named_or_next_item()
    assert one.item == other.item
    one.change_answer_and_save_draft(**SCORES)
    other.submit_and_move_on()
    assert isinstance(other.error, Conflict)
    assert other.newer is not None
    other.change_answer_and_save_draft(doctor=2)
    assert other.item is not None
    kept = judging.load_draft_or_current_judgment(
        demo, other.task, item=other.item, rater=other.rater.id
    )
    assert kept.revision == 1
    assert {name: getattr(kept.value, name) for name in SCORES} == SCORES
