"""A lead corrects an item where they see it; who judges it is told, and asked again if need be."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from medlens.review import consensus, items, remarks_between_raters_and_leads
from medlens.review.raters import Rater
from medlens.store import Store
from medlens.studies.registry import STUDIES
from medlens.ui import correction_forms, settings_store_and_runs_of_process
from tests.conftest import Fill
from tests.pages.conftest import OpenPage, answer, words
from tests.pages.test_own_study import GOOD, added
from tests.pages.test_withdrawal import STUDY, items_page, said


@pytest.fixture
def filled_by() -> tuple[Fill, ...]:
    return (added(STUDY),)


def write_correction(page: AppTest, item: str, cells: dict[str, str], change: str) -> None:
    page.session_state[f"correct.{item}"] = True
    page.run()
    entered = {f"cell.{column}": cell for column, cell in cells.items()}
    answer(page, form_named="correction", **entered, change=change, reason="A slip.", submit=True)


@pytest.mark.first_quick
@pytest.mark.parametrize("change", ["typing", "meaning"])
def test_who_judges_a_corrected_item_finishes_the_text_they_see_and_is_told(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater, change: str
) -> None:
    study = STUDIES["own"].open(
        app_store, settings_store_and_runs_of_process.current_settings(), STUDY
    )
    [task] = STUDIES["own"].tasks(study)
    desk = open_page("8_Your_studies.py", who=reviewer, dataset=STUDY)
    on_desk = desk.session_state["own_questions.desk"][1].item
    name = items.item_names_by_id(app_store, [on_desk])[on_desk]
    column, text = next(
        (column, cell)
        for column, cell in STUDIES["own"]
        .correcting.cells(  # type: ignore[union-attr]
            study, items.item_body(app_store, on_desk)
        )
        .items()
        if len(cell) > 40
    )

    page = items_page(open_page, lead, name)
    write_correction(page, on_desk, {column: f"Corrected: {text}"}, change)
    # Nothing is saved before the lead has seen what follows.
    assert items.current_version_of_item(app_store, on_desk) == 1
    assert f"Changed: {column}" in words(page)
    page.button(key=f"correct.confirm.{on_desk}").click().run()
    assert "is corrected \\(version 2\\)" in said(page)
    assert "1 person has it open and will be told" in said(page)

    desk.run()
    [toast] = [one.value for one in desk.toast]
    counts = "it counts." if change == "typing" else "it does not count, and you are asked again."
    assert toast.endswith(counts)
    assert f"Corrected: {text[:20]}" not in words(desk)
    answer(desk, submit=True, **GOOD)
    [version] = app_store.column("select version from judgment where item = $i", i=on_desk)
    assert version is None
    judged = consensus.current_judgments(app_store, task, dataset=STUDY, viewer=lead)
    assert len(judged) == (1 if change == "typing" else 0)
    returned = [
        one.item
        for one in remarks_between_raters_and_leads.list_remarks_awaiting_rater(
            app_store, rater=reviewer.id
        )
        if one.kind == "return"
    ]
    assert returned == ([] if change == "typing" else [on_desk])

    page = items_page(open_page, lead, name)
    assert "Version 2: corrected" in words(page)
    results = open_page("8_Your_studies.py", who=lead, dataset=STUDY, view="Results")
    assert ("rests on an earlier version" in words(results)) is (change == "typing")


@pytest.mark.deep
def test_what_a_lead_entered_stays_when_they_go_back(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    item, name = app_store.rows("select id, name from item where study = 'own' order by seq")[0]
    page = items_page(open_page, lead, name)
    cells = STUDIES["own"].correcting.cells(  # type: ignore[union-attr]
        STUDIES["own"].open(
            app_store, settings_store_and_runs_of_process.current_settings(), STUDY
        ),
        items.item_body(app_store, item),
    )
    column = next(iter(cells))
    write_correction(page, item, {column: "Another text."}, "typing")
    # What goes and what comes is in sight before anything is saved.
    drawn = "".join(one.proto.body for one in page.get("html"))
    assert "<ins>Another" in drawn
    assert "<del>" in drawn
    page.button(key=f"correct.back.{item}").click().run()
    sheet = page.session_state["correction.sheet"]
    assert sheet.body[f"cell.{column}"] == "Another text."
    assert items.current_version_of_item(app_store, item) == 1


class TestAComparison:
    @pytest.fixture
    def filled_by(self) -> tuple[Fill, ...]:
        return (added("preference"), added(STUDY))

    @pytest.mark.first_quick
    @pytest.mark.parametrize("study, told", [("preference", True), (STUDY, False)])
    def test_who_corrects_an_item_and_reads_there_which_model_wrote_what_is_not_blind_any_more(
        self, open_page: OpenPage, app_store: Store, lead: Rater, study: str, told: bool
    ) -> None:
        [[item, name], *_] = app_store.rows(
            "select id, name from item where dataset = $study order by seq", study=study
        )
        place = {"view": "Items", "study": "own", "dataset": study, "item": name}
        page = open_page("7_Data.py", who=lead, **place)
        seen = "select count(*) from reveal where item = $item and rater = $rater"
        assert app_store.value(seen, item=item, rater=lead.id) == 0
        page.session_state[f"correct.{item}"] = True
        page.run()
        assert ("is marked as made after looking" in words(page)) == told
        assert app_store.value(seen, item=item, rater=lead.id) == int(told)


def test_the_columns_of_published_studies_are_named_in_plain_words_and_own_ones_are_kept() -> None:
    named = [
        correction_forms._name_column("tagging", one) for one in ("option_A", "meta_info", "model")
    ]
    assert named == ["Option A", "Where the question comes from", "Model"]
    assert correction_forms._name_column("own", "case_text") == "case_text"
