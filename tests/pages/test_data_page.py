"""The Data page: files in with a preview, items, files out, the taxonomy."""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pandas as pd
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from medlens.app import work_behind_commands
from medlens.app.file_intake import file_kind_guess_and_first_row_preview
from medlens.app.work_behind_commands import Outcome
from medlens.config.settings import Settings
from medlens.review import audit_log, hand_out_settings, items
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.store.row_count_note_and_loss_detection import Loss
from medlens.studies import registry
from medlens.studies.own import study as own
from medlens.studies.own import study_file
from medlens.studies.tagging.study_in_dataset import open_study
from medlens.studies.tagging.tasks import NAME as TAGGED
from medlens.studies.tagging.taxonomy import taxonomy_as_toml
from medlens.tables import write_table
from medlens.ui import settings_store_and_runs_of_process
from medlens.ui.data import upload_preview_import_and_past_imports
from medlens.ui.data.exports import make_download_file_name
from medlens.ui.page_frame import escape_markdown
from medlens.ui.sheet_heading_and_encoding_choice import TablePlace
from tests.pages.conftest import OpenPage, all_demos, answer, line_control, words

PAGE = "7_Data.py"
GOOD = b"item,question,option_A,option_B,correct,chosen,response\n" + b"".join(
    f'own{n},"Which one, {n}?",yes,no,A,B,"It is B.\n\nBecause, {n}."\n'.encode() for n in range(3)
)
HALF_BAD = GOOD + b'own3,"Why?",yes,no,A,B,"  "\n'


def upload(page: AppTest, name: str, content: bytes) -> AppTest:
    page.file_uploader(key="data.file").set_value((name, content, "text/csv"))
    page.run()
    assert not page.exception
    return page


def counted(store: Store) -> int:
    return int(store.rows("select count(*) from item where dataset = 'main'")[0][0])


def test_a_good_file_is_previewed_and_written_only_by_the_button(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = upload(open_page(PAGE, who=lead), "mine.csv", GOOD)

    assert page.selectbox[0].value == "items"
    assert "**3** items to add, 0 already imported" in words(page)
    preview = page.dataframe[0].value
    assert list(preview["item"]) == ["own0", "own1", "own2"]
    assert preview["response"][0] == "It is B. Because, 0."
    assert counted(app_store) == 0

    page.button(key="data.import").click().run()
    assert page.success[0].value.startswith("Imported 3 items into 'main'")
    assert counted(app_store) == 3
    assert not [one for one in page.button if one.key == "data.import"]
    page.run()
    log = app_store.rows("select kind, added, file, made_by from import_log")
    assert log == [("items", 3, "mine.csv", lead.id)]
    assert page.dataframe[-1].value["who"][0] == "Lena Lead"


def test_a_second_press_as_an_import_ends_starts_no_other(
    open_page: OpenPage, app_store: Store, lead: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = upload(open_page(PAGE, who=lead), "mine.csv", GOOD)
    bar = upload_preview_import_and_past_imports._Progress
    ended, presses = bar.__exit__, iter([True])

    def press_again(self: Any, *how: object) -> None:
        if self._doing == "Importing" and next(presses, False):
            st.rerun()
        ended(self, *how)

    monkeypatch.setattr(bar, "__exit__", press_again)
    page.button(key="data.import").click().run()
    assert next(presses, None) is None
    assert page.success[0].value.startswith("Imported 3 items into 'main'")
    assert app_store.rows("select added, known from import_log") == [(3, 0)]


@pytest.mark.deep
def test_a_text_has_an_encoding_to_choose_and_a_spreadsheet_has_none(
    open_page: OpenPage, lead: Rater
) -> None:
    def chosen(page: AppTest) -> list[str]:
        return [one.label for one in page.selectbox if one.label == "Text encoding"]

    assert chosen(upload(open_page(PAGE, who=lead), "mine.csv", GOOD)) == ["Text encoding"]
    sheet = io.BytesIO()
    pd.read_csv(io.BytesIO(GOOD)).to_excel(sheet, index=False)
    page = upload(open_page(PAGE, who=lead), "mine.xlsx", sheet.getvalue())
    assert "**3** items to add" in words(page)
    assert not chosen(page)


def test_questions_of_which_some_are_drawn_first_lead_to_where_that_is_done(
    open_page: OpenPage, lead: Rater
) -> None:
    head = "question_id,kind,qa_type,question,options,correct"
    options = '"[""Greater than 5%"", ""Less than 5%""]","[""Less than 5%""]"'
    text = f"{head}\nq1,numeric,Prevalence,How common is it?,{options}\n"
    page = upload(open_page(PAGE, who=lead), "questions.csv", text.encode())
    assert page.selectbox[0].value == "ebmqa-questions"
    page.button(key="data.import").click().run()
    assert page.success[0].value.startswith("Imported 1 question into")
    [link] = [one for one in page.get("page_link") if one.proto.label.startswith("Next")]
    assert link.proto.label == "Next: draw what people are asked"
    assert "view=Answer" in link.proto.query_string


@pytest.mark.deep
def test_of_a_changed_file_a_lead_chooses_what_becomes_of_changed_and_missing_items(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = upload(open_page(PAGE, who=lead), "mine.csv", GOOD)
    page.button(key="data.import").click().run()
    kept = GOOD.replace(b"Because, 1.", b"Because of that, 1.").split(b"own2")[0] + (
        b'own3,"Which one, 3?",yes,no,A,B,"It is B."\n'
    )

    page = upload(page, "again.csv", kept)
    [counts] = [one.value for one in page.dataframe if "missing in the file" in one.value]
    assert counts.iloc[0].tolist() == [1, 1, 1, 1]
    assert "First choose what to do with the changed items" in words(page)
    assert page.button(key="data.import").disabled

    def choose(part: str, option: str) -> None:
        [radio] = [one for one in page.radio if str(one.key).endswith(f".{part}")]
        radio.set_value(option).run()

    choose("changed", "meaning")
    choose("missing", "withdraw")
    assert "First give a reason" in words(page)
    [why] = [one for one in page.text_input if str(one.key).endswith(".reason")]
    why.set_value("Its author mended it.").run()
    page.button(key="data.import").click().run()
    assert "1 changed, corrected as changed meanings" in page.success[0].value
    ids = items.item_ids_by_name(app_store, "tagging", "main", ["own1", "own2"])
    assert items.item_body(app_store, ids["own1"])["response"].endswith("Because of that, 1.")
    assert counted(app_store) == 4
    withdrawn = app_store.rows("select name, made_by from item_withdrawal")
    assert withdrawn == [("own2", lead.id)]


def test_an_import_is_undone_where_imports_are_listed_and_the_file_can_come_again(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = upload(open_page(PAGE, who=lead), "mine.csv", GOOD)
    page.button(key="data.import").click().run()
    before = len(app_store.rows("select 1 from item_in_play where dataset = 'main'"))
    page = open_page(PAGE, who=lead)
    page.session_state["data.undo"] = True
    page.run()
    entry = app_store.value("select id from import_log")
    page.selectbox(key="data.undo.import").set_value(entry).run()
    assert f"main goes from {before} items to {before - 3}" in words(page)
    answer(page, form_named="undoing", reason="The wrong file.", submit=True)
    assert page.success[0].value.startswith("3 items of mine")
    assert len(app_store.rows("select 1 from item_in_play where dataset = 'main'")) == before - 3

    page = upload(open_page(PAGE, who=lead), "mine.csv", GOOD)
    assert "**3** items to add, 0 already imported" in words(page)
    page.button(key="data.import").click().run()
    [log] = [one.value for one in open_page(PAGE, who=lead).dataframe if "undone" in one.value]
    again, first = log["undone"]
    assert again == ""
    assert ":" in first


def test_the_same_file_again_adds_nothing_and_says_so(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = upload(open_page(PAGE, who=lead), "mine.csv", GOOD)
    page.button(key="data.import").click().run()

    page = upload(page, "again.csv", GOOD)
    assert "are already imported: nothing would be added" in words(page)
    assert not [one for one in page.button if one.key == "data.import"]
    assert counted(app_store) == 3


def test_refused_rows_are_listed_and_the_rest_can_be_imported(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = upload(open_page(PAGE, who=lead), "half.csv", HALF_BAD)

    assert "half.csv: 1 row is refused." in words(page)
    # Three good records of three lines each after the header: the bad one begins on line 11.
    [refused] = page.dataframe[0].value.to_dict("records")
    assert (refused["file"], refused["line"], refused["column"]) == ("half.csv", 11, "response")
    assert refused["expected"] == "the response's text"
    assert page.download_button(key="data.bad_rows")
    page.button(key="data.import").click().run()
    assert counted(app_store) == 3
    assert "1 row refused" in page.success[0].value


@pytest.mark.deep
def test_a_refused_file_is_noted_once_however_often_it_is_looked_at(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = upload(open_page(PAGE, who=lead), "half.csv", HALF_BAD)
    page.run()
    page = upload(page, "book.csv", b"PK\x03\x04 xl/workbook.xml")
    page.run()
    log = audit_log.entries_table(app_store, viewer=lead, kinds=["import"])
    assert [tuple(row) for row in log[["who", "about", "detail"]].to_numpy()] == [
        ("Lena Lead", "book.csv", "unknown: refused, the file cannot be read"),
        ("Lena Lead", "half.csv", "items: refused, rows that cannot be imported"),
    ]


def test_a_file_that_cannot_be_read_is_refused_in_words(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    for name, content, said in [
        ("book.csv", b"PK\x03\x04 xl/workbook.xml", "as a workbook: it is damaged or cut short."),
        ("latin.jsonl", '{"item": "a", "response": "fünf"}'.encode("latin-1"), "line 1: byte 28"),
        ("none.csv", b"", "none.csv is empty"),
        ("cut.jsonl", b'{"id": "a", "text": "hal', "match no kind of file"),
        ("strange.csv", b"colour,shape\nred,round\n", "match no kind of file"),
        ("only-head.csv", b"item,question,response\n", "has no rows"),
    ]:
        page = upload(open_page(PAGE, who=lead), name, content)

        assert said in words(page)
        assert not [one for one in page.button if one.key == "data.import"]
        assert app_store.rows("select count(*) from import_log") == [(0,)]


def test_a_file_of_another_kind_than_chosen_is_refused_with_the_columns_it_lacks(
    open_page: OpenPage, lead: Rater
) -> None:
    page = upload(open_page(PAGE, who=lead), "mine.csv", GOOD)
    page.selectbox[0].set_value("g4ue-annotations").run()

    assert not page.exception
    assert "missing column" in words(page)
    assert not [one for one in page.button if one.key == "data.import"]


@pytest.mark.deep
def test_hostile_names_and_contents_are_shown_as_they_are(open_page: OpenPage, lead: Rater) -> None:
    name = "<script>alert(1)<b> **n** [l](http:x).csv"
    content = b'item,question,response\n"**a** <img src=x>","$q$ :red[x]","=1+1"\n'
    page = upload(open_page(PAGE, who=lead), name, content)
    assert page.dataframe[0].value["item"][0] == "**a** <img src=x>"
    page.button(key="data.import").click().run()

    page = open_page(PAGE, who=lead, view="Items", item="**a** <img src=x>")
    assert not page.exception
    assert "\\*\\*a\\*\\* \\<img src=x\\>" in [one.value for one in page.header]
    assert "=1+1" in [one.value for one in page.text]


def test_forms_are_imported_without_a_dataset_being_asked_for_or_named(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = upload(
        open_page(PAGE, who=lead), "forms.csv", b"form,rater,question,answer\nf,New One,Why?,So.\n"
    )
    assert page.selectbox[0].value == "surveys"
    assert "Dataset" not in [one.label for one in page.selectbox]
    page.button(key="data.import").click().run()
    assert page.success[0].value == escape_markdown("Imported 1 form.")
    assert app_store.rows("select kind, dataset from import_log") == [("surveys", "")]


def test_a_files_columns_say_what_it_is(app_store: Store) -> None:
    taxonomy = open_study(app_store, settings_store_and_runs_of_process.current_settings()).taxonomy
    for columns, kind in [
        (["id", "serial_num", "text"], "g4ue-items"),
        (["serial_num", "question", "answer_idx", "gpt4_response"], "g4ue-responses"),
        (["id", "displayed_text", "span_annotations", "annotator_id"], "g4ue-annotations"),
        (["id", "Unsupported medical claim", "hallucination of information"], "labels"),
        # One column alone may be called like a label by chance.
        (["id", "Unsupported medical claim", "colour"], ""),
        (["Item", "response"], "items"),
        (["judgment_id", "item", "rater", "labels"], "judgments"),
        (["judgment_id", "item", "rater", "span", "quote"], "spans"),
        (["form", "rater", "question", "answer"], "surveys"),
        (["statement_id", "rater", "verdict", "response_id", "statement"], "sourcecheckup-merged"),
        (["Domain", "country"], "sourcecheckup-countries"),
        (["question_id", "question", "group", "document"], "sourcecheckup-questions"),
        (["question_id", "kind", "question", "options", "correct"], "ebmqa-questions"),
        (["question_id", "question", "model", "answer"], "ebmqa-answers"),
        (["id", "colour"], ""),
    ]:
        assert (
            file_kind_guess_and_first_row_preview.guess_import_kind_from_columns(columns, taxonomy)
            == kind
        )


@pytest.mark.deep
@all_demos
def test_what_was_exported_is_recognised_as_what_it_is(app_store: Store, tmp_path: Path) -> None:
    settings, file = settings_store_and_runs_of_process.current_settings(), tmp_path / "a.csv"
    for study, kinds_of in [
        ("tagging", {"judgments": "judgments", "spans": "spans"}),
        ("agentclinic", {"ratings": "agentclinic-ratings"}),
        ("sourcecheckup", {"judgments": "sourcecheckup-judgments"}),
        ("ebmqa", {"questions": "ebmqa-questions", "questionnaire": "ebmqa-questionnaire"}),
    ]:
        found = {}
        for export in kinds_of:
            table = work_behind_commands.make_export_table(
                app_store, settings, export, viewer=None, study=study, dataset="demo"
            )
            write_table(table.head(3), file, format="csv", bom=False)
            with file.open("rb") as stream:
                found[export] = (
                    file_kind_guess_and_first_row_preview.guess_import_kind_from_columns(
                        file_kind_guess_and_first_row_preview.read_column_names(stream, file.name),
                        open_study(app_store, settings).taxonomy,
                        study=str(
                            file_kind_guess_and_first_row_preview.read_first_row(
                                stream, file.name
                            ).get("study")
                            or ""
                        ),
                    )
                )
        assert found == kinds_of


def test_the_published_files_are_recognised_previewed_and_imported(
    open_page: OpenPage, app_store: Store, lead: Rater, shared_data: Path
) -> None:
    folder = shared_data / "g4ue"
    page = open_page(PAGE, who=lead)
    for name, kind, added in (
        ("items.jsonl", "g4ue-items", 60),
        ("raw_annotations.csv", "g4ue-annotations", 184),
        ("strict_labels.csv", "labels", 41),
    ):
        upload(page, name, (folder / name).read_bytes())
        assert page.selectbox[0].value == kind
        assert f"**{added}**" in words(page)
        assert len(page.dataframe[0].value) == 8
        page.button(key="data.import").click().run()
        assert f"Imported {added} " in page.success[0].value
    assert {row["dataset"]: row["n"] for row in items.datasets_of_study(app_store, "tagging")}[
        "g4ue"
    ] == 60


def test_items_are_searched_and_opened_by_their_address(open_page: OpenPage, lead: Rater) -> None:
    page = open_page(PAGE, who=lead, view="Items")
    found = page.dataframe[0].value
    assert len(found) == 24
    first = found["item"][0]

    page.text_input(key="data.search").set_value(first).run()
    assert list(page.dataframe[0].value["item"]) == [first]

    page = open_page(PAGE, who=lead, view="Items", item=first)
    assert first in [one.value.replace("\\", "") for one in page.header]
    page = open_page(PAGE, who=lead, view="Items", item="nowhere")
    assert "There is no item nowhere" in words(page)


@all_demos
@pytest.mark.deep
def test_every_study_lists_its_items_and_leads_to_them(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    for study, kinds, search, link in [
        (
            "agentclinic",
            {"Dialogue", "Case"},
            "tremble",
            {"view": "Dialogues"},
        ),
        ("sourcecheckup", {"Statement and source", "Answer"}, "iron", {"view": "Pairs"}),
        ("ebmqa", {"Question of the questionnaire"}, "influenza", {"view": "Questions"}),
    ]:
        declared = registry.STUDIES[study]
        sql = {kind: one.words for kind, one in declared.listed.items()}
        whole = items.table_of_items_on_one_page(app_store, study, "demo", sql, limit=None)
        titles = {declared.listed[kind].title for kind in whole["kind"]}
        assert titles >= kinds
        assert whole["text"].str.len().min() > 5
        page = open_page(PAGE, who=lead, view="Items", study=registry.STUDIES[study].title)
        assert f"{len(whole):,} items" in words(page)
        page.text_input(key="data.search").set_value(search).run()
        assert not page.exception, study
        shown = page.dataframe[0].value
        assert 0 < len(shown) < len(whole)
        # The item that the address names stands below the list, with the way to it.
        name = str(whole["item"][whole["kind"] == next(iter(declared.listed))].iloc[0])
        where = {"view": "Items", "study": declared.title, "dataset": "demo", "item": name}
        page = open_page(PAGE, who=lead, **where)
        [to] = [one for one in page.get("page_link") if "Open it under" in one.proto.label]
        asked = {**link, "dataset": "demo"}
        assert dict(parse_qsl(to.proto.query_string)).items() >= asked.items()
        # It opens there at that view, which the address then names.
        opened = open_page(Path(declared.page).name, who=lead, **asked)
        assert not opened.exception
        assert line_control(opened, "section").value == "browse"
        assert opened.query_params["view"] == link["view"]


def test_a_dataset_that_is_not_there_is_said_and_not_replaced(
    open_page: OpenPage, lead: Rater
) -> None:
    for view in ("Items", "Export", "Taxonomy"):
        page = open_page(PAGE, who=lead, view=view, dataset="nowhere")
        assert "There is no dataset called nowhere here." in words(page)
        assert not page.dataframe
        assert not page.download_button
        page.selectbox(key="data.dataset.tagging").set_value("demo").run()
        assert page.query_params["dataset"] in ("demo", ["demo"])
        assert not page.warning


def test_every_study_exports_its_tables(open_page: OpenPage, lead: Rater) -> None:
    page = open_page(PAGE, who=lead, view="Export")
    # The study's line has Export: the page's own choice does not offer it again.
    [other] = [one for one in page.get("button_group") if one.proto.label == "View"]
    assert [one.content for one in other.proto.options] == ["Import", "Items", "Taxonomy"]
    assert not other.value
    switcher = page.selectbox(key="line.study")
    # Also those that have no items yet.
    assert {one.split(" · ")[0] for one in switcher.options} == {
        declared.title for declared in registry.STUDIES.values()
    }
    switcher.set_value(("ebmqa", "")).run()
    assert page.query_params["study"] == "EBMQA"
    assert not page.exception
    assert sorted(page.selectbox(key="data.export.kind.ebmqa").options) == sorted(
        title for title, _ in registry.STUDIES["ebmqa"].exports.values()
    )


@pytest.mark.deep
@all_demos
def test_figures_go_out_by_the_word_of_a_verifier_that_is_chosen(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = open_page(
        PAGE,
        who=lead,
        view="Export",
        judge="demo-verifier-2",
        study=registry.STUDIES["sourcecheckup"].title,
    )
    page.selectbox(key="data.export.kind.sourcecheckup").set_value("figures").run()
    assert not page.exception
    chosen = page.selectbox(key="data.export.sourcecheckup.demo.judge")
    assert (chosen.options, chosen.value) == (
        ["demo-verifier-1", "demo-verifier-2"],
        "demo-verifier-2",
    )
    page.selectbox(key="data.export.kind.sourcecheckup").set_value("pairs").run()
    assert not [one for one in page.selectbox if one.key == chosen.key]


def test_the_export_names_its_file_and_counts_its_rows(open_page: OpenPage, lead: Rater) -> None:
    page = open_page(PAGE, who=lead, view="Export")
    # What most leads come for stands first: a row for each item.
    assert page.selectbox(key="data.export.kind.tagging").value == "annotated"
    page.selectbox(key="data.export.kind.tagging").set_value("judgments").run()
    assert "60 rows." in words(page)
    page.selectbox(key="data.export.kind.tagging").set_value("items").run()
    assert "24 rows." in words(page)
    page.selectbox(key="data.export.kind.tagging").set_value("labels").run()
    page.selectbox(key="data.export.rule").set_value("strict").run()
    assert not page.exception
    [button] = [one for one in page.download_button if one.key == "data.export"]
    assert button.label.replace("\\", "").endswith("-labels-strict.csv")
    page.selectbox(key="data.export.format").set_value("parquet").run()
    assert not [one for one in page.checkbox if one.key == "data.export.bom"]


@all_demos
def test_annotated_items_go_out_by_task_and_without_names(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead, view="Export", study=registry.STUDIES["agentclinic"].title)
    page.selectbox(key="data.export.kind.agentclinic").set_value("annotated").run()
    page.selectbox(key="data.export.task.agentclinic").set_value("diagnosis_match").run()
    page.checkbox(key="data.export.anonymous").check().run()
    page.selectbox(key="data.export.format").set_value("xlsx").run()
    assert not page.exception
    [button] = [one for one in page.download_button if one.key == "data.export"]
    name = button.label.replace("\\", "")
    assert name.endswith("-annotated-diagnosis_match.xlsx")


def test_a_study_of_ones_own_goes_out_as_a_file_for_another_tool(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    path = study_file.path_of_template("error_spans")
    declared = study_file.read_study_file_text_and_declaration(path)[1]
    own.store_study_file_version_and_return_it(app_store, path.read_text(), name=path.name, by=None)
    work_behind_commands.import_file(
        *(app_store, Settings(), "own-items", path.with_suffix(".csv")),
        name="items.csv",
        dataset=declared.study_id,
    )
    page = open_page(PAGE, who=lead, view="Export", study=registry.STUDIES["own"].title)
    page.selectbox(key="data.export.kind.own").set_value("own-label-studio").run()
    page.checkbox(key="data.export.anonymous").check().run()
    assert not page.exception
    # A file of one form: there is none to choose.
    assert not [one for one in page.selectbox if one.key == "data.export.format"]
    keys = [one.key for one in page.download_button]
    assert "data.backup" in keys
    [out] = [one for one in page.download_button if one.key == "data.export"]
    assert out.label.replace("\\", "").endswith("-own-label-studio.zip")


def test_a_report_and_everything_can_be_downloaded_beside_the_backup(
    open_page: OpenPage, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead, view="Export")
    reports = ["data.report.html", "data.report.pdf", "data.report.docx"]
    keys = [one.key for one in page.download_button]
    assert keys == [*reports, "data.export", "data.everything", "data.backup"]
    page.selectbox(key="line.study").set_value(("ebmqa", "")).run()
    assert "There is nothing to report yet" in words(page)
    assert not [one for one in page.download_button if one.key in reports]


def test_a_downloads_name_holds_nothing_that_a_folder_could_be() -> None:
    name = make_download_file_name("../../etc/<b> g4ue", "labels", "strict", form="csv")
    assert name == "medlens-etc-b-g4ue-labels-strict.csv"


def test_a_taxonomy_of_ones_own_is_refused_by_line_or_used(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    study = open_study(app_store, settings_store_and_runs_of_process.current_settings())
    text = taxonomy_as_toml(study.taxonomy)
    page = open_page(PAGE, who=lead, view="Taxonomy")
    uploader = page.file_uploader(key="data.taxonomy.file")

    bad = text.replace("key = 2", "key = 1")
    line = bad.split("key = 1\n")[1].count("\n") + bad.split("key = 1\n")[0].count("\n") + 2
    uploader.set_value(("bad.toml", bad.encode(), "text/plain")).run()
    assert not page.exception
    assert "bad.toml has 1 mistake." in words(page)
    [row] = page.dataframe[-1].value.to_dict("records")
    assert (row["line"], row["field"], row["found"]) == (line, "key", "1")

    good = text.replace(study.taxonomy.title, "Our own labels", 1)
    page.file_uploader(key="data.taxonomy.file").set_value(
        ("good.toml", good.encode(), "text/plain")
    ).run()
    page.button(key="data.taxonomy.use").click().run()
    assert not page.exception
    assert (
        open_study(app_store, settings_store_and_runs_of_process.current_settings()).taxonomy.title
        == "Our own labels"
    )
    assert "Our own labels" in [one.value for one in page.header]
    page.button(key="data.taxonomy.default").click().run()
    assert (
        open_study(app_store, settings_store_and_runs_of_process.current_settings()).taxonomy
        == study.taxonomy
    )


def test_a_taxonomy_that_lacks_labels_in_use_is_refused(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    text = 'id = "mini"\ntitle = "Mini"\nversion = "1"\n[[label]]\nid = "one"\nname = "One"\n'
    text += 'kind = "error"\ncolour = "#000000"\nhint = "h"\ndefinition = "d"\n'
    page = open_page(PAGE, who=lead, view="Taxonomy")
    page.file_uploader(key="data.taxonomy.file").set_value(
        ("mini.toml", text.encode(), "text/plain")
    ).run()
    page.button(key="data.taxonomy.use").click().run()

    assert not page.exception
    assert "lacks labels that were given already" in words(page)
    dataset = open_study(app_store, settings_store_and_runs_of_process.current_settings()).dataset
    assert "taxonomy" not in json.dumps(
        hand_out_settings.task_settings_set_by_lead(app_store, TAGGED, dataset)
    )


def test_a_file_of_sourcecheckup_is_known_by_its_columns_and_goes_to_its_study(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    text = b"question_id,question,group\nq1,Can I drink coffee?,search\n"
    page = upload(open_page(PAGE, who=lead), "q.csv", text)
    assert page.selectbox[0].value == "sourcecheckup-questions"
    page.button(key="data.import").click().run()
    assert page.success[0].value.startswith("Imported 1 question into 'sourcecheckup'")


def test_what_the_store_lost_is_told_beside_the_backup_as_the_command_line_tells_it(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    assert not open_page(PAGE, who=lead, view="Export").error
    assert app_store._saved is not None
    loss = Loss({"draft": 3}, "2026-11-22 05:00:00 UTC", "2026-11-22 06:00:00 UTC")
    app_store._saved.losses.append(loss)
    page = open_page(PAGE, who=lead, view="Export")
    assert [one.value for one in page.error] == [
        escape_markdown(app_store.list_lost_rows_in_words()[0])
    ]
    assert app_store.list_store_faults_in_words() == app_store.list_lost_rows_in_words()


def test_of_a_double_click_only_one_run_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    page = upload_preview_import_and_past_imports
    job = page._Job(("f", "items", "main", "", "r", "", TablePlace(), ("", "")), wanted="all")
    begun, go_on = threading.Event(), threading.Event()
    imports: list[int] = []

    def slowly(*_: object, keep: Callable[[Outcome], None], **__: object) -> None:
        imports.append(1)
        begun.set()
        assert go_on.wait(30)
        keep(Outcome(f"Imported in run {len(imports)}.", 3, 0, 0, (), "", None))

    monkeypatch.setattr(page, "_import", slowly)
    runs = [threading.Thread(target=page._do, args=(None, None, "mine.csv", job)) for _ in range(2)]
    runs[0].start()
    assert begun.wait(30)
    runs[1].start()
    # The second is held up until the first has imported: nothing lets it go before.
    runs[1].join(0.3)
    assert runs[1].is_alive()
    go_on.set()
    for run in runs:
        run.join(30)
    assert imports == [1]
    assert job.outcome is not None
    assert job.outcome.line == "Imported in run 1."
