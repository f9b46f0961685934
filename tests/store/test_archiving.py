"""Studies, datasets, rounds, runs and the demo are put away with a reason, and brought back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from medlens.app import (
    archive_and_unarchive,
    deletion_of_archived_data_and_demo,
    rename_studies_and_data,
    store_check,
    work_behind_commands,
)
from medlens.config.settings import Settings
from medlens.errors import Conflict, InvalidInput, NotAllowed
from medlens.llm import completion_run_and_job_queries, runs
from medlens.review import (
    archiving_of_datasets_rounds_and_runs,
    assignment,
    audit_log,
    hand_out_settings,
    items,
    judging,
    rounds,
)
from medlens.review.archiving_of_datasets_rounds_and_runs import Thing
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.own import study as own_study
from medlens.studies.registry import STUDIES
from tests.store.made_up import person
from tests.store.test_erasing_texts import LETTERS
from tests.store.test_reimporting import FIRST, take

pytestmark = pytest.mark.usefixtures("read_near")

STUDY = Thing("dataset", "own", "letters")


@pytest.fixture
def lead(store: Store) -> Rater:
    return person(store, "Lena", lead=True)


def lay_letters(store: Store) -> None:
    own_study.store_study_file_version_and_return_it(store, LETTERS, name="STUDY.toml", by=None)
    take(store, FIRST)


def archive(store: Store, thing: Thing, lead: Rater | None, *, back: bool = False) -> str:
    return archive_and_unarchive.archive_or_bring_back_and_return_report_text(
        store, Settings(), [thing], reason="It is over.", by=lead, back=back
    )


def item_given(store: Store, rater: Rater) -> str | None:
    task = STUDIES["own"].open(store, Settings(), "letters").task
    usual = hand_out_settings.default_hand_out_settings(Settings(), task.name, task.handing_out)
    return assignment.give_next_item_and_return_id(
        store, task, usual, dataset="letters", rater=rater.id
    )


def test_an_archived_study_is_nowhere_and_hands_out_nothing_until_it_is_back(
    store: Store, lead: Rater
) -> None:
    lay_letters(store)
    rosa = person(store, "Rosa")
    assert item_given(store, rosa)
    said = archive(store, STUDY, lead)
    assert said.startswith("The study ")
    assert said.endswith("no menu shows it.")
    assert items.datasets_of_study(store, "own") == []
    assert [row["dataset"] for row in items.datasets_of_study(store, "own", archived=True)] == [
        "letters"
    ]
    assert items.list_items_by_part_of_name(store, "a", limit=5) == []
    assert item_given(store, person(store, "Tom")) is None
    assert (
        work_behind_commands.run_round_command_and_list_report_lines(
            store, Settings(), "list", "", "", []
        )
        == []
    )
    assert store_check.list_store_faults_in_words(store, Settings()) == []
    [logged] = audit_log.entries_table(store, viewer=lead, kinds=["archive"]).to_dict("records")
    assert (logged["who"], logged["about"]) == ("Lena", "letters")
    assert logged["detail"] == "dataset archived: It is over."
    with pytest.raises(Conflict, match="archived already"):
        archive(store, STUDY, lead)
    with pytest.raises(InvalidInput, match="archived: nothing can be imported"):
        work_behind_commands.import_file(
            store, Settings(), "own-items", b"", name="more.csv", dataset="letters"
        )

    assert archive(store, STUDY, lead, back=True).endswith("is back.")
    assert item_given(store, person(store, "Tom"))
    assert items.list_items_by_part_of_name(store, "a", limit=5)
    with pytest.raises(Conflict, match="not archived"):
        archive(store, STUDY, lead, back=True)


def test_a_file_that_names_an_archived_study_itself_is_refused_with_a_way_on(
    store: Store, lead: Rater
) -> None:
    lay_letters(store)
    archive(store, STUDY, lead)
    named = b"dataset,item,visit,letter\nletters,new,They spoke.,A letter.\n"

    def bring_in(dataset: str, *, only_look: bool = False) -> int:
        return work_behind_commands.import_file(
            *(store, Settings(), "own-items", named),
            name="more.csv",
            dataset=dataset,
            dry_run=only_look,
        ).added

    before = store.value("select count(*) from item")
    for only_look in (True, False):
        with pytest.raises(InvalidInput, match="'letters' is archived: nothing can be") as refused:
            bring_in("", only_look=only_look)
        assert "--dataset" in refused.value.hint
    assert store.value("select count(*) from item") == before
    # The same file goes into a study that somebody names, and into its own once that is back.
    again = LETTERS.replace('id = "letters"', 'id = "others"')
    own_study.store_study_file_version_and_return_it(store, again, name="STUDY.toml", by=None)
    assert bring_in("others") == 1
    archive(store, STUDY, lead, back=True)
    assert bring_in("") == 1


def test_what_somebody_did_in_an_archived_study_is_counted_by_when_it_came_in(
    store: Store, lead: Rater
) -> None:
    lay_letters(store)
    task = STUDIES["own"].open(store, Settings(), "letters").task
    rosa = person(store, "Rosa")

    def left() -> archiving_of_datasets_rounds_and_runs.WorkLeft:
        standing = archiving_of_datasets_rounds_and_runs.archiving_of_thing(store, STUDY)
        assert standing is not None
        return archiving_of_datasets_rounds_and_runs.counts_of_rater_work_in_archived_dataset(
            store, standing, rater=rosa.id
        )

    first, second = item_given(store, rosa), item_given(store, rosa)
    assert first
    assert second
    body: dict[str, object] = {"version": 1}
    of: dict[str, Any] = {"rater": rosa.id, "body": body, "base": 0}
    judging.submit_judgment(store, task, item=first, token="one", **of)
    judging.save_draft(store, task, item=second, token="two", **of)
    archive(store, STUDY, lead)
    assert left() == archiving_of_datasets_rounds_and_runs.WorkLeft(submitted=1, since=0, begun=1)
    judging.submit_judgment(store, task, item=second, token="three", **of | {"base": 1})
    assert left() == archiving_of_datasets_rounds_and_runs.WorkLeft(submitted=2, since=1, begun=0)


def test_only_a_lead_archives_and_says_why(store: Store, lead: Rater) -> None:
    lay_letters(store)
    with pytest.raises(NotAllowed):
        archive(store, STUDY, person(store, "Rosa"))
    with pytest.raises(InvalidInput, match="reason"):
        archiving_of_datasets_rounds_and_runs.archive_or_bring_back_things_and_count(
            store, [STUDY], reason=" \u200b", by=lead
        )
    assert archiving_of_datasets_rounds_and_runs.archivings_by_thing(store) == {}


def test_an_archived_round_is_closed_and_cannot_be_opened_until_it_is_back(
    store: Store, lead: Rater
) -> None:
    lay_letters(store)
    task = STUDIES["own"].open(store, Settings(), "letters").task
    thing = archive_and_unarchive.find_round_by_any_name(store, Settings(), task.name, "letters")
    archive(store, thing, lead)
    now = rounds.current_round_of_task(store, task, "letters")
    assert (now.state, now.archived) == ("closed", True)
    assert item_given(store, person(store, "Tom")) is None
    with pytest.raises(InvalidInput, match="This round is archived"):
        rounds.open_or_close_round(store, task, "letters", state="open", by=lead)
    assert items.datasets_of_study(store, "own")
    archive(store, thing, lead, back=True)
    assert rounds.current_round_of_task(store, task, "letters").state == "open"


def test_an_archived_run_is_in_no_list_and_is_not_gone_on_with(store: Store, lead: Rater) -> None:
    which = {"study": "tagging", "kind": "tag", "config": {}}
    run = runs.open_or_resume_run_and_return_id(store, **which, made_by=lead.id)
    store.append("run_event", runs.make_run_event_row(run, "stopped", {}))
    thing = archive_and_unarchive.find_run_by_id_or_title(store, run)
    archive(store, thing, lead)
    asked = {"study": "", "limit": 9, "offset": 0}
    assert completion_run_and_job_queries.list_current_runs(store, **asked) == []
    assert completion_run_and_job_queries.count_runs(store, study="") == 0
    assert [
        row["id"]
        for row in completion_run_and_job_queries.list_current_runs(store, **asked, archived=True)
    ] == [run]
    assert runs.open_or_resume_run_and_return_id(store, **which, made_by=lead.id) != run
    archive(store, thing, lead, back=True)
    assert completion_run_and_job_queries.count_runs(store, study="") == 2


def test_an_export_has_what_is_archived_only_where_it_is_asked_for(store: Store) -> None:
    lay_letters(store)
    archive(store, STUDY, None)
    asked = {"viewer": None, "study": "own", "dataset": "letters"}
    with pytest.raises(InvalidInput, match="archived") as refused:
        work_behind_commands.make_export_table(store, Settings(), "own-items", **asked)
    assert "--archived" in refused.value.hint
    table = work_behind_commands.make_export_table(
        store, Settings(), "own-items", **asked, archived=True
    )
    assert len(table) == len(FIRST)


@pytest.mark.deep
def test_tables_of_all_studies_have_the_rows_of_archived_datasets_only_on_request(
    store: Store, lead: Rater
) -> None:
    work_behind_commands.add_demo_studies_and_return_report_text(store)
    name = store.value("select name from item where study = 'tagging' order by seq limit 1")
    work_behind_commands.run_item_command_and_list_report_lines(
        store, Settings(), "withdraw", "tagging", "demo", [str(name)], "Not this one."
    )
    everything = {"viewer": None, "archived": True}
    archive(store, Thing("dataset", "tagging", "demo"), lead)
    assert work_behind_commands.make_export_table(
        store, Settings(), "withdrawn_items", viewer=None
    ).empty
    assert (
        len(
            work_behind_commands.make_export_table(
                store, Settings(), "withdrawn_items", **everything
            )
        )
        == 1
    )


@pytest.mark.deep
def test_the_whole_demo_is_archived_and_brought_back_by_one_command(store: Store) -> None:
    work_behind_commands.add_demo_studies_and_return_report_text(store)
    told = work_behind_commands.run_archive_command_and_list_report_lines(
        store, Settings(), "demo", [], reason="We know it now.", back=False
    )
    assert told == [
        "4 datasets are archived: nobody is given anything of them, and no menu shows them."
    ]
    assert all(not items.datasets_of_study(store, study) for study in STUDIES)
    # Put away, its judgments still fit their items.
    assert store_check.list_store_faults_in_words(store, Settings()) == []
    listed = work_behind_commands.run_archive_command_and_list_report_lines(
        store, Settings(), "list", [], reason="", back=False
    )
    assert len(listed) == 4
    assert "dataset tagging demo: archived by command line: We know it now." in "\n".join(listed)
    work_behind_commands.run_archive_command_and_list_report_lines(
        store, Settings(), "demo", [], reason="", back=True
    )
    assert items.datasets_of_study(store, "tagging")


def test_a_study_gets_another_title_that_no_other_has_and_keeps_its_answers(
    store: Store, lead: Rater
) -> None:
    lay_letters(store)
    other = LETTERS.replace('"letters"', '"notes"').replace('"Letters"', '"Ward notes"')
    own_study.store_study_file_version_and_return_it(store, other, name="STUDY.toml", by=None)
    table = b"item,letter,ward\nn,A note.,A"
    work_behind_commands.import_file(
        store, Settings(), "own-items", table, name="n.csv", dataset="notes"
    )
    job = {
        "verb": "rename",
        "what": "study",
        "names": ["letters"],
        "called": "",
        "title": "Letters of 2026",
    }
    told = work_behind_commands.run_inbox_job_and_return_result_as_dict(
        store, Settings(), job, Path()
    )["line"]
    assert told == "Letters (letters) is called Letters of 2026 now."
    opened = STUDIES["own"].open(store, Settings(), "letters")
    assert (opened.declared.form.title, opened.version) == ("Letters of 2026", 2)
    assert items.datasets_of_study(store, "own", archived=True)[1]["n"] == len(FIRST)
    with pytest.raises(InvalidInput, match="a study called 'Ward notes' already"):
        archive_and_unarchive.retitle_own_study_and_return_report_text(
            store, "letters", "ward NOTES", by=lead
        )
    with pytest.raises(NotAllowed):
        archive_and_unarchive.retitle_own_study_and_return_report_text(
            store, "letters", "Mine", by=person(store, "Rosa")
        )


def test_another_study_can_say_that_each_of_its_datasets_is_called_a_study(
    store: Store, lead: Rater, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    STUDIES["tagging"].demo(store)
    thing, settings = Thing("dataset", "tagging", "demo"), Settings()
    round_ = Thing("round", "tagging", "demo", "error_spans")
    named = archive_and_unarchive.name_of_thing(store, settings, thing)
    assert named == "the dataset demo of Error tagging"
    assert not archive_and_unarchive.is_round_of_whole_study(round_)

    def refuse(name: str) -> None:
        if name != "wards":
            raise InvalidInput("Only wards.")

    (tmp_path / "demo").mkdir()
    declared = replace(
        STUDIES["tagging"],
        datasets_are_studies=True,
        require_dataset_name=refuse,
        attached_folder=lambda _settings, dataset: tmp_path / dataset,
    )
    monkeypatch.setitem(STUDIES, "tagging", declared)
    assert archive_and_unarchive.name_of_thing(store, settings, thing) == "the study demo"
    assert archive_and_unarchive.is_round_of_whole_study(round_)
    with pytest.raises(InvalidInput, match="Only wards"):
        rename_studies_and_data.rename_thing_and_return_report_text(
            store, settings, thing, "beds", by=lead
        )
    said = rename_studies_and_data.rename_thing_and_return_report_text(
        store, settings, thing, "wards", by=lead
    )
    assert "Its address is “wards” now" in said
    archive(store, thing, lead)
    assert "study wards" in archive_and_unarchive.list_archived_things_in_words(store, settings)[0]
    done = deletion_of_archived_data_and_demo.delete_archived_thing_and_list_report_lines(
        store, settings, thing, confirmed="wards", by=lead
    )
    assert not (tmp_path / "demo").exists()
    assert "a study of one's own" in done[0]
