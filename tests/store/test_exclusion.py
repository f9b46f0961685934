"""A rater's work is excluded and returned, and counts everywhere or nowhere."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pandas as pd
import pytest

from medlens.config.settings import Settings
from medlens.errors import Conflict, InvalidInput, NotAllowed
from medlens.review import (
    assignment,
    audit_log,
    consensus,
    items,
    judging,
    judgment_export,
    rater_exclusion,
    raters,
    survey_answers_and_completion_code,
    work_progress_and_pace_by_item_and_rater,
)
from medlens.review.raters import Rater
from medlens.review.tasks import HandOut, Task
from medlens.store import Store, new_id, open_store
from medlens.studies.registry import STUDIES
from tests.conftest import LayStore, quick_or_deep
from tests.store.made_up import TASK, Rating, person, poems

pytestmark = pytest.mark.usefixtures("read_near")

ONE_EACH = HandOut(raters_per_item=1, items_per_rater=9, gold_share=0)


@pytest.fixture
def lead(store: Store) -> Rater:
    return person(store, "Lena", lead=True)


@pytest.fixture
def rosa(store: Store) -> Rater:
    return person(store, "Rosa")


def judge(store: Store, rater: Rater, score: int, dataset: str = "poems") -> str:
    item = assignment.give_next_item_and_return_id(
        store, TASK, ONE_EACH, dataset=dataset, rater=rater.id
    )
    assert item is not None
    work = {"item": item, "rater": rater.id, "token": new_id(), "body": {"score": score}}
    judging.submit_judgment(store, TASK, **work)
    return item


def counted(store: Store, dataset: str = "poems") -> tuple[int, ...]:
    """How many judgments each of the readers of judgments knows of."""
    of = {"dataset": dataset, "viewer": None}
    coverage = work_progress_and_pace_by_item_and_rater.list_item_counts_per_number_of_judgments(
        store, TASK, dataset=dataset
    )
    return (
        len(consensus.current_judgments(store, TASK, **of)),
        len(consensus.current_judgments(store, TASK, **of, blind=False)),
        len(consensus.consensus_table(store, TASK, **of)),
        len(judgment_export.judgments_table(store, TASK, **of)),
        sum(n * many for n, many in coverage),
        int(
            items.table_of_items_on_one_page(store, "made_up", dataset, {"poem": "i.name"})[
                "judged_by"
            ].sum()
        ),
    )


@pytest.mark.deep
def test_excluded_work_counts_nowhere_until_it_is_returned(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    poems(store, 2)
    judge(store, rosa, 5)
    before = consensus.data_version_of_consensus(store)
    assert counted(store) == (1,) * 6
    rater_exclusion.exclude_or_return_rater(
        *(store, rosa.id),
        task=TASK.name,
        dataset="poems",
        reason=" Asked\u202e a model.\x00\n",
        by=lead,
    )
    assert counted(store) == (0,) * 6
    assert consensus.data_version_of_consensus(store) > before
    table = judgment_export.judgments_table(store, TASK, dataset="poems", viewer=lead, history=True)
    assert table["stands"].tolist() == [False]
    rater_exclusion.exclude_or_return_rater(
        store, rosa.id, task=TASK.name, dataset="poems", reason="A mistake.", by=lead, back=True
    )
    assert counted(store) == (1,) * 6
    assert [
        (one.excluded, one.scope_in_words, one.by)
        for one in rater_exclusion.list_exclusions_and_returns(store, viewer=lead)
    ] == [
        (False, "made_up_rating of poems", "Lena"),
        (True, "made_up_rating of poems", "Lena"),
    ]
    told = audit_log.entries_table(store, viewer=lead, kinds=["exclusion"])
    assert told["detail"].tolist() == [
        "returned to made_up_rating of poems: A mistake.",
        "excluded from made_up_rating of poems: Asked a model.",
    ]


@pytest.mark.deep
def test_an_exclusion_holds_for_one_dataset_or_for_all(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    poems(store, 1)
    [other] = poems(store, 1, dataset="later")
    judge(store, rosa, 5)
    store.append(
        "judgment",
        {
            **store.query_rows_as_dicts("select * exclude (seq, made_at) from judgment")[0],
            "id": new_id(),
            "item": other,
        },
    )
    assert (counted(store)[0], counted(store, "later")[0]) == (1, 1)
    rater_exclusion.exclude_or_return_rater(
        store, rosa.id, task=TASK.name, dataset="later", reason="Drunk.", by=lead
    )
    assert (counted(store)[0], counted(store, "later")[0]) == (1, 0)
    rater_exclusion.exclude_or_return_rater(store, rosa.id, reason="Everywhere.", by=lead)
    assert (counted(store)[0], counted(store, "later")[0]) == (0, 0)
    [one] = rater_exclusion.exclusions_in_force_by_rater(store, TASK.name, "later").values()
    assert one.scope_in_words == "everything"
    rater_exclusion.exclude_or_return_rater(
        store, rosa.id, reason="Only there.", by=lead, back=True
    )
    assert (counted(store)[0], counted(store, "later")[0]) == (1, 0)


@pytest.mark.deep
def test_work_is_excluded_and_returned_as_often_as_a_lead_thinks_better_of_it(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    poems(store, 2)
    judge(store, rosa, 5)
    for back in (False, True, False, True):
        rater_exclusion.exclude_or_return_rater(store, rosa.id, reason="So.", by=lead, back=back)
        assert counted(store) == (int(back),) * 6
        with pytest.raises(Conflict):
            rater_exclusion.exclude_or_return_rater(
                store, rosa.id, reason="So.", by=lead, back=back
            )


def test_what_an_excluded_rater_judged_goes_to_others_and_they_get_nothing_new(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    ben = person(store, "Ben")
    poems(store, 2)
    first = judge(store, rosa, 5)
    ask = {"dataset": "poems"}
    assert judge(store, ben, 5) != first
    assert (
        assignment.give_next_item_and_return_id(store, TASK, ONE_EACH, rater=ben.id, **ask) is None
    )
    rater_exclusion.exclude_or_return_rater(store, rosa.id, reason="Very fast.", by=lead)
    assert (
        assignment.give_next_item_and_return_id(store, TASK, ONE_EACH, rater=rosa.id, **ask) is None
    )
    assert assignment.load_rater_queue(store, TASK, ONE_EACH, rater=rosa.id, **ask).total == 1
    assert judge(store, ben, 6) == first
    # Returned, both count; nobody else is asked for the item.
    rater_exclusion.exclude_or_return_rater(store, rosa.id, reason="A slip.", by=lead, back=True)
    assert counted(store)[0] == 3
    assert (
        assignment.give_next_item_and_return_id(store, TASK, ONE_EACH, rater=lead.id, **ask) is None
    )


def test_what_an_excluded_rater_judged_elsewhere_keeps_nobody_from_the_item(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    [item], ben = poems(store, 1), person(store, "Ben")
    said = judging.make_imported_judgment_row(TASK.name, item, rosa.id, Rating(score=5))
    store.append("judgment", said)
    ask = {"dataset": "poems", "rater": ben.id}
    assert assignment.give_next_item_and_return_id(store, TASK, ONE_EACH, **ask) is None
    rater_exclusion.exclude_or_return_rater(store, rosa.id, reason="Very fast.", by=lead)
    assert assignment.give_next_item_and_return_id(store, TASK, ONE_EACH, **ask) == item


def test_an_exclusion_that_cannot_be_is_refused_in_words(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    model = raters.find_or_add_rater_by_name(store, "gpt", kind="model", origin="model")
    with pytest.raises(NotAllowed):
        rater_exclusion.exclude_or_return_rater(store, rosa.id, reason="x", by=rosa)
    with pytest.raises(InvalidInput, match="A reason is missing"):
        rater_exclusion.exclude_or_return_rater(store, rosa.id, reason=" ", by=lead)
    with pytest.raises(InvalidInput, match="Only a person's"):
        rater_exclusion.exclude_or_return_rater(store, model.id, reason="x", by=lead)
    with pytest.raises(InvalidInput, match="or neither"):
        rater_exclusion.exclude_or_return_rater(store, rosa.id, task=TASK.name, reason="x", by=lead)
    with pytest.raises(Conflict, match="is not excluded"):
        rater_exclusion.exclude_or_return_rater(store, rosa.id, reason="x", by=lead, back=True)
    rater_exclusion.exclude_or_return_rater(store, rosa.id, reason="x", by=lead)
    with pytest.raises(Conflict, match="excluded already"):
        rater_exclusion.exclude_or_return_rater(store, rosa.id, reason="x", by=lead)
    with pytest.raises(NotAllowed):
        rater_exclusion.list_exclusions_and_returns(store, viewer=rosa)


@pytest.mark.deep
@pytest.mark.parametrize("name", quick_or_deep("tagging", "agentclinic", "sourcecheckup"))
def test_the_figures_of_every_study_leave_excluded_work_out_and_take_it_back(
    tmp_path: Path, lay_store: LayStore, name: str
) -> None:
    demo = lay_store(tmp_path / "demo.duckdb", STUDIES[name].demo)
    with contextlib.closing(open_store(demo)) as store:
        lead = person(store, "Lena", lead=True)
        declared = STUDIES[name]
        study = declared.open(store, Settings(), "demo")
        judged = {task.name: _raters(store, task) for task in declared.tasks(study)}
        rater = next(iter(set().union(*judged.values())))

        def figures() -> pd.DataFrame:
            assert declared.figures is not None
            return declared.figures.export(store, study, viewer=lead)

        before = figures()
        rater_exclusion.exclude_or_return_rater(store, rater, reason="x", by=lead)
        assert not figures().equals(before)
        for task in declared.tasks(study):
            assert rater not in _raters(store, task)
        rater_exclusion.exclude_or_return_rater(store, rater, reason="x", by=lead, back=True)
        assert {task.name: _raters(store, task) for task in declared.tasks(study)} == judged
        if name == "tagging":  # figures are made of the judgments that count
            pd.testing.assert_frame_equal(figures(), before)


def _raters(store: Store, task: Task) -> set[str]:
    found = consensus.current_judgments(store, task, dataset="demo", viewer=None)
    return set(found["rater_id"][found["rater_kind"] == "person"])


def test_the_forms_of_who_is_excluded_everywhere_are_left_out_and_come_back(
    store: Store, lead: Rater, rosa: Rater
) -> None:
    for one in (lead, rosa):
        survey_answers_and_completion_code.save_survey_answers(
            store, form="background", rater=one.id, answers={"stage": "Resident"}
        )

    def named() -> list[str]:
        return survey_answers_and_completion_code.survey_answers_table(store, viewer=lead)[
            "rater"
        ].tolist()

    assert named() == ["Lena", "Rosa"]
    poems(store, 1)
    rater_exclusion.exclude_or_return_rater(
        store, rosa.id, task=TASK.name, dataset="poems", reason="Fast.", by=lead
    )
    assert named() == ["Lena", "Rosa"]
    rater_exclusion.exclude_or_return_rater(store, rosa.id, reason="Not a person.", by=lead)
    assert named() == ["Lena"]
    rater_exclusion.exclude_or_return_rater(store, rosa.id, reason="A mistake.", by=lead, back=True)
    assert named() == ["Lena", "Rosa"]
