"""EBMQA's questions are corrected, imported again with changed rows, and their imports undone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from medlens.app import (
    erasure,
    import_undoing,
    item_corrections,
    item_withdrawals,
    store_check,
    work_behind_commands,
)
from medlens.app.study_report import build_report_document
from medlens.config.settings import Settings
from medlens.errors import Conflict, InvalidInput
from medlens.review import items, judging, undo_imports
from medlens.review.items import NewItem
from medlens.review.raters import Rater
from medlens.store import Store, new_id
from medlens.studies.ebmqa import questionnaire
from medlens.studies.ebmqa.answers.import_answers import import_answers
from medlens.studies.ebmqa.explore.aggregate_queries import AnswerAggregates
from medlens.studies.ebmqa.explore.question_filter import AnswerFilter
from medlens.studies.ebmqa.prompts import USUAL
from medlens.studies.ebmqa.question_corrections_with_queries import (
    summarise_answers_on_earlier_versions,
)
from medlens.studies.ebmqa.records import SET_KIND
from medlens.studies.ebmqa.study_in_dataset import Study, open_study
from medlens.studies.ebmqa.tasks import QuestionnaireTask
from medlens.studies.registry import STUDIES
from medlens.tables import Request
from tests.store.ebmqa_questions import DATASET, RANGES, add_questions
from tests.store.made_up import person
from tests.store.test_ebmqa_questionnaire import TASK, answer, given

pytestmark = pytest.mark.usefixtures("read_near")

STUDY = Study(DATASET, True, QuestionnaireTask())
ANSWERS = "question_id,model,answer\nn1,m,1\nn2,m,1\nn1,other,2\n"


@pytest.fixture
def lead(store: Store) -> Rater:
    return person(store, "Lena", lead=True)


def lay(store: Store, **how: int) -> None:
    add_questions(store, **how)
    made = [NewItem("set", {"made": "test"})]
    items.add_items(store, made, study="ebmqa", kind=SET_KIND, dataset=DATASET)


def take_answers(store: Store, text: str = ANSWERS) -> Any:
    return import_answers(store, STUDY, Request(text.encode(), "a.csv", DATASET))


def correct(store: Store, name: str, cells: dict[str, str], change: Any, lead: Rater) -> list[str]:
    correctable = item_corrections.load_item_to_correct(store, Settings(), "ebmqa", DATASET, name)
    return item_corrections.correct_item_and_list_what_was_done(
        store, correctable, cells, change=change, reason="a slip", by=lead
    )


def right(store: Store) -> dict[str, tuple[int, int]]:
    """How many answers of each model count, and how many of them are right."""
    table = AnswerAggregates(store, DATASET, None).tally_table(
        AnswerFilter(DATASET, USUAL.name_in_answers), ("model",)
    )
    return {
        str(row["model"]): (int(row["asked"]), int(row["exact"]))
        for row in table.to_dict("records")
    }


def test_a_typing_error_in_a_question_keeps_its_answers(store: Store, lead: Rater) -> None:
    lay(store)
    take_answers(store)
    told = correct(store, "n1", {"question": "What holds for the first?"}, "typing", lead)
    assert told == ["Item n1 is corrected (version 2).", "2 answers of models still count."]
    assert right(store) == {"m": (2, 1), "other": (1, 0)}
    # The key was wrong: all are scored by the new one.
    told = correct(store, "n1", {"correct": RANGES[1]}, "typing", lead)
    assert told[1] == "2 answers of models still count, scored by the new key."
    assert right(store) == {"m": (2, 0), "other": (1, 1)}
    assert summarise_answers_on_earlier_versions(store, DATASET).earlier_answers_in_words == (
        "2 of 3 answers of models rest on an earlier version of 1 question, in which a typing error"
        " was corrected since."
    )
    assert store_check.list_store_faults_in_words(store, Settings()) == []


@pytest.mark.deep
def test_answers_to_an_earlier_meaning_of_a_question_count_nowhere(
    store: Store, lead: Rater
) -> None:
    lay(store)
    take_answers(store)
    cells = {"options": "\n".join(["More", *RANGES]), "correct": "More"}
    with pytest.raises(InvalidInput, match="there are 4 options, and there were 3"):
        correct(store, "n1", cells, "typing", lead)
    correct(store, "n1", cells, "meaning", lead)
    assert right(store) == {"m": (1, 0)}
    explorer = AnswerAggregates(store, DATASET, None)
    assert [(one.name, one.answers) for one in explorer.list_models()] == [("m", 1)]
    assert explorer.count_answers(AnswerFilter(DATASET, USUAL.name_in_answers)) == 1
    earlier = summarise_answers_on_earlier_versions(store, DATASET)
    assert earlier.earlier_answers_in_words == (
        "2 answers of models were given before the meaning of 1 question changed, and count no"
        " more."
    )
    exported = work_behind_commands.make_export_table(
        store, Settings(), "answers", viewer=None, dataset=DATASET
    )
    assert exported["question_id"].tolist() == ["n2"]
    figures = work_behind_commands.make_export_table(
        store, Settings(), "figures", viewer=None, study="ebmqa", dataset=DATASET
    )
    last = figures.iloc[-1]
    assert (last["figure"], last["numerator"], last["denominator"]) == (
        *("answers_to_earlier_meaning", 2, 3),
    )
    # The model answers what is asked now, and the file is told to be checked for its age.
    report = take_answers(store, "question_id,model,answer\nn1,m,1\n")
    assert (report.added, report.known) == (1, 0)
    assert "1 of them is to questions whose meaning was corrected" in report.notes[-1]
    assert right(store) == {"m": (2, 1)}
    assert store_check.list_store_faults_in_words(store, Settings()) == []


def test_a_withdrawn_question_is_in_no_count_of_answers(store: Store) -> None:
    lay(store)
    take_answers(store)
    item_withdrawals.withdraw_or_return_items_and_get_report_text(
        store, "ebmqa", DATASET, ["n1"], reason="Old.", by=None
    )
    explorer = AnswerAggregates(store, DATASET, None)
    assert [(one.name, one.answers) for one in explorer.list_models()] == [("m", 1)]
    assert explorer.count_answers(AnswerFilter(DATASET, USUAL.name_in_answers)) == 1


@pytest.mark.deep
def test_people_are_asked_again_what_changed_its_meaning_and_are_blind_to_it(
    store: Store, lead: Rater
) -> None:
    lay(store, numeric=4)
    questionnaire.sample_questionnaire_and_count_added(store, DATASET, number=4)
    rosa = person(store, "Rosa")
    chosen = [[place] for place in (0, 1, 1, 2)]
    answer(store, rosa, **{f"m{n:03d}": [one, None] for n, one in enumerate(chosen)})
    questionnaire.submit_whole_questionnaire(store, DATASET, rosa.id)

    def results() -> tuple[int, int]:
        table = questionnaire.questionnaire_results_table(store, DATASET, viewer=None)
        [row] = table[table["kind"] == "person"].to_dict("records")
        return int(row["n"]), int(row["right"])

    assert results() == (4, 4)
    told = correct(store, "m000", {"question": "Which holds now?"}, "typing", lead)
    assert told[1] == "1 judgment of the earlier text still counts."
    assert results() == (4, 4)
    told = correct(store, "m000", {"correct": RANGES[2]}, "meaning", lead)
    assert told[1] == (
        "1 judgment of the earlier text no longer counts; 1 answer is asked for again."
    )
    # The three others count on, and she is not shown the new key before she has answered.
    assert results() == (3, 3)
    assert not questionnaire.may_see_correct_answers(store, DATASET, rosa.id)
    assert (
        questionnaire.questionnaire_progress(store, DATASET, rosa.id).count_of_done_questions == 3
    )
    item = given(store, rosa)["m000"]
    judging.submit_judgment(
        store, TASK, item=item, rater=rosa.id, token=new_id(), body={"answer": [2], "guess": None}
    )
    assert results() == (4, 4)
    questionnaire.submit_whole_questionnaire(store, DATASET, rosa.id)
    assert questionnaire.may_see_correct_answers(store, DATASET, rosa.id)
    assert store_check.list_store_faults_in_words(store, Settings()) == []


def test_two_leads_who_correct_one_question_do_not_overwrite_each_other(
    store: Store, lead: Rater
) -> None:
    lay(store)
    seen = item_corrections.load_item_to_correct(store, Settings(), "ebmqa", DATASET, "n1")
    correct(store, "n1", {"question": "First?"}, "typing", lead)
    with pytest.raises(Conflict, match="Somebody else corrected this item"):
        item_corrections.correct_item_and_list_what_was_done(
            store, seen, {"question": "Second?"}, change="typing", reason="a slip", by=lead
        )
    with pytest.raises(InvalidInput, match="correct: expected"):
        correct(store, "n1", {"correct": "Nothing of it"}, "typing", lead)
    log = work_behind_commands.make_export_table(store, Settings(), "audit", viewer=None)
    assert "n1" in log.loc[log["kind"] == "correction", "about"].tolist()


def line(name: str, **more: Any) -> dict[str, Any]:
    return {
        "question_id": name,
        "kind": "numeric",
        "qa_type": "PPV",
        "question": f"What holds for {name}?",
        "options": RANGES,
        "correct": [RANGES[0]],
        **more,
    }


def bring(store: Store, *rows: dict[str, Any], **how: Any) -> work_behind_commands.Outcome:
    source = "\n".join(json.dumps(row) for row in rows).encode()
    return work_behind_commands.import_file(
        *(store, Settings(), "ebmqa-questions", source), name="q.jsonl", dataset=DATASET, **how
    )


def test_a_file_of_questions_that_is_imported_again_is_compared(store: Store) -> None:
    bring(store, line("n1", discipline="Cardiology"), line("n2"), line("n3"))
    take_answers(store)
    # A file without a column says nothing of it; another order of columns is no change.
    changed = [line("n1"), line("n2", question="What holds?"), line("n4")]
    preview = bring(store, *changed, dry_run=True)
    assert preview.taken is not None
    compared = preview.taken.compared
    assert compared is not None
    assert (compared.new, compared.same, compared.changed) == (1, 1, 1)
    assert compared.missing_names == ("n3",)
    with pytest.raises(InvalidInput, match="the first is the item 'n2', with another question"):
        bring(store, *changed)
    done = bring(store, *changed, changed="meaning", missing="withdraw", reason="a new release")
    assert done.added == 1
    assert done.taken is not None
    assert done.taken.compared is not None
    assert done.taken.compared.follows[0] == (
        "1 answer of models no longer counts: ask the models again."
    )
    assert right(store) == {"m": (1, 1), "other": (1, 0)}
    rows = store.rows("select name, question, discipline from ebmqa_question_now order by place")
    assert rows == [
        ("n1", "What holds for n1?", "Cardiology"),
        ("n2", "What holds?", None),
        ("n4", "What holds for n4?", None),
    ]
    # Once more: nothing is changed any more.
    assert bring(store, *changed).added == 0
    assert store_check.list_store_faults_in_words(store, Settings()) == []


def test_what_is_exported_after_a_correction_is_the_same_when_it_comes_back(
    store: Store, lead: Rater
) -> None:
    bring(store, line("n1", value=0.6, min=0.5, max=0.7, citations=["A"]), line("n2"))
    correct(store, "n1", {"question": 'Hé "x"?', "value": "0.65"}, "typing", lead)
    table = work_behind_commands.make_export_table(
        store, Settings(), "questions", viewer=None, dataset=DATASET, nested=True
    )
    rows = json.loads(table.to_json(orient="records"))
    done = bring(store, *rows)
    assert (done.added, done.known) == (0, 2)


def undo(store: Store) -> undo_imports.ImportUndo:
    entry = undo_imports.list_undoable_imports(store, viewer=None)[0].entry
    return import_undoing.undo_import_and_return_import_undo(
        store, entry, reason="The wrong file.", by=None
    )


def test_an_import_of_questions_is_undone_and_comes_again(store: Store) -> None:
    bring(store, line("n1"), line("n2"))
    undoing = undo(store)
    assert undoing.undo_in_words == (
        f"2 items of q.jsonl are removed, as nobody has worked on any. {DATASET} goes from 2 items"
        " to 0."
    )
    assert open_study(store).dataset == ""
    assert store.rows("select 1 from ebmqa_question_now") == []
    # Imported again, other than it was.
    done = bring(store, line("n1", question="Another?"), line("n2"), line("n3"))
    assert (done.added, done.known) == (3, 0)
    rows = store.rows("select name, question from ebmqa_question_now order by name")
    assert rows[0] == ("n1", "Another?")
    assert len(rows) == 3
    assert store_check.list_store_faults_in_words(store, Settings()) == []


def test_an_import_whose_questions_models_have_answered_is_withdrawn(store: Store) -> None:
    bring(store, line("n1"), line("n2"))
    take_answers(store)
    undoing = undo(store)
    assert undoing.undo_in_words == (
        "2 items of q.jsonl are withdrawn, as 3 were made or imported on them since."
        f" {DATASET} goes from 2 items to 0."
    )
    assert right(store) == {}


def test_two_who_answer_a_question_while_it_is_corrected_are_told_and_asked_again(
    store: Store, lead: Rater
) -> None:
    lay(store, numeric=4)
    questionnaire.sample_questionnaire_and_count_added(store, DATASET, number=4)
    people = [person(store, "Rosa"), person(store, "Ines")]
    items_of = {one.id: given(store, one)["m000"] for one in people}
    for one in people:
        judging.save_draft(
            *(store, TASK),
            item=items_of[one.id],
            rater=one.id,
            base=0,
            token=new_id(),
            body={"answer": [0], "guess": None},
        )
    told = correct(store, "m000", {"correct": RANGES[2]}, "meaning", lead)
    assert "2 people have it open and will be told." in told
    assert store.value("select count(*) from remark where kind = 'answer'") == 2
    for one in people:
        # They finish what they have open, by the version that they see.
        judging.submit_judgment(
            *(store, TASK),
            item=items_of[one.id],
            rater=one.id,
            token=new_id(),
            body={"answer": [0], "guess": None},
            version=1,
        )
    assert store.value("select count(*) from judgment") == 2
    assert store.value("select count(*) from judgment_now") == 0
    asked = store.column("select rater from remark where kind = 'return' order by rater")
    assert asked == sorted(one.id for one in people)
    assert store_check.list_store_faults_in_words(store, Settings()) == []


def test_an_import_of_which_half_is_answered_is_withdrawn_with_its_questionnaire(
    store: Store,
) -> None:
    bring(store, *(line(f"n{at}") for at in range(4)))
    questionnaire.sample_questionnaire_and_count_added(store, DATASET, number=4)
    answer(store, person(store, "Rosa"), n0=[[0], None], n1=[[1], None])
    undoing = undo(store)
    assert undoing.undo_in_words == (
        "4 items of q.jsonl are withdrawn, as 2 of them have been worked on."
        f" {DATASET} goes from 4 items to 0."
    )
    assert store.value("select count(*) from judgment") == 2
    assert store.value("select count(*) from judgment_now") == 0
    assert questionnaire.questionnaire_results_table(store, DATASET, viewer=None).empty
    # A lead can bring single ones back, with what was answered.
    item_withdrawals.withdraw_or_return_items_and_get_report_text(
        store, "ebmqa", DATASET, ["n0"], reason="It was right.", by=None, back=True
    )
    assert store.value("select count(*) from judgment_now") == 1
    assert store_check.list_store_faults_in_words(store, Settings()) == []


def test_a_corrected_question_is_erased_in_all_its_versions(store: Store, lead: Rater) -> None:
    lay(store, numeric=4)
    questionnaire.sample_questionnaire_and_count_added(store, DATASET, number=4)
    correct(store, "m000", {"question": "Does Herr Quaddel itch?"}, "meaning", lead)
    item = erasure.require_item_with_texts_to_erase(store, "ebmqa", "m000", dataset=DATASET)
    assert "Quaddel" in str(store.rows("from corrected_row"))
    erasure.erase_item_texts_and_list_what_was_done(
        store, Settings(), item, confirmed="m000", viewer=None
    )
    assert "Quaddel" not in str(store.rows("from corrected_row"))
    [(kind, options)] = store.rows(
        "select kind, json_array_length(options) from ebmqa_question_now where name = 'm000'"
    )
    assert (kind, options) == ("numeric", 3)
    assert store_check.list_store_faults_in_words(store, Settings()) == []


@pytest.mark.deep
def test_the_report_says_how_many_answers_count_no_more(store: Store, lead: Rater) -> None:
    lay(store)
    take_answers(store)
    correct(store, "n1", {"correct": RANGES[1]}, "meaning", lead)
    text = str(build_report_document(store, Settings(), STUDIES["ebmqa"], DATASET))
    assert "2 answers of models were given before the meaning of 1 question changed" in text
