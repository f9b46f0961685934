"""Questions, answers, statements and pages of SourceCheckup are corrected, imported again with
changed rows, and their imports are undone.
"""

from __future__ import annotations

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
from medlens.config.settings import Settings
from medlens.errors import BadFile, InvalidInput
from medlens.review import items, judging, undo_imports
from medlens.review.raters import Rater
from medlens.store import Store, new_id
from medlens.studies.registry import STUDIES
from medlens.studies.sourcecheckup import queries, records, tables_as_in_files_queries
from medlens.studies.sourcecheckup.make_statement_source_pairs import (
    make_missing_pair_items_and_count,
)
from medlens.studies.sourcecheckup.tasks import WholeAnswer
from tests.store.made_up import person
from tests.store.test_sourcecheckup_files import state, table, take_text

pytestmark = pytest.mark.usefixtures("read_near")

SOURCES = "url,status,text\nhttps://a.example/1,200,Bees sting and bees fly far.\n"
QUESTIONS = "question_id,question,group\nq1,Why?,search\n"


@pytest.fixture
def lead(store: Store) -> Rater:
    return person(store, "Lena", lead=True)


def lay(store: Store) -> dict[str, str]:
    """A question, two answers with a statement each, a page that both cite; the items by name."""
    state(store)
    take_text(store, "sources", SOURCES)
    make_missing_pair_items_and_count(store, "d")
    rows = store.rows("select name, id from item_in_play")
    return {name.removesuffix(" https://a.example/1"): item for name, item in rows}


def opened(store: Store) -> Any:
    return STUDIES["sourcecheckup"].open(store, Settings(), "d")


def judge(store: Store, task: Any, item: str, who: Rater, value: Any) -> None:
    """Hand an item to a person, who judges it."""
    row = {"task": task.name, "item": item, "rater": who.id, "slot": 0, "generation": 0}
    lease = {"gold": False, "lease_until": "2000-01-01T00:00:00Z"}
    store.append("assignment", {"id": f"a{item}{who.id}{task.name}", **row, **lease})
    judging.submit_judgment(
        store, task, item=item, rater=who.id, token=new_id(), body=value.model_dump(mode="json")
    )


def correct(store: Store, name: str, cells: dict[str, str], change: Any, lead: Rater) -> list[str]:
    correctable = item_corrections.load_item_to_correct(
        store, Settings(), "sourcecheckup", "d", name
    )
    return item_corrections.correct_item_and_list_what_was_done(
        store, correctable, cells, change=change, reason="a slip", by=lead
    )


def verdict(passage: str = "") -> records.SourceJudgment:
    text = "Bees sting and bees fly far."
    at = text.index(passage)
    passages = (records.Passage(start=at, end=at + len(passage), quote=passage),) if passage else ()
    return records.SourceJudgment(verdict="supported", passages=passages)


def counted(store: Store) -> int:
    return int(store.value("select count(*) from judgment_now"))


def test_a_statement_is_corrected_wherever_it_is_shown(store: Store, lead: Rater) -> None:
    there = lay(store)
    study, rosa = opened(store), person(store, "Rosa")
    judge(store, study.support, there["pair s1"], rosa, verdict("Bees sting"))
    told = correct(
        store, "pair s1 https://a.example/1", {"statement": "Bees can sting"}, "typing", lead
    )
    assert told == [
        "Item pair s1 https://a.example/1 is corrected (version 2). It is shown in 1 other item"
        " too.",
        "1 judgment of the earlier text still counts.",
        "1 mark is carried over.",
    ]
    assert queries.load_pair_as_shown(store, there["pair s1"]).statement == "Bees can sting"
    assert table(store, "statements", "d")["statement"].tolist() == ["Bees can sting", "Bees fly"]
    assert [
        items.current_version_of_item(store, there[n])
        for n in ("pair s1", "response r1", "pair s2")
    ] == [2, 2, 1]
    assert counted(store) == 1

    # The meaning changed: the pair and the whole answer are asked for again, once.
    judge(store, study.response, there["response r1"], rosa, WholeAnswer(answer="yes"))
    name = "pair s1 https://a.example/1"
    correctable = item_corrections.load_item_to_correct(
        store, Settings(), "sourcecheckup", "d", name
    )
    cells = {"statement": "Wasps sting"}
    assert item_corrections.list_correction_effects_in_words(
        store, correctable, cells, "meaning"
    ) == [
        "It is shown in 1 other item too.",
        "2 judgments of the earlier text no longer count; 2 answers are asked for again.",
        "1 mark is carried over.",
    ]
    correct(store, name, cells, "meaning", lead)
    assert counted(store) == 0
    asked = store.rows("select item from remark where kind = 'return' order by item")
    assert asked == sorted([(there["pair s1"],), (there["response r1"],)])
    assert store_check.list_store_faults_in_words(store, Settings()) == []


def test_a_corrected_page_is_a_new_snapshot_in_which_passages_are_found(
    store: Store, lead: Rater
) -> None:
    there = lay(store)
    study, rosa = opened(store), person(store, "Rosa")
    judge(store, study.support, there["pair s1"], rosa, verdict("Bees sting"))
    judge(store, study.support, there["pair s2"], rosa, verdict("bees fly far"))
    text = "Read: Bees sting and bees fly near."
    told = correct(store, "pair s1 https://a.example/1", {"page": text}, "typing", lead)
    # Both pairs and both answers show the page.
    assert told[0].endswith("It is shown in 3 other items too.")
    assert told[2:] == [
        "1 mark is carried over; 1 is not, as its words are gone.",
        "  pair s2 https://a.example/1, Rosa: “bees fly far”",
    ]
    for name in ("pair s1", "pair s2"):
        assert queries.load_pair_as_shown(store, there[name]).text == text
    value = judging.last_own_answer(store, study.support, item=there["pair s1"], rater=rosa.id)
    assert value is not None
    [passage] = value.passages
    assert (passage.start, passage.quote) == (6, "Bees sting")
    # What was fetched is still there, and an import of it again is nothing new to choose.
    assert store.value("select count(*) from sc_source") == 2
    assert tables_as_in_files_queries.sources_with_altered_text(store) == []
    assert store_check.list_store_faults_in_words(store, Settings()) == []


def test_questions_and_answers_are_corrected(store: Store, lead: Rater) -> None:
    there = lay(store)
    correct(store, "question q1", {"question": "Why so?", "group": "asked"}, "typing", lead)
    correct(store, "response r1", {"response": "Because of that."}, "meaning", lead)
    assert queries.load_pair_as_shown(store, there["pair s1"]).question == "Why so?"
    assert table(store, "questions", "d")[["question", "group"]].values.tolist() == [
        ["Why so?", "asked"]
    ]
    assert table(store, "responses", "d")["response"].tolist() == ["Because of that.", "Since."]
    # A second correction keeps what the first one changed.
    correct(store, "question q1", {"question": "Why, then?"}, "typing", lead)
    assert table(store, "questions", "d")[["question", "group"]].values.tolist() == [
        ["Why, then?", "asked"]
    ]
    with pytest.raises(InvalidInput, match="statement: expected a text"):
        correct(store, "pair s1 https://a.example/1", {"statement": " "}, "typing", lead)
    with pytest.raises(InvalidInput, match="Nothing was changed"):
        correct(store, "question q1", {"question": "Why, then?"}, "typing", lead)


def test_a_file_with_changed_rows_does_what_the_lead_chose(store: Store, lead: Rater) -> None:
    there = lay(store)
    study, rosa = opened(store), person(store, "Rosa")
    judge(store, study.support, there["pair s1"], rosa, verdict())
    judge(store, study.support, there["pair s2"], rosa, verdict())
    changed = "statement_id,response_id,statement\ns1,r1,Bees can sting\ns3,r1,Bees hum\n"
    with pytest.raises(InvalidInput, match="with another statement"):
        take_text(store, "statements", changed)
    preview = take_text(store, "statements", changed, dry_run=True)
    assert preview.taken is not None
    compared = preview.taken.compared
    assert compared is not None
    assert (compared.new, compared.same, compared.changed, compared.missing) == (1, 0, 1, 1)
    assert counted(store) == 2

    done = take_text(
        store, "statements", changed, changed="meaning", missing="withdraw", reason="a new parser"
    )
    assert (done.added, done.known) == (1, 1)
    assert queries.load_pair_as_shown(store, there["pair s1"]).statement == "Bees can sting"
    assert [one.name for one in queries.list_statements(store, "d")] == ["s1", "s3"]
    # One is of an earlier meaning, the other of a statement that is withdrawn.
    assert counted(store) == 0
    again = take_text(store, "statements", changed)
    assert (again.added, again.known) == (0, 2)
    # What cannot be corrected is still refused by its line.
    with pytest.raises(BadFile) as refused:
        take_text(store, "statements", "statement_id,response_id,statement\ns1,r2,Bees can sting\n")
    assert refused.value.rows[0].column == "statement_id"
    assert store_check.list_store_faults_in_words(store, Settings()) == []


def test_questions_and_answers_imported_again_can_be_left_or_corrected(
    store: Store, lead: Rater
) -> None:
    lay(store)
    mended = QUESTIONS.replace("Why?", "Why so?")
    assert take_text(store, "questions", mended, changed="leave").known == 1
    assert table(store, "questions", "d")["question"].tolist() == ["Why?"]
    take_text(store, "questions", mended, changed="typing", reason="a slip")
    assert table(store, "questions", "d")["question"].tolist() == ["Why so?"]
    answers = (
        "response_id,question_id,model,response,urls\n"
        "r2,q1,other,Since then.,https://a.example/1 https://a.example/1\n"
    )
    take_text(store, "responses", answers, changed="typing", reason="a slip")
    assert table(store, "responses", "d")["response"].tolist() == ["Because.", "Since then."]


def undo(store: Store, file_kind: str) -> undo_imports.ImportUndo:
    [entry] = [
        one.entry
        for one in undo_imports.list_undoable_imports(store, viewer=None)
        if one.kind == f"sourcecheckup-{file_kind}"
    ]
    return import_undoing.undo_import_and_return_import_undo(
        store, entry, reason="The wrong file.", by=None
    )


@pytest.mark.deep
def test_statements_are_undone_with_their_pairs_and_come_again(store: Store) -> None:
    there = lay(store)
    undoing = undo(store, "statements")
    assert undoing.undo_in_words == (
        "2 items of f.csv and 2 that rest on them are removed, as nobody has worked on any. d goes"
        " from 5 items to 3."
    )
    assert queries.list_statements(store, "d") == []
    assert queries.names_of_responses_already_split(store, "d") == set()
    assert table(store, "statements", "d").empty

    mended = "statement_id,response_id,statement\ns1,r1,Bees can sting\n"
    done = take_text(store, "statements", mended)
    assert (done.added, done.known) == (1, 0)
    assert make_missing_pair_items_and_count(store, "d") == 1
    assert queries.load_pair_as_shown(store, there["pair s1"]).statement == "Bees can sting"
    assert [one.name for one in queries.list_statements(store, "d")] == ["s1"]
    assert store_check.list_store_faults_in_words(store, Settings()) == []


def test_what_was_made_on_an_import_is_withdrawn_with_it(store: Store) -> None:
    lay(store)
    undoing = undo(store, "questions")
    assert undoing.undo_in_words == (
        "1 item of f.csv and 6 that rest on it are withdrawn, as 4 were made or imported on it"
        " since. d goes from 5 items to 0."
    )
    assert (undoing.are_items_removed, undoing.count_items_in_play_after) == (False, 0)
    assert queries.list_statements(store, "d") == []


@pytest.mark.deep
def test_judged_pairs_keep_a_statements_import_from_being_removed(store: Store) -> None:
    there = lay(store)
    judge(store, opened(store).support, there["pair s1"], person(store, "Rosa"), verdict())
    assert not undo(store, "statements").are_items_removed
    assert counted(store) == 0


def test_pages_are_undone_with_their_pairs_and_come_again(store: Store) -> None:
    there = lay(store)
    assert undo(store, "sources").are_items_removed
    assert queries.newest_snapshots_by_address(store, "d") == {}
    assert store.column("select name from item_in_play where kind = 'pair'") == []
    take_text(store, "sources", SOURCES.replace("far", "near"))
    assert make_missing_pair_items_and_count(store, "d") == 2
    assert (
        queries.load_pair_as_shown(store, there["pair s1"]).text == "Bees sting and bees fly near."
    )
    assert store_check.list_store_faults_in_words(store, Settings()) == []


@pytest.mark.deep
def test_pages_that_come_again_with_another_text_are_corrected_or_left_as_a_lead_chooses(
    store: Store,
) -> None:
    there = lay(store)
    judge(store, opened(store).support, there["pair s1"], person(store, "Rosa"), verdict("Bees"))
    again = (
        "url,status,text\nhttps://a.example/1,200,Bees sting and bees fly near.\n"
        "https://a.example/2,200,Another page.\n"
    )

    def bring(**how: Any) -> work_behind_commands.Outcome:
        kind = "sourcecheckup-sources"
        source = again.encode()
        return work_behind_commands.import_file(
            *(store, Settings(), kind, source), name="sources.csv", dataset="d", **how
        )

    def shown() -> str:
        return queries.load_pair_as_shown(store, there["pair s1"]).text

    with pytest.raises(InvalidInput, match="with other contents"):
        bring()
    seen = bring(dry_run=True).taken
    assert seen
    assert seen.compared
    counts = seen.compared.new, seen.compared.same, seen.compared.changed
    assert counts == (1, 0, 1)
    assert (store.value("select count(*) from sc_source"), counted(store)) == (1, 1)
    # Left as it is: only what is new comes in.
    assert bring(changed="leave").added == 1
    assert (shown(), counted(store)) == ("Bees sting and bees fly far.", 1)
    said = bring(changed="typing", reason="A slip.")
    assert "1 changed, corrected as typing errors" in said.line
    assert (shown(), counted(store)) == ("Bees sting and bees fly near.", 1)
    # It is the same now.
    assert bring().added == 0
    again = again.replace("near", "high")
    bring(changed="meaning", reason="A new release.")
    assert (shown(), counted(store)) == ("Bees sting and bees fly high.", 0)
    assert items.current_version_of_item(store, there["pair s2"]) == 3
    assert store_check.list_store_faults_in_words(store, Settings()) == []


@pytest.mark.deep
def test_pages_missing_from_a_file_are_left_or_withdrawn_with_their_pairs_as_a_lead_chooses(
    store: Store,
) -> None:
    there = lay(store)
    judge(store, opened(store).support, there["pair s1"], person(store, "Rosa"), verdict("Bees"))
    other = b"url,status,text\nhttps://a.example/2,200,Another page.\n"

    def bring(**how: Any) -> work_behind_commands.Outcome:
        kind = "sourcecheckup-sources"
        return work_behind_commands.import_file(
            *(store, Settings(), kind, other), name="sources.csv", dataset="d", **how
        )

    def pairs() -> list[str]:
        return sorted(store.column("select name from item_in_play where kind = 'pair'"))

    both = ["pair s1 https://a.example/1", "pair s2 https://a.example/1"]
    seen = bring(dry_run=True)
    assert "1 missing in the file, left in the dataset" in seen.line
    # Nobody chose: nothing is taken away.
    bring()
    make_missing_pair_items_and_count(store, "d")
    assert (pairs(), counted(store)) == (sorted([*both, "pair s1 https://a.example/2"]), 1)
    with pytest.raises(InvalidInput, match="A reason is missing"):
        bring(missing="withdraw")
    done = bring(missing="withdraw", reason="Out of date.")
    assert "1 missing in the file, withdrawn" in done.line
    assert (pairs(), counted(store)) == (["pair s1 https://a.example/2"], 0)
    # Nobody is given it again, whatever is made anew; and it is missed once.
    assert not queries.has_unmade_pairs(store, "d")
    assert make_missing_pair_items_and_count(store, "d") == 0
    compared = bring(dry_run=True).taken
    assert compared
    assert compared.compared
    assert compared.compared.missing == 0
    # A file that has it brings nothing back, and says so.
    page = SOURCES.encode()
    again = work_behind_commands.import_file(
        *(store, Settings(), "sourcecheckup-sources", page), name="sources.csv", dataset="d"
    )
    assert (again.added, again.known) == (0, 1)
    [said] = [note for note in again.notes if "withdrawn" in note]
    assert said.endswith("stay so, even if the file has it, until a lead brings it back.")
    # It comes back under its address, with its pairs.
    item_withdrawals.withdraw_or_return_items_and_get_report_text(
        *(store, "sourcecheckup", "d", ["https://a.example/1"]),
        reason="It is needed.",
        by=None,
        back=True,
    )
    assert (pairs(), counted(store)) == (sorted([*both, "pair s1 https://a.example/2"]), 1)
    assert store_check.list_store_faults_in_words(store, Settings()) == []


@pytest.mark.deep
def test_a_statement_missing_from_a_file_comes_back_under_its_name(store: Store) -> None:
    there = lay(store)
    only = "statement_id,response_id,statement\ns2,r2,Bees fly\n"
    take_text(store, "statements", only, missing="withdraw", reason="Old.")
    assert there["pair s1"] not in store.column("select id from item_in_play")
    item_withdrawals.withdraw_or_return_items_and_get_report_text(
        store, "sourcecheckup", "d", ["s1"], reason="It is needed.", by=None, back=True
    )
    assert there["pair s1"] in store.column("select id from item_in_play")


def test_a_question_is_withdrawn_and_put_back_with_its_answers_and_pairs(store: Store) -> None:
    lay(store)
    for back, left in ((False, 0), (True, 5)):
        item_withdrawals.withdraw_or_return_items_and_get_report_text(
            store, "sourcecheckup", "d", ["question q1"], reason="Old.", by=None, back=back
        )
        assert store.value("select count(*) from item_in_play") == left


@pytest.mark.deep
def test_a_quote_erased_with_its_statement_does_not_contradict_the_page_that_stays(
    store: Store,
) -> None:
    there = lay(store)
    task, rosa = opened(store).support, person(store, "Rosa")
    # The quote has the words of the statement, and another pair keeps the page.
    judge(store, task, there["pair s1"], rosa, verdict("Bees sting"))
    name = "pair s1 https://a.example/1"
    item = erasure.require_item_with_texts_to_erase(store, "sourcecheckup", name, dataset="d")
    erasure.erase_item_texts_and_list_what_was_done(
        store, Settings(), item, confirmed=name, viewer=None
    )
    [passage] = task.parse(store.value("select body::varchar from judgment")).passages
    assert passage.quote == "xxxx xxxxx"
    assert queries.load_pair_as_shown(store, there["pair s2"]).text.startswith("Bees sting")
    assert store_check.list_store_faults_in_words(store, Settings()) == []
