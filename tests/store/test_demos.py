"""The demos: files as they are exported, whole, marked as made up, and within their own rules."""

from __future__ import annotations

import contextlib
import json
import shutil
import unicodedata
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import BadFile, InvalidInput
from medlens.review import consensus, items
from medlens.store import Store, open_store
from medlens.studies.agentclinic import metrics_accuracy_outcomes_and_bias, metrics_input_tables
from medlens.studies.agentclinic import queries as clinic
from medlens.studies.agentclinic.case_faults_and_diagnosis_leaks import list_faults_of_each_case
from medlens.studies.agentclinic.doctor_message_parsing import (
    Diagnosis,
    RequestTest,
    Say,
    parse_doctor_message,
)
from medlens.studies.agentclinic.tasks import MARKS
from medlens.studies.ebmqa.answers.match_and_parse_answers import (
    outcome_option_mask_and_if_text_is_option,
)
from medlens.studies.ebmqa.records import OUTCOMES
from medlens.studies.registry import STUDIES
from medlens.studies.sourcecheckup import queries as checked
from medlens.studies.study_definition import MANIFEST, read_manifest_of_folder
from medlens.studies.tagging import queries as tagging
from medlens.tables import iterate_rows_of_table_file, write_table
from tests.conftest import LayStore

TIMES = ["judged_at", "looked_up_at"]
FILES = [
    (study, path)
    for study, declared in STUDIES.items()
    if declared.demo_files
    for path, _ in read_manifest_of_folder(declared.demo_files, declared.imports).files
]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore) -> Iterator[Store]:
    path = tmp_path_factory.mktemp("demos") / "demos.duckdb"
    with contextlib.closing(
        open_store(lay_store(path, work_behind_commands.add_demo_studies_and_return_report_text))
    ) as store:
        yield store


def judged(store: Store, study: str) -> Iterator[tuple[str, str, str, str, object, dict]]:
    """Task, rater, their kind, item, value and the item's body of every judgment that stands."""
    declared = STUDIES[study]
    for task in declared.tasks(declared.open(store, Settings(), "demo")):
        found = consensus.current_judgments(store, task, dataset="demo", viewer=None)
        for one in found.to_dict("records"):
            body = items.item_body(store, one["item_id"])
            assert not task.problems_of_answer(one["value"], body), (study, one["item"])
            yield task.name, one["rater"], one["rater_kind"], one["item"], one["value"], body


@pytest.mark.first_quick
@pytest.mark.parametrize(("study", "path"), FILES, ids=[f"{s}-{p.stem}" for s, p in FILES])
def test_a_demos_file_is_what_its_store_exports_but_for_the_times(
    study: str, path: Path, demo: Store, tmp_path: Path
) -> None:
    form = "csv" if path.suffix == ".csv" else "jsonl"
    table = work_behind_commands.make_export_table(
        demo,
        Settings(),
        path.stem,
        viewer=None,
        study=study,
        dataset="demo",
        nested=form != "csv",
        history=path.stem == "questionnaire",
    )
    kept = table.drop(columns=[one for one in TIMES if one in table])
    write_table(kept, tmp_path / path.name, format=form)  # type: ignore[arg-type]
    assert (tmp_path / path.name).read_bytes() == path.read_bytes()


@pytest.mark.deep
def test_everything_is_marked_as_made_up_and_added_once(demo: Store) -> None:
    assert demo.rows("select distinct dataset, illustrative from item") == [("demo", True)]
    assert demo.rows("select distinct origin from rater where kind = 'person'") == [("demo",)]
    before = demo.current_version_by_table()
    told = work_behind_commands.add_demo_studies_and_return_report_text(demo)
    assert "The illustrative demo of error tagging is there: 24 items, 60 judgments" in told
    assert {
        table: n for table, n in demo.current_version_by_table().items() if n != before[table]
    } == {}


def test_the_texts_hold_no_emoji() -> None:
    for _, path in FILES:
        text = path.read_text(encoding="utf-8")
        # Emoji are of the category "symbol, other", as is the degree sign.
        assert {one for one in text if unicodedata.category(one) == "So"} <= {"°"}, path


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('kind = "gold"', 'kind = "silver"', "manifest.toml, line 16.*one of g4ue-items"),
        ('name = "gold.csv"', 'name = "../gold.csv"', "line 15.*a file in the manifest's folder"),
        ('dataset = "demo"', "", "line 1.*'dataset'"),
        ("[[file]]", "[[files]]", "manifest.toml"),
    ],
)
def test_a_fault_in_a_manifest_is_named_with_its_line(
    old: str, new: str, said: str, store: Store, tmp_path: Path
) -> None:
    folder = STUDIES["tagging"].demo_files
    assert folder
    shutil.copytree(folder, tmp_path / "tagging")
    file = tmp_path / "tagging" / MANIFEST
    file.write_text(file.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    with pytest.raises(BadFile, match=said):
        STUDIES["tagging"].import_folder_and_describe_result(store, Settings(), file.parent)


def test_a_fault_in_a_file_of_a_manifest_is_named_with_its_line(
    store: Store, tmp_path: Path
) -> None:
    folder = STUDIES["tagging"].demo_files
    assert folder
    shutil.copytree(folder, tmp_path / "tagging")
    file = tmp_path / "tagging" / "gold.csv"
    file.write_text("item,labels\ndemo02,Made up\n", encoding="utf-8")
    with pytest.raises(BadFile, match=r"gold.csv, line 2.*labels of the taxonomy"):
        STUDIES["tagging"].import_folder_and_describe_result(store, Settings(), file.parent)
    file.write_text("item,labels\ndemo99,Non-medical factual error\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match="'demo99'"):
        STUDIES["tagging"].import_folder_and_describe_result(store, Settings(), file.parent)


# -- error tagging ---------------------------------------------------------------------------------


SHORT = {f"demo{number:02}" for number in (2, 3, 4, 5, 10, 19)}


def test_there_are_24_responses_in_the_form_of_the_examination(demo: Store) -> None:
    found = tagging.list_items_with_names_and_if_illustrative(demo, "demo")
    assert len(found) == 24
    for name, _, item in found:
        keys = [option.key for option in item.options]
        assert keys in (list("ABCD"), list("ABCDE")), name
        assert {item.correct, item.chosen} <= {*keys, None}, name
        assert item.chosen != item.correct, name
        # A few are shorter than the examination's: newcomers begin with them.
        fewest = (60, 120) if name not in SHORT else (35, 70)
        assert fewest[0] <= len(item.question.split()) <= 130, name
        assert fewest[1] <= len(item.response.split()) <= 260, name
        assert item.question.endswith("?"), name
        assert (item.model, item.meta_info) == ("demo-model", "illustrative")
    text = "".join(item.question + item.response for _, _, item in found)
    assert set("≥µ°β³−×") <= set(text)


def test_three_raters_tag_twenty_responses_each_with_every_label_and_differ(demo: Store) -> None:
    found = list(judged(demo, "tagging"))
    assert Counter(rater for _, rater, *_ in found) == {f"Demo rater {one}": 20 for one in "ABC"}
    per_item = Counter(item for _, _, _, item, *_ in found)
    assert len(per_item) == 24
    assert set(per_item.values()) == {2, 3}
    where: dict[str, set[str]] = {}
    for _, _, _, item, value, body in found:
        for label in value.labels_given():  # type: ignore[attr-defined]
            where.setdefault(label, set()).add(item)
        for span in value.spans:  # type: ignore[attr-defined]
            assert body["response"][span.start : span.end] == span.quote
    assert len(where) == 9
    assert min(map(len, where.values())) >= 3
    task = STUDIES["tagging"].tasks(STUDIES["tagging"].open(demo, Settings(), "demo"))[0]
    key = consensus.gold_items_table(demo, task, dataset="demo", viewer=None)
    assert len(key) == 2
    for gold, expected in zip(key["item"], key["expected"], strict=True):
        given = [value.labels_given() for _, _, _, item, value, _ in found if item == gold]  # type: ignore[attr-defined]
        assert len(given) == 3
        assert all(set(expected["labels"]) <= labels for labels in given)
        assert any(set(expected["labels"]) != labels for labels in given)
    assert demo.rows("select form, count(distinct rater) from survey group by 1 order by 1") == [
        ("background", 3),
        ("feedback", 3),
    ]


# -- AgentClinic -----------------------------------------------------------------------------------


def test_every_outcome_and_three_biases_occur_among_forty_visits(demo: Store) -> None:
    visits = [
        (name, one) for _, name, _, one in clinic.list_dialogues_with_ids_and_names(demo, "demo")
    ]
    cases = clinic.load_cases_by_name(demo, "demo")
    assert (len(cases), len(visits)) == (10, 40)
    assert {one for _, v in visits for one in (v.doctor, v.patient)} == {"demo-a", "demo-b"}
    outcomes = Counter(one.outcome for _, one in visits)
    assert outcomes == {"correct": 24, "incorrect": 12, "no_diagnosis": 3, "error": 1}
    table = metrics_input_tables.dialogues_table(
        visits, {name: one.case for name, one in cases.items()}
    )
    assert {
        (one.doctor, one.bias)
        for one in metrics_accuracy_outcomes_and_bias.list_paired_comparisons_of_biases(table)
    } == {
        ("demo-a", "doctor:recency"),
        ("demo-a", "patient:self_diagnosis"),
        ("demo-b", "patient:gender"),
    }
    assert table["refused"].sum() == 1
    assert table["leaked"].any()
    assert table["echoed"].sum() >= 2
    assert set(table["n_interactions"]) == {10, 20}
    found = Counter(
        one.code
        for findings in list_faults_of_each_case([one.case for one in cases.values()])
        for one in findings
    )
    assert found == {"diagnosis_in_tests": 1, "too_young": 1, "no_tests": 1}
    assert {one.aliases[0] for one in cases.values()} >= {"graves"}


def test_the_doctors_messages_read_as_what_they_are_and_keep_the_limit(demo: Store) -> None:
    kinds = {Say: "say", RequestTest: "request_test", Diagnosis: "diagnosis"}
    for _, name, _, one in clinic.list_dialogues_with_ids_and_names(demo, "demo"):
        assert one.doctor_message_count <= one.n_interactions, name
        for turn in one.turns:
            if turn.speaker == "doctor":
                assert kinds[type(parse_doctor_message(turn.text))] == turn.kind, (name, turn.n)
        if one.diagnosis:
            last = [
                parse_doctor_message(turn.text) for turn in one.turns if turn.kind == "diagnosis"
            ]
            assert [found.diagnosis for found in last if isinstance(found, Diagnosis)] == [
                one.diagnosis
            ]


def test_three_clinicians_rate_two_or_three_at_a_time(demo: Store) -> None:
    found = list(judged(demo, "agentclinic"))
    for task, least in (("dialogue_realism", 25), ("diagnosis_match", 30)):
        raters = Counter(item for name, _, _, item, *_ in found if name == task)
        assert len(raters) >= least
        assert set(raters.values()) == {2, 3}
    marks = {mark.mark for *_, value, _ in found for mark in getattr(value, "marks", ())}
    assert marks == {mark.id for mark in MARKS}


# -- SourceCheckup ---------------------------------------------------------------------------------


@pytest.mark.deep
def test_sourcecheckups_demo_has_what_it_promises(demo: Store) -> None:
    assert len(list(checked.list_questions(demo, "demo"))) == 12
    assert {one.model for one in checked.list_responses(demo, "demo")} == {
        "demo-a",
        "demo-b",
        "demo-c",
    }
    pairs = checked.table_of_all_pairs(demo, "demo")
    assert 140 <= len(pairs) <= 160
    assert len(checked.current_verdicts_table(demo, "demo")) == 2 * (pairs["outcome"] == "ok").sum()
    sources = demo.rows("select url, outcome from sc_source")
    assert len(sources) == 40
    outcomes = {"not_found", "paywalled", "empty", "blocked", "refused"}
    assert outcomes <= {outcome for _, outcome in sources}
    for url, _ in sources:
        host = urlsplit(url).hostname or ""
        reserved = ("example.org", "example.com", "example.net", "example")
        assert not host or host.endswith(reserved), url
    doctors = {rater for _, rater, kind, *_ in judged(demo, "sourcecheckup") if kind == "person"}
    assert doctors == {f"Demo doctor {one}" for one in "ABC"}
    assert (
        checked.current_cleanups_table(demo, "demo")["verdict"]
        .isin(["", "supported", "partly"])
        .all()
    )


# -- EBMQA -----------------------------------------------------------------------------------------


def test_ebmqas_demo_has_every_kind_of_question(demo: Store) -> None:
    [types] = demo.rows(
        "select count(distinct qa_type), count(distinct prevalence), count(distinct subject_type),"
        " count(*), bool_and(illustrative) from ebmqa_question"
    )
    assert types == (13, 3, 4, 2024, True)
    people = Counter(rater for _, rater, *_ in judged(demo, "ebmqa"))
    assert people == {f"Demo clinician {one}": 100 for one in "ABCD"}


@pytest.mark.deep
def test_what_a_demo_model_is_said_to_have_said_means_what_is_kept() -> None:
    folder = STUDIES["ebmqa"].demo_files
    assert folder
    asked = {
        row.values["question_id"]: (json.loads(row.values["options"])[:-1], row.values["kind"])
        for row in iterate_rows_of_table_file(folder / "questions.csv", own_export=True)
    }
    for row in iterate_rows_of_table_file(folder / "answers.csv", own_export=True):
        one = row.values
        options, kind = asked[one["question_id"]]
        said, kept = (
            outcome_option_mask_and_if_text_is_option(
                one[column], tuple(options), several=kind == "semantic"
            )
            for column in ("said", "answer")
        )
        assert OUTCOMES[said[0]] == one["outcome"], one
        assert said[:2] == kept[:2], one
