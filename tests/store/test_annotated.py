"""The items with everybody's word beside them, for every task of every study."""

from __future__ import annotations

import contextlib
import functools
import json
from collections.abc import Callable, Iterator

import pandas as pd
import pytest

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.errors import InvalidInput
from medlens.review import assignment, consensus, remarks_between_raters_and_leads
from medlens.review.anonymity import person_numbers_by_rater_id
from medlens.review.tasks import HandOut
from medlens.store import Store, new_id, open_store
from medlens.studies.registry import STUDIES
from tests.conftest import LayStore, quick_or_deep
from tests.store.made_up import person

SETTINGS = Settings()
DEMOS = [name for name, declared in STUDIES.items() if declared.demo_files]


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore) -> Iterator[Store]:
    path = lay_store(
        tmp_path_factory.mktemp("annotated") / "d.duckdb",
        work_behind_commands.add_demo_studies_and_return_report_text,
    )
    with contextlib.closing(open_store(path)) as store:
        yield store


def annotated(store: Store, study: str, **options: object) -> pd.DataFrame:
    return work_behind_commands.make_export_table(
        store,
        SETTINGS,
        "annotated",
        viewer=None,
        study=study,
        **options,  # type: ignore[arg-type]
    )


Whole = Callable[[str], pd.DataFrame]


@pytest.fixture(scope="module")
def whole(demos: Store) -> Whole:
    """All annotated items of a study's demo, made once."""
    return functools.cache(lambda study: annotated(demos, study))


def tasks_of(store: Store, study: str) -> list:
    return list(STUDIES[study].tasks(STUDIES[study].open(store, SETTINGS, "demo")))


@pytest.mark.parametrize("study", DEMOS)
@pytest.mark.deep
def test_every_item_of_a_study_is_there_once_in_the_order_it_came(
    demos: Store, whole: Whole, study: str
) -> None:
    found = whole(study)
    kinds = list(dict.fromkeys(one.item_kind for one in tasks_of(demos, study)))
    wanted = [
        name
        for kind in kinds
        for (name,) in demos.rows(
            "select name from item_now where study = $study and kind = $kind order by seq",
            study=study,
            kind=kind,
        )
    ]
    assert wanted
    assert list(found["item"]) == wanted


@pytest.mark.parametrize("study", quick_or_deep(*DEMOS))
def test_every_judgment_stands_beside_its_item_in_a_column_of_its_rater(
    demos: Store, whole: Whole, study: str
) -> None:
    found = whole(study).set_index("item")
    for task in tasks_of(demos, study):
        judged = consensus.current_judgments(demos, task, dataset="demo", viewer=None)
        assert len(judged)
        for one in judged.itertuples():
            who = "model" if one.rater_kind == "model" else "rater"
            for field, value in task.answer_as_columns(one.value).items():
                cell = found.loc[one.item, f"{task.name} / {who} {one.rater} / {field}"]
                assert cell == value or (pd.isna(cell) and value is None), (one.item, field)


@pytest.mark.parametrize("study", quick_or_deep(*DEMOS))
def test_by_one_task_only_its_items_and_columns_are_there(demos: Store, study: str) -> None:
    for task in tasks_of(demos, study):
        found = annotated(demos, study, task=task.name)
        others = [one for one in found if " / " in one and not one.startswith(f"{task.name} / ")]
        assert others == []
        assert f"{task.name} / consensus / raters" in found
    with pytest.raises(InvalidInput, match="no task 'dance'"):
        annotated(demos, study, task="dance")


@pytest.mark.parametrize("study", quick_or_deep(*DEMOS))
def test_without_names_nobody_is_named(demos: Store, whole: Whole, study: str) -> None:
    people = [name for (name,) in demos.rows("select name from rater where kind = 'person'")]
    named, bare = whole(study), annotated(demos, study, anonymous=True)
    assert any(name in column for name in people for column in named)
    assert not [c for c in bare if any(name in c for name in people)]
    assert bare.shape == named.shape


def test_the_columns_that_were_imported_are_kept(demos: Store, whole: Whole) -> None:
    items = work_behind_commands.make_export_table(demos, SETTINGS, "items", viewer=None)
    beside = whole("tagging")
    pd.testing.assert_frame_equal(beside[list(items.columns)], items, check_dtype=False)


def test_a_moderator_of_the_visits_is_among_the_models(whole: Whole) -> None:
    found = whole("agentclinic").set_index("item")
    said = found["diagnosis_match / model demo-a / verdict"]
    ended = found["outcome"].map({"correct": "yes", "incorrect": "no"})
    assert set(said.dropna()) == {"yes", "no"}
    assert (said.dropna() == ended[said.notna()]).all()


def test_the_adjudicators_word_stands_in_columns_and_is_the_consensus(
    tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore
) -> None:
    path = lay_store(
        tmp_path_factory.mktemp("word") / "d.duckdb",
        work_behind_commands.add_demo_studies_and_return_report_text,
    )
    with contextlib.closing(open_store(path)) as store:
        lead = person(store, "Lena Lead", lead=True)
        [task] = [one for one in tasks_of(store, "agentclinic") if one.name == "diagnosis_match"]
        judged = consensus.current_judgments(store, task, dataset="demo", viewer=None)
        first = judged.iloc[0]
        other = "no" if first["value"].same == "yes" else "yes"
        body = {"same": other, "reason": ""}
        item = first["item_id"]
        consensus.record_adjudication(store, task, item=item, body=body, reason="As I say", by=lead)
        [row] = annotated(store, "agentclinic").query("item == @first['item']").to_dict("records")
        assert row["diagnosis_match / consensus / same"] == other
        assert row["diagnosis_match / adjudicator / same"] == other
        assert row["diagnosis_match / adjudicator / reason of the adjudicator"] == "As I say"
        assert row["diagnosis_match / adjudicator / by"] == "Lena Lead"
        consensus.record_adjudication(
            store, task, item=item, body=None, reason="Nobody can", by=lead
        )
        [row] = annotated(store, "agentclinic").query("item == @first['item']").to_dict("records")
        assert pd.isna(row["diagnosis_match / consensus / same"])
        assert row["diagnosis_match / adjudicator / no answer holds"]
        assert row["diagnosis_match / adjudicator / reason of the adjudicator"] == "Nobody can"
        [task] = tasks_of(store, "tagging")
        judged = consensus.current_judgments(store, task, dataset="demo", viewer=None)
        first = next(one for one in judged.to_dict("records") if one["value"].spans)
        body = first["value"].model_dump(mode="json")
        consensus.record_adjudication(
            store, task, item=first["item_id"], body=body, reason="So", by=lead
        )
        [row] = annotated(store, "tagging").query("item == @first['item']").to_dict("records")
        parts = json.loads(row["error_spans / adjudicator / parts"])
        assert parts == json.loads(row[f"error_spans / rater {first['rater']} / parts"])
        assert parts[0]["quote"] == first["value"].spans[0].quote
        bare = annotated(store, "agentclinic", anonymous=True)
        assert "Lena Lead" not in json.dumps([list(bare), bare.astype(str).to_numpy().tolist()])


def test_what_nobody_could_rate_has_no_consensus(demos: Store) -> None:
    [task] = [one for one in tasks_of(demos, "agentclinic") if one.name == "dialogue_realism"]
    judged = consensus.current_judgments(demos, task, dataset="demo", viewer=None).head(1)
    judged["value"] = [judged["value"].iloc[0].model_copy(update={"measurement": None})]
    voted = consensus.consensus_table_of_judgments(task, judged, {}).set_index("variable")
    assert pd.isna(voted.loc["measurement", "answer"])
    assert voted.loc["measurement", "votes"] == 0


def test_nothing_but_annotated_items_goes_out_by_task(demos: Store) -> None:
    with pytest.raises(InvalidInput, match="Only the annotated items"):
        work_behind_commands.make_export_table(
            demos, SETTINGS, "items", viewer=None, task="error_spans"
        )


@pytest.mark.deep
def test_what_was_said_of_an_item_stands_in_the_last_columns_and_names_nobody_if_so_asked(
    tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore
) -> None:
    path = lay_store(
        tmp_path_factory.mktemp("said") / "d.duckdb",
        work_behind_commands.add_demo_studies_and_return_report_text,
    )
    with contextlib.closing(open_store(path)) as store:
        lead = person(store, "Lena Lead", lead=True)
        rater, other = person(store, 'Rosa "Ro" Rater'), person(store, "Tom Tagger")
        realism, match = tasks_of(store, "agentclinic")
        before = list(annotated(store, "agentclinic"))
        wide = HandOut(raters_per_item=50, items_per_rater=50)
        for task in (realism, match):
            item = assignment.give_next_item_and_return_id(
                store, task, wide, dataset="demo", rater=rater.id
            )
            assert item
            of = {"item": item, "rater": rater.id}
            flag = {"kind": "flag", "reason": f"Cut off, says {other.name}."}
            assignment.record_opened_skipped_or_flagged(store, task, wide, **of, **flag)
            remarks_between_raters_and_leads.store_remark_on_work(
                store, task, **of, kind="answer", text=f"So it is, {rater.name}.", by=lead
            )
        table = annotated(store, "agentclinic")
        columns = [f"{task.name} / remarks / history" for task in (realism, match)]
        assert list(table) == [*before, *columns]
        [cell] = table[columns[1]].dropna()
        said = json.loads(cell)
        assert [(one["kind"], one["rater"], one["text"], one["by"]) for one in said] == [
            ("flag", rater.name, "Cut off, says Tom Tagger.", rater.name),
            ("answer", rater.name, f"So it is, {rater.name}.", "Lena Lead"),
        ]
        assert pd.Timestamp(said[0]["at"]) < pd.Timestamp(said[1]["at"])
        bare = annotated(store, "agentclinic", anonymous=True)
        [cell] = bare[columns[1]].dropna()
        for name in ("Rosa", "Tom", "Lena"):
            assert name not in json.dumps([list(bare), bare.astype(str).to_numpy().tolist()])
        said = json.loads(cell)
        assert [one["by"] for one in said] == [said[0]["rater"], "lead"]
        # Who judged nothing here has a number of their own, and the same in a text.
        judged = {column.split(" / ")[1] for column in bare if " / rater " in column}
        assert f"rater {said[0]['rater']}" not in judged
        numbers = person_numbers_by_rater_id(store)
        assert said[0]["rater"] == numbers[rater.id]
        bare_table = work_behind_commands.make_export_table(
            store, SETTINGS, "annotated", viewer=None, study="agentclinic", anonymous=True
        )
        texts = [one["text"] for one in json.loads(bare_table[columns[1]].dropna().iloc[0])]
        assert texts == [
            f"Cut off, says person {numbers[other.id]}.",
            f"So it is, person {numbers[rater.id]}.",
        ]


@pytest.mark.deep
def test_what_was_said_stands_after_the_columns_of_every_kind_of_item(
    tmp_path_factory: pytest.TempPathFactory, lay_store: LayStore
) -> None:
    path = lay_store(
        tmp_path_factory.mktemp("kinds") / "d.duckdb",
        work_behind_commands.add_demo_studies_and_return_report_text,
    )
    with contextlib.closing(open_store(path)) as store:
        before = annotated(store, "sourcecheckup")
        assert before["item_kind"].nunique() > 1
        [(task, item, rater)] = store.rows(
            "select j.task, j.item, j.rater from judgment j join rater r on r.id = j.rater"
            " and r.kind = 'person' join item i on i.id = j.item and i.study = 'sourcecheckup'"
            " and i.kind = $kind order by j.seq limit 1",
            kind=before["item_kind"].iloc[0],
        )
        said = {"task": task, "item": item, "rater": rater, "kind": "flag", "reason": "Cut off."}
        store.append("assignment_event", {"id": new_id(), **said, "lease_until": None})
        after = annotated(store, "sourcecheckup")
        assert list(after) == [*before, f"{task} / remarks / history"]


def test_a_comment_is_listed_once_with_the_name_its_rater_has_in_the_columns(
    demos: Store, whole: Whole
) -> None:
    found = whole("tagging")
    comments = {
        (row["item"], one["rater"], one["text"])
        for row in found.dropna(subset="error_spans / remarks / history").to_dict("records")
        for one in json.loads(row["error_spans / remarks / history"])
    }
    assert comments
    for item, rater, text in comments:
        row = found[found["item"] == item].iloc[0]
        assert row[f"error_spans / rater {rater} / comment"].strip() == text


@pytest.mark.first_quick
@pytest.mark.parametrize("study", [name for name in STUDIES if name != "ebmqa"])
def test_a_study_without_items_is_a_table_without_rows(store: Store, study: str) -> None:
    found = annotated(store, study)
    assert found.shape[0] == 0
    assert "item" in found


def test_a_study_without_questions_says_that_it_has_none(store: Store) -> None:
    with pytest.raises(InvalidInput, match="no questions yet"):
        annotated(store, "ebmqa")
