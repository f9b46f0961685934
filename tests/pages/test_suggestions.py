"""A lead lets a model's answers stand before reviewers, who are told so; both arms are compared."""

from __future__ import annotations

import pytest

from medlens.app import study_report, work_behind_commands
from medlens.config.settings import Settings
from medlens.review import judging, randomised_model_suggestions, raters
from medlens.review.randomised_model_suggestions import Arm
from medlens.review.raters import Rater
from medlens.review.tasks import Task
from medlens.store import Store
from medlens.studies.registry import STUDIES
from tests.pages.conftest import Fill, OpenPage, words

DESKS = {
    "error_spans": ("tagging", "1_Tag_errors.py"),
    "dialogue_realism": ("agentclinic", "2_Read_transcripts.py"),
    "diagnosis_match": ("agentclinic", "2_Read_transcripts.py"),
    "source_support": ("sourcecheckup", "3_Verify_sources.py"),
    "question_quality": ("sourcecheckup", "3_Verify_sources.py"),
}


@pytest.fixture
def filled_by() -> tuple[Fill, ...]:
    return (work_behind_commands.add_demo_studies_and_return_report_text,)


def judged_by_a_model(store: Store, name: str) -> tuple[Task, str, str]:
    """A task of a demo whose items a model has judged, as people did or else as people judged
    another: with dataset and model.
    """
    declared = STUDIES[DESKS[name][0]]
    opened = declared.open(store, Settings(), "")
    task = next(one for one in declared.tasks(opened) if one.name == name)
    said = dict(
        store.rows(
            "select item, any_value(body)::varchar from judgment where task = $t group by item",
            t=name,
        )
    )
    others = store.rows(
        "select id from item where study = $study and dataset = $dataset and kind = $kind",
        study=task.study,
        dataset=opened.dataset,
        kind=task.item_kind,
    )
    some = next(iter(said.values()))
    said = {item: some for (item,) in others} | said
    model = raters.find_or_add_rater_by_name(store, "m-1", kind="model", origin="model")
    rows = [
        judging.make_imported_judgment_row(name, item, model.id, task.parse(body))
        for item, body in said.items()
    ]
    store.append("judgment", *rows)
    return task, opened.dataset, model.id


@pytest.mark.deep
def test_a_models_answer_stands_on_the_desk_and_says_that_it_is_one(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    for done, name in enumerate(DESKS, start=1):
        task, dataset, model = judged_by_a_model(app_store, name)
        study, file = DESKS[name]
        query = {**STUDIES[study].views.get(name, {}), "dataset": dataset, "task": name}
        blind = open_page(file, who=reviewer, **query)
        assert "A model suggests" not in words(blind)
        randomised_model_suggestions.set_or_stop_suggestions(
            app_store, task, dataset, Arm(model, 0.99, 1), by=lead
        )
        page = open_page(file, who=raters.find_or_add_rater_by_name(app_store, "Ben"), **query)
        assert not page.exception, name
        assert "A model suggests:" in words(page)
        shown = app_store.rows("select r.name from reveal v join rater r on r.id = v.rater")
        assert shown == done * [("Ben",)]


@pytest.mark.deep
def test_a_lead_starts_the_arm_sees_what_it_does_and_stops_it(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    task, dataset, model = judged_by_a_model(app_store, "source_support")
    where = {"task": task.name, "dataset": dataset, "section": "suggestions"}
    page = open_page("5_Team.py", who=lead, **where)
    assert "No item has been drawn for a suggestion yet." in words(page)
    next(one for one in page.selectbox if one.label == "Model").set_value(model).run()
    [start] = [one for one in page.button if one.label == "Start suggesting"]
    start.click().run()
    assert randomised_model_suggestions.current_suggestion_setting(
        app_store, task.name, dataset
    ) == Arm(model, 0.5, 0)
    assert "suggests an answer to 50%" in page.success[0].value
    item = app_store.rows(
        "select j.item from judgment j where j.task = $t and j.rater = $m", t=task.name, m=model
    )
    for [one] in item[:20]:
        randomised_model_suggestions.randomise_or_load_suggestion_for_rater(
            app_store, task, dataset=dataset, item=one, rater=reviewer.id
        )
    page = open_page("5_Team.py", who=lead, **where)
    assert not page.exception
    figures = next(one.value for one in page.dataframe if "figure" in one.value)
    assert figures["figure"].tolist() == list(randomised_model_suggestions.FIGURES.values())
    written = study_report.render_report_file(
        app_store, Settings(), "sourcecheckup", dataset=dataset, form="html"
    )
    assert "What suggestions did" in written.decode()
    [stop] = [one for one in page.button if one.label == "Stop"]
    stop.click().run()
    assert (
        randomised_model_suggestions.current_suggestion_setting(app_store, task.name, dataset)
        is None
    )


def test_a_task_without_a_models_judgments_says_what_to_do(
    open_page: OpenPage, lead: Rater
) -> None:
    page = open_page("5_Team.py", who=lead, task="dialogue_realism", section="suggestions")
    assert any("Start a run first" in one.value for one in page.info)
