"""Erasing an item's texts: none of their bytes is left, and every figure is as it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medlens.app import erasure, item_corrections, store_check, work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.review import audit_log, items, raters, undo_imports
from medlens.review.item_text_erasure import CORRECTION, find_items_by_name
from medlens.review.person_identifier_replacement_in_texts import mask_letters_with_x
from medlens.store import Store
from medlens.studies.own import study as own_study
from medlens.studies.own.tasks import NAME as OWN_TASK
from tests.store.bytes_on_disk import places_of, store_plainly, write_out
from tests.store.conftest import Filled

SECRET = "Mrs Zeppelinska came back from Quixotia with a cough."
WORD = "zeppelinska"

LETTERS = """\
id = "letters"
title = "Letters"
instructions = "Read it."
[[column]]
name = "letter"
means = "the letter"
[[column]]
name = "ward"
means = "the ward"
required = false
groups = true
[[pane]]
title = "Letter"
column = "letter"
[[question]]
id = "clear"
kind = "single"
text = "Clear?"
options = ["Clear to Zeppelinska", "Not clear"]
[[question]]
id = "why"
kind = "long_text"
text = "Why?"
"""


def demo(store: Store) -> None:
    work_behind_commands.add_demo_studies_and_return_report_text(store)


def letters(store: Store) -> None:
    own_study.store_study_file_version_and_return_it(store, LETTERS, name="STUDY.toml", by=None)
    rows = [f"l{n},{SECRET if n == 0 else f'Letter {n}.'},{'AB'[n % 2]}" for n in range(16)]
    table = "\n".join(["item,letter,ward", *rows]).encode()
    work_behind_commands.import_file(
        store, Settings(), "own-items", table, name="letters.csv", dataset="letters"
    )
    ids = items.item_ids_by_name(store, "own", "letters", [f"l{n}" for n in range(16)])
    for name in ("Ada", "Ben"):
        rater = raters.find_or_add_rater_by_name(store, name)
        for at, item in enumerate(ids.values()):
            answer = ["Clear to Zeppelinska", "Not clear"][at % 2]
            place = {"task": OWN_TASK, "item": item, "rater": rater.id, "revision": 1}
            how = {"blind": True, "origin": "app", "complete": True}
            said = {"clear": answer, "why": "zeppelinska" if at == 0 else "so"}
            body = {"answers": said}
            store.append("judgment", place | how | {"body": body})


def figures(store: Store, study: str, dataset: str) -> str:
    table = work_behind_commands.make_export_table(
        store, Settings(), "figures", viewer=None, study=study, dataset=dataset
    )
    return str(table.to_csv())


def erase(store: Store, study: str, name: str, dataset: str = "") -> list[str]:
    item = erasure.require_item_with_texts_to_erase(store, study, name, dataset=dataset)
    return erasure.erase_item_texts_and_list_what_was_done(
        store, Settings(), item, confirmed=item.name, viewer=None
    )


def texts_left(store: Store, word: str) -> list[str]:
    """The columns that hold a word, but for a study's own file, whose options are labels."""
    return [
        f"{table}.{column}"
        for table, kinds in store.column_types_by_table.items()
        for column, kind in kinds.items()
        if kind in ("VARCHAR", "JSON")
        and store.rows(
            f"select 1 from {table}"
            f" where contains(lower(cast({column} as varchar)), $word) limit 1",
            word=word,
        )
    ]


def add_call(store: Store, request: str, asked: str, said: str) -> None:
    """A stored call of a model, which was asked and said this."""
    call = {
        "request": request,
        "repeat": 1,
        "run": "run",
        "name": "m",
        "model": "m",
        "base_url": "http://x",
        "parameters": {},
        "outcome": "ok",
        "finish_reason": "stop",
        "served_model": "m",
        "fingerprint": "",
        "response_id": "",
        "input_tokens": 1,
        "output_tokens": 1,
        "tokens_estimated": False,
        "attempts": 1,
        "route": "call",
    }
    messages = [{"role": "user", "content": asked}]
    store.append("completion", call | {"messages": messages, "text": said})


def repeat_text(store: Store, item: str) -> None:
    """The text in whatever can repeat it: a remark, a draft, further columns, a model call."""
    [rater, *_] = raters.list_raters(store)
    place = {"task": OWN_TASK, "item": item, "rater": rater.id}
    remark = {"kind": "unclear", "body": "Is Zeppelinska well?", "counts": True}
    store.append("remark", place | remark | {"made_by": rater.id})
    mark = {"start": 4, "end": 15, "quote": "Zeppelinska", "labels": ["odd"]}
    draft = {"revision": 1, "active_seconds": 1.0, "idle_seconds": 0.0}
    store.append("draft", place | draft | {"body": {"spans": [mark]}})
    store.append("item_further", {"item": item, "body": {"note": SECRET}})
    add_call(store, "r" * 16, f'Read:\n"{SECRET}"', "Of Zeppelinska: fine.")


@pytest.mark.deep
def test_no_byte_of_an_erased_text_is_left_and_no_figure_changes(
    filled: Filled, tmp_path: Path
) -> None:
    store = filled(letters)
    store_plainly(store)
    [item] = find_items_by_name(store, "own", "l0")
    repeat_text(store, item.id)
    before = figures(store, "own", "letters")
    write_out(store)
    assert places_of(SECRET, tmp_path)
    assert places_of("is zeppelinska well", tmp_path)
    assert places_of("of zeppelinska: fine", tmp_path)
    lines = erase(store, "own", "l0")
    assert "Figures are as they were." in lines[0]
    write_out(store)
    assert not places_of(SECRET, tmp_path)
    assert not places_of("quixotia", tmp_path)
    assert not places_of("is zeppelinska well", tmp_path)
    assert not places_of("of zeppelinska: fine", tmp_path)
    # As an option of the study it is a label.
    assert sorted(texts_left(store, WORD)) == ["judgment.body", "task_setting.body"]
    # A group of figures that is called by the text itself is called x.
    assert figures(store, "own", "letters") == before.replace(SECRET, mask_letters_with_x(SECRET))
    answers = store.column("select body from judgment where item = $item", item=item.id)
    assert [json.loads(answer) for answer in answers] == [
        {"answers": {"clear": "Clear to Zeppelinska", "why": "x" * 11}}
    ] * 2
    [(request, messages)] = store.rows("select request, messages from completion")
    assert request != "r" * 16
    assert json.loads(messages)[0]["role"] == "user"


def test_the_audit_log_says_what_kind_of_thing_was_erased(filled: Filled) -> None:
    store = filled(letters)
    erase(store, "own", "l0")
    told = audit_log.entries_table(store, viewer=None)
    entry = told[told.kind == "erase"].iloc[0]
    assert (entry.who, entry.about, entry.detail) == (
        *("command line", "a text"),
        "own, letters: l0",
    )


def test_while_a_run_of_the_study_goes_on_no_text_of_it_is_erased(filled: Filled) -> None:
    store = filled(letters)
    run = {"id": "run", "study": "own", "kind": "judge", "config": {}, "digest": "d"}
    store.append("run", run | {"made_by": "command line"})
    event = {"run": "run", "reason": "", "body": {}}
    store.append("run_event", event | {"kind": "started"})
    with pytest.raises(InvalidInput, match="run of this study is in progress"):
        erase(store, "own", "l0")
    store.append("run_event", event | {"kind": "finished"})
    erase(store, "own", "l0")


def test_a_name_typed_wrongly_erases_no_text(filled: Filled) -> None:
    store = filled(letters)
    [item] = find_items_by_name(store, "own", "l0")
    with pytest.raises(InvalidInput, match="not the item's"):
        erasure.erase_item_texts_and_list_what_was_done(
            store, Settings(), item, confirmed="l1", viewer=None
        )
    with pytest.raises(InvalidInput, match="no item"):
        erase(store, "own", "l99")


@pytest.mark.deep
@pytest.mark.parametrize(
    ("study", "kind"),
    [
        ("tagging", "response"),
        ("agentclinic", "dialogue"),
        ("agentclinic", "case"),
        ("sourcecheckup", "pair"),
        ("sourcecheckup", "response"),
        ("sourcecheckup", "question"),
        ("sourcecheckup", "merged"),
        ("ebmqa", "ebmqa_question"),
    ],
)
def test_the_figures_of_every_study_are_as_they_were(filled: Filled, study: str, kind: str) -> None:
    store = filled(demo)
    before = figures(store, study, "demo")
    names = store.column(
        "select name from item where study = $study and kind = $kind order by seq limit 3",
        study=study,
        kind=kind,
    )
    for name in names:
        erase(store, study, name, "demo")
        assert figures(store, study, "demo") == before, name
    assert store_check.list_store_faults_in_words(store, Settings()) == []


@pytest.mark.deep
def test_a_question_outside_the_questionnaire_is_erased_and_no_figure_changes(
    filled: Filled, tmp_path: Path
) -> None:
    store = filled(demo)
    store_plainly(store)
    name, text = store.rows(
        "select q.name, q.question from ebmqa_question q anti join item i on i.study = 'ebmqa'"
        " and i.dataset = q.dataset and i.name = q.name order by q.seq limit 1"
    )[0]
    corrected = {"question": "Mr Quagglebottom has it?"}
    seen = item_corrections.load_item_to_correct(store, Settings(), "ebmqa", "demo", name)
    item_corrections.correct_item_and_list_what_was_done(
        store, seen, corrected, change="typing", reason="A slip.", by=None
    )
    before = figures(store, "ebmqa", "demo")
    write_out(store)
    words = (text, "Quagglebottom")
    for word in words:
        assert places_of(word, tmp_path), word
    told = erase(store, "ebmqa", name)
    assert told[0].startswith(f"Erased: the texts of {name} in ")
    write_out(store)
    for word in words:
        assert not places_of(word, tmp_path), word
    assert figures(store, "ebmqa", "demo") == before
    assert store_check.list_store_faults_in_words(store, Settings()) == []
    with pytest.raises(InvalidInput, match="no item"):
        erase(store, "ebmqa", f"{name} of none")


@pytest.mark.deep
def test_no_byte_of_a_text_is_left_in_any_version_of_its_item(
    filled: Filled, tmp_path: Path
) -> None:
    store = filled(letters)
    store_plainly(store)
    lead = raters.find_or_add_rater_by_name(store, "Lena", role="lead")
    corrected = "Mr Quagglebottom came back from Xylander with a cough."
    item = item_corrections.load_item_to_correct(store, Settings(), "own", "letters", "l0")
    item_corrections.correct_item_and_list_what_was_done(
        *(store, item, {"letter": corrected}),
        change="typing",
        reason="It is Quagglebottom.",
        by=lead,
    )
    # What a lead has written to correct it, and not yet saved.
    unsaved = {"task": CORRECTION, "item": f"{item.item}.2.0", "rater": lead.id, "revision": 1}
    body = {"cell.letter": "Ms Jabberwockska."}
    times = {"active_seconds": 0.0, "idle_seconds": 0.0}
    store.append("draft", unsaved | times | {"body": body})
    before = figures(store, "own", "letters")
    write_out(store)
    words = (SECRET, corrected, "it is quagglebottom", "jabberwockska")
    for word in words:
        assert places_of(word, tmp_path), word
    erase(store, "own", "l0")
    write_out(store)
    for word in (*words, "xylander", "quixotia"):
        assert not places_of(word, tmp_path), word
    assert sorted(texts_left(store, WORD)) == ["judgment.body", "task_setting.body"]
    assert texts_left(store, "quagglebottom") == []
    mask = {SECRET: mask_letters_with_x(SECRET), corrected: mask_letters_with_x(corrected)}
    for text, masked in mask.items():
        before = before.replace(text, masked)
    assert figures(store, "own", "letters") == before
    assert store_check.list_store_faults_in_words(store, Settings()) == []
    assert items.current_version_of_item(store, item.item) == 2


def test_a_text_whose_import_was_undone_is_erased_like_any_other(
    filled: Filled, tmp_path: Path
) -> None:
    store = filled(letters)
    store_plainly(store)
    slipped = "Ms Kraxelhuber came by mistake from Nowhereton."
    table = f"item,letter,ward\nslip,{slipped},A".encode()
    work_behind_commands.import_file(
        store, Settings(), "own-items", table, name="slip.csv", dataset="letters"
    )
    [newest, *_] = undo_imports.list_undoable_imports(store, viewer=None)
    undo_imports.undo_import_and_return_import_undo(store, newest.entry, reason="A slip.", by=None)
    write_out(store)
    assert places_of(slipped, tmp_path)
    erase(store, "own", "slip", "letters")
    write_out(store)
    assert not places_of(slipped, tmp_path)
    assert not places_of("kraxelhuber", tmp_path)
