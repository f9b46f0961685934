"""What a browser calls an item: opaque, another for each hand-out, and taken back only for that."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from medlens.config.settings import Settings
from medlens.review import assignment, judging, second_pass
from medlens.review import assignments_held_in_memory as ledgers
from medlens.review.assignments_held_in_memory import (
    TRY,
    assignment_ledger_of_task,
    looks_like_browser_handle,
)
from medlens.review.tasks import HandOut, Task
from medlens.store import Store, new_id
from medlens.studies.agentclinic import study_in_dataset as agentclinic
from medlens.studies.registry import STUDIES
from medlens.studies.sourcecheckup import study_in_dataset as sourcecheckup
from medlens.studies.tagging import study_in_dataset as tagging
from medlens.studies.tagging.records import ResponseItem
from medlens.ui.agentclinic.conversation import Marked, TurnMark
from medlens.ui.agentclinic.rating_desk import save_marks_from_browser
from medlens.ui.answer_form import Said, save_answers_from_browser_message
from medlens.ui.desk import Desk
from medlens.ui.sourcecheckup.pair_and_answer_desk_state_and_messages import AnswerDesk
from medlens.ui.sourcecheckup.source_reader import parse_message as parse_source
from medlens.ui.sourcecheckup.statements_and_sources_prepared_to_read import (
    load_answer_with_newest_source_texts,
)
from medlens.ui.span_desk import SpanDesk
from medlens.ui.span_tagger.message import parse_message
from medlens.ui.tagging.response_for_span_desk import marking_setup_of_responses
from tests.store.conftest import Filled
from tests.store.made_up import TASK, Rating, person, poems

SETTINGS = HandOut(items_per_rater=4, gold_share=0)


class Begun(Rating):
    """A rating that a form can begin without."""

    score: int = 5


RATE = replace(TASK, value=Begun)


def handle_of(store: Store, item: str, rater: str, task: Task = TASK) -> str:
    return assignment_ledger_of_task(store, task.name).by_rater[rater][item].browser_handle


def desk_of(store: Store, rater: Any, kind: type[Desk] = Desk, **more: Any) -> Desk:
    desk = kind(store=store, rater=rater, settings=SETTINGS, **more)
    desk.open_named_or_next_item()
    return desk


def made_up_desk(store: Store, rater: Any) -> Desk:
    return desk_of(store, rater, task=RATE, dataset="poems", lay_out=str)


def ratings(store: Store) -> list[str]:
    return store.column("select body from draft order by seq")


def say(desk: Desk, handle: str, **more: Any) -> None:
    changes = {"score": (None, "7")}
    said = Said(token=new_id(), item=handle, session=desk.session, rev=0, changes=changes, **more)
    save_answers_from_browser_message(
        desk, said, lambda _: (lambda body: {}, lambda _, now: {"score": int(now["score"] or 0)})
    )


def test_an_item_is_called_otherwise_for_each_rater_and_hand_out_and_alike_after_a_restart(
    store: Store,
) -> None:
    [item, *_] = poems(store, 4)
    anna, ben = person(store, "Anna"), person(store, "Ben")
    for rater in (anna, ben):
        assignment._claim(store, TASK, HandOut(raters_per_item=2), item=item, rater=rater.id)
    first, other = (handle_of(store, item, rater.id) for rater in (anna, ben))
    second_pass.give_item_for_second_pass(store, TASK, item=item, rater=anna.id)
    again = handle_of(store, item, anna.id)
    place = {"task": TASK.name, "item": item, "rater": ben.id}
    event = {"id": new_id(), **place, "kind": TRY, "reason": "2", "lease_until": None}
    store.append("assignment_event", event)
    tried = handle_of(store, item, ben.id)
    assert len({item, "poem0", first, other, again, tried}) == 6
    assert all(map(looks_like_browser_handle, (first, other, again, tried)))
    # All that is known here is read anew, as after a restart.
    ledgers._held.pop(store)
    given = assignment_ledger_of_task(store, TASK.name).by_rater[anna.id][item]
    assert (given.all_browser_handles, given.browser_handle) == ([first, again], again)


class TestAForm:
    def test_what_a_tab_of_the_first_pass_sends_is_refused_in_words_and_changes_nothing(
        self, store: Store
    ) -> None:
        poems(store, 4)
        anna = person(store, "Anna")
        desk = made_up_desk(store, anna)
        item, first = desk.item or "", desk.handle_of_current_item
        say(desk, first, submit=True)
        second_pass.give_item_for_second_pass(store, TASK, item=item, rater=anna.id)
        desk = made_up_desk(store, anna)
        held = ratings(store)
        for old in (first, item):
            say(desk, old)
        assert ratings(store) == held
        say(desk, first)
        assert desk.error is not None
        assert "out of date" in desk.error.message
        assert "again" not in desk.error.message
        say(desk, handle_of(store, item, anna.id))
        assert len(ratings(store)) == len(held) + 1
        assert desk.error is None

    def test_a_page_from_before_items_had_handles_is_still_heard(self, store: Store) -> None:
        poems(store, 4)
        desk = made_up_desk(store, person(store, "Anna"))
        say(desk, desk.item or "")
        assert len(ratings(store)) == 1

    def test_an_old_link_opens_ones_own_item_but_a_second_pass_only_for_a_lead(
        self, store: Store
    ) -> None:
        poems(store, 6)
        for rater in (person(store, "Anna"), person(store, "Lena", lead=True)):
            desk = made_up_desk(store, rater)
            item, name = (
                desk.item or "",
                desk.queue_entry_of_current_item.name if desk.queue_entry_of_current_item else "",
            )
            say(desk, desk.handle_of_current_item, submit=True)
            assert desk.item != item
            desk.open_named_or_next_item(name)
            assert desk.item == item
            second_pass.give_item_for_second_pass(store, TASK, item=item, rater=rater.id)
            desk.open_named_or_next_item()
            desk.go_by_steps_in_queue(-1)
            desk.open_named_or_next_item(name)
            assert (desk.item == item) == (rater.role == "lead")
            desk.open_named_or_next_item(handle_of(store, item, rater.id))
            assert desk.item == item
            assert desk.find_item_named_in_address("poem of nobody") is None


class TestATextToMark:
    @pytest.fixture
    def desk(self, filled: Filled) -> SpanDesk:
        store = filled(STUDIES["tagging"].demo)
        study = tagging.open_study(store, Settings())
        desk = SpanDesk(
            store=store,
            task=study.task,
            marking=marking_setup_of_responses(study),
            settings=SETTINGS,
            dataset=study.dataset,
            rater=person(store, "Anna"),
        )
        desk.open_named_or_next_item()
        return desk

    @staticmethod
    def say(desk: SpanDesk, action: str, **change: Any) -> dict[str, Any]:
        data = desk.tagger_data_with_answer()
        span = {"start": 0, "end": 4, "quote": data["text"][:4], "comment": "", "link": ""}
        span |= {"labels": ["hallucination_of_information"], "located": "exact"}
        fields: dict[str, Any] = {
            "token": new_id(),
            "rater": data["rater"],
            "item": data["item"],
            "base": data["rev"],
            "action": action,
            "body": {"spans": [span], "comment": ""},
            "reason": "",
            "seconds": {"active": 40.0, "idle": 1.0},
            "attempt": 1,
        }
        desk.carry_out_message_and_set_acknowledgement(parse_message(fields | change))
        assert desk.ack is not None
        return desk.ack

    def test_a_second_pass_looks_like_a_new_item_and_the_first_tab_cannot_write_into_it(
        self, desk: SpanDesk
    ) -> None:
        store, me, item = desk.store, desk.rater.id, desk.item or ""
        first = desk.tagger_data_with_answer()
        sent = [first]
        assert self.say(desk, "submit")["error"] is None
        sent.append(desk.tagger_data_with_answer())
        second_pass.give_item_for_second_pass(store, desk.task, item=item, rater=me)
        clock = desk.tagger_data_with_answer()["clock"]["session_seconds"]
        again = handle_of(store, item, me, desk.task)
        desk.open_named_or_next_item(again)
        data = desk.tagger_data_with_answer()
        sent.append(data)
        assert (desk.item, data["item"], data["link"]["value"]) == (item, again, again)
        assert data["text"] == first["text"]
        # The time spent on it the first time is not taken off again.
        assert data["clock"]["session_seconds"] == clock == 40.0
        assert data["clock"]["item_seconds"] == 0.0
        drafts = store.value("select count(*) from draft")
        answer = self.say(desk, "draft", item=first["item"], base=0)
        assert "out of date" in answer["error"]["message"]
        assert not answer["error"]["passing"]
        assert store.value("select count(*) from draft") == drafts
        assert self.say(desk, "draft", base=0)["error"] is None
        names = [*store.column("select id from item"), *store.column("select name from item_now")]
        told = json.dumps(sent)
        assert not [name for name in names if f'"{name}"' in told]


def test_a_conversation_and_its_marks_go_by_the_handle(filled: Filled) -> None:
    store = filled(STUDIES["agentclinic"].demo)
    study = agentclinic.open_study(store, "demo")
    anna = person(store, "Anna")
    desk = desk_of(store, anna, task=study.realism, dataset="demo", lay_out=str)
    item, first = desk.item or "", desk.handle_of_current_item

    def mark(key: str) -> None:
        marks = [TurnMark(turn=1, mark="fixation", comment=key)]
        save_marks_from_browser(
            desk, Marked(token=new_id(), key=key, marks=marks, session=desk.session, base=0)
        )

    mark(first)
    body = {"doctor": 7, "patient": 7, "measurement": 7, "empathy": 7}
    judging.submit_judgment(
        store, study.realism, item=item, rater=anna.id, token=new_id(), body=body
    )
    second_pass.give_item_for_second_pass(store, study.realism, item=item, rater=anna.id)
    desk.open_named_or_next_item()
    drafts = store.value("select count(*) from draft")
    mark(first)
    assert store.value("select count(*) from draft") == drafts
    assert desk.error is not None
    mark(handle_of(store, item, anna.id, study.realism))
    assert store.value("select count(*) from draft") == drafts + 1


@pytest.mark.deep
def test_what_was_first_said_of_a_whole_answer_is_not_sent_ahead_of_its_second_pass(
    filled: Filled,
) -> None:
    store = filled(STUDIES["sourcecheckup"].demo)
    study = sourcecheckup.open_study(store, "demo")
    anna = person(store, "Anna")
    here: Any = type("Here", (), {"store": store})()
    desk = desk_of(
        store,
        anna,
        AnswerDesk,
        task=study.response,
        dataset="demo",
        lay_out=lambda item: load_answer_with_newest_source_texts(here, item),
    )
    assert isinstance(desk, AnswerDesk)

    def send(action: str, **change: Any) -> None:
        assert isinstance(desk, AnswerDesk)
        item = desk.surface_data_of_item(reason_needed=[])["item"]
        body = item["draft"] | change
        fields = {"token": new_id(), "rater": anna.id, "item": item["item"], "attempt": 1}
        fields |= {"base": item["rev"], "action": action, "body": body, "reason": ""}
        desk.carry_out_message_and_set_acknowledgement(
            parse_source(fields | {"sources": item["sources"]})
        )
        assert desk.ack is not None
        assert desk.ack["error"] is None

    item = desk.item or ""
    send("submit", verdict="yes", reason="At first.")
    send("onward")
    second_pass.give_item_for_second_pass(store, study.response, item=item, rater=anna.id)
    send("draft", verdict="no")
    desk._count()
    told = desk.surface_data_of_item(reason_needed=[])
    again = handle_of(store, item, anna.id, study.response)
    ahead = told["ahead"]["items"][again]
    assert told["ahead"]["moves"]["onward"] == again
    assert (ahead["draft"]["verdict"], ahead["standing"], ahead["rev"]) == (None, None, 0)
    assert "At first." not in json.dumps(told)
    names = [*store.column("select id from item"), *store.column("select name from item_now")]
    assert not [name for name in names if f'"{name}"' in json.dumps(told)]


def test_the_tagging_desk_names_no_model_even_where_all_responses_are_of_one(
    filled: Filled,
) -> None:
    store = filled(STUDIES["tagging"].demo)
    [body] = store.rows("select body from item where study = 'tagging' limit 1")[0]
    model = ResponseItem.model_validate_json(body).model
    assert model
    study = tagging.open_study(store, Settings())
    [item] = store.column("select id from item where body->>'model' = $model limit 1", model=model)
    shown = json.dumps(marking_setup_of_responses(study).lay(store, item, True))
    assert "The model's response" in shown
    assert "The model's choice" in shown
    assert model not in shown
