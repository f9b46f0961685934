"""Columns that no study asks for are kept with the items of their file."""

from __future__ import annotations

import contextlib
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import BadFile, InvalidInput, MedLensError
from medlens.llm.pipeline_declaration_forecast_and_run import How
from medlens.review import (
    further_columns_of_imported_items,
    items,
    items_selected_to_hand_out,
    rater_and_item_subgroups,
)
from medlens.store import Store, open_store
from medlens.studies.ebmqa import benchmark_sample, questionnaire
from medlens.studies.ebmqa.answers import answer_and_questionnaire_queries
from medlens.studies.registry import STUDIES, find_pipeline
from medlens.tables import Request, row_reader, write_table
from tests.conftest import LayStore

pytestmark = pytest.mark.usefixtures("read_near")

SETTINGS = Settings()
ITEMS = (
    "item,question,option_A,option_B,correct,response,ward,item_kind\n"
    'r1,Why?,Cold,Heat,A,"Because of heat, B.",North,old\n'
    "r2,How?,Cold,Heat,B,Slowly.,,\n"
    "r3,When?,Cold,Heat,B,Now.,South,new\n"
)


def add(
    store: Store, kind: str, table: str, name: str = "f.csv", **how: bool
) -> work_behind_commands.Outcome:
    return work_behind_commands.import_file(
        store, SETTINGS, kind, table.encode(), name=name, dataset="mine", **how
    )


def annotated(store: Store, study: str, task: str = "") -> pd.DataFrame:
    found = work_behind_commands.make_export_table(
        store, SETTINGS, "annotated", viewer=None, study=study, dataset="mine", task=task
    )
    return found.set_index("item")


def test_a_file_comes_back_with_all_its_columns_in_the_order_of_its_rows(store: Store) -> None:
    said = add(store, "items", ITEMS).notes
    assert said == ("Further columns kept with the items: ward, item_kind.",)
    found = annotated(store, "tagging")
    assert list(found.index) == ["r1", "r2", "r3"]
    assert [None if pd.isna(one) else one for one in found["ward"]] == ["North", None, "South"]
    # Called like a column of ours, it is told apart.
    assert found.loc["r3", "item_kind_"] == "new"
    # The options are the study's own.
    kept = further_columns_of_imported_items.further_columns_by_item(store, "tagging", "mine")
    assert {column for one in kept.values() for column in one} == {"ward", "item_kind"}


def test_an_item_is_found_by_a_further_column(store: Store) -> None:
    add(store, "items", ITEMS)
    words = {kind: one.words for kind, one in STUDIES["tagging"].listed.items()}
    found = items.table_of_items_on_one_page(store, "tagging", "mine", words, search="south")
    assert list(found["item"]) == ["r3"]
    assert items.count_matching_items(store, "tagging", "mine", words, search="nowhere") == 0


def test_a_file_again_adds_nothing_and_with_other_further_columns_these_stand(store: Store) -> None:
    add(store, "items", ITEMS)
    add(store, "items", ITEMS)
    [(rows,)] = store.rows("select count(*) from item_further")
    assert rows == 2
    add(store, "items", ITEMS.replace("North", "East"))
    assert annotated(store, "tagging").loc["r1", "ward"] == "East"


def test_a_preview_keeps_none_of_them_and_a_refused_file_neither(store: Store) -> None:
    said = add(store, "items", ITEMS, dry_run=True)
    assert "ward" in " ".join(said.notes)
    with pytest.raises(BadFile):
        add(store, "items", ITEMS + "r4,Why?,Cold,Heat,Q,Text.,West,\n")
    assert store.rows("select * from item_further") == []
    # Without its bad row it comes in, and that row's columns with nothing.
    add(store, "items", ITEMS + "r4,Why?,Cold,Heat,Q,Text.,West,\n", skip_bad=True)
    assert "West" not in json.dumps(
        further_columns_of_imported_items.further_columns_by_item(store, "tagging", "mine")
    )


@pytest.mark.deep
def test_what_differs_between_rows_of_one_item_tells_of_something_else(store: Store) -> None:
    question = {"question_id": "q1", "question": "Why?", "group": "g"}
    answer = {"response_id": "a1", "question_id": "q1", "model": "m", "response": "It is so."}
    add(store, "sourcecheckup-questions", json.dumps(question) + "\n", "q.jsonl")
    add(
        store,
        "sourcecheckup-responses",
        json.dumps({**answer, "urls": ["https://a.example/"]}) + "\n",
        "r.jsonl",
    )
    stated = "statement_id,response_id,statement\ns1,a1,It is so.\n"
    add(store, "sourcecheckup-statements", stated)
    page = {"url": "https://a.example/", "status": 200, "text": "It is so."}
    add(store, "sourcecheckup-sources", json.dumps(page) + "\n", "s.jsonl")
    pairs = (
        "statement_id,url,rater,verdict,topic,mood\n"
        "s1,https://a.example/,Ann,supported,skin,good\n"
        "s1,https://a.example/,Bob,supported,skin,bad\n"
    )
    said = add(store, "sourcecheckup-pairs", pairs).notes
    assert said[-2].endswith("kept with the items: topic.")
    assert said[-1].endswith("they differ between rows of one item: mood.")
    found = annotated(store, "sourcecheckup", "source_support")
    assert list(found["topic"]) == ["skin"]
    assert "mood" not in found


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("cell", "kept"),
    [
        ("NaN", None),
        ("Infinity", None),
        ('{"a": [NaN, 1]}', '{"a": [null, 1]}'),
        ("true", True),
        ("1e400", None),
        ("[]", "[]"),
        ('"=1+1"', "=1+1"),
    ],
)
def test_whatever_a_cell_holds_it_is_kept_or_passed_over(
    store: Store, cell: str, kept: object
) -> None:
    row = f'{{"id": "r1", "text": "{_HTML}", "x": {cell}, "y": 1}}\n'
    add(store, "g4ue-items", row, "i.jsonl")
    found = annotated(store, "tagging")
    assert found.loc["r1", "y"] == 1
    assert ("x" in found) == (kept is not None)
    assert kept is None or found.loc["r1", "x"] == kept


_HTML = (
    "<strong>USMLE question:</strong> Why?<br>"
    "<strong>Options:</strong> {'A': 'Cold', 'B': 'Heat'}<br>"
    "<strong>Correct Answer:</strong> A<br><strong>GPT-4 Response:</strong> Because of B."
)


@pytest.mark.parametrize(
    ("kind", "header", "row"),
    [
        (
            "items",
            "item,question,option_A,option_B,correct,response,ward,dataset",
            "r{at},Why?,Cold,Heat,A,Because,North {at},mine",
        ),
        ("judgments", "item,rater,task,ward,dataset,value", "r{at},Ada,error_spans,1,mine,{{}}"),
    ],
)
def test_however_many_look_at_a_table_its_rows_are_read_once(
    store: Store, monkeypatch: pytest.MonkeyPatch, kind: str, header: str, row: str
) -> None:
    many = 2_000
    lines = 0
    read = row_reader.iterate_text_blocks_with_their_lines

    def counted(*args: Any, **how: Any) -> Iterator[tuple[str, list[str]]]:
        nonlocal lines
        for text, some in read(*args, **how):
            lines += len(some)
            yield text, some

    monkeypatch.setattr(row_reader, "iterate_text_blocks_with_their_lines", counted)
    table = "\n".join([header, *(row.format(at=at) for at in range(many))])
    with contextlib.suppress(MedLensError):  # No judgment fits: there are no items.
        work_behind_commands.import_file(
            store, SETTINGS, kind, table.encode(), name="f.csv", dataset=""
        )
    # Beside all rows those first ones by which the file is recognised.
    assert many < lines < 1.2 * many


@pytest.mark.first_quick
@pytest.mark.parametrize(
    ("kind", "table"),
    [
        ("items", "items"),
        ("agentclinic-dialogues", "dialogues"),
        ("ebmqa-questions", "questions"),
        ("sourcecheckup-questions", "questions"),
        ("sourcecheckup-responses", "responses"),
        ("sourcecheckup-pairs", "pairs"),
    ],
)
def test_what_medlens_writes_has_no_column_that_it_does_not_know(
    demos: Store, kind: str, table: str
) -> None:
    declared = next(one for one in STUDIES.values() if kind in one.imports)
    out = io.BytesIO()
    made = work_behind_commands.make_export_table(
        demos, SETTINGS, table, viewer=None, study=declared.name, dataset="demo"
    )
    assert len(made)
    write_table(made, out, format="jsonl")
    opened = declared.open(demos, SETTINGS, "demo")
    request = Request(out.getvalue(), "f.jsonl", "demo")
    further = further_columns_of_imported_items.FurtherColumns(declared.imports[kind], opened)
    assert further.store_and_return_notes(demos, study=declared.name, request=request) == ()


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore) -> Iterator[Store]:
    path = lay_store(
        tmp_path_factory.mktemp("further") / "d.duckdb",
        work_behind_commands.add_demo_studies_and_return_report_text,
    )
    with contextlib.closing(open_store(path)) as store:
        yield store


# -- files that are read as columns ----------------------------------------------------------------


def _further_of_pairs(
    store: Store, table: bytes, monkeypatch: pytest.MonkeyPatch, *, by_row: bool
) -> tuple[tuple[str, ...], list[tuple[str, str, str]], bool]:
    """Notes on the further columns of a table of pairs, what is stored of them, and whether its
    rows were read one by one.
    """
    declared = next(one for one in STUDIES.values() if "sourcecheckup-pairs" in one.imports)
    kind, opened = declared.imports["sourcecheckup-pairs"], declared.open(store, SETTINGS, "demo")
    rows_read = False

    def iterate_rows_of_table_file(*args: Any, **how: Any) -> Iterator[row_reader.Row]:
        nonlocal rows_read
        rows_read = True
        return row_reader.iterate_rows_of_table_file(*args, **how)

    added: list[tuple[str, str, str]] = []

    def append_all_and_count_new_by_table(batch: Any) -> None:
        added.extend((row["id"], row["item"], row["body"]) for row in batch["item_further"])

    def append_tables_and_count_new_by_table(batch: Any) -> None:
        append_all_and_count_new_by_table({"item_further": batch["item_further"].to_pylist()})

    with monkeypatch.context() as patch:
        patch.setattr(
            further_columns_of_imported_items,
            "iterate_rows_of_table_file",
            iterate_rows_of_table_file,
        )
        patch.setattr(store, "append_all_and_count_new_by_table", append_all_and_count_new_by_table)
        patch.setattr(
            store, "append_tables_and_count_new_by_table", append_tables_and_count_new_by_table
        )
        if by_row:
            patch.setattr(
                further_columns_of_imported_items,
                "read_text_columns_as_arrow_table",
                lambda *_, **__: None,
            )
        request = Request(table, "f.csv", "demo")
        notes = further_columns_of_imported_items.FurtherColumns(
            kind, opened
        ).store_and_return_notes(store, study=declared.name, request=request)
    return notes, added, rows_read


def _pairs_of_demo(store: Store, many: int) -> pd.DataFrame:
    made = work_behind_commands.make_export_table(
        store, SETTINGS, "pairs", viewer=None, study="sourcecheckup", dataset="demo"
    )
    pairs = made[["statement_id", "url"]].drop_duplicates()
    return pd.concat([pairs] * (many // len(pairs) + 1), ignore_index=True).head(many)


def test_further_columns_are_the_same_whether_a_table_is_read_as_columns_or_by_row(
    demos: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = _pairs_of_demo(demos, 300)
    named = pairs["statement_id"] + pairs["url"]
    found = pairs.assign(
        ward=named.map(lambda text: f"North {len(text) % 7}" if len(text) % 3 else ""),
        **{"two lines": named.map(lambda text: f'"{text}"\n\'=1'), "turn": range(300)},
    ).rename(columns={"url": " URL"})
    found.loc[5, "statement_id"] = "there is none such"
    table = found.to_csv(index=False).encode()
    fast, slow = (
        _further_of_pairs(demos, table, monkeypatch, by_row=by_row) for by_row in (False, True)
    )
    assert [fast[2], slow[2]] == [False, True]
    assert fast[:2] == slow[:2]
    assert fast[0] == (
        "Further columns kept with the items: ward, two lines.",
        "Further columns not kept, since they differ between rows of one item: turn.",
    )
    assert any('"ward": "North' in body and "\\n=1" in body for _, _, body in fast[1])
    monkeypatch.setattr(further_columns_of_imported_items, "_MANY", 1)
    assert _further_of_pairs(demos, table, monkeypatch, by_row=False)[:2] == fast[:2]


def test_a_column_that_two_hundred_rows_leave_empty_is_not_kept_from_columns_either(
    demos: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = _pairs_of_demo(demos, 201)
    late = pairs.assign(ward=["", *[""] * 199, "North"]).to_csv(index=False).encode()
    soon = pairs.assign(ward=["", *[""] * 198, "North", ""]).to_csv(index=False).encode()
    for table, kept in ((late, 0), (soon, 1)):
        fast, slow = (
            _further_of_pairs(demos, table, monkeypatch, by_row=by_row) for by_row in (False, True)
        )
        assert fast[:2] == slow[:2]
        assert len(fast[1]) == kept


def test_a_number_in_parquet_is_kept_as_a_number(
    demos: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = _pairs_of_demo(demos, 3)
    texts, numbers = io.BytesIO(), io.BytesIO()
    pairs.assign(ward=["North", None, ""]).to_parquet(texts)
    pairs.assign(ward=[1, 2, 3]).to_parquet(numbers)
    of_texts = _further_of_pairs(demos, texts.getvalue(), monkeypatch, by_row=False)
    assert [body for _, _, body in of_texts[1]] == ['{"ward": "North"}']
    assert not of_texts[2]
    of_numbers = _further_of_pairs(demos, numbers.getvalue(), monkeypatch, by_row=False)
    assert [body for _, _, body in of_numbers[1]] == [f'{{"ward": {n}}}' for n in (1, 2, 3)]
    assert of_numbers[2]


# -- questions of EBMQA, which become items only when a questionnaire is drawn of them -------------

QUESTIONS = pd.DataFrame(
    {
        "question_id": f"q{n}",
        "kind": "numeric",
        "qa_type": "Prevalence",
        "question": f"How common is sign {n}?",
        "options": '["Less than 5%", "More than 5%"]',
        "correct": '["Less than 5%"]',
        "length": "short" if n < 2 else "long",
        "ward": "North" if n % 2 else "South",
        "note": f"Note {n}",
    }
    for n in range(4)
)


@pytest.mark.deep
def test_further_columns_of_questions_are_kept_drawn_by_and_come_back(store: Store) -> None:
    said = add(store, "ebmqa-questions", QUESTIONS.to_csv(index=False)).notes
    assert said == ("Further columns kept with the items: ward, note.",)
    table = work_behind_commands.make_export_table(
        store, SETTINGS, "questions", viewer=None, study="ebmqa", dataset="mine"
    ).set_index("question_id")
    assert table["ward"].to_dict() == {"q0": "South", "q1": "North", "q2": "South", "q3": "North"}
    groups = answer_and_questionnaire_queries.count_numeric_questions_by_group(store, "mine")
    assert groups["ward", "North"] == groups["length", "short"] == 2
    assert ("note", "Note 1") in groups
    assert ("qa_type", "Prevalence") not in groups  # all of them: no choice
    with pytest.raises(InvalidInput, match="has 2 such ones"):
        questionnaire.sample_questionnaire_and_count_added(
            store, "mine", number=3, among=("ward", "North")
        )
    questionnaire.sample_questionnaire_and_count_added(
        store, "mine", number=2, among=("ward", "North")
    )
    assert set(
        answer_and_questionnaire_queries.load_questionnaire_item_id_by_name(store, "mine")
    ) == {"q1", "q3"}
    found = annotated(store, "ebmqa")
    assert found[["ward", "note"]].to_dict("index") == {
        "q1": {"ward": "North", "note": "Note 1"},
        "q3": {"ward": "North", "note": "Note 3"},
    }
    # In Hand out they can be chosen by; what is then drawn is the questionnaire.
    declared = STUDIES["ebmqa"]
    opened = declared.open(store, SETTINGS, "mine")
    wards = rater_and_item_subgroups.group_items_by_file_columns(
        declared, store, opened, opened.task.item_kind
    )
    assert {value for column, value in wards if column == "note"} == {"Note 1", "Note 3"}
    third = wards["note", "Note 3"]
    how = {"many": 1, "dataset": "mine", "seed": 1, "said": "", "by": None}
    items_selected_to_hand_out.sample_items_to_hand_out_and_count_new(
        store, opened.task, among=third, **how
    )
    assert set(
        answer_and_questionnaire_queries.load_questionnaire_item_id_by_name(store, "mine")
    ) == {"q3"}


def test_a_benchmark_takes_the_further_columns_of_its_questions_along(store: Store) -> None:
    add(store, "ebmqa-questions", QUESTIONS.to_csv(index=False))
    design = benchmark_sample.Design((benchmark_sample.Stratum("length", 1),), seed=1)
    benchmark_sample.add_benchmark_sample_and_count_by_stratum(
        store, design, dataset="mine", into="drawn", name="d.toml"
    )
    names = answer_and_questionnaire_queries.names_of_numeric_questions_and_if_illustrative(
        store, "drawn"
    )[0]
    kept = further_columns_of_imported_items.load_further_columns_by_item_name(
        store, items.ids_by_name_made_from_item_names("ebmqa", "drawn", names)
    )
    assert {name: body["note"] for name, body in kept.items()} == {
        name: f"Note {name[1:]}" for name in names
    }


def test_further_columns_of_a_graph_are_kept_where_the_edges_of_a_question_agree(
    store: Store, tmp_path: Path
) -> None:
    rows = [
        ("a", ".02", "North", "x"),
        ("b", ".10", "South", "x"),
        ("c", ".30", "", "y"),
        ("d", ".60", "North", "y"),
        # A second edge of the first question: the same ward, another source.
        ("a", ".04", "North", "z"),
    ]
    head = "qa_type,source,source_type,target,target_type,min,max,citations,ward,origin"
    lines = [
        f"Sensitivity,gout,disorder,{target},sign,{value},{value},Smith,{ward},{origin}"
        for target, value, ward, origin in rows
    ]
    path = tmp_path / "g.csv"
    path.write_text("\n".join([head, *lines]) + "\n")
    done = find_pipeline("ebmqa", "generate").start(
        store, SETTINGS, graph=path, into="mine", skip_bad=False, how=How()
    )
    assert "Further columns kept with the questions: origin, ward." in done.lines
    table = work_behind_commands.make_export_table(
        store, SETTINGS, "questions", viewer=None, study="ebmqa", dataset="mine"
    ).set_index("target")
    assert table["ward"].dropna().to_dict() == {"a": "North", "b": "South", "d": "North"}
    assert table["origin"].dropna().to_dict() == {"b": "x", "c": "y", "d": "y"}


def test_of_many_columns_only_the_first_are_named() -> None:
    names = [f"c{n}" for n in range(400)]
    assert further_columns_of_imported_items.first_column_names_in_words(names).endswith(
        "c18, c19 and 380 more"
    )
    # One more would be said as fast as it is counted.
    assert further_columns_of_imported_items.first_column_names_in_words(names[:21]).endswith(
        "c19, c20"
    )
