"""Studies, datasets, rounds and runs get another name; it leads everywhere, as earlier ones do."""

from __future__ import annotations

from pathlib import Path

import pytest

from medlens.app import (
    archive_and_unarchive,
    exports_without_pandas,
    python_api_tables,
    rename_studies_and_data,
    store_check,
    work_behind_commands,
)
from medlens.app.study_report import build_report_document
from medlens.config.settings import Settings
from medlens.errors import InvalidInput, NotAllowed
from medlens.llm import runs
from medlens.review import audit_log, items, renaming_and_name_translation
from medlens.review.archiving_of_datasets_rounds_and_runs import Thing
from medlens.review.raters import Rater
from medlens.store import Store, new_id
from medlens.studies.own import study as own_study
from medlens.studies.registry import STUDIES
from medlens.ui import current_and_first_names_in_addresses
from tests.store.made_up import person
from tests.store.test_erasing_texts import LETTERS
from tests.store.test_reimporting import FIRST, SECOND, lay, table

pytestmark = pytest.mark.usefixtures("read_near")

STUDY = Thing("dataset", "own", "letters")
DEMO = Thing("dataset", "tagging", "demo")


@pytest.fixture
def lead(store: Store) -> Rater:
    return person(store, "Lena", lead=True)


def rename(store: Store, thing: Thing, called: str, lead: Rater | None = None) -> str:
    return rename_studies_and_data.rename_thing_and_return_report_text(
        store, Settings(), thing, called, by=lead
    )


def do(store: Store, verb: str, **command: object) -> str:
    """A job as the command line hands it over."""
    job = {"verb": verb, **command}
    return str(
        work_behind_commands.run_inbox_job_and_return_result_as_dict(
            store, Settings(), job, Path()
        )["line"]
    )


@pytest.mark.deep
def test_a_dataset_has_its_new_name_in_titles_exports_reports_and_messages(
    store: Store, lead: Rater
) -> None:
    STUDIES["tagging"].demo(store)
    said = rename(store, DEMO, "pilot 2026", lead)
    assert said.startswith("The dataset demo of ")
    assert "It is called “pilot 2026” now; “demo” leads there" in said
    assert STUDIES["tagging"].titles(store, ["demo"]) == {"demo": "pilot 2026"}
    for name in ("demo", "pilot 2026"):
        for kind in ("figures", "judgments", "spans"):
            exported = work_behind_commands.make_export_table(
                store, Settings(), kind, viewer=None, study="tagging", dataset=name
            )
            assert set(exported["dataset"]) == {"pilot 2026"}, kind
        plain, _ = exports_without_pandas.make_plain_export_table_and_description(
            *(store, lambda _: Settings(), "judgments", ("tagging",)),
            dataset=name,
            history=False,
            nested=False,
            archived=False,
        )
        assert {row[list(plain.columns).index("dataset")] for row in plain.rows} == {"pilot 2026"}
        judged = python_api_tables.make_table_by_name(
            store, Settings(), "judgments", study="tagging", dataset=name
        )
        assert len(judged)
        assert set(judged["dataset"]) == {"pilot 2026"}
    report = build_report_document(store, Settings(), STUDIES["tagging"], "demo")
    assert "Dataset pilot 2026." in report.about
    assert set(store.column("select distinct dataset from items where study = 'tagging'")) == {
        "pilot 2026"
    }
    assert set(store.column("select distinct dataset from judgments where study = 'tagging'")) == {
        "pilot 2026"
    }
    [logged] = audit_log.entries_table(store, viewer=lead, kinds=["rename"]).to_dict("records")
    # The log keeps the first name, and says what it is called now.
    assert (logged["who"], logged["about"]) == ("Lena", "demo (now pilot 2026)")
    assert logged["detail"] == "dataset called pilot 2026"
    assert store_check.list_store_faults_in_words(store, Settings()) == []


def test_the_audit_log_says_what_a_dataset_is_called_now(store: Store, lead: Rater) -> None:
    lay(store)
    told = audit_log.entries_table(store, viewer=lead)
    rename(store, STUDY, "notes", lead)
    now = audit_log.entries_table(store, viewer=lead, kinds=["import", "settings"])
    [imported] = now[now["kind"] == "import"]["detail"]
    assert imported.startswith("own-items into letters (now notes): ")
    assert set(now[now["kind"] == "settings"]["about"]) == {"own_questions of letters (now notes)"}
    rows = audit_log.all_entries_as_plain_table(store).rows
    assert [row[4] for row in rows if row[1] == "import"] == [imported]
    # A dataset of another study with that name: nobody knows which is meant.
    other = {"study": "tagging", "kind": "response", "dataset": "letters", "name": "r1"}
    what = {"digest": "d", "body": {}, "illustrative": False}
    store.append("item", {"id": new_id(), **other, **what})
    entries = audit_log.entries_table(store, viewer=lead)
    assert "(now " not in "".join((*entries["about"], *entries["detail"]))
    # Called as at first, it needs no word.
    rename(store, STUDY, "letters", lead)
    assert set(told["detail"]) <= set(audit_log.entries_table(store, viewer=lead)["detail"])


def test_renaming_back_undoes_it_and_every_earlier_name_still_leads(
    store: Store, lead: Rater
) -> None:
    lay(store)
    for name in ("notes", "epistles", "letters"):
        rename(store, STUDY, name, lead)
    assert (
        renaming_and_name_translation.current_name_of_dataset(store, "own", "letters") == "letters"
    )
    for name in ("letters", "notes", "epistles"):
        assert archive_and_unarchive.find_dataset(store, "own", name) == STUDY
    assert list(audit_log.entries_table(store, viewer=lead, kinds=["rename"])["detail"]) == [
        "dataset called letters",
        "dataset called epistles",
        "dataset called notes",
    ]
    # And one of them can be given again.
    rename(store, STUDY, "notes", lead)
    assert renaming_and_name_translation.current_name_of_dataset(store, "own", "letters") == "notes"


def test_a_name_that_is_or_was_another_ones_is_refused_whatever_its_capitals(
    store: Store, lead: Rater
) -> None:
    lay(store)
    STUDIES["tagging"].demo(store)
    STUDIES["ebmqa"].demo(store)
    rename(store, STUDY, "notes", lead)
    rename(store, STUDY, "epistles", lead)
    for taken in ("letters", "Notes", "epistles", "EPISTLES"):
        with pytest.raises(InvalidInput, match="choose another name"):
            rename(store, DEMO, taken, lead)
    with pytest.raises(InvalidInput, match="'demo' is taken"):
        rename(store, STUDY, "demo", lead)
    with pytest.raises(InvalidInput, match="called 'demo' already"):
        rename(store, DEMO, "demo", lead)
    with pytest.raises(InvalidInput, match="A name is missing"):
        rename(store, DEMO, " \u202e ", lead)
    with pytest.raises(InvalidInput, match="address of a study"):
        rename(store, STUDY, "Not an address", lead)
    with pytest.raises(NotAllowed):
        rename(store, DEMO, "pilot", person(store, "Rosa"))
    rename(store, DEMO, "pilot", lead)
    # The demo of another study keeps its name, and is another dataset.
    assert STUDIES["ebmqa"].titles(store, ["demo"]) == {"demo": "demo"}
    rename(store, DEMO, "demo", lead)


@pytest.mark.parametrize("name", ["letters", "notes"])
def test_a_file_that_comes_again_under_any_name_leads_to_the_renamed_dataset(
    store: Store, lead: Rater, name: str
) -> None:
    lay(store)
    rename(store, STUDY, "notes", lead)
    done = work_behind_commands.import_file(
        *(store, Settings(), "own-items", table(SECOND)),
        name="letters.csv",
        dataset=name,
        changed="leave",
    )
    assert (done.added, done.known) == (1, 2)
    assert "into 'notes'" in done.line
    assert [row["dataset"] for row in items.datasets_of_study(store, "own")] == ["letters"]
    for id_ in ("letters", "notes"):
        text = LETTERS.replace('id = "letters"', f'id = "{id_}"')
        said = do(store, "study", text=text, name="STUDY.toml")
        assert said.startswith("Letters (notes) is unchanged: this file is its version ")
        other = text.replace("Read it.", f"Read {id_}.")
        assert do(store, "study", text=other, name="STUDY.toml", into="new-version")
        do(store, "study", text=text, name="STUDY.toml", into="new-version")
    assert [row["dataset"] for row in items.datasets_of_study(store, "own")] == ["letters"]
    assert 'id = "notes"' in own_study.open_study(store, Settings(), name).text


def test_a_new_dataset_cannot_take_the_name_that_another_study_gave(
    store: Store, lead: Rater, tmp_path: Path
) -> None:
    lay(store)
    STUDIES["tagging"].demo(store)
    rename(store, DEMO, "notes", lead)
    with pytest.raises(InvalidInput, match="is the name of a dataset of the study 'tagging'"):
        do(store, "study", text=LETTERS.replace('"letters"', '"notes"', 1), name="STUDY.toml")
    with pytest.raises(InvalidInput, match="is the name of a dataset of the study 'tagging'"):
        work_behind_commands.import_file(
            *(store, Settings(), "own-items", table(FIRST)), name="letters.csv", dataset="notes"
        )


def test_a_new_dataset_of_another_study_can_take_a_name_that_was_given_up(
    store: Store, lead: Rater
) -> None:
    STUDIES["tagging"].demo(store)
    for name in ("notes", "pilot"):
        rename(store, DEMO, name, lead)
    # Until then it leads to the dataset that had it, whoever asks.
    assert renaming_and_name_translation.name_of_dataset_before_renaming(store, "notes") == "demo"
    text = LETTERS.replace('"letters"', '"notes"', 1)
    assert do(store, "study", text=text, name="STUDY.toml")
    work_behind_commands.import_file(
        *(store, Settings(), "own-items", table(FIRST)), name="letters.csv", dataset="notes"
    )
    assert renaming_and_name_translation.current_name_of_dataset(store, "own", "notes") == "notes"
    assert [row["dataset"] for row in items.datasets_of_study(store, "own")] == ["notes"]
    # What says its study leads to that study's dataset; what does not, to the one called so now.
    assert (
        renaming_and_name_translation.name_of_dataset_before_renaming(store, "notes", "tagging")
        == "demo"
    )
    assert renaming_and_name_translation.name_of_dataset_before_renaming(store, "notes") == "notes"
    asked = "dataset=notes"
    assert (
        current_and_first_names_in_addresses.query_text_with_names_before_renaming(
            store, "Tag_errors", asked
        )
        == "dataset=demo"
    )
    assert (
        current_and_first_names_in_addresses.query_text_with_names_before_renaming(
            store, "Your_studies", asked
        )
        == asked
    )
    assert (
        current_and_first_names_in_addresses.query_text_with_names_before_renaming(
            store, "Team", asked
        )
        == asked
    )
    with pytest.raises(InvalidInput, match="'notes' is taken"):
        rename(store, DEMO, "notes", lead)
    rename(store, DEMO, "demo", lead)
    assert store_check.list_store_faults_in_words(store, Settings()) == []


def test_the_command_line_renames_a_study_its_round_and_a_run(store: Store) -> None:
    lay(store)
    task = STUDIES["own"].open(store, Settings(), "letters").task.name
    run = runs.open_or_resume_run_and_return_id(
        store, study="own", kind="rate", config={"dataset": "letters"}, made_by="command line"
    )
    store.append("run_event", runs.make_run_event_row(run, "stopped", {}))
    said = do(store, "rename", what="study", names=["letters"], called="notes", title="Notes")
    assert "is called Notes now" in said
    assert "Its address is “notes” now" in said
    assert STUDIES["own"].titles(store, ["letters"]) == {"letters": "Notes"}
    do(store, "rename", what="round", names=[task, "notes"], called="First reading", title="")
    do(store, "rename", what="run", names=[run], called="Gemma, low", title="")
    listed = do(store, "round", what="list", task="", dataset="", people=[])
    assert listed == "First reading on notes: open to everyone"
    closed = do(store, "round", what="close", task="First reading", dataset="notes", people=[])
    assert closed == "First reading on notes: closed"
    for words in (["round", "First reading", "notes"], ["run", "Gemma, low"], ["study", "notes"]):
        do(store, "archive", what=words[0], names=words[1:], reason="Over.", back=False)
    listed = do(store, "archive", what="list", names=[], reason="", back=False)
    assert [line.split(" ", 2)[2].split(":")[0] for line in listed.splitlines()] == [
        "study notes",
        "run Gemma, low",
        "round First reading notes",
    ]
    assert store_check.list_store_faults_in_words(store, Settings()) == []


def test_a_title_stays_where_the_address_given_with_it_is_refused(store: Store) -> None:
    lay(store)
    STUDIES["tagging"].demo(store)
    rename(store, DEMO, "taken")
    for address in ("taken", "No address"):
        with pytest.raises(InvalidInput):
            do(store, "rename", what="study", names=["letters"], called=address, title="Notes")
    assert STUDIES["own"].titles(store, ["letters"]) != {"letters": "Notes"}
