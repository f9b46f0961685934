"""The page that measures models against clinicians."""

from __future__ import annotations

import json

import pytest

from medlens.review import raters
from medlens.review.raters import Rater
from medlens.store import Store, new_id
from medlens.studies.registry import STUDIES
from tests.conftest import Fill
from tests.pages.conftest import OpenPage, words

PAGE = "9_People_and_models.py"


@pytest.fixture
def filled_by() -> tuple[Fill, ...]:
    return (STUDIES["sourcecheckup"].demo, STUDIES["tagging"].demo)


def test_a_lead_reads_how_far_a_model_may_be_trusted_and_which_items_it_got_wrong(
    open_page: OpenPage, lead: Rater, app_store: Store
) -> None:
    page = open_page(PAGE, who=lead, task="source_support", judge="demo-verifier-2|")
    assert not page.exception
    assert "May stand in for one clinician" in page.success[0].value
    said = words(page)
    assert "2 against the clinicians" in said
    assert "How common 'yes' is" in said
    [beside] = [one.value for one in page.dataframe if "other model" in one.value]
    assert beside["other model"].tolist() == ["demo-verifier-1"]

    page = open_page(PAGE, who=lead, task="source_support", judge="demo-verifier-2|", cell="no|yes")
    assert "4 items. Choose one to open it." in words(page)
    [listed] = [one.value for one in page.dataframe if list(one.value) == ["item"]]
    assert len(listed) == 4
    assert app_store.rows("select count(*) from reveal where rater = $r", r=lead.id) == [(4,)]
    named = listed["item"].iloc[0]
    page = open_page(
        *(PAGE,),
        who=lead,
        task="source_support",
        judge="demo-verifier-2|",
        cell="no|yes",
        item=named,
    )
    [link] = [one for one in page.get("page_link") if "pair=" in one.proto.query_string]
    assert "dataset=demo" in link.proto.query_string


@pytest.mark.deep
def test_a_lead_reads_how_a_model_does_in_each_group(open_page: OpenPage, lead: Rater) -> None:
    asked = {"task": "source_support", "judge": "demo-verifier-2|"}
    page = open_page(PAGE, who=lead, **asked)
    assert "## Over time and by group" in words(page)
    assert "Items' model" in page.selectbox(key="figures.by").options
    page = open_page(PAGE, who=lead, **asked, by="Items' model", rate="specificity")
    assert not page.exception
    assert "Specificity, by items' model" in words(page)
    page = open_page(PAGE, who=lead, **asked, by="Weather", rate="speed")
    assert [one.value.split(" called")[0] for one in page.warning] == [
        "There is no way to tell apart",
        "There is no figure",
    ]


@pytest.mark.deep
def test_one_verdict_among_several_is_chosen_and_measured_against_the_rest(
    open_page: OpenPage, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead, task="source_support", about="verdict", answer="partly")
    assert not page.exception
    assert "'partly' against the rest" in words(page)


@pytest.mark.deep
def test_the_page_opens_on_a_label_that_people_gave(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    rows = app_store.rows(
        "select item, min_by(body, seq) from judgment where task = 'error_spans' group by item"
    )
    # Four more who give nothing but this label, so that the first in the list is rare beside it.
    label = "hallucination_of_information"
    judges = [raters.find_or_add_rater_by_name(app_store, f"Person {n}") for n in range(4)]
    judges.append(
        raters.find_or_add_rater_by_name(app_store, "judge", kind="model", origin="model")
    )
    for rater in judges:
        for item, body in rows:
            said = json.loads(body)
            for span in said["spans"]:
                span["labels"] = [label]
            row = {"task": "error_spans", "item": item, "rater": rater.id, "revision": 1}
            kept = {"body": said, "blind": True, "origin": "app", "complete": True}
            app_store.append("judgment", {"id": new_id(), **row, **kept})
    page = open_page(PAGE, who=lead, task="error_spans")
    assert not page.exception
    assert page.selectbox(key="figures.about").options[0] == "Non-medical factual error"
    assert page.selectbox(key="figures.about").value == label


def test_where_no_model_has_judged_the_page_says_what_to_do(
    open_page: OpenPage, lead: Rater
) -> None:
    page = open_page(PAGE, who=lead, task="error_spans")
    assert not page.exception
    assert "No model has judged this task in this dataset." in words(page)
    # Those of other studies have: a press away.
    links = [one.proto.label for one in page.get("page_link")]
    assert "Show a task that models have judged" in links


def test_the_page_opens_on_a_task_that_a_model_has_judged(open_page: OpenPage, lead: Rater) -> None:
    page = open_page(PAGE, who=lead)
    assert not page.exception
    # Error tagging comes first in the list, and no model has judged it.
    assert page.selectbox(key="line.study").options[0] == "Error tagging · demo"
    assert page.selectbox(key="line.study").value == ("sourcecheckup", "demo")
    assert page.selectbox(key="team.task").value == "source_support"
    assert "No model has judged" not in words(page)


@pytest.mark.deep
def test_an_address_that_names_nothing_is_told(open_page: OpenPage, lead: Rater) -> None:
    page = open_page(PAGE, who=lead, task="source_support", judge="x", about="y", cell="z")
    assert not page.exception
    assert [one.value.split(" called")[0] for one in page.warning] == [
        "There is no model",
        "There is no question",
        "There is no cell",
    ]


@pytest.mark.deep
def test_a_lead_hands_out_the_items_that_tell_most_at_a_press(
    open_page: OpenPage, lead: Rater, app_store: Store
) -> None:
    page = open_page(
        *(PAGE,),
        who=lead,
        task="source_support",
        judge="demo-verifier-2|",
        measure="specificity",
        within="0.1",
    )
    assert not page.exception
    [press] = [one for one in page.button if one.label.startswith("Hand out ")]
    press.click().run()
    assert not page.exception
    [(many,)] = app_store.rows("select count(*) from sample")
    assert many == 1
    assert any("items are handed out now" in one.value for one in page.success)
    # What was drawn is waited for: nothing more is drawn on top of it.
    assert "items of the last draw are still to be judged" in words(page)
    assert not [one for one in page.button if one.label.startswith("Hand out ")]
