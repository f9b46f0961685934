"""Cases and dialogues of AgentClinic are corrected, imported again with changed rows, and their
imports undone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from medlens.app import import_undoing, item_corrections, store_check, work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.review import items, judging, undo_imports
from medlens.review.raters import Rater
from medlens.store import Store, new_id
from medlens.studies.agentclinic import queries, run_experiment
from medlens.studies.agentclinic.item_correction import counts_of_dialogues_on_earlier_cases
from medlens.studies.agentclinic.study_in_dataset import open_study
from tests.llm_server import LLMServer, Reply
from tests.store.made_up import person
from tests.store.test_agentclinic_run import case, dialogues, how, prepared, script, settings
from tests.store.test_agentclinic_store import CASE, rate, visit

pytestmark = pytest.mark.usefixtures("read_near")


@pytest.fixture
def lead(store: Store) -> Rater:
    return person(store, "Lena", lead=True)


@pytest.fixture
def ward(store: Store) -> Store:
    queries.add_cases_and_return_added(store, [("mine:1", CASE)], dataset="ward")
    queries.add_dialogues_and_return_added(store, [visit(n) for n in range(3)], dataset="ward")
    return store


def correct(
    store: Store, name: str, cells: dict[str, str], change: Any, lead: Rater, dataset: str = "ward"
) -> list[str]:
    correctable = item_corrections.load_item_to_correct(
        store, Settings(), "agentclinic", dataset, name
    )
    return item_corrections.correct_item_and_list_what_was_done(
        store, correctable, cells, change=change, reason="a slip", by=lead
    )


def rated(store: Store, who: Rater, name: str) -> str:
    """Rate a dialogue that was handed out."""
    item = queries.item_id_made_from_name("ward", name)
    task = open_study(store, "ward").realism
    row = {"task": task.name, "item": item, "rater": who.id, "slot": 0, "generation": 0}
    lease = {"gold": False, "lease_until": "2000-01-01T00:00:00Z"}
    store.append("assignment", {"id": f"a{item}{who.id}", **row, **lease})
    rate(store, who, item, task, {"doctor": 7, "patient": 6, "empathy": 5})
    return item


def counted(store: Store) -> int:
    return int(store.value("select count(*) from judgment_now"))


def test_a_dialogue_is_corrected_and_asked_for_again_if_its_meaning_changed(
    ward: Store, lead: Rater
) -> None:
    item = rated(ward, person(ward, "Rosa"), "d1")
    told = correct(ward, "d1", {"turn 1, doctor": "Question one?"}, "typing", lead)
    assert told[1] == "1 judgment of the earlier text still counts."
    assert queries.load_dialogue(ward, item).turns[0].text == "Question one?"
    correct(ward, "d1", {"diagnosis": "", "outcome": "no_diagnosis"}, "meaning", lead)
    assert counted(ward) == 0
    assert ward.column("select item from remark where kind = 'return'") == [item]
    with pytest.raises(InvalidInput, match="needs the diagnosis that was given"):
        correct(ward, "d1", {"outcome": "correct"}, "typing", lead)
    assert store_check.list_store_faults_in_words(ward, Settings()) == []


def test_a_case_of_another_meaning_takes_its_dialogues_out_of_every_figure(
    ward: Store, lead: Rater
) -> None:
    rated(ward, person(ward, "Rosa"), "d1")
    place = next(
        leaf.path_in_words
        for leaf in CASE.list_case_facts()
        if leaf.path[-1] == "Correct_Diagnosis"
    )
    told = correct(
        ward, CASE.name_derived_from_content, {place: "Pneumonia, bacterial"}, "typing", lead
    )
    assert told[1:] == [
        "3 dialogues played on it still count.",
        "3 keep the outcome by the earlier diagnosis: let moderators judge again (Runs) if it may"
        " differ.",
    ]
    assert (
        queries.load_cases_by_name(ward, "ward")[CASE.name_derived_from_content].case.diagnosis
        == "Pneumonia, bacterial"
    )
    assert counted(ward) == 1
    assert counts_of_dialogues_on_earlier_cases(ward, "ward").earlier_answers_in_words == (
        "3 of 3 dialogues rest on an earlier version of 1 case, in which a typing error was"
        " corrected since."
    )
    told = correct(ward, CASE.name_derived_from_content, {place: "Asthma"}, "meaning", lead)
    figures = work_behind_commands.make_export_table(
        ward, Settings(), "figures", viewer=None, study="agentclinic", dataset="ward"
    )
    last = figures.iloc[-1]
    assert (last["figure"], last["numerator"], last["denominator"]) == (
        *("dialogues_to_earlier_meaning", 3, 3),
    )
    assert told[-1] == (
        "3 dialogues played on it are withdrawn and count no more: an experiment plays them anew."
    )
    assert counted(ward) == 0
    assert queries.list_dialogues_with_ids_and_names(ward, "ward") == []
    with pytest.raises(InvalidInput, match="expected"):
        correct(ward, CASE.name_derived_from_content, {place: ""}, "typing", lead)
    assert store_check.list_store_faults_in_words(ward, Settings()) == []


@pytest.fixture
def server() -> Iterator[LLMServer]:
    with LLMServer() as running:
        running.answer = script
        yield running


def diagnosis_of(store: Store, name: str) -> str:
    leaves = queries.load_cases_by_name(store, "d")[name].case.list_case_facts()
    return next(leaf.path_in_words for leaf in leaves if leaf.path[-1] == "Correct_Diagnosis")


@pytest.mark.deep
def test_an_experiment_plays_anew_what_was_played_on_a_case_of_another_meaning(
    store: Store, server: LLMServer, lead: Rater
) -> None:
    experiment = prepared(store)
    run_experiment.play_experiment(store, settings(server), experiment, how=how())
    second = experiment.cases[1]
    assert dialogues(store)[second].outcome == "incorrect"
    place = diagnosis_of(store, second)
    correct(store, second, {place: "Disease 1"}, "meaning", lead, "d")
    assert second not in dialogues(store)
    done = run_experiment.play_experiment(store, settings(server), experiment, how=how())
    assert done.added == 1
    assert dialogues(store)[second].outcome == "correct"


@pytest.mark.deep
def test_what_is_played_while_its_case_is_corrected_does_not_count(
    store: Store, server: LLMServer, lead: Rater
) -> None:
    experiment = prepared(store, case(1))
    [name] = experiment.cases
    place = diagnosis_of(store, name)

    def corrected_meanwhile(body: dict[str, Any]) -> Reply:
        if items.current_version_of_item(store, queries.item_id_made_from_name("d", name)) == 1:
            correct(store, name, {place: "Disease 2"}, "meaning", lead, "d")
        return script(body)

    server.answer = corrected_meanwhile
    run_experiment.play_experiment(store, settings(server), experiment, how=how())
    assert dialogues(store) == {}
    [why] = store.column("select reason from item_withdrawn")
    assert why == "The meaning of its case was corrected while it was played."


def bring(
    store: Store, kind: str, *rows: dict[str, Any], **given: Any
) -> work_behind_commands.Outcome:
    source = "\n".join(json.dumps(row) for row in rows).encode()
    return work_behind_commands.import_file(
        *(store, Settings(), f"agentclinic-{kind}", source),
        name="f.jsonl",
        dataset="ward",
        **given,
    )


def test_a_file_of_cases_that_is_imported_again_is_compared(store: Store, lead: Rater) -> None:
    bring(store, "cases", case(1), case(2), case(3))
    names = list(queries.load_cases_by_name(store, "ward"))
    dialogue = visit(1, case=names[0])[1].model_dump(mode="json")
    bring(store, "dialogues", {"dialogue": "d1", **dialogue})
    # The first is mended, the third is missing, a fourth is new; the second comes as it was.
    changed = [case(1, Test_Results={"Blood": "value 11"}), case(2), case(4)]
    preview = bring(store, "cases", *changed, dry_run=True)
    assert preview.taken is not None
    found = preview.taken.compared
    assert found is not None
    # The third line is another case now: it came under that line's name.
    assert (found.new, found.same, found.changed, found.missing) == (0, 1, 2, 0)
    with pytest.raises(InvalidInput, match="2 items of this file are in the dataset"):
        bring(store, "cases", *changed)
    bring(store, "cases", *changed, changed="meaning", reason="a new release")
    listed = queries.load_cases_by_name(store, "ward")
    assert list(listed) == names
    assert [one.case.diagnosis for one in listed.values()] == [
        "Disease 1",
        "Disease 2",
        "Disease 4",
    ]
    assert queries.list_dialogues_with_ids_and_names(store, "ward") == []
    again = bring(store, "cases", *changed)
    assert (again.added, again.known) == (0, 3)


def test_a_line_that_was_put_into_a_file_of_cases_makes_no_case_another(store: Store) -> None:
    bring(store, "cases", case(1), case(2))
    done = bring(store, "cases", case(1), case(3), case(2))
    assert (done.added, done.known) == (1, 2)
    shorter = bring(store, "cases", case(2), missing="withdraw", reason="They are old.")
    assert shorter.taken is not None
    assert shorter.taken.compared is not None
    assert shorter.taken.compared.missing == 2
    assert [one.case.diagnosis for one in queries.load_cases_by_name(store, "ward").values()] == [
        "Disease 2"
    ]


def test_dialogues_that_are_imported_again_are_corrected_or_left(ward: Store, lead: Rater) -> None:
    item = rated(ward, person(ward, "Rosa"), "d1")
    rows = [
        {"dialogue": name, **one.model_dump(mode="json")}
        for name, one in (visit(0), visit(1, diagnosis="Asthma"))
    ]
    with pytest.raises(InvalidInput, match="1 item of this file is in the dataset"):
        bring(ward, "dialogues", *rows)
    left = bring(ward, "dialogues", *rows, changed="leave")
    assert (left.added, left.known) == (0, 2)
    bring(ward, "dialogues", *rows, changed="typing", missing="withdraw", reason="a slip")
    assert queries.load_dialogue(ward, item).diagnosis == "Asthma"
    assert [name for _, name, _, _ in queries.list_dialogues_with_ids_and_names(ward, "ward")] == [
        "d0",
        "d1",
    ]
    assert counted(ward) == 1


def undo(store: Store) -> undo_imports.ImportUndo:
    entry = undo_imports.list_undoable_imports(store, viewer=None)[-1].entry
    return import_undoing.undo_import_and_return_import_undo(
        store, entry, reason="The wrong file.", by=None
    )


def test_an_import_of_cases_is_undone_and_comes_again(store: Store) -> None:
    bring(store, "cases", case(1), case(2))
    assert undo(store).undo_in_words == (
        "2 items of f.jsonl are removed, as nobody has worked on any. ward goes from 2 items to 0."
    )
    assert open_study(store).dataset == ""
    done = bring(store, "cases", case(1), case(2))
    assert (done.added, done.known) == (2, 0)
    assert len(queries.load_cases_by_name(store, "ward")) == 2


def test_cases_on_which_dialogues_were_played_are_withdrawn_with_them(store: Store) -> None:
    bring(store, "cases", case(1), case(2))
    first = next(iter(queries.load_cases_by_name(store, "ward")))
    dialogue = visit(1, case=first)[1].model_dump(mode="json")
    bring(store, "dialogues", {"dialogue": "d1", **dialogue})
    assert undo(store).undo_in_words == (
        "2 items of f.jsonl and 1 that rests on them are withdrawn, as 1 was made or imported on"
        " them since. ward goes from 3 items to 0."
    )
    assert queries.list_dialogues_with_ids_and_names(store, "ward") == []


def test_who_rates_a_dialogue_whose_case_is_corrected_finishes_and_is_told(
    ward: Store, lead: Rater
) -> None:
    rosa = person(ward, "Rosa")
    task = open_study(ward, "ward").realism
    item = queries.item_id_made_from_name("ward", "d1")
    row = {"task": task.name, "item": item, "rater": rosa.id, "slot": 0, "generation": 0}
    ward.append(
        "assignment",
        {"id": "a1", **row, "gold": False, "lease_until": "2999-01-01T00:00:00Z"},
    )
    leaf = next(leaf for leaf in CASE.list_case_facts() if leaf.section == "objective")
    correct(
        ward,
        CASE.name_derived_from_content,
        {leaf.path_in_words: "Another question."},
        "meaning",
        lead,
    )
    [told] = ward.column("select body from remark where rater = $r", r=rosa.id)
    assert told == "This item is withdrawn (a slip). You may finish it, but it does not count."
    judging.submit_judgment(
        *(ward, task),
        item=item,
        rater=rosa.id,
        token=new_id(),
        body={"doctor": 7, "patient": 6, "empathy": 5},
    )
    assert counted(ward) == 0
