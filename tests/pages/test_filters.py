"""Filters stand behind one button, and those that are set beside it, removed by a press each."""

from __future__ import annotations

from medlens.review.raters import Rater
from tests.pages.conftest import OpenPage, all_demos, words


@all_demos
def test_what_is_set_is_said_beside_the_button_and_a_press_removes_it(
    open_page: OpenPage, lead: Rater
) -> None:
    task = {"task": "source_support"}
    pages = {
        "agreement.chip.count": ("5_Team.py", {**task, "section": "agreement", "count": "last"}),
        "disagreements.chip.question": (
            "5_Team.py",
            {**task, "section": "disagreements", "question": "verdict"},
        ),
        "figures.chip.run": ("3_Verify_sources.py", {"view": "Results", "run": "gone"}),
        "answers.chip.model": ("3_Verify_sources.py", {"view": "Answers", "model": "demo-a"}),
    }
    for key, (file, asked) in pages.items():
        page = open_page(file, who=lead, **asked)
        assert not page.exception, key
        chips = [one.key for one in page.button if ".chip." in (one.key or "")]
        assert chips == [key]
        page.button(key=key).click().run()
        assert not page.exception, key
        assert key.rpartition(".")[2] not in page.query_params
        assert [one.key for one in page.button if ".chip." in (one.key or "")] == []


def test_the_audit_log_says_what_it_is_narrowed_to(open_page: OpenPage, lead: Rater) -> None:
    page = open_page("5_Team.py", who=lead, section="audit")
    everything = len(page.dataframe[0].value)
    page.multiselect(key="audit.kinds").select("import").run()
    page.text_input(key="audit.who").input("nobody of this name").run()
    assert "Nothing of this kind has been recorded." in words(page)
    for chip in ("who", "kinds"):
        page.button(key=f"audit.chip.{chip}").click().run()
    assert len(page.dataframe[0].value) == everything
