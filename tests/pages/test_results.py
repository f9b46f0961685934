"""The results view and the opened response, run without a browser on the demo study."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from medlens.app import work_behind_commands
from medlens.review import assignment, items, raters
from medlens.store import Store
from medlens.studies import model_verdicts_and_runs_of_judges
from medlens.studies.model_verdicts_and_runs_of_judges import Verdict
from medlens.studies.registry import STUDIES
from medlens.studies.tagging import metrics_input_tables, queries, tasks
from medlens.studies.tagging.figures_data import load_figure_data
from medlens.studies.tagging.records import ErrorSpan, ErrorSpans, ResponseItem
from medlens.studies.tagging.study_in_dataset import Study, open_study
from medlens.ui import settings_store_and_runs_of_process
from tests.conftest import LayStore

SECTIONS = ["labels", "agreement", "together", "places", "raters", "rules"]


def script(name, role):  # type: ignore[no-untyped-def]  # it runs as a file of its own
    from unittest.mock import patch

    import streamlit as st

    from medlens.review import raters as people
    from medlens.studies.tagging.study_in_dataset import open_study as opened
    from medlens.ui import Here
    from medlens.ui import settings_store_and_runs_of_process as shop
    from medlens.ui.tagging import page

    store, settings = shop.store_of_process(), shop.current_settings()
    here = Here(store, settings, people.find_or_add_rater_by_name(store, name, role=role))
    # The view alone: the pages that it links to are not there.
    with here.show_errors_within(), patch.object(st, "page_link"):
        page.draw_results(here, opened(store, settings, st.query_params.get("dataset", "")))


@pytest.fixture
def store(
    store_path: Path, lay_store: LayStore, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Store]:
    """The store that the page opens."""
    monkeypatch.setenv("MEDLENS_STORE", str(lay_store(store_path, STUDIES["tagging"].demo)))
    settings_store_and_runs_of_process.stop_runs_and_close_store()
    yield settings_store_and_runs_of_process.store_of_process()
    settings_store_and_runs_of_process.stop_runs_and_close_store()


@pytest.fixture
def study(store: Store) -> Study:
    return open_study(store, settings_store_and_runs_of_process.current_settings())


Show = Callable[..., AppTest]


@pytest.fixture
def show(store: Store) -> Show:
    """Run the view for somebody, with an address."""

    def run(*, name: str = "Ada", role: str = "lead", **address: str) -> AppTest:
        app = AppTest.from_function(script, default_timeout=60, args=(name, role))
        for key, value in address.items():
            app.query_params[key] = value
        app.run()
        assert not app.exception
        return app

    return run


def exported(store: Store, kind: str, **how: Any) -> pd.DataFrame:
    return work_behind_commands.make_export_table(
        store, settings_store_and_runs_of_process.current_settings(), kind, viewer=None, **how
    )


def figures(app: AppTest) -> list[Any]:
    return [chart.proto for chart in app.get("plotly_chart")]


def said(app: AppTest) -> str:
    parts = [*app.markdown, *app.caption, *app.text, *app.info]
    return "\n".join(part.value for part in parts)


def reveals(store: Store) -> int:
    return int(store.rows("select count(*) from reveal")[0][0])


def test_the_numbers_come_first(show: Show, store: Store) -> None:
    judged = store.rows(
        "select count(*), count(distinct item), count(distinct rater) from judgment"
    )
    count, responses, people = judged[0]
    shown = {metric.label: metric.value for metric in show().metric}
    assert shown["Responses judged"] == f"{responses} of 24"
    assert shown["Judgments"] == str(count)
    assert shown["Raters"] == str(people)


def test_a_reviewer_is_shown_no_figure_and_no_response(show: Show, store: Store) -> None:
    name = store.rows("select name from item limit 1")[0][0]
    for address in ({}, {"section": "agreement"}, {"response": name}):
        app = show(name="Rita", role="reviewer", **address)
        assert "This is for team leads." in said(app)
        assert not figures(app)
        assert not app.dataframe
    assert reveals(store) == 0


def test_each_section_draws_with_a_name_for_screen_readers(show: Show) -> None:
    for section in SECTIONS:
        app = show(section=section)
        for chart in figures(app):
            assert chart.alt
        assert bool(figures(app)) == (section != "rules")
        # The demo breaks no rule, which is said.
        assert app.dataframe or "0 of 60 judgments" in said(app)
        # No section about labels is without their agreement.
        if section in ("labels", "together", "places"):
            assert "Agreement between raters on single labels (alpha):" in said(app)


def test_a_section_begins_with_a_sentence_of_what_it_shows(show: Show) -> None:
    page = show(section="labels")
    told = [one.value.replace("\\", "").replace("\u2060", "") for one in page.markdown]
    finding = next(one for one in told if ": highest for" in one)
    assert finding.startswith(
        "Share of the responses with a label (relaxed: any rater): highest for 3 Incorrect or"
        " vague conclusion, 54% (95% interval 34% to"
    )
    assert told.index(finding) < told.index("### How often each label was given")


def test_the_page_its_tables_and_the_export_have_the_same_numbers(show: Show, store: Store) -> None:
    rows = exported(store, "figures")
    wanted = rows[rows["figure"] == "prevalence_strict"].set_index("group")["value"]
    (chart,) = figures(show())
    strict = next(t for t in json.loads(chart.spec)["data"] if "pattern" in t["marker"])
    drawn = {
        mark.split("|")[2]: value
        for mark, value in zip(strict["customdata"], strict["x"], strict=True)
    }
    assert drawn == pytest.approx(wanted.to_dict())
    # The table behind a chart holds the rows of the export.
    wanted = rows[rows["figure"] == "rater_severity"].set_index("group")["value"]
    app = show(section="raters")
    app.session_state["table.raters_severity"] = True
    app.run()
    table = next(t.value for t in app.dataframe if "group" in t.value)
    assert table.set_index("group")["value"].to_dict() == pytest.approx(wanted.to_dict())


def test_a_mark_in_the_address_lists_its_responses(show: Show, store: Store, study: Study) -> None:
    tags = load_figure_data(store, study, None, {}).tagging_tables
    strict = metrics_input_tables.table_of_labels_under_rule(tags, study.taxonomy, "strict")
    label = str(strict.sum().idxmax())
    app = show(mark=f"label|strict|{label}")
    assert set(app.dataframe[0].value["response"]) == set(strict.index[strict[label]])
    assert len(app.dataframe[0].value) == strict[label].sum()


@pytest.mark.deep
def test_a_mark_that_means_nothing_here_says_so(show: Show) -> None:
    for mark in [
        "label|strict|no such label",
        "label|strict",
        "tenth|reasonable_response|11",
        "rater|nobody",
        "differs|strict|nowhere",
        "what|is|this",
        "<b>|x",
        "published|nowhere|reasonable_response",
    ]:
        assert "no longer exists" in said(show(mark=mark))


def every_mark(app: AppTest) -> list[tuple[str, int]]:
    """Marks of the section's bars, and the counts written in the cells of a heat map."""
    (chart,) = figures(app)
    found = []
    for trace in json.loads(chart.spec)["data"]:
        for mark, text in zip(trace["customdata"], trace["text"], strict=True):
            if mark:
                found.append((mark, int(text)))
    return found


@pytest.mark.deep
def test_each_cell_of_the_heat_map_leads_to_as_many_responses_as_it_says(show: Show) -> None:
    for address in [{"rule": "relaxed"}, {"rule": "strict"}]:
        marks = every_mark(show(section="together", **address))
        assert marks
        for mark, count in marks[:6]:
            listed = show(section="together", mark=mark, **address).dataframe[0].value
            assert len(listed) == count


def test_each_cell_of_the_places_leads_to_its_marks(show: Show) -> None:
    for mark, count in every_mark(show(section="places"))[:6]:
        listed = show(section="places", mark=mark).dataframe[0].value
        # Two raters may have marked the same words, which are listed once.
        assert 1 <= len(listed) <= count


def first_judged(store: Store) -> str:
    return str(
        store.rows("select i.name from judgment j join item i on i.id = j.item order by j.seq")[0][
            0
        ]
    )


def tagged(store: Store, name: str, item: str, rater: raters.Rater) -> None:
    """One mark of somebody on a response, as a judgment."""
    mark = ErrorSpan(start=0, end=3, quote="The", labels=("reasonable_response",))
    body = ErrorSpans(spans=(mark,)).model_dump_json()
    row = {"id": f"{rater.name}-{name}", "task": tasks.NAME, "item": item, "rater": rater.id}
    row |= {"revision": 1, "body": body, "blind": True, "origin": "model", "complete": True}
    store.append("judgment", row | {"active_seconds": None, "idle_seconds": None})


@pytest.mark.deep
def test_figures_and_their_export_can_be_narrowed_to_a_models_tags(
    show: Show, store: Store, study: Study
) -> None:
    rater = raters.find_or_add_rater_by_name(store, "tagger-1", kind="model")
    for name, identifier in store.rows("select name, id from item order by seq limit 2"):
        tagged(store, name, identifier, rater)
    numbers = {one.label: one.value for one in show(judge="tagger-1").metric}
    assert numbers["Judgments"] == "2"
    assert {one.label: one.value for one in show().metric}["Judgments"] == "60"
    rows = exported(store, "figures", study="tagging", narrow={"judge": "tagger-1"})
    assert set(rows["judge"]) == {"tagger-1"}
    assert rows.set_index("figure")["value"]["judgments"] == 2
    assert "has no judge 'nobody'" in said(show(judge="nobody"))


@pytest.mark.deep
def test_figures_are_narrowed_to_a_run_of_a_tagger_on_page_and_in_the_file(
    show: Show, store: Store, study: Study
) -> None:
    found = store.rows("select name, id from item order by seq limit 3")
    rater = raters.find_or_add_rater_by_name(store, "tagger-1", kind="model")
    for name, item in found:
        tagged(store, name, item, rater)
    # Asked again of the second response, its newer word stands; of the third nothing usable.
    asked = [(0, "r1", 1, True), (1, "r1", 1, True), (1, "r2", 2, True), (2, "r2", 1, False)]
    for at, run, attempt, usable in asked:
        what = ("tagged", usable, "", {"labels": ""}, "gpt-7", run)
        one = Verdict(found[at][1], "tagger-1", "tag-1", attempt, *what)
        model_verdicts_and_runs_of_judges.add_verdicts_and_count_new_and_known(
            store, [one], task=study.task.name, dataset=study.dataset
        )
    for run in ("r1", "r2"):
        numbers = {one.label: one.value for one in show(run=run).metric}
        assert numbers["Judgments"] == "1"
        rows = exported(store, "figures", study="tagging", narrow={"run": run})
        assert set(rows["run"]) == {run}
        assert rows.set_index("figure")["value"]["judgments"] == 1
    assert "has no run 'r3'" in said(show(run="r3"))


@pytest.mark.deep
def test_figures_are_narrowed_to_the_responses_of_one_model_on_page_and_in_the_file(
    show: Show, store: Store, study: Study
) -> None:
    others = ResponseItem(question="?", response="The dose is high.", model="other-model")
    queries.add_responses_and_return_added(store, [("of other", others)], dataset=study.dataset)
    added = items.item_ids_by_name(store, "tagging", study.dataset, ["of other"])["of other"]
    tagged(store, "of other", added, raters.find_or_add_rater_by_name(store, "Ada", role="lead"))
    whole = exported(store, "items", study="tagging")
    judged = exported(store, "judgments", study="tagging")
    authors = sorted(set(whole["model"]))
    assert authors == ["demo-model", "other-model"]
    for author in authors:
        own = set(whole.loc[whole["model"] == author, "item"])
        count = int(judged["item"].isin(own).sum())
        numbers = {one.label: one.value for one in show(cases=author).metric}
        assert numbers["Judgments"] == str(count)
        rows = exported(store, "figures", study="tagging", narrow={"cases": author})
        assert set(rows["cases"]) == {author}
        assert rows.set_index("figure")["value"]["judgments"] == count
    assert "has no cases 'nobody'" in said(show(cases="nobody"))


def test_an_opened_response_notes_that_the_others_marks_were_seen(show: Show, store: Store) -> None:
    app = show(response=first_judged(store))
    assert reveals(store) == 1
    assert "is marked as made after looking" in said(app)
    # Once more is not twice.
    app.run()
    assert reveals(store) == 1


def test_the_labels_of_every_rater_stand_side_by_side(
    show: Show, store: Store, study: Study
) -> None:
    name = first_judged(store)
    table = exported(store, "judgments")
    people = set(table.loc[table["item"] == name, "rater"])
    shown = next(t.value for t in show(response=name).dataframe if "label" in t.value)
    assert set(shown.columns) == {"label", "raters", *people}


def test_an_opened_response_lists_what_every_tagger_said(
    show: Show, store: Store, study: Study
) -> None:
    name = first_judged(store)
    item = items.item_ids_by_name(store, "tagging", study.dataset, [name])[name]
    body = {"labels": "Hallucination of information"}
    one = Verdict(item, "gpt", "tag-1 ab", 2, "tagged", True, "Vague.", body, "gpt-7", "r1")
    model_verdicts_and_runs_of_judges.add_verdicts_and_count_new_and_known(
        store, [one], task=study.task.name, dataset=study.dataset
    )
    app = show(response=name)
    app.session_state["detail.judges"] = True
    app.run()
    shown = said(app).replace("\\", "")
    assert "**gpt**: Hallucination of information" in shown
    assert "model gpt-7, prompt tag-1 ab, run r1" in shown


def test_who_still_has_to_judge_a_response_is_asked_before_its_marks_are_shown(
    show: Show, store: Store, study: Study
) -> None:
    lead = raters.find_or_add_rater_by_name(store, "Ada", role="lead")
    held = assignment.give_next_item_and_return_id(
        store, study.task, study.settings, dataset=study.dataset, rater=lead.id
    )
    assert held is not None
    name = store.value("select name from item where id = $id", id=held)
    app = show(response=name)
    assert "you have not judged it" in said(app)
    assert not app.dataframe
    assert reveals(store) == 0
    app.button(key="detail.agree").click().run()
    assert reveals(store) == 1


def test_a_response_that_is_not_there_leaves_the_results(show: Show) -> None:
    app = show(response="no such response")
    assert figures(app)
    assert "response" not in app.query_params


def test_a_link_to_another_dataset_shows_that_dataset(show: Show, store: Store) -> None:
    queries.add_responses_and_return_added(
        store, [("one", ResponseItem(question="?", response="Fine."))], dataset="new"
    )
    assert "No response in this dataset has been judged yet." in said(show(dataset="new"))
    assert show(dataset="demo").metric


def test_published_labels_are_compared_response_by_response(
    show: Show, store: Store, study: Study, tmp_path: Path
) -> None:
    ours = exported(store, "labels", rule="strict")
    path = tmp_path / "published.csv"
    # One response is published with one label more or less than our rule gives.
    label = str(ours.columns[-1])
    ours[label] = [1 - int(ours[label][0]), *map(int, ours[label][1:])]
    ours.to_csv(path, index=False)
    work_behind_commands.import_file(
        store,
        settings_store_and_runs_of_process.current_settings(),
        "labels",
        path,
        name="published.csv",
        dataset=study.dataset,
    )
    app = show()
    n = len(ours)
    assert f"Our strict rule and published: {n - 1} of {n} responses have the same labels." in said(
        app
    )
    app.button(key="results.differs|strict|published").click().run()
    assert list(app.dataframe[0].value["response"]) == [ours.iloc[0, 0]]


@pytest.mark.deep
def test_a_rater_named_like_a_tag_is_shown_as_text(show: Show, store: Store) -> None:
    text = "The lungs are clear."
    queries.add_responses_and_return_added(
        store, [("x", ResponseItem(question="?", response=text))], dataset="names"
    )
    (item,) = items.item_ids_by_name(store, tasks.STUDY, "names", ["x"]).values()
    value = ErrorSpans(
        spans=(ErrorSpan(start=0, end=3, quote="The", labels=("reasonable_response",)),)
    )
    for number, name in enumerate(["<img src=x>", "=cmd()"]):
        rater = raters.find_or_add_rater_by_name(store, name)
        store.append(
            "judgment",
            {
                "id": f"judged-{number}",
                "task": tasks.NAME,
                "item": item,
                "rater": rater.id,
                "revision": 1,
                "body": value.model_dump_json(),
                "blind": True,
                "origin": "app",
                "complete": True,
                "active_seconds": 60.0,
                "idle_seconds": 0.0,
            },
        )
    app = show(dataset="names", section="raters", of="time")
    (chart,) = figures(app)
    notes = [note["text"] for note in json.loads(chart.spec)["layout"]["annotations"]]
    assert "&lt;img src=x&gt;" in notes
    assert not any("<img" in note for note in notes)
    listed = show(dataset="names", section="raters", mark="rater|%3Cimg src%3Dx%3E")
    assert list(listed.dataframe[0].value["response"]) == ["x"]


@pytest.mark.deep
def test_agreement_that_two_raters_are_missing_for_is_undefined_and_not_zero(
    show: Show, store: Store
) -> None:
    text = "The lungs are clear."
    queries.add_responses_and_return_added(
        store, [("x", ResponseItem(question="?", response=text))], dataset="alone"
    )
    (item,) = items.item_ids_by_name(store, tasks.STUDY, "alone", ["x"]).values()
    value = ErrorSpans(
        spans=(ErrorSpan(start=0, end=3, quote="The", labels=("reasonable_response",)),)
    )
    store.append(
        "judgment",
        {
            "id": "judged-alone",
            "task": tasks.NAME,
            "item": item,
            "rater": raters.find_or_add_rater_by_name(store, "Only").id,
            "revision": 1,
            "body": value.model_dump_json(),
            "blind": True,
            "origin": "app",
            "complete": True,
            "active_seconds": None,
            "idle_seconds": None,
        },
    )
    for section in SECTIONS:
        app = show(dataset="alone", section=section)
        assert "Agreement between raters is undefined, because" in said(app)
    app = show(dataset="alone", section="agreement")
    assert all(not trace["x"] for chart in figures(app) for trace in json.loads(chart.spec)["data"])
    table = pd.Series(said(app).splitlines())
    assert table.str.contains("Reasonable response: undefined, because").any()
