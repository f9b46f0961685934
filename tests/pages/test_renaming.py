"""A lead renames a study, a dataset, a round and a run where they see it; pages call it so."""

from __future__ import annotations

import pytest

from medlens.app.document_as_html_or_pdf import Heading
from medlens.app.study_report import build_report_document
from medlens.config.settings import Settings
from medlens.llm import runs
from medlens.review import renaming_and_name_translation
from medlens.review.archiving_of_datasets_rounds_and_runs import Thing
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.registry import STUDIES
from medlens.studies.tagging.study_in_dataset import open_study
from medlens.ui import current_and_first_names_in_addresses
from tests.attack import lead_actions
from tests.attack.lead_actions import LETTERS
from tests.conftest import Fill
from tests.pages.conftest import OpenPage, answer, words
from tests.pages.test_archiving import unfold

OWN = Thing("dataset", "own", LETTERS)
DEMO = Thing("dataset", "tagging", "demo")
ROUND = Thing("round", "tagging", "demo", "error_spans")


@pytest.fixture
def filled_by() -> tuple[Fill, ...]:
    return (lead_actions.lay, STUDIES["tagging"].demo)


@pytest.mark.deep
def test_a_lead_gives_a_study_another_title_and_address(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = open_page("7_Data.py", who=lead, view="Items", study="own", dataset=LETTERS)
    unfold(page, f"rename.dataset|own|{LETTERS}|")
    assert "nothing else in this study can take that name" in words(page)
    answer(page, form_named="renaming", title="Epistles", called="epistles", submit=True)
    assert renaming_and_name_translation.find_name_given_to_thing(app_store, OWN) == "epistles"
    assert "Its address is “epistles” now" in page.success[0].value
    assert "Epistles" in str(open_page(who=lead).main)
    assert 'id = "epistles"' in STUDIES["own"].open(app_store, Settings(), LETTERS).text


@pytest.mark.deep
def test_a_lead_renames_a_dataset_and_is_told_if_the_name_is_taken(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = open_page("7_Data.py", who=lead, view="Items", study="Error tagging", dataset="demo")
    unfold(page, "rename.dataset|tagging|demo|")
    answer(page, form_named="renaming", called=LETTERS, submit=True)
    assert "is taken: choose another name" in words(page)
    answer(page, form_named="renaming", called="pilot 2026", submit=True)
    assert renaming_and_name_translation.find_name_given_to_thing(app_store, DEMO) == "pilot 2026"
    export = open_page("7_Data.py", who=lead, view="Export", study="Error tagging", dataset="demo")
    [download] = [one for one in export.download_button if one.key == "data.export"]
    assert "pilot" in download.label
    told = words(open_page("5_Team.py", who=lead, task="error_spans", dataset="demo"))
    assert "Dataset pilot 2026" in told


@pytest.mark.deep
def test_a_lead_names_a_round_and_a_run(open_page: OpenPage, app_store: Store, lead: Rater) -> None:
    where = {"section": "hand-out", "task": "error_spans", "dataset": "demo"}
    page = open_page("5_Team.py", who=lead, **where)
    unfold(page, "rename.round|tagging|demo|error_spans")
    answer(page, form_named="renaming", called="First reading", submit=True)
    assert (
        renaming_and_name_translation.find_name_given_to_thing(app_store, ROUND) == "First reading"
    )
    watched = open_page("5_Team.py", who=lead, **(where | {"section": "overview"}))
    assert "First reading · dataset demo" in words(watched)
    # At the desk and in the report too.
    assert "First reading" in words(open_page("1_Tag_errors.py", who=lead, dataset="demo"))
    report = build_report_document(app_store, Settings(), STUDIES["tagging"], "demo")
    headings = [block.text for block in report.blocks if isinstance(block, Heading)]
    assert "First reading" in headings
    title = STUDIES["tagging"].tasks(open_study(app_store, Settings(), "demo"))[0].title
    assert title not in headings
    run = runs.open_or_resume_run_and_return_id(
        app_store, study="tagging", kind="tag", config={}, made_by=lead.id
    )
    page = open_page("6_Runs.py", who=lead, run=run)
    unfold(page, f"rename.run|tagging||{run}")
    answer(page, form_named="renaming", called="Gemma, low", submit=True)
    assert [title.value for title in open_page("6_Runs.py", who=lead, run=run).title] == [
        "Gemma, low"
    ]


@pytest.mark.deep
def test_addresses_have_the_name_of_today_and_any_earlier_one_leads_on(
    app_store: Store, lead: Rater
) -> None:
    STUDIES["ebmqa"].demo(app_store)
    run = Thing("run", "tagging", "", "5f0c")
    for thing, called in ((DEMO, "first"), (DEMO, "second"), (run, "Gemma")):
        renaming_and_name_translation.rename_thing_and_return_old_name(
            app_store, thing, called, by=lead
        )

    def inward(page: str, query: str) -> str:
        return current_and_first_names_in_addresses.query_text_with_names_before_renaming(
            app_store, page, query
        )

    def outward(page: str, query: str) -> str:
        return current_and_first_names_in_addresses.query_text_with_current_names(
            app_store, page, query
        )

    for name in ("first", "second", "demo"):
        assert inward("Tag_errors", f"view=Results&dataset={name}") == "view=Results&dataset=demo"
    # Another study has a dataset of the first name: what nothing else says is added.
    assert inward("Team", "dataset=second") == "dataset=demo&task=error_spans"
    assert inward("Data", "dataset=second") == "dataset=demo&study=Error+tagging"
    assert inward("Team", "dataset=demo&task=ebmqa_answer") == "dataset=demo&task=ebmqa_answer"
    assert inward("Runs", "run=Gemma") == "run=5f0c"
    assert outward("Tag_errors", "view=Results&dataset=demo") == "view=Results&dataset=second"
    assert outward("Team", "task=error_spans&dataset=demo") == "task=error_spans&dataset=second"
    assert outward("Team", "task=ebmqa_answer&dataset=demo") == "task=ebmqa_answer&dataset=demo"
    assert outward("Explore_EBMQA", "dataset=demo") == "dataset=demo"
    assert outward("Runs", "run=5f0c") == "run=Gemma"
    renaming_and_name_translation.rename_thing_and_return_old_name(
        app_store, ROUND, "Reading", by=lead
    )
    assert outward("Team", "section=flags&task=error_spans&dataset=demo") == (
        "round=Reading&section=flags"
    )
    assert inward("Team", "section=flags&round=Reading") == (
        "section=flags&task=error_spans&dataset=demo"
    )
