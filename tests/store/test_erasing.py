"""Erasing: no byte of a person is left, all or nothing, and what stays is as it was."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from medlens.app import erasure, job_inbox_of_running_app, work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import InvalidInput, MedLensError, StoreUnavailable
from medlens.review import (
    audit_log,
    judging,
    raters,
    remarks_between_raters_and_leads,
    survey_answers_and_completion_code,
)
from medlens.review.erasure_rule_per_column import MEANING, WHAT
from medlens.review.person_erasure import PersonErasureRewrite
from medlens.review.person_identifier_replacement_in_texts import (
    PersonIdentifiers,
    mask_letters_with_x,
)
from medlens.store import Store, duckdb_engine, open_store
from tests.store.bytes_on_disk import places_of, store_plainly, write_out
from tests.store.made_up import TASK, person, poems

NAME = "Zoë Quartzberg"
PLAIN = ("quartzberg", "w0rker-77", "zq@ward.example")
"""What no other text in a store has, of the person who is erased."""


def leave_traces(store: Store, *, lead: raters.Rater) -> raters.Rater:
    """A person of that name in every kind of row that can tell who somebody is."""
    rater = raters.find_or_add_rater_by_name(store, NAME, email="zq@ward.example", origin="oidc")
    [item, *_] = poems(store, 2)
    place = {"task": TASK.name, "item": item, "rater": rater.id}
    until = "2026-01-01 00:00:00+00"
    slot = {"slot": 1, "generation": 1, "gold": False, "lease_until": until}
    store.append("assignment", place | slot)
    body = {"score": 4, "why": "I, ZOE QUARTZBERG, like it"}
    how = {"revision": 1, "blind": True, "origin": "app", "complete": True}
    store.append("judgment", place | how | {"body": body})
    remark = {"kind": "answer", "body": f"As {NAME} says", "counts": True, "made_by": lead.id}
    store.append("remark", place | remark)
    survey_answers_and_completion_code.save_survey_answers(
        store, form="background", rater=rater.id, answers={"born in": "Quartzberg"}
    )
    came = {"task": TASK.name, "dataset": "poems", "rater": rater.id, "worker": "w0rker-77"}
    store.append("crowd_worker", came | {"said": {"SESSION_ID": "session-of-w0rker-77"}})
    audit_log.find_or_record_sign_in(store, "key", who="zq@ward.example", about="reviewer")
    audit_log.record_entry(
        store, "role", who="medlens.toml", about="ZQ@ward.example", detail="now a lead"
    )
    audit_log.record_entry(store, "refused", who=rater.id, about=f"{NAME.upper()} was refused")
    return rater


@pytest.fixture
def lead(store: Store) -> raters.Rater:
    return person(store, "Lena", lead=True)


@pytest.fixture
def erased(store: Store, lead: raters.Rater) -> raters.Rater:
    return leave_traces(store, lead=lead)


def erase(store: Store, rater: raters.Rater, **options: object) -> list[str]:
    return erasure.erase_person_and_list_what_was_done(
        *(store, Settings(), rater), confirmed=rater.name, viewer=None, **options
    )


def test_no_byte_of_an_erased_person_is_left(
    store: Store,
    erased: raters.Rater,
    folders: list[Path],
    write_everything_out: Callable[[Store], list[Path]],
) -> None:
    store_plainly(store)
    # What was inserted before is compressed: write it again as it is.
    poems(store, 1, dataset="more")
    also = write_everything_out(store)
    for trace in PLAIN:
        assert places_of(trace, *folders), trace
    erase(store, erased)
    also = write_everything_out(store)
    for trace in (*PLAIN, erased.id):
        assert not places_of(trace, *folders, *also), trace


def test_a_person_becomes_their_number_and_their_judgments_stay(
    store: Store, erased: raters.Rater, lead: raters.Rater
) -> None:
    [before] = store.query_rows_as_dicts("select * from judgment")
    erase(store, erased)
    [rater] = store.query_rows_as_dicts("select * from rater where id <> $lead", lead=lead.id)
    number = rater["name"]
    assert rater | {"handle": f"erased:{number}", "email": None, "origin": "erased"} == rater
    assert rater["id"] != erased.id
    assert number.startswith("person ")
    [judgment] = store.query_rows_as_dicts("select * from judgment")
    assert judgment["rater"] == rater["id"]
    body = {"score": 4, "why": f"I, {number}, like it"}
    assert json.loads(judgment["body"]) == body
    unchanged = ("id", "seq", "made_at", "task", "item", "revision")
    assert {name: judgment[name] for name in unchanged} == {
        name: before[name] for name in unchanged
    }
    [said] = remarks_between_raters_and_leads.all_remarks_table(store, viewer=None).text
    assert said == f"As {number} says"
    assert store.value("select body from survey") == "{}"
    assert store.rows("select worker, said from crowd_worker") == [(number.replace(" ", "-"), "{}")]
    told = audit_log.entries_table(store, viewer=None)
    entry = told[told.kind == "erase"].iloc[0]
    assert (entry.who, entry.about) == ("command line", "a person")
    assert NAME not in str(told.to_numpy())


def test_whoever_comes_again_under_the_name_is_a_new_person(
    store: Store, erased: raters.Rater
) -> None:
    erase(store, erased)
    again = raters.find_or_add_rater_by_name(store, NAME, email="zq@ward.example", origin="oidc")
    assert again.role == "reviewer"
    assert not store.rows("select 1 from judgment where rater = $id", id=again.id)
    assert not store.rows("select 1 from assignment where rater = $id", id=again.id)


@pytest.mark.deep
def test_the_cookie_of_an_erased_person_has_ended(store: Store, erased: raters.Rater) -> None:
    known = audit_log.find_sign_in(store, "key")
    assert known is not None
    assert not known.ended
    erase(store, erased)
    known = audit_log.find_sign_in(store, "key")
    assert known is not None
    assert known.ended


def test_judgments_go_too_when_the_lead_says_so(store: Store, erased: raters.Rater) -> None:
    preview = erasure.preview_person_erasure(store, Settings(), erased, with_work=True, viewer=None)
    assert "figures change" in " ".join(preview.changes)
    lines = erase(store, erased, with_work=True)
    assert "figures change" in lines[0]
    assert not store.rows("select 1 from judgment")
    assert store.list_lost_rows_in_words() == []


def test_a_preview_counts_and_changes_nothing(store: Store, erased: raters.Rater) -> None:
    before = {table: store.rows(f"select * from {table}") for table in store.column_types_by_table}
    preview = erasure.preview_person_erasure(store, Settings(), erased, viewer=None)
    after = {table: store.rows(f"select * from {table}") for table in store.column_types_by_table}
    before.pop("person_number"), after.pop("person_number")
    assert after == before
    done = store.count_what_rewrite_would_change(PersonErasureRewrite(store, erased))
    assert preview.changes[0].endswith(
        f"in {sum(done.changed.values())} rows of {len(done.changed)} tables."
    )


def test_the_only_lead_is_not_erased(store: Store, lead: raters.Rater) -> None:
    person(store, "Rosa")
    with pytest.raises(InvalidInput, match="only lead"):
        erase(store, lead)
    person(store, "Mira", lead=True)
    erase(store, lead)
    assert [one.name for one in raters.list_raters(store) if one.role == "lead" and one.can_sign_in]


def test_a_name_typed_wrongly_erases_nobody(store: Store, erased: raters.Rater) -> None:
    with pytest.raises(InvalidInput, match="not theirs"):
        erasure.erase_person_and_list_what_was_done(
            store, Settings(), erased, confirmed="Zoe", viewer=None
        )
    assert raters.find_rater(store, erased.id) == erased


def test_remarks_with_a_part_of_the_name_are_listed_and_cleaned_by_a_further_name(
    store: Store, lead: raters.Rater, erased: raters.Rater
) -> None:
    [item, _] = poems(store, 2)
    remark = {"task": TASK.name, "item": item, "rater": erased.id, "kind": "answer"}
    store.append("remark", remark | {"body": "quartzberg!", "counts": True, "made_by": lead.id})
    preview = erasure.preview_person_erasure(store, Settings(), erased, viewer=None)
    listed = [line for line in preview.leaves if "quartzberg!" in line]
    assert len(listed) == 1
    assert "1 remark has a part of their name" in "".join(preview.leaves)
    erase(store, erased, also=["Quartzberg"])
    assert not store.rows("select 1 from remark where body ilike '%quartzberg%'")


@pytest.mark.deep
def test_lines_of_the_settings_that_name_a_person_are_pointed_out(
    store: Store, erased: raters.Rater, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = tmp_path / "named.toml"
    settings.write_text('[people]\n"other@ward.example" = "lead"\n"ZQ@ward.example" = "reviewer"\n')
    monkeypatch.setenv("MEDLENS_CONFIG", str(settings))
    lines = erase(store, erased)
    assert "named.toml names them in line 3: take that out yourself." in lines


def test_everything_about_a_person_is_written_for_them(
    store: Store, erased: raters.Rater, tmp_path: Path
) -> None:
    person(store, "Rosa")
    target = tmp_path / "about.zip"
    erasure.write_zip_about_person_and_return_report_text(store, erased, target, viewer=None)
    with zipfile.ZipFile(target) as packed:
        tables = {
            Path(name).stem: list(csv.DictReader(io.StringIO(packed.read(name).decode())))
            for name in packed.namelist()
            if name.endswith(".csv")
        }
    assert {"rater", "judgment", "survey", "crowd_worker", "remark", "audit_event"} <= set(tables)
    assert [row["name"] for row in tables["rater"]] == [NAME]


def test_people_work_while_somebody_is_erased_and_nothing_of_theirs_is_lost(
    store: Store, erased: raters.Rater, lead: raters.Rater
) -> None:
    stop, saved, failures = threading.Event(), [], []

    def work() -> None:
        while not stop.is_set():
            try:
                audit_log.record_entry(store, "export", who=lead.id, about=f"table {len(saved)}")
                saved.append(len(saved))
            except MedLensError as error:
                failures.append(error)
                return

    worker = threading.Thread(target=work)
    worker.start()
    try:
        erase(store, erased)
    finally:
        stop.set()
        worker.join()
    assert not failures
    there = store.value("select count(*) from audit_event where about like 'table %'")
    assert there == len(saved) > 0


def test_while_something_long_uses_the_store_nothing_is_erased(
    store: Store, erased: raters.Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    if type(store) is not Store:
        pytest.skip("PostgreSQL's own locks decide there")
    monkeypatch.setattr("medlens.store.duckdb_store.PATIENCE", 0.01)
    monkeypatch.setattr("medlens.store.duckdb_store._EXCHANGES", 2)
    done = threading.Event()

    def read_for_long() -> None:
        with store._cursor():
            done.wait()

    reader = threading.Thread(target=read_for_long)
    reader.start()
    try:
        with pytest.raises(StoreUnavailable, match="something long"):
            erase(store, erased)
    finally:
        done.set()
        reader.join()
    assert raters.find_rater(store, erased.id) == erased
    assert not os.path.exists(duckdb_engine.path_of_unfinished_new_store(store.path))


def test_the_app_erases_for_the_command_line_and_leaves_no_job_behind(
    store: Store, erased: raters.Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(erasure, "_COLLECTED_SECONDS", 0.0)
    if type(store) is not Store:
        pytest.skip("jobs are handed over beside a file")
    watched = job_inbox_of_running_app.InboxWatcher(
        store,
        lambda job, at: work_behind_commands.run_inbox_job_and_return_result_as_dict(
            store, Settings(), job, at
        ),
    )
    left = job_inbox_of_running_app.make_inbox_folder(store.path) / "done-0001"
    left.mkdir()
    (left / "table").write_text(NAME)
    asked = {"verb": "erase", "what": "person", "person": NAME, "also": [], "with_work": False}
    watched.start_watching_inbox()
    try:
        outcome, folder = job_inbox_of_running_app.submit_job_and_await_result_and_folder(
            store.path, asked | {"confirmed": NAME}
        )
    finally:
        watched.finish_job_and_stop_watching()
    assert outcome["line"].startswith("Erased: the person is now person ")
    assert not left.exists()
    assert sorted(path.name for path in folder.iterdir()) == ["outcome.json"]


@pytest.mark.deep
@pytest.mark.postgres
def test_a_second_process_sees_an_erased_person_as_a_number(
    database: str,
) -> None:
    with contextlib.closing(open_store(database)) as first:
        leader = person(first, "Lena", lead=True)
        rater = leave_traces(first, lead=leader)
        with contextlib.closing(open_store(database)) as second:
            assert raters.find_rater(second, rater.id) is not None
            erase(first, rater)
            note = "noted after it"
            audit_log.record_entry(second, "export", who=leader.id, about=note)
            second.fetch_rows_of_other_processes_and_count()
            assert raters.find_rater(second, rater.id) is None
            assert second.rows("select 1 from audit_event where about = $note", note=note)
            store_plainly(second)
            write_out(second)
            for trace in PLAIN:
                assert not places_of(trace, Path(second.path).parent), trace


# -- decisions and names ---------------------------------------------------------------------------


def test_every_text_column_of_the_store_has_a_decision(store: Store) -> None:
    texts = {
        table: {name for name, kind in kinds.items() if kind in ("VARCHAR", "JSON")}
        for table, kinds in store.column_types_by_table.items()
    }
    assert {table: set(columns) for table, columns in WHAT.items()} == texts
    assert {what for columns in WHAT.values() for what in columns.values()} == set(MEANING)


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("said zoe  QUARTZBERG.", "said person 1."),
        ("Zoe\u0308 Quartzberg", "person 1"),
        ("Zoë Quartzbergs", "Zoë Quartzbergs"),
        ("to zq@WARD.example, please", "to person 1, please"),
    ],
)
def test_a_person_is_found_in_any_writing(text: str, becomes: str) -> None:
    assert (
        PersonIdentifiers([NAME, "zq@ward.example"], "person 1").replace_person_in_prose(text)
        == becomes
    )


def test_a_name_of_one_word_is_no_label() -> None:
    may = PersonIdentifiers(["Maya"], "person 1")
    assert may.replace_person_in_answer("maya") == "maya"
    assert may.replace_person_in_answer("as maya said") == "as person 1 said"


def test_a_masked_text_keeps_its_length_words_and_lines() -> None:
    text = "Aspirin, 100 mg\u00a0–\nfür Zoë 🙂"
    assert mask_letters_with_x(text) == "xxxxxxx, xxx xx\u00a0–\nxxx xxx x"


# -- kills -----------------------------------------------------------------------------------------

_CHILD = """
import sys
from medlens.app import erasure
from medlens.config.settings import Settings
from medlens.store import open_store
store = open_store(sys.argv[1])
rater = erasure.find_person_to_erase(store, sys.argv[2])
print("ready", flush=True)
erasure.erase_person_and_list_what_was_done(store, Settings(), rater, confirmed=rater.name,
viewer=None)
print("done", flush=True)
"""


@pytest.mark.deep
@pytest.mark.parametrize("at", range(20))
def test_killed_at_any_moment_a_person_is_erased_wholly_or_not_at_all(
    tmp_path: Path, at: int
) -> None:
    path = tmp_path / "store.duckdb"
    with contextlib.closing(open_store(path)) as store:
        store_plainly(store)
        leave_traces(store, lead=person(store, "Lena", lead=True))
        before = {
            table: store.value(f"select count(*) from {table}")
            for table in store.column_types_by_table
        }
        write_out(store)
    child = subprocess.Popen(
        [sys.executable, "-c", _CHILD, str(path), NAME], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    time.sleep(random.Random(at).uniform(0, 1.2))
    child.send_signal(signal.SIGKILL)
    child.wait()
    with contextlib.closing(open_store(path)) as store:
        assert store.list_lost_rows_in_words() == []
        assert store.list_store_faults_in_words() == []
        is_named = [bool(found) for found in (_named(store, trace) for trace in PLAIN)]
        assert len(set(is_named)) == 1
        write_out(store)
        is_erased = bool(store.rows("select 1 from audit_event where kind = 'erase'"))
        assert is_erased == (not is_named[0])
        after = {
            table: store.value(f"select count(*) from {table}")
            for table in store.column_types_by_table
        }
        # Whatever was there is there, with the entry of the erasing.
        after["audit_event"] -= is_erased
        before["person_number"] = after["person_number"]
        assert after == before
    if is_erased:
        for trace in PLAIN:
            assert not places_of(trace, tmp_path), trace


def _named(store: Store, trace: str) -> list[str]:
    return [
        f"{table}.{column}"
        for table, columns in WHAT.items()
        for column in columns
        if store.rows(
            f"select 1 from {table} where contains(lower(cast({column} as varchar)), $trace)",
            trace=trace,
        )
    ]


def test_what_stands_is_judged_after_somebody_was_erased(
    store: Store, erased: raters.Rater, lead: raters.Rater
) -> None:
    [_, item] = poems(store, 2)
    judging.list_others_judgments_and_record_view(store, TASK, item=item, viewer=lead)
    erase(store, erased)
    raters.find_or_add_rater_by_name(store, "Nils")
    assert store.value("select max(seq) from rater") > 0
