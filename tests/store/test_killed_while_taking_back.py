"""Withdrawing, correcting, importing again, undoing, renaming, bringing back, erasing a text and
removing the demo, killed at twenty moments each: done wholly or not at all. Archiving and deleting
are in ``test_deletion``, erasing a person is in ``test_erasing``, copying in ``test_copying``.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from medlens.app import (
    archive_and_unarchive,
    deletion_of_archived_data_and_demo,
    erasure,
    item_corrections,
    item_withdrawals,
    rename_studies_and_data,
    store_check,
    work_behind_commands,
)
from medlens.config.settings import Settings
from medlens.review.archiving_of_datasets_rounds_and_runs import Thing
from medlens.review.erasure_rule_per_column import WHAT
from medlens.store import Store, open_store
from medlens.studies.agentclinic import queries
from medlens.studies.ebmqa import questionnaire
from tests.store import test_agentclinic_corrections as agentclinic
from tests.store import test_ebmqa_corrections as ebmqa
from tests.store.ebmqa_questions import RANGES
from tests.store.killed_steps import stores_after_kills
from tests.store.made_up import person
from tests.store.test_agentclinic_run import case
from tests.store.test_agentclinic_store import CASE, visit
from tests.store.test_archiving import lay_letters
from tests.store.test_ebmqa_questionnaire import answer
from tests.store.test_sourcecheckup_corrections import judge, lay, opened, undo, verdict
from tests.store.test_sourcecheckup_files import take_text

pytestmark = [pytest.mark.usefixtures("read_near"), pytest.mark.deep]

PAIR = "pair s1 https://a.example/1"


def lay_with_judgments(store: Store) -> None:
    there = lay(store)
    task, rosa = opened(store).support, person(store, "Rosa")
    judge(store, task, there["pair s1"], rosa, verdict("Bees sting"))
    judge(store, task, there["pair s2"], rosa, verdict())


def lay_without_judgments(store: Store) -> None:
    lay(store)


def withdraw_question(store: Store) -> None:
    item_withdrawals.withdraw_or_return_items_and_get_report_text(
        store, "sourcecheckup", "d", ["question q1"], reason="It is out of date.", by=None
    )


def correct_statement_and_page(store: Store) -> None:
    correctable = item_corrections.load_item_to_correct(
        store, Settings(), "sourcecheckup", "d", PAIR
    )
    cells = {"statement": "Wasps sting", "page": "Wasps sting and bees fly far."}
    item_corrections.correct_item_and_list_what_was_done(
        store, correctable, cells, change="meaning", reason="A slip.", by=None
    )


def undo_statements(store: Store) -> None:
    undo(store, "statements")


def erase_pair(store: Store) -> None:
    item = erasure.require_item_with_texts_to_erase(store, "sourcecheckup", PAIR, dataset="d")
    erasure.erase_item_texts_and_list_what_was_done(
        store, Settings(), item, confirmed=PAIR, viewer=None
    )


def lay_questions(store: Store) -> None:
    ebmqa.lay(store, numeric=4)
    questionnaire.sample_questionnaire_and_count_added(store, ebmqa.DATASET, number=4)
    ebmqa.take_answers(store, "question_id,model,answer\nm000,m,1\nm001,m,1\n")
    answer(store, person(store, "Rosa"), m000=[[0], None], m001=[[1], None])
    person(store, "Lena", lead=True)


def correct_question(store: Store) -> None:
    cells = {"question": "What holds now?", "correct": RANGES[2]}
    ebmqa.correct(store, "m000", cells, "meaning", person(store, "Lena", lead=True))


def lay_file_of_questions(store: Store) -> None:
    ebmqa.bring(store, ebmqa.line("n1"), ebmqa.line("n2"), ebmqa.line("n3"))
    ebmqa.take_answers(store)
    person(store, "Lena", lead=True)


def import_questions_again(store: Store) -> None:
    rows = [ebmqa.line("n1"), ebmqa.line("n2", question="What holds?"), ebmqa.line("n4")]
    ebmqa.bring(store, *rows, changed="meaning", missing="withdraw", reason="A new release.")


def undo_questions(store: Store) -> None:
    ebmqa.undo(store)


def lay_ward(store: Store) -> None:
    queries.add_cases_and_return_added(store, [("mine:1", CASE)], dataset="ward")
    queries.add_dialogues_and_return_added(store, [visit(n) for n in range(3)], dataset="ward")
    agentclinic.rated(store, person(store, "Rosa"), "d1")
    person(store, "Lena", lead=True)


def correct_case(store: Store) -> None:
    place = next(
        leaf.path_in_words
        for leaf in CASE.list_case_facts()
        if leaf.path[-1] == "Correct_Diagnosis"
    )
    agentclinic.correct(
        store,
        CASE.name_derived_from_content,
        {place: "Asthma"},
        "meaning",
        person(store, "Lena", lead=True),
    )


def lay_cases(store: Store) -> None:
    agentclinic.bring(store, "cases", case(1), case(2))
    first = next(iter(queries.load_cases_by_name(store, "ward")))
    dialogue = visit(1, case=first)[1].model_dump(mode="json")
    agentclinic.bring(store, "dialogues", {"dialogue": "d1", **dialogue})


def import_cases_again(store: Store) -> None:
    changed = [case(1, Test_Results={"Blood": "value 11"}), case(4)]
    agentclinic.bring(store, "cases", *changed, changed="meaning", reason="A new release.")


def undo_cases(store: Store) -> None:
    agentclinic.undo(store)


def rename_study(store: Store) -> None:
    thing = Thing("dataset", "own", "letters")
    rename_studies_and_data.rename_thing_and_return_report_text(
        store, Settings(), thing, "notes", by=None
    )


def rename_title_and_address(store: Store) -> None:
    thing = Thing("dataset", "own", "letters")
    rename_studies_and_data.rename_with_title_and_return_report_text(
        store, Settings(), thing, called="notes", title="Notes of the ward", by=None
    )


def import_pages_again(store: Store) -> None:
    pages = (
        "url,status,text\nhttps://a.example/1,200,Bees sting and bees fly near.\n"
        "https://a.example/3,200,A third page.\n"
    )
    take_text(
        *(store, "sources", pages), changed="meaning", missing="withdraw", reason="A new release."
    )


def lay_two_pages(store: Store) -> None:
    lay_with_judgments(store)
    take_text(store, "sources", "url,status,text\nhttps://a.example/2,200,Another page.\n")


def lay_withdrawn(store: Store) -> None:
    lay_with_judgments(store)
    withdraw_question(store)


def bring_question_back(store: Store) -> None:
    item_withdrawals.withdraw_or_return_items_and_get_report_text(
        store, "sourcecheckup", "d", ["question q1"], reason="It holds.", by=None, back=True
    )


def lay_archived_demo(store: Store) -> None:
    work_behind_commands.add_demo_studies_and_return_report_text(store)
    archive_demo(store, back=False)


def bring_archived_demo_back(store: Store) -> None:
    archive_demo(store, back=True)


def archive_demo(store: Store, *, back: bool) -> None:
    things = archive_and_unarchive.list_things_named_in_command(store, Settings(), "demo", ())
    archive_and_unarchive.archive_or_bring_back_and_return_report_text(
        store, Settings(), things, reason="Old.", by=None, back=back
    )


def lay_demo(store: Store) -> None:
    work_behind_commands.add_demo_studies_and_return_report_text(store)
    lay_with_judgments(store)


def remove_demo(store: Store) -> None:
    deletion_of_archived_data_and_demo.remove_demo_and_list_what_was_done(
        store, Settings(), with_work=False, by=None
    )


def state_of(store: Store) -> dict[str, int]:
    """How many rows each table has, and in how many columns a word of a statement stands."""
    counts = {
        table: int(store.value(f"select count(*) from {table}"))
        for table in store.column_types_by_table
    }
    counts["named"] = sum(
        bool(
            store.rows(
                f"select 1 from {table} where contains(cast({column} as varchar), 'Bees sting')"
            )
        )
        for table, columns in WHAT.items()
        for column in columns
    )
    return counts


@pytest.mark.parametrize(
    "laying, work",
    [
        (lay_with_judgments, withdraw_question),
        (lay_with_judgments, correct_statement_and_page),
        (lay_without_judgments, undo_statements),
        (lay_with_judgments, erase_pair),
        (lay_questions, correct_question),
        (lay_file_of_questions, import_questions_again),
        (lay_file_of_questions, undo_questions),
        (lay_ward, correct_case),
        (lay_cases, import_cases_again),
        (lay_cases, undo_cases),
        (lay_letters, rename_study),
        (lay_letters, rename_title_and_address),
        (lay_two_pages, import_pages_again),
        (lay_withdrawn, bring_question_back),
        (lay_archived_demo, bring_archived_demo_back),
        (lay_demo, remove_demo),
    ],
)
def test_killed_at_any_moment_it_is_done_wholly_or_not_at_all(
    laying: Callable[[Store], None], work: Callable[[Store], None], tmp_path: Path
) -> None:
    laid, done = tmp_path / "laid.duckdb", tmp_path / "done.duckdb"
    with contextlib.closing(open_store(laid)) as store:
        laying(store)
        before = state_of(store)
    shutil.copy(laid, done)
    with contextlib.closing(open_store(done)) as store:
        work(store)
        after = state_of(store)
    assert after != before
    kills = 0
    steady = work not in (import_questions_again, import_cases_again, import_pages_again)
    for path in stores_after_kills(laid, work, kills=20, steady=steady):
        with contextlib.closing(open_store(path)) as store:
            assert state_of(store) in (before, after)
            assert store_check.list_store_faults_in_words(store, Settings()) == []
        path.unlink()
        kills += 1
    assert kills == 20
