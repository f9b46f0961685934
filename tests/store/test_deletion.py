"""What is archived is deleted for good, and the demo is taken away: nothing of it is left, and
nothing else is touched.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from medlens.app import (
    archive_and_unarchive,
    deletion_of_archived_data_and_demo,
    store_check,
    work_behind_commands,
)
from medlens.config.settings import Settings
from medlens.errors import InvalidInput, NotAllowed
from medlens.llm import completion_run_and_job_queries, runs
from medlens.review import (
    archiving_of_datasets_rounds_and_runs,
    audit_log,
    items,
    judging,
    raters,
    rounds,
)
from medlens.review import deletion_of_archived_data as deletion_rules
from medlens.review.archiving_of_datasets_rounds_and_runs import Thing
from medlens.review.erasure_rule_per_column import WHAT
from medlens.review.raters import Rater
from medlens.store import Store, open_store
from medlens.studies.own.study import OwnSettings
from medlens.studies.registry import STUDIES
from tests.store.bytes_on_disk import places_of, store_plainly, write_out
from tests.store.conftest import Filled
from tests.store.killed_steps import stores_after_kills
from tests.store.made_up import person
from tests.store.test_erasing_texts import WORD, figures, letters, repeat_text

pytestmark = pytest.mark.usefixtures("read_near")

LETTERS = Thing("dataset", "own", "letters")


@pytest.fixture
def lead(store: Store) -> Rater:
    return person(store, "Lena", lead=True)


def archive(store: Store, *things: Thing) -> None:
    archiving_of_datasets_rounds_and_runs.archive_or_bring_back_things_and_count(
        store, things, reason="Over.", by=None
    )


def delete(
    store: Store,
    thing: Thing,
    name: str,
    *,
    by: Rater | None = None,
    settings: Settings | None = None,
) -> list[str]:
    return deletion_of_archived_data_and_demo.delete_archived_thing_and_list_report_lines(
        store, settings or Settings(), thing, confirmed=name, by=by
    )


def rows_by_table(store: Store) -> dict[str, int]:
    return {
        table: int(store.value(f"select count(*) from {table}"))
        for table in store.column_types_by_table
        if table not in ("audit_event", "job")
    }


def with_more(store: Store) -> None:
    """Letters with repeated texts, beside another study of one's own and the demos."""
    work_behind_commands.add_demo_studies_and_return_report_text(store)
    letters(store)
    repeat_text(store, next(iter(items.item_ids_by_name(store, "own", "letters", ["l0"]).values())))


def test_every_table_has_a_decision_on_what_goes_with_a_deleted_thing(store: Store) -> None:
    assert deletion_rules.names_of_tables_with_deletion_decided() >= set(WHAT)
    assert deletion_rules.names_of_tables_with_deletion_decided() - set(WHAT) == set()


@pytest.mark.deep
def test_a_deleted_study_leaves_no_byte_and_touches_nothing_else(
    filled: Filled, tmp_path: Path
) -> None:
    store = filled(work_behind_commands.add_demo_studies_and_return_report_text)
    lead = person(store, "Lena", lead=True)
    before, demo_figures = rows_by_table(store), figures(store, "tagging", "demo")
    store_plainly(store)
    letters(store)
    settings = Settings().model_copy(update={"own": OwnSettings(files_folder=tmp_path / "files")})
    pictures = tmp_path / "files/letters"
    pictures.mkdir(parents=True)
    (pictures / "scan.png").write_bytes(b"Zeppelinska in a picture")
    write_out(store)
    assert len(places_of(WORD, tmp_path)) >= 2
    archive(store, LETTERS)
    told = deletion_of_archived_data_and_demo.list_deletion_effects_in_words(
        store, settings, LETTERS, viewer=lead
    )
    assert "with 32 judgments" in told[0]
    assert "1 attached file of it go too" in told[1]
    with pytest.raises(InvalidInput, match="typed is a different one"):
        delete(store, LETTERS, "Letter", by=lead, settings=settings)
    delete(store, LETTERS, "Letters", by=lead, settings=settings)
    write_out(store)
    assert places_of(WORD, tmp_path) == []
    after = rows_by_table(store)
    # The people stay, who may have other work.
    assert {name for name in after if after[name] != before[name]} == {"rater"}
    assert figures(store, "tagging", "demo") == demo_figures
    [logged] = audit_log.entries_table(store, viewer=lead, kinds=["delete"]).to_dict("records")
    assert (logged["who"], logged["about"]) == ("Lena", "a study of one's own")
    assert "letters" not in str(logged).casefold()
    assert archiving_of_datasets_rounds_and_runs.archivings_by_thing(store) == {}
    assert store_check.list_store_faults_in_words(store, settings) == []
    # The name is free again.
    letters(store)
    assert items.datasets_of_study(store, "own")


def test_only_what_is_archived_is_deleted_and_only_by_a_lead(store: Store, lead: Rater) -> None:
    letters(store)
    with pytest.raises(InvalidInput, match="Only what is archived"):
        delete(store, LETTERS, "Letters", by=lead)
    archive(store, LETTERS)
    with pytest.raises(NotAllowed):
        delete(store, LETTERS, "Letters", by=person(store, "Rosa"))
    assert items.datasets_of_study(store, "own", archived=True)


def test_a_check_can_forbid_that_something_is_deleted(
    store: Store, lead: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    letters(store)
    archive(store, LETTERS)
    monkeypatch.setattr(
        deletion_rules,
        "FORBIDDEN_BY",
        [lambda _store, thing: "A signed pack rests on it." if thing == LETTERS else ""],
    )
    with pytest.raises(InvalidInput, match="A signed pack rests on it"):
        delete(store, LETTERS, "Letters", by=lead)
    assert items.datasets_of_study(store, "own", archived=True)


def test_what_was_brought_back_while_it_was_being_deleted_stays(
    store: Store, lead: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    letters(store)
    archive(store, LETTERS)
    rewrite = store.carry_out_rewrite_and_count_changes

    def bring_back_first(rewriting: object) -> object:
        archiving_of_datasets_rounds_and_runs.archive_or_bring_back_things_and_count(
            store, [LETTERS], reason="", by=lead, back=True
        )
        return rewrite(rewriting)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "carry_out_rewrite_and_count_changes", bring_back_first)
    with pytest.raises(InvalidInput, match="Only what is archived"):
        delete(store, LETTERS, "Letters", by=lead)
    assert len(items.datasets_of_study(store, "own")) == 1


@pytest.mark.deep
def test_a_deleted_dataset_of_a_study_leaves_the_others_as_they_were(filled: Filled) -> None:
    store = filled(work_behind_commands.add_demo_studies_and_return_report_text)
    studies = ["tagging", "agentclinic", "sourcecheckup", "ebmqa"]
    before = {name: figures(store, name, "demo") for name in studies}
    while studies:
        study = studies.pop()
        archive(store, Thing("dataset", study, "demo"))
        delete(store, Thing("dataset", study, "demo"), "demo")
        assert items.datasets_of_study(store, study, archived=True) == []
        for other in studies:
            assert figures(store, other, "demo") == before[other], (study, other)
    assert store_check.list_store_faults_in_words(store, Settings()) == []
    work_behind_commands.add_demo_studies_and_return_report_text(store)
    for study, then in before.items():
        assert figures(store, study, "demo") == then, study


def test_a_deleted_round_leaves_its_items_and_stays_closed(filled: Filled) -> None:
    store = filled(work_behind_commands.add_demo_studies_and_return_report_text)
    declared = STUDIES["agentclinic"]
    first, second, *_ = declared.tasks(declared.open(store, Settings(), "demo"))
    kept = store.value("select count(*) from judgment where task = $task", task=second.name)
    count = items.datasets_of_study(store, "agentclinic")[0]["n"]
    thing = archive_and_unarchive.find_round_by_any_name(store, Settings(), first.name, "demo")
    archive(store, thing)
    delete(store, thing, first.name)
    of_first = "select count(*) from judgment where task = $task"
    assert store.value(of_first, task=first.name) == 0
    assert store.value(of_first, task=second.name) == kept
    assert items.datasets_of_study(store, "agentclinic")[0]["n"] == count
    assert rounds.current_round_of_task(store, first, "demo").state == "closed"


def test_a_deleted_run_takes_its_calls_along_and_no_other_run(store: Store) -> None:
    first, second = (
        runs.open_or_resume_run_and_return_id(
            store, study="tagging", kind="tag", config={"n": n}, made_by="command line"
        )
        for n in (1, 2)
    )
    for run in (first, second):
        store.append("run_event", runs.make_run_event_row(run, "finished", {}))
    thing = archive_and_unarchive.find_run_by_id_or_title(store, first)
    archive(store, thing)
    delete(store, thing, first[:8])
    left = completion_run_and_job_queries.list_current_runs(
        store, study="", limit=9, offset=0, archived=True
    )
    assert [row["id"] for row in left] == [second]
    assert store.column("select distinct run from run_event") == [second]


@pytest.mark.deep
def test_the_demo_is_taken_away_whole_and_peoples_own_work_stays(store: Store) -> None:
    letters(store)
    before, own_figures = rows_by_table(store), figures(store, "own", "letters")
    work_behind_commands.add_demo_studies_and_return_report_text(store)
    assert rows_by_table(store) != before
    deletion_of_archived_data_and_demo.remove_demo_and_list_what_was_done(
        store, Settings(), with_work=False, by=None
    )
    assert rows_by_table(store) == before
    assert figures(store, "own", "letters") == own_figures
    with pytest.raises(InvalidInput, match="The demo is not there"):
        deletion_of_archived_data_and_demo.remove_demo_and_list_what_was_done(
            store, Settings(), with_work=False, by=None
        )
    work_behind_commands.add_demo_studies_and_return_report_text(store)
    assert items.datasets_of_study(store, "tagging")


@pytest.mark.deep
def test_the_demo_in_which_people_judged_goes_only_when_that_is_asked_for(
    filled: Filled,
) -> None:
    store = filled(work_behind_commands.add_demo_studies_and_return_report_text)
    lead = person(store, "Lena", lead=True)
    task = STUDIES["tagging"].tasks(STUDIES["tagging"].open(store, Settings(), "demo"))[0]
    item = store.value("select id from item where study = 'tagging' order by seq limit 1")
    body = {"spans": []}
    row = judging.make_imported_judgment_row(task.name, str(item), lead.id, task.parse(body))
    store.append("judgment", row)
    with pytest.raises(InvalidInput, match="1 person of your team made 1 judgment in the demo"):
        deletion_of_archived_data_and_demo.remove_demo_and_list_what_was_done(
            store, Settings(), with_work=False, by=None
        )
    assert items.datasets_of_study(store, "tagging")
    deletion_of_archived_data_and_demo.remove_demo_and_list_what_was_done(
        store, Settings(), with_work=True, by=None
    )
    assert not items.datasets_of_study(store, "tagging", archived=True)
    assert raters.find_rater(store, lead.id)


def test_a_job_of_the_command_line_previews_and_then_deletes(store: Store, tmp_path: Path) -> None:
    letters(store)
    archive(store, LETTERS)
    job = {"verb": "delete", "what": "study", "names": ["letters"], "confirmed": ""}
    told = work_behind_commands.run_inbox_job_and_return_result_as_dict(
        store, Settings(), job, tmp_path
    )["line"]
    assert told.splitlines()[-1] == "Its name, to be typed: Letters"
    assert items.datasets_of_study(store, "own", archived=True)
    job["confirmed"] = "letters"
    told = work_behind_commands.run_inbox_job_and_return_result_as_dict(
        store, Settings(), job, tmp_path
    )["line"]
    assert told.startswith("Deleted for good: a study of one's own, ")
    assert not items.datasets_of_study(store, "own", archived=True)


def laid_store(store_path: Path) -> Iterator[Store]:
    store = open_store(store_path)
    with_more(store)
    yield store
    store.close()


def archive_letters(store: Store) -> None:
    archive(store, LETTERS, Thing("dataset", "tagging", "demo"))


def delete_letters(store: Store) -> None:
    delete(store, LETTERS, "Letters")


@pytest.mark.deep
def test_archiving_that_is_killed_is_done_or_not(tmp_path: Path) -> None:
    laid = tmp_path / "laid.duckdb"
    for store in laid_store(laid):
        assert store
    for path in stores_after_kills(laid, archive_letters, kills=20):
        with_store = open_store(path)
        assert len(archiving_of_datasets_rounds_and_runs.archivings_by_thing(with_store)) in (0, 2)
        with_store.close()
        path.unlink()


@pytest.mark.deep
def test_deleting_that_is_killed_is_done_or_not(tmp_path: Path) -> None:
    laid = tmp_path / "laid.duckdb"
    for store in laid_store(laid):
        archive(store, LETTERS)
        before = rows_by_table(store)
    shutil.copy(laid, tmp_path / "done.duckdb")
    done = open_store(tmp_path / "done.duckdb")
    delete_letters(done)
    after = rows_by_table(done)
    done.close()
    for path in stores_after_kills(laid, delete_letters, kills=20):
        killed = open_store(path)
        assert rows_by_table(killed) in (before, after)
        assert store_check.list_store_faults_in_words(killed, Settings()) == []
        killed.close()
        path.unlink()
