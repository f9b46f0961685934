"""An adjudicator's own answer, that nobody gave: by the task's questions, under its rules."""

from __future__ import annotations

from typing import Any

import pytest

from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.review import consensus, items, raters
from medlens.review.tasks import Task
from medlens.store import Store
from medlens.studies.registry import STUDIES
from medlens.studies.tagging import tasks as error_spans
from medlens.ui.span_tagger.message import Body
from medlens.ui.tagging.response_for_span_desk import marking_setup_of_responses
from tests.store.conftest import Filled
from tests.store.test_own_studies import add, declare

WRITTEN: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "diagnosis_match": ("agentclinic", {"same": "cannot tell"}, {"same": "cannot_tell"}),
    "source_support": (
        "sourcecheckup",
        {"verdict": "not supported"},
        {"verdict": "not_supported", "supported": "no"},
    ),
    "response_support": ("sourcecheckup", {"answer": "no"}, {"answer": "no"}),
}


def task_of(store: Store, study: str, name: str) -> tuple[Task, str]:
    declared = STUDIES[study]
    opened = declared.open(store, Settings(), "")
    declared.offer(store, opened.dataset)
    [task] = [one for one in declared.tasks(opened) if one.name == name]
    return task, opened.dataset


@pytest.mark.first_quick
@pytest.mark.parametrize("name", WRITTEN)
def test_the_adjudicators_own_answer_is_the_word_on_an_item(name: str, filled: Filled) -> None:
    study, answers, measured = WRITTEN[name]
    store = filled(STUDIES[study].demo)
    task, dataset = task_of(store, study, name)
    lead = raters.find_or_add_rater_by_name(store, "Lena", role="lead")
    judged = consensus.current_judgments(store, task, dataset=dataset, viewer=lead)
    people = judged[judged["rater_kind"] == "person"]
    item = str(people["item_id"].iloc[0])
    value = consensus.adjudicator_answer_from_form(
        store, task, item=item, answers=answers, reason="I looked it up."
    )
    body = value.model_dump(mode="json")
    consensus.record_adjudication(
        store, task, item=item, body=body, reason="I looked it up.", by=lead, base=0
    )
    table = consensus.consensus_table(store, task, dataset=dataset, viewer=lead)
    row = table[(table["item"] == people["item"].iloc[0]) & table["adjudicated"]]
    said = dict(zip(row["variable"], row["answer"], strict=True))
    assert measured.items() <= said.items()
    # Nobody's own answer is changed.
    again = consensus.current_judgments(store, task, dataset=dataset, viewer=lead)
    assert again["value"].tolist() == judged["value"].tolist()


def test_marks_of_ones_own_keep_the_rules_of_the_task(filled: Filled) -> None:
    store = filled(STUDIES["tagging"].demo)
    task, dataset = task_of(store, "tagging", "error_spans")
    study = STUDIES["tagging"].open(store, Settings(), dataset)
    [[item]] = store.rows("select id from item where dataset = $d limit 1", d=dataset)
    marking = marking_setup_of_responses(study)
    text = marking.lay(store, item, True)["text"]
    labels = [label.id for label in study.taxonomy.labels]

    def allowed(*given: str, words: str = text[:9]) -> Any:
        span = {"start": 0, "end": 9, "quote": words, "comment": "", "link": ""}
        marks = [{**span, "labels": [label], "located": "exact"} for label in given]
        body = Body.model_validate({"spans": marks, "comment": ""})
        value = task.parse(marking.kept(body))
        return consensus.validate_and_return_adjudicator_value(store, task, item=item, value=value)

    assert allowed(labels[0]).labels_given() == {labels[0]}
    # The last label excludes all others.
    for given, words, why in (
        ((labels[-1], labels[0]), text[:9], "excludes"),
        ((labels[0],), "Xyzzy", "not"),
        (("xyzzy",), text[:9], "xyzzy"),
    ):
        with pytest.raises(InvalidInput, match=why):
            allowed(*given, words=words)


def test_every_task_that_is_settled_can_be_answered_anew(store: Store) -> None:
    for declared in STUDIES.values():
        for task in declared.tasks(declared.open(store, Settings(), "")):
            anew = task.form or task.name == error_spans.NAME
            assert bool(anew) == bool(task.word_in), task.name


@pytest.mark.deep
def test_the_questions_of_a_study_of_ones_own_are_answered_anew(store: Store) -> None:
    declare(store)
    add(store)
    opened = STUDIES["own"].open(store, Settings(), "letters")
    [item] = items.item_ids_by_name(store, "own", "letters", ["l0"]).values()
    answers = {"clear": 2, "faults": ["Dose"], "days": 3.5}
    value = consensus.adjudicator_answer_from_form(
        store, opened.task, item=item, answers=answers, reason="Read."
    )
    assert (value.answers, value.version) == (answers, 1)
    with pytest.raises(InvalidInput):
        consensus.adjudicator_answer_from_form(
            store, opened.task, item=item, answers=answers | {"clear": 12}, reason="Read."
        )
