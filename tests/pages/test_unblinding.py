"""Nothing that a reviewer's browser is sent names an item or an arm, or tells a repeat."""

from __future__ import annotations

import json
import re

import pytest
from streamlit.testing.v1 import AppTest

from medlens.app import work_behind_commands
from medlens.config.settings import Settings
from medlens.review import judging, remarks_between_raters_and_leads, second_pass
from medlens.review.raters import Rater
from medlens.store import Store, new_id
from medlens.studies.own import study_file
from medlens.studies.own.study import open_study
from tests.conftest import Fill
from tests.handles import item_called
from tests.pages.conftest import OpenPage, answer, names_in, sent, words

PAGE = "8_Your_studies.py"
BOTH = {"better": "A, clearly", "reasons": json.dumps(["Safer"])} | {
    f"{question} / {arm}": value
    for arm in "AB"
    for question, value in (("safe", "yes"), ("correct", "4"))
}


def with_telling_names(text: str) -> str:
    """The template of a comparison, its arms and items named so that they tell who wrote what."""
    text = re.sub(r"^p(\d)\b", r"gpt4o-0\1", text, flags=re.MULTILINE)
    text = text.replace('title = "Question"\n', 'title = "Question"\nkind = "source"\n')
    text = text.replace('item = "item"', 'mask = ["gpt-4o", "llama"]\nitem = "item"')
    if "[[arm]]" not in text:
        # What texts say of models is masked.
        text = text.replace(". ", " as GPT 4o says unlike LLAMA. ")
    return text.replace("model A", "gpt-4o").replace("model B", "llama")


@pytest.fixture
def filled_by() -> tuple[Fill, ...]:
    def fill(store: Store) -> None:
        file = study_file.path_of_template("preference")
        text = with_telling_names(study_file.read_study_file_text_and_declaration(file)[0])
        work_behind_commands.declare_study_and_return_report_text(store, text, "two.toml")
        rows = with_telling_names(file.with_suffix(".csv").read_text()).encode()
        work_behind_commands.import_file(
            store, Settings(), "own-items", rows, name="two.csv", dataset="preference"
        )

    return (fill,)


def press(page: AppTest, label: str) -> None:
    next(button for button in page.button if button.label == label).click().run()
    assert not page.exception


def test_no_item_and_no_arm_is_named_in_whatever_a_reviewer_is_sent_and_a_repeat_is_as_new(
    open_page: OpenPage, app_store: Store, lead: Rater, reviewer: Rater
) -> None:
    task = open_study(app_store, Settings(), "preference").task
    page = open_page(PAGE, who=reviewer, dataset="preference")
    first = page.query_params["item"]
    item = item_called(app_store, first)
    of = {"item": item, "rater": reviewer.id}
    told = [sent(page)]
    # A flag and a question begun, and a conflict with another tab.
    for key in (f"own_questions.flag.{first}.open", "own_questions.remarks"):
        page.session_state[key] = True
    page.run()
    answer(page, form_named="flag", reason="Half a sentence")
    answer(page, form_named="unclear", text="What is good?", submit=True)
    told.append(sent(page))
    assert "about this item?" in told[-1]
    order = list(page.session_state["own_questions.desk"][1].body["order"])
    theirs = {"answers": {f"correct / {order[0]}": 1, "better": "tie"}, "order": order}
    judging.save_draft(app_store, task, **of, base=0, token=new_id(), body=theirs)
    answer(page, form_named="own_questions", **{"correct / A": "4"})
    page.run()
    assert "Changed in another tab" in words(page)
    assert "How correct is it? (A): here 4, there 1" in words(page)
    told.append(sent(page))
    press(page, "Keep this version")
    answer(page, form_named="own_questions", submit=True, **BOTH)
    told.append(sent(page))

    # What a lead returns is told and linked without its name.
    back = {"kind": "return", "text": "Look twice.", "by": lead}
    remarks_between_raters_and_leads.store_remark_on_work(app_store, task, **of, **back)
    home = open_page(who=reviewer)
    assert "item 1 (Which answer is better?)" in words(home)
    told.append(sent(home))
    press(home, "Judge it again")
    told.append(sent(home))
    assert home.query_params["item"] == first
    answer(home, form_named="own_questions", submit=True, better="tie")

    # The second pass has nothing of the first: no name, no value, no key of a widget.
    second_pass.give_item_for_second_pass(app_store, task, item=item, rater=reviewer.id)
    stale = open_page(PAGE, who=reviewer, dataset="preference", item=first)
    assert "What this link leads to is not among your items." in words(stale)
    again = stale.query_params["item"]
    while item_called(app_store, again) != item:
        press(stale, "Next")
        again = stale.query_params["item"]
    assert first != again
    assert first not in sent(stale)
    assert "Half a sentence" not in sent(stale)
    told.append(sent(stale))
    whole = "\n".join(told)
    assert names_in(whole, app_store) == []
    assert " says unlike " in whole
    assert "gpt" not in whole.casefold()
    assert "llama" not in whole.casefold()
    # A lead's link with the name opens their own.
    page = open_page(PAGE, who=lead, dataset="preference")
    name = app_store.value(
        "select name from item where id = $item",
        item=item_called(app_store, page.query_params["item"]),
    )
    page = open_page(PAGE, who=lead, dataset="preference", item=str(name))
    assert "not among your items" not in words(page)
