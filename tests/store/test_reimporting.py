"""A file is imported again with changed rows: what is new, the same, changed and missing, and what
a lead chooses, all in one transaction.
"""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import BadFile, InvalidInput
from medlens.review import audit_log, consensus, items, judging, withdrawn_items
from medlens.store import Store, open_store
from medlens.studies.own import study as own_study
from medlens.studies.own.tasks import Answers
from medlens.studies.registry import STUDIES
from tests.store.killed_steps import stores_after_kills
from tests.store.made_up import person
from tests.store.test_erasing_texts import LETTERS

pytestmark = pytest.mark.usefixtures("read_near")

FIRST = {"a": "The first letter.", "b": "The second letter.", "c": "The third letter."}
SECOND = {"a": "The first letter.", "b": "The second letter, mended.", "d": "A new letter."}


def table(letters: dict[str, str]) -> bytes:
    return "\n".join(["item,letter,ward", *(f'{n},"{t}",A' for n, t in letters.items())]).encode()


def take(store: Store, letters: dict[str, str], **how: Any) -> work_behind_commands.Outcome:
    return work_behind_commands.import_file(
        *(store, Settings(), "own-items", table(letters)),
        name="letters.csv",
        dataset="letters",
        **how,
    )


def lay(store: Store) -> dict[str, str]:
    """A study with three letters, of which two are judged; returns the ids by name."""
    own_study.store_study_file_version_and_return_it(store, LETTERS, name="STUDY.toml", by=None)
    take(store, FIRST)
    ids = items.item_ids_by_name(store, "own", "letters", list(FIRST))
    rosa = person(store, "Rosa")
    study = STUDIES["own"].open(store, Settings(), "letters")
    value = Answers(answers={"clear": "Not clear", "why": "so"})
    for name in ("b", "c"):
        row = judging.make_imported_judgment_row(study.task.name, ids[name], rosa.id, value)
        store.append_all_and_count_new_by_table({"judgment": [row]})
    return ids


def letters_in_play(store: Store) -> dict[str, str]:
    rows = store.rows("select name, body->>'$.letter' from item_now where study = 'own' order by 1")
    return dict(rows)


def judged(store: Store) -> list[str]:
    study = STUDIES["own"].open(store, Settings(), "letters")
    table = consensus.current_judgments(store, study.task, dataset="letters", viewer=None)
    return sorted(table["item"])


def test_a_preview_says_what_is_new_the_same_changed_and_missing(store: Store) -> None:
    lay(store)
    done = take(store, SECOND, dry_run=True)
    assert done.taken
    assert done.taken.compared
    told = done.taken.compared
    assert (told.new, told.same, told.changed, told.missing) == (1, 1, 1, 1)
    assert (told.changed_names, told.missing_names) == (("b",), ("c",))
    assert done.line == (
        "Would import 1 item into 'letters'; 2 were there already; 1 changed, not decided yet;"
        " 1 missing in the file, left in the dataset."
    )
    assert letters_in_play(store) == FIRST
    tried = take(store, SECOND, dry_run=True, changed="typing", missing="withdraw")
    assert "1 judgment of the earlier text still counts." in tried.notes
    assert "1 judgment of what is missing no longer counts." in tried.notes
    assert letters_in_play(store) == FIRST


def test_a_changed_file_is_refused_until_somebody_says_what_to_do(store: Store) -> None:
    lay(store)
    with pytest.raises(InvalidInput, match="1 item of this file is in the dataset") as caught:
        take(store, SECOND)
    assert "--changed leave, typing or meaning" in caught.value.hint
    with pytest.raises(InvalidInput, match="A reason is missing"):
        take(store, SECOND, changed="typing")
    assert letters_in_play(store) == FIRST


def test_changed_items_are_left_and_new_ones_are_added(store: Store) -> None:
    lay(store)
    done = take(store, SECOND, changed="leave")
    assert (done.added, done.known) == (1, 2)
    assert done.line.endswith(
        "1 changed, left as they are; 1 missing in the file, left in the dataset."
    )
    assert letters_in_play(store) == FIRST | {"d": "A new letter."}
    assert store.data_version_of_tables("item_version") == 0


@pytest.mark.first_quick
@pytest.mark.parametrize(("change", "counting"), [("typing", ["b"]), ("meaning", [])])
def test_changed_items_are_corrected_and_missing_ones_withdrawn_in_one_import(
    store: Store, change: str, counting: list[str]
) -> None:
    ids = lay(store)
    done = take(store, SECOND, changed=change, missing="withdraw", reason="Mended by its author.")
    assert letters_in_play(store) == SECOND
    assert judged(store) == counting
    assert items.current_version_of_item(store, ids["b"]) == 2
    assert withdrawn_items.withdrawal_of_item(store, ids["c"]) is not None
    words = {"typing": "corrected as typing errors", "meaning": "corrected as changed meanings"}
    assert f"1 changed, {words[change]}; 1 missing in the file, withdrawn." in done.line
    logged = store.rows("select added, known, changed, withdrawn from import_log order by seq")
    assert logged == [(3, 0, 0, 0), (1, 2, 1, 1)]
    lead = person(store, "Lena", lead=True)
    told = audit_log.entries_table(store, viewer=lead, kinds=["correction", "withdrawal"])
    assert set(told["kind"]) == {"correction", "withdrawal"}
    # Once more, nothing is to be done.
    again = take(store, SECOND)
    assert (again.added, again.known) == (0, 3)
    [said] = again.notes
    assert "1 is withdrawn: it stays so, even if the file has it," in said


@pytest.mark.deep
def test_a_response_of_error_tagging_is_corrected_by_importing_it_again(store: Store) -> None:
    work_behind_commands.add_demo_studies_and_return_report_text(store)
    name, body = store.rows(
        "select i.name, i.body from item i join judgment j on j.item = i.id"
        " where i.study = 'tagging' order by i.seq limit 1"
    )[0]
    text = items.parse_item_body(body)["response"]
    row = pd.DataFrame([{"item": name, "response": f"So. {text}", "question": "Which?"}])
    out = io.BytesIO()
    row.to_csv(out, index=False)
    how: dict[str, Any] = {"name": "items.csv", "dataset": "demo", "missing": "leave"}
    given = (store, Settings(), "items", out.getvalue())
    with pytest.raises(InvalidInput, match="1 item of this file is in"):
        work_behind_commands.import_file(*given, **how)
    work_behind_commands.import_file(*given, **how, changed="typing", reason="A slip.")
    assert items.item_body(store, items.item_ids_by_name(store, "tagging", "demo", [name])[name])[
        "response"
    ].startswith("So. ")


def take_again_with_all_decisions(store: Store) -> None:
    take(store, SECOND, changed="meaning", missing="withdraw", reason="Mended by its author.")


@pytest.mark.deep
def test_killed_at_any_step_a_changed_file_is_imported_wholly_or_not_at_all(
    tmp_path: Path,
) -> None:
    laid = tmp_path / "laid.duckdb"
    with contextlib.closing(open_store(laid)) as store:
        ids = lay(store)
    for path in stores_after_kills(laid, take_again_with_all_decisions):
        with contextlib.closing(open_store(path)) as store:
            assert store.list_store_faults_in_words() == []
            is_taken = items.current_version_of_item(store, ids["b"]) == 2
            assert letters_in_play(store) == (SECOND if is_taken else FIRST)
            assert judged(store) == ([] if is_taken else ["b", "c"])
            assert store.value("select count(*) from import_log") == (2 if is_taken else 1)


REPLIES = """
id = "replies"
title = "Replies"
raters_per_item = 1
gold_share = 0
instructions = "Read it."

[[column]]
name = "reply"
means = "The reply"

[[column]]
name = "rate"
means = "A rate"
required = false
groups = true

[[pane]]
title = "Reply"
kind = "text"
column = "reply"

[[question]]
id = "good"
kind = "yes_no"
text = "Is it good?"
required = true
"""
ONE = "Hold warfarin for two doses and check again."
OTHER = "Give vitamin K at once and stop the warfarin."


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (
            ("0.1", ONE),
            ("10 %", ONE),
            "whose “rate” is “10 %” in the file and “0.1” there. MedLens now reads percentages",
        ),
        (
            ("", ONE),
            ("A", ONE),
            "whose “rate” is “A” in the file and empty there. MedLens now",
        ),
        (("A", ONE), ("", ONE), "whose “rate” is empty in the file and “A” there."),
        (
            ("A", ONE),
            ("A", OTHER),
            f"whose “reply” is “{OTHER}” in the file and “{ONE}” there. If the file has another",
        ),
        (("1", ONE), ("2", ONE), "whose “rate” is “2” in the file and “1” there."),
        (
            ("1", f"{ONE} {ONE} {ONE} Apixaban 2 x 5 mg from then on."),
            ("1", f"{ONE} {ONE} {ONE} Apixaban 2 x 2.5 mg from then on."),
            "whose “reply” is “… again. Apixaban 2 x 2.5 mg from then on.” in the file and"
            " “… again. Apixaban 2 x 5 mg from then on.” there.",
        ),
    ],
)
def test_it_is_said_what_is_another_in_a_changed_item_and_why_it_may_be(
    store: Store, before: tuple[str, str], after: tuple[str, str], said: str
) -> None:
    own_study.store_study_file_version_and_return_it(store, REPLIES, name="STUDY.toml", by=None)

    def put(cells: tuple[str, str], **how: Any) -> work_behind_commands.Outcome:
        content = "\n".join(["item,rate,reply", f'a,{cells[0]},"{cells[1]}"']).encode()
        return work_behind_commands.import_file(
            *(store, Settings(), "own-items", content),
            name="replies.csv",
            dataset="replies",
            **how,
        )

    put(before)
    with pytest.raises(InvalidInput) as caught:
        put(after)
    assert f"the first is the item 'a', {said}" in caught.value.message
    seen = put(after, dry_run=True)
    assert seen.taken
    compared = seen.taken.compared
    assert compared is not None
    assert said.partition(".")[0] in f"{compared.difference}."


def test_a_table_that_is_read_otherwise_than_its_study_says_so(store: Store) -> None:
    declared = REPLIES.replace('"reply"', '"Case 1"').replace('id = "replies"', 'id = "turned"')
    own_study.store_study_file_version_and_return_it(store, declared, name="STUDY.toml", by=None)
    rows = ["item,Case 1,Case 2", f"Question,{ONE},{OTHER}", f"GPT-4,{OTHER},{ONE}"]
    with pytest.raises(BadFile) as caught:
        work_behind_commands.import_file(
            *(store, Settings(), "own-items", "\n".join(rows).encode()),
            name="turned.csv",
            dataset="turned",
        )
    assert "missing column" in caught.value.message
    assert "2 cases stand in columns, and are made into rows" in caught.value.hint
    assert "If the study was made from this table earlier" in caught.value.hint
