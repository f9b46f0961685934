"""One person, two tabs: neither takes the other's work for its own, and none of either is lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import pytest

from medlens.errors import Conflict, StoreUnavailable
from medlens.review import judging, second_pass
from medlens.review.tasks import HandOut, PersonalForm
from medlens.store import Store, new_id
from medlens.studies.agentclinic.study_in_dataset import open_study
from medlens.studies.agentclinic.tasks import MARKS
from medlens.studies.registry import STUDIES
from medlens.studies.sourcecheckup import study_in_dataset as sourcecheckup
from medlens.ui.agentclinic.conversation import Marked, TurnMark
from medlens.ui.agentclinic.rating_desk import save_marks_from_browser
from medlens.ui.answer_form import Said, save_answers_from_browser_message
from medlens.ui.desk import Desk
from medlens.ui.form_outside_queue import FormSheet
from medlens.ui.sourcecheckup.pair_and_answer_desk_state_and_messages import PairDesk
from medlens.ui.sourcecheckup.source_reader import parse_message
from medlens.ui.sourcecheckup.statements_and_sources_prepared_to_read import (
    prepare_pair_to_read,
)
from medlens.ui.task_share_and_desk_message_receiver import OutOfDate
from tests.store.conftest import Filled
from tests.store.made_up import person

SCORES = {"doctor": 7, "patient": 7, "measurement": 7, "empathy": 7}
MARK: Any = {"turn": 1, "mark": MARKS[0].id, "comment": ""}
NOWHERE: Any = {"turn": 9_999, "mark": MARKS[0].id, "comment": ""}

Move = Callable[[Desk], object]
MOVES: dict[str, Move] = {
    "next": lambda desk: desk.go_by_steps_in_queue(1),
    "skip": lambda desk: desk.skip_or_flag_and_move_on("skip"),
    "flag": lambda desk: desk.skip_or_flag_and_move_on("flag", "Cut off."),
    "return to the desk": lambda desk: desk.turn_to_item_in_address("", entered=True),
}


@pytest.fixture
def demo(filled: Filled) -> Store:
    return filled(STUDIES["agentclinic"].demo)


def anna_at_the_desk(store: Store, name: str = "") -> Desk:
    study = open_study(store, "demo")
    desk = Desk(
        store=store,
        task=study.realism,
        settings=HandOut(),
        dataset=study.dataset,
        rater=person(store, "Anna"),
        lay_out=str,
    )
    desk.open_named_or_next_item(name)
    return desk


def with_the_next_item(desk: Desk, session: str) -> Desk:
    """The desk once it has gone on; with a ``session`` from before the server restarted, the desk
    that this page then has, which never had the item before.
    """
    desk.go_by_steps_in_queue(1)
    return anna_at_the_desk(desk.store, desk.handle_of_current_item) if session else desk


@pytest.fixture
def tabs(demo: Store) -> tuple[Desk, Desk, str]:
    """Two tabs with the same item on the desk, and that item."""
    one, other = anna_at_the_desk(demo), anna_at_the_desk(demo)
    assert one.item == other.item
    assert one.item is not None
    return one, other, one.item


def kept(desk: Desk, item: str) -> dict[str, Any]:
    draft = judging.load_draft_or_current_judgment(
        desk.store, desk.task, item=item, rater=desk.rater.id
    )
    return draft.value.model_dump(mode="json") if draft.value else {}


def send(desk: Desk, item: str, changes: dict[str, Any], **more: Any) -> None:
    """A message of the form, as the browser sends it."""
    said = {"token": new_id(), "session": desk.session, "rev": 0, "rater": desk.rater.id} | more
    save_answers_from_browser_message(
        desk,
        Said(item=desk.browser_handle_of_item(item), changes=changes, **said),
        lambda _: (
            lambda body: {name: body[name] and str(body[name]) for name in SCORES},
            lambda _, now: {name: int(said) for name, said in now.items() if said},
        ),
    )


def send_marks(desk: Desk, item: str, marks: list[Any], session: str) -> None:
    save_marks_from_browser(
        desk,
        Marked(
            token=new_id(),
            key=desk.browser_handle_of_item(item),
            marks=[TurnMark(**one) for one in marks],
            session=session,
            base=0,
        ),
    )


def is_asked(desk: Desk, item: str) -> bool:
    """Whether the desk shows this item and asks which of two versions to keep."""
    return desk.item == item and isinstance(desk.error, Conflict) and desk.newer is not None


@pytest.mark.parametrize("session", ["", "before the server restarted"])
def test_an_answer_that_arrives_after_its_item_was_left_asks_before_it_replaces_another_tabs(
    tabs: tuple[Desk, Desk, str], session: str
) -> None:
    one, other, item = tabs
    other = with_the_next_item(other, session)
    assert other.item != item
    one.change_answer_and_save_draft(doctor=2)
    send(other, item, {"doctor": (None, "7")}, session=session or other.session)
    assert kept(one, item)["doctor"] == 2
    assert is_asked(other, item)
    assert other.body["doctor"] == 7
    other.overwrite_other_tabs_answer()
    assert kept(one, item)["doctor"] == 7


@pytest.mark.parametrize("session", ["", "before the server restarted"])
def test_marks_that_arrive_after_their_dialogue_was_left_ask_before_they_replace_another_tabs(
    tabs: tuple[Desk, Desk, str], session: str
) -> None:
    one, other, item = tabs
    other = with_the_next_item(other, session)
    one.change_answer_and_save_draft(marks=[MARK])
    send_marks(other, item, [], session or other.session)
    assert kept(one, item)["marks"] == [MARK]
    assert is_asked(other, item)
    assert other.body["marks"] == []
    more = MARK | {"comment": "Mine."}
    send_marks(other, item, [more], session or other.session)
    assert kept(one, item)["marks"] == [MARK]
    assert is_asked(other, item)
    assert other.body["marks"] == [more]


def test_what_one_tab_says_of_an_item_it_has_left_is_saved_each_time_without_a_question(
    demo: Store,
) -> None:
    desk = anna_at_the_desk(demo)
    item = desk.item or ""
    send(desk, item, {"doctor": (None, "3")})
    desk.go_by_steps_in_queue(1)
    for before, now in ((3, 4), (4, 5)):
        send(desk, item, {"doctor": (str(before), str(now))})
        assert desk.error is None
        assert desk.item != item
        assert kept(desk, item)["doctor"] == now


def test_an_item_comes_back_only_once_the_one_on_the_desk_is_decided(
    tabs: tuple[Desk, Desk, str],
) -> None:
    one, other, item = tabs
    other.go_by_steps_in_queue(1)
    one.change_answer_and_save_draft(doctor=2)
    one.go_by_steps_in_queue(1)
    second = other.item or ""
    assert one.item == second
    one.change_answer_and_save_draft(doctor=3)
    other.change_answer_and_save_draft(doctor=9)
    assert is_asked(other, second)
    token = new_id()
    for _ in range(2):  # the browser repeats it until it is taken
        send(other, item, {"doctor": (None, "7")}, token=token)
        assert is_asked(other, second)
        assert other.body["doctor"] == 9
    other.overwrite_other_tabs_answer()
    send(other, item, {"doctor": (None, "7")}, token=token)
    assert is_asked(other, item)
    assert other.body["doctor"] == 7
    assert kept(one, second)["doctor"] == 9


@pytest.mark.parametrize("move", MOVES)
def test_who_has_not_chosen_between_two_tabs_stays_and_loses_neither(
    tabs: tuple[Desk, Desk, str], move: str
) -> None:
    one, other, item = tabs
    one.change_answer_and_save_draft(doctor=2)
    other.change_answer_and_save_draft(doctor=7, empathy=3)
    MOVES[move](other)
    assert is_asked(other, item)
    assert (other.body["doctor"], other.body["empathy"]) == (7, 3)
    other.take_other_tabs_answer()
    MOVES[move](other)
    assert other.item != item or move == "return to the desk"


@pytest.mark.parametrize("move", MOVES)
def test_what_the_store_did_not_take_is_saved_before_the_item_is_left(
    demo: Store, move: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = anna_at_the_desk(demo)
    item = desk.item or ""
    with monkeypatch.context() as patch:
        patch.setattr(judging, "save_draft", Mock(side_effect=StoreUnavailable("It is locked.")))
        desk.change_answer_and_save_draft(doctor=7)
        moves = desk.moves
        MOVES[move](desk)
        assert desk.item == item
        assert desk.body["doctor"] == 7
        assert isinstance(desk.error, StoreUnavailable)
        # The form hears that the move was asked for, and that it led nowhere.
        assert desk.moves > moves or move == "return to the desk"
    MOVES[move](desk)
    assert kept(desk, item)["doctor"] == 7
    assert desk.error is None


def test_an_answer_that_cannot_even_be_a_draft_does_not_take_another_tabs_for_its_own(
    tabs: tuple[Desk, Desk, str],
) -> None:
    one, other, item = tabs
    one.change_answer_and_save_draft(**SCORES)
    other.change_answer_and_save_draft(marks=[NOWHERE])
    other.submit_and_move_on()
    assert other.error is not None
    other.change_answer_and_save_draft(marks=[], doctor=1)
    assert is_asked(other, item)
    assert SCORES.items() <= kept(one, item).items()


def test_submit_in_a_page_left_open_overnight_submits_what_it_shows_or_asks(
    demo: Store,
) -> None:
    before = anna_at_the_desk(demo)
    item = before.item or ""
    before.change_answer_and_save_draft(**SCORES)
    seen, rev = dict.fromkeys(SCORES, "7"), before.revision
    before.change_answer_and_save_draft(doctor=1)  # on another device
    old = {"session": "yesterday's", "submit": True}
    desk = anna_at_the_desk(demo)
    send(desk, item, {}, rev=rev, seen=seen, **old)
    assert is_asked(desk, item)
    assert desk.body["doctor"] == 7
    assert judging.last_own_answer(demo, desk.task, item=item, rater=desk.rater.id) is None
    desk.take_other_tabs_answer()
    # What the page showed is what is saved: nothing is asked.
    send(desk, item, {}, rev=rev, seen=seen | {"doctor": "1"}, **old)
    assert judging.last_own_answer(demo, desk.task, item=item, rater=desk.rater.id).doctor == 1


def test_a_submit_whose_answer_arrived_before_the_server_restarted_asks_nothing(
    demo: Store,
) -> None:
    before = anna_at_the_desk(demo)
    item = before.item or ""
    # Saved, and the browser was not told; the last answer did not arrive.
    before.change_answer_and_save_draft(**SCORES | {"empathy": None})
    desk = anna_at_the_desk(demo)
    changes = dict.fromkeys(SCORES, (None, "7"))
    seen = dict.fromkeys(SCORES, "7")
    send(desk, item, changes, session="before", seen=seen, submit=True)
    assert desk.error is None
    assert judging.last_own_answer(demo, desk.task, item=item, rater=desk.rater.id).empathy == 7


@pytest.mark.parametrize("first", ["draft", "submit"])
@pytest.mark.parametrize("second", ["draft", "submit"])
def test_two_tabs_that_say_the_same_are_asked_nothing(
    tabs: tuple[Desk, Desk, str], first: str, second: str
) -> None:
    one, other, item = tabs
    one.change_answer_and_save_draft(**SCORES)
    if first == "submit":
        one.submit_and_move_on()
    other.change_answer_and_save_draft(**SCORES)
    assert other.error is None
    assert other.newer is None
    if second == "submit":
        other.submit_and_move_on()
        assert other.error is None
        assert other.item != item
    given = judging.last_own_answer(one.store, one.task, item=item, rater=one.rater.id)
    assert (given is not None) == ("submit" in (first, second))
    assert SCORES.items() <= kept(other, item).items()


def test_a_submit_that_was_saved_and_never_confirmed_asks_nothing_when_it_is_sent_again(
    tabs: tuple[Desk, Desk, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, _, item = tabs
    desk.change_answer_and_save_draft(**SCORES)
    submit = judging.submit_judgment

    def say_nothing(*args: Any, **more: Any) -> None:
        submit(*args, **more)
        raise StoreUnavailable("The database did not answer.")

    monkeypatch.setattr(judging, "submit_judgment", say_nothing)
    desk.submit_and_move_on()
    assert isinstance(desk.error, StoreUnavailable)
    monkeypatch.setattr(judging, "submit_judgment", submit)
    desk.submit_and_move_on()
    assert desk.error is None
    assert desk.item != item


def test_what_somebody_sent_before_they_left_the_browser_is_not_saved_as_the_next_persons(
    demo: Store,
) -> None:
    form = PersonalForm(name="guideline")
    sent: list[Any] = []
    sheet = FormSheet(
        store=demo,
        task=form,
        settings=HandOut(),
        dataset="",
        rater=person(demo, "Ben"),
        lay_out=lambda _: None,
        name="a round",
        part=0,
        send=sent.append,
    )
    sheet.open_named_or_next_item()

    def say(rater: str) -> None:
        message = Said(
            token=new_id(),
            item=sheet.handle_of_current_item,
            session="hers",
            rev=0,
            rater=rater,
            submit=True,
            changes={"text": (None, "Hers")},
        )
        save_answers_from_browser_message(sheet, message, lambda _: (dict, lambda _, now: now))

    say(person(demo, "Anna").id)
    assert (sent, sheet.body) == ([], {})
    say(sheet.rater.id)
    assert sent == [{"text": "Hers"}]


def test_a_first_answer_still_on_a_desk_is_not_saved_as_that_of_the_second_pass(
    tabs: tuple[Desk, Desk, str],
) -> None:
    one, other, item = tabs
    one.change_answer_and_save_draft(**SCORES)
    one.submit_and_move_on()
    one.go_by_steps_in_queue(-1)
    assert (one.item, one.body["doctor"]) == (item, 7)
    second_pass.give_item_for_second_pass(one.store, one.task, item=item, rater=one.rater.id)
    other.open_named_or_next_item(other.browser_handle_of_item(item))
    for doctor in range(1, one.revision + 1):
        other.change_answer_and_save_draft(doctor=doctor)
    assert other.revision == one.revision
    held = kept(other, item)
    for do in (one.submit_and_move_on, lambda: one.change_answer_and_save_draft(doctor=9)):
        do()
        assert isinstance(one.error, OutOfDate)
        assert kept(other, item) == held


@pytest.mark.deep
def test_a_passage_that_is_not_the_pages_does_not_take_another_tabs_draft_for_its_own(
    filled: Filled, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = filled(STUDIES["sourcecheckup"].demo)
    study = sourcecheckup.open_study(store, "demo")
    here: Any = type("Here", (), {"store": store})()

    def desk_of_anna() -> PairDesk:
        desk = PairDesk(
            store=store,
            task=study.support,
            settings=HandOut(),
            dataset="demo",
            rater=person(store, "Anna"),
            lay_out=lambda item: prepare_pair_to_read(here, item),
        )
        desk.open_named_or_next_item()
        return desk

    def say(desk: PairDesk, action: str, **change: Any) -> dict[str, Any]:
        item = desk.surface_data_of_item(reason_needed=[])["item"]
        fields = {"token": new_id(), "rater": desk.rater.id, "item": item["item"], "attempt": 1}
        fields |= {"base": item["rev"], "action": action, "reason": ""}
        fields |= {"body": item["draft"] | change, "sources": item["sources"]}
        desk.carry_out_message_and_set_acknowledgement(parse_message(fields))
        assert desk.ack is not None
        return desk.ack

    one, other = desk_of_anna(), desk_of_anna()
    assert one.item == other.item
    assert say(one, "draft", reason="Hers.")["rev"] == 1
    with monkeypatch.context() as patch:
        patch.setattr(type(study.support), "problems_of_draft", lambda *_: ["Not what it says."])
        refused = say(other, "submit", reason="Mine.")
    assert refused["error"]
    assert refused["rev"] == 0
    assert say(other, "draft", reason="Mine.")["newer"]["rev"] == 1


def test_a_message_begun_in_one_tab_is_kept_when_another_has_begun_the_next(demo: Store) -> None:
    anna = person(demo, "Anna")

    def sheet_of_anna() -> FormSheet:
        sheet = FormSheet(
            store=demo,
            task=PersonalForm(name="play"),
            settings=HandOut(),
            dataset="",
            rater=anna,
            lay_out=lambda _: None,
            name="a visit",
            part=1,
            send=lambda _: None,
        )
        sheet.open_named_or_next_item()
        return sheet

    one, other = sheet_of_anna(), sheet_of_anna()
    other.change_answer_and_save_draft(say="Since when?")
    one.show_other_form_or_part("a visit", 2)
    one.change_answer_and_save_draft(say="Where does it hurt?")
    other.show_other_form_or_part("a visit", 2)
    assert other.body["say"] == "Since when?"
    assert isinstance(other.error, Conflict)
    assert other.newer is not None
    assert kept(one, "a visit.2") == {"say": "Where does it hurt?"}
    other.take_other_tabs_answer()
    assert other.body["say"] == "Where does it hurt?"
