"""What a lead and reviewers can do in one task they can do in every task of every study."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import NotAllowed
from medlens.review import (
    assignment,
    consensus,
    crowd_platforms_and_worker_ids_of_rounds,
    hand_out_settings,
    invitations,
    items,
    items_selected_to_hand_out,
    judging,
    practice,
    rater_exclusion,
    raters_compared_with_others,
    remarks_between_raters_and_leads,
    rounds,
    work_progress_and_pace_by_item_and_rater,
)
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut, Task
from medlens.store import Store, new_id, open_store
from medlens.studies.own import study_file
from medlens.studies.registry import STUDIES
from tests.conftest import LayStore
from tests.store.made_up import person

OWN = {
    "error_spans": ("e1", {"usable": "As it is"}),
    "healthbench": ("calf", {f"criteria_{n}": "met" for n in range(1, 6)}),
}
"""Of a team's own studies, which have no demo: a template, an item and an answer to it."""

TASKS = [
    ("tagging", "error_spans", "demo"),
    ("agentclinic", "dialogue_realism", "demo"),
    ("agentclinic", "diagnosis_match", "demo"),
    ("sourcecheckup", "source_support", "demo"),
    ("sourcecheckup", "response_support", "demo"),
    ("sourcecheckup", "statement_parse", "demo"),
    ("sourcecheckup", "question_quality", "demo"),
    ("ebmqa", "ebmqa_answer", "demo"),
    *(("own", "own_questions", name) for name in OWN),
]


def own_studies(store: Store) -> None:
    """Studies of a team's own from templates."""
    for name in OWN:
        file = study_file.path_of_template(name)
        work_behind_commands.declare_study_and_return_report_text(
            store, study_file.read_study_file_text_and_declaration(file)[0], file.name
        )
        given = (store, Settings(), "own-items", file.with_suffix(".csv"))
        work_behind_commands.import_file(*given, name=f"{name}.csv", dataset=name)


Opened = Callable[[str], Store]


@pytest.fixture
def opened(tmp_path: Path, lay_store: LayStore, read_near: None) -> Iterator[Opened]:
    """Opens a store with a study's demo, or with the studies of a team's own."""
    with contextlib.ExitStack() as stack:

        def of(study: str) -> Store:
            fill = own_studies if study == "own" else STUDIES[study].demo
            store = open_store(lay_store(tmp_path / "store.duckdb", fill))
            return stack.enter_context(contextlib.closing(store))

        yield of


@dataclass
class Round:
    """A task on a dataset, with an item of it and an answer that somebody gave or could."""

    store: Store
    task: Task
    dataset: str
    item: str
    body: dict[str, Any]
    lead: Rater

    @property
    def where(self) -> dict[str, str]:
        return {"dataset": self.dataset}

    @property
    def settings(self) -> HandOut:
        defaults = HandOut(**self.task.handing_out)
        return hand_out_settings.hand_out_settings_in_force(
            self.store, self.task.name, self.dataset, defaults
        )

    def take(self, rater: Rater) -> str | None:
        return assignment.give_next_item_and_return_id(
            self.store, self.task, self.settings, rater=rater.id, **self.where
        )

    def submit(self, rater: Rater, item: str, body: dict[str, Any]) -> None:
        judging.submit_judgment(*self.of, item=item, rater=rater.id, token=new_id(), body=body)

    @property
    def of(self) -> tuple[Store, Task]:
        return self.store, self.task


@pytest.fixture
def here(request: pytest.FixtureRequest, opened: Opened) -> Round:
    study, name, dataset = request.param
    store = opened(study)
    declared = STUDIES[study]
    [task] = [
        one for one in declared.tasks(declared.open(store, Settings(), dataset)) if one.name == name
    ]
    if study == "own":
        called, answers = OWN[dataset]
        [item] = items.item_ids_by_name(store, "own", dataset, [called]).values()
        body: dict[str, Any] = {"version": 1, "answers": answers}
    else:
        judged = consensus.current_judgments(store, task, dataset=dataset, viewer=None)
        gold = consensus.gold_items_table(store, task, dataset=dataset, viewer=None)["item_id"]
        judged = judged[(judged["rater_kind"] == "person") & ~judged["item_id"].isin(gold)]
        item = str(judged["item_id"].iloc[0])
        body = judged["value"].iloc[0].model_dump(mode="json")
    return Round(store, task, dataset, item, body, person(store, "Lena", lead=True))


FIRST_OF_STUDIES = {study: task for study, *task in reversed(TASKS)}
every_task = pytest.mark.parametrize(
    "here",
    [
        pytest.param(
            (study, *task),
            id=" ".join(task),
            marks=() if FIRST_OF_STUDIES[study] == task else pytest.mark.deep,
        )
        for study, *task in TASKS
    ],
    indirect=True,
)


def test_no_task_of_a_study_is_left_out(opened: Opened) -> None:
    store = opened("own")
    there = {
        (study.name, task.name)
        for study in STUDIES.values()
        for task in study.tasks(study.open(store, Settings(), ""))
    }
    assert there == {(study, task) for study, task, _ in TASKS}


def for_practice(here: Round) -> None:
    """The item for practice, with the answer as its key, to be met in one of two attempts."""
    value = here.task.parse(here.body)
    makes = here.task.can_answer_become_gold
    gold = (
        here.task.make_gold_from_answer(value)
        if makes
        else {"labels": sorted(value.labels_given())}
    )
    key = practice.expected_answer_and_explanation_by_field(gold, "Read it again.")
    consensus.set_or_unset_gold_item(
        *here.of, item=here.item, expected=key, active=True, by=here.lead
    )
    asked = practice.Rules(mark=1, attempts=2)
    practice.set_practice_rules(here.store, here.task.name, here.dataset, asked, by=here.lead)


@pytest.mark.first_quick
@every_task
def test_an_item_can_be_practised_again_and_what_was_expected_is_told(here: Round) -> None:
    for_practice(here)
    anna = person(here.store, "Anna")
    rounds.open_or_close_round(*here.of, here.dataset, state="open", raters=[anna.id], by=here.lead)
    assert here.take(anna) == here.item
    flag = {"item": here.item, "rater": anna.id, "kind": "flag", "reason": "I am lost."}
    assignment.record_opened_skipped_or_flagged(*here.of, here.settings, **flag)
    assert here.take(anna) is None
    held = assignment.failed_practice_of_rater(*here.of, rater=anna.id, **here.where)
    assert held is not None
    assert (held.count_of_expected_answers_given, held.items, held.count_of_attempts_left) == (
        0,
        1,
        1,
    )
    assignment.begin_practice_attempt(*here.of, here.settings, rater=anna.id, **here.where)
    # Pressed twice, it is one attempt.
    assignment.begin_practice_attempt(*here.of, here.settings, rater=anna.id, **here.where)
    assert [
        (one.item, one.state)
        for one in assignment.load_rater_queue(
            *here.of, here.settings, rater=anna.id, **here.where
        ).places
    ] == [(here.item, "open")]
    here.submit(anna, here.item, here.body)
    now = practice.practice_standing_of_rater(*here.of, rater=anna.id, **here.where)
    assert [len(one) for one in now.tries] == [0, 1]
    [tried] = now.items_tried_in_last_attempt
    assert (tried.hit, tried.why, now.has_passed) == (True, "Read it again.", True)
    told = practice.list_given_beside_expected_answers(tried)
    assert told
    assert all(asked and given for asked, given, _ in told)
    if here.task.name != "dialogue_realism":  # two points more or less are met too
        assert all(given == wanted for _, given, wanted in told)
    assert here.take(anna) not in (None, here.item)
    assert consensus.current_judgments(*here.of, viewer=anna, **here.where).empty
    with pytest.raises(NotAllowed, match="no attempt left"):
        assignment.begin_practice_attempt(*here.of, here.settings, rater=anna.id, **here.where)


def people(here: Round, *names: str) -> list[Rater]:
    """New raters, to whom alone the round is open, for one item each, which one person judges."""
    found = [person(here.store, name) for name in names]
    ids = [one.id for one in found]
    rounds.open_or_close_round(*here.of, here.dataset, state="open", raters=ids, by=here.lead)
    # The demo's own people have judged it already: their work is put aside.
    for (rater,) in here.store.rows(
        "select distinct r.id from judgment j join rater r on r.id = j.rater"
        " where j.item = $item and r.kind = 'person'",
        item=here.item,
    ):
        rater_exclusion.exclude_or_return_rater(
            here.store, rater, reason="The demo's.", by=here.lead
        )
    items_selected_to_hand_out.select_items_to_hand_out_and_count_new(
        *here.of, [here.item], drawn="one", by=here.lead, **here.where
    )
    ask(here, raters_per_item=1, gold_share=0.0)
    return found


def ask(here: Round, **how: Any) -> None:
    hand_out_settings.change_task_settings(
        here.store, here.task.name, here.dataset, how, by=here.lead
    )


def counting(here: Round) -> list[str]:
    """Whose judgments of the item count."""
    judged = consensus.current_judgments(*here.of, viewer=here.lead, **here.where)
    people = judged[judged["rater_kind"] == "person"]
    return people["rater_id"][people["item_id"] == here.item].tolist()


def marked_excluded(here: Round) -> set[str]:
    """The people whose work the table of people and tasks marks as excluded."""
    table = work_progress_and_pace_by_item_and_rater.work_of_everyone_table(
        here.store, viewer=here.lead
    )
    return set(table["rater_id"][table["excluded"]])


@pytest.mark.first_quick
@every_task
def test_a_round_is_handed_out_foretold_and_changed_without_losing_a_judgment(here: Round) -> None:
    anna, ben, cara = people(here, "Anna", "Ben", "Cara")
    ask(here, deadline="2030-01-31", order="file")
    assert here.settings.deadline == "2030-01-31"
    found = assignment.summarise_round_workload_of_people(
        *here.of, here.settings, people=[anna.id, ben.id], **here.where
    )
    whole = 2 if here.task.everyone else 1
    assert (found.items, found.left) == (1, whole)
    assert sum(one.to_come for one in found.shares) == whole
    assert here.take(anna) == here.item
    assert work_progress_and_pace_by_item_and_rater.count_items_by_state(
        *here.of, **here.where
    ) == {"in work": 1}
    here.submit(anna, here.item, here.body)
    assert work_progress_and_pace_by_item_and_rater.count_items_by_state(
        *here.of, **here.where
    ) == {"1": 1}
    if not here.task.everyone:
        # None, or a gold item: these come on top where all else is handed out.
        assert here.take(ben) != here.item
        ask(here, raters_per_item=2)
    assert here.take(ben) == here.item
    # Ben leaves: what he holds goes to the next one, and what was judged stays.
    handed = assignment.release_unfinished_items_and_count(
        *here.of, rater=ben.id, by=here.lead, **here.where
    )
    assert handed == (0 if here.task.everyone else 1)
    assert here.take(cara) == here.item
    here.submit(cara, here.item, here.body)
    assert set(counting(here)) == {anna.id, cara.id}
    table = work_progress_and_pace_by_item_and_rater.work_of_everyone_table(
        here.store, viewer=here.lead
    )
    mine = table[(table["task"] == here.task.name) & (table["dataset"] == here.dataset)]
    assert dict(zip(mine["rater_id"], mine["judged"], strict=True)).items() >= {
        (anna.id, 1),
        (cara.id, 1),
    }


@pytest.mark.first_quick
@every_task
def test_work_is_excluded_and_returned_everywhere_and_flags_are_answered(here: Round) -> None:
    anna, ben = people(here, "Anna", "Ben")
    assert here.take(anna) == here.item
    here.submit(anna, here.item, here.body)
    judged = consensus.current_judgments(*here.of, viewer=here.lead, **here.where)
    assert (
        raters_compared_with_others.table_comparing_raters_with_others(here.task, judged)["usual"][
            anna.id
        ]
        == 1
    )
    by = {"reason": "Too fast.", "task": here.task.name, "dataset": here.dataset}
    rater_exclusion.exclude_or_return_rater(here.store, anna.id, by=here.lead, **by)
    assert counting(here) == []
    assert anna.id in marked_excluded(here)
    assert work_progress_and_pace_by_item_and_rater.count_items_by_state(
        *here.of, **here.where
    ) == {"not started": 1}
    # The item is for others now.
    assert here.take(ben) == here.item
    flag = {"item": here.item, "rater": ben.id, "kind": "flag", "reason": "The page is empty."}
    assignment.record_opened_skipped_or_flagged(*here.of, here.settings, **flag)
    [row] = remarks_between_raters_and_leads.remarks_for_leads_table(
        *here.of, viewer=here.lead, **here.where
    ).to_dict("records")
    assert (row["says"], row["answer"]) == ("The page is empty.", "")
    place = {"item": here.item, "rater": ben.id}
    remarks_between_raters_and_leads.store_remark_on_work(
        *here.of, kind="answer", text="Scroll down.", by=here.lead, **place
    )
    assert [
        one.text
        for one in remarks_between_raters_and_leads.list_remarks_on_item(
            *here.of, viewer=ben, **place
        )
    ] == ["Scroll down."]
    assert ben.id not in marked_excluded(here)
    rater_exclusion.exclude_or_return_rater(here.store, anna.id, by=here.lead, back=True, **by)
    assert anna.id not in marked_excluded(here)
    assert counting(here) == [anna.id]
    # Returned to be judged anew, it does not count until it is.
    said = {"kind": "return", "text": "Look again.", "by": here.lead, "counts": False}
    remarks_between_raters_and_leads.store_remark_on_work(
        *here.of, item=here.item, rater=anna.id, **said
    )
    assert counting(here) == []
    here.submit(anna, here.item, here.body)
    assert counting(here) == [anna.id]


@pytest.mark.first_quick
@every_task
def test_people_come_by_links_and_from_crowd_platforms(here: Round) -> None:
    [anna] = people(here, "Anna")
    of = (here.store, here.task.name, here.dataset)
    crowd_platforms_and_worker_ids_of_rounds.set_or_remove_platform_of_round(
        *of, parameter="PROLIFIC_PID", address="https://p.example/done", code="C1", by=here.lead
    )
    token = invitations.make_invitation_and_return_link_secret(
        here.store, by=here.lead, task=of[1], dataset=of[2]
    )
    ben = person(here.store, "Ben")
    assert here.take(ben) is None
    came = {"PROLIFIC_PID": "5f1", "STUDY_ID": "s"}
    invitations.accept_and_return_invitation_admitting_rater(
        here.store, token, ben, leads=lambda _: True, said=came
    )
    assert crowd_platforms_and_worker_ids_of_rounds.worker_id_of_rater(*of, ben.id) == "5f1"
    assert crowd_platforms_and_worker_ids_of_rounds.worker_id_of_rater(*of, anna.id) == ""
    assert here.take(ben) == here.item
