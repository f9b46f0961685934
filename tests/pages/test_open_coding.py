"""Open coding: what the component says is saved, restored, counted, merged, made a taxonomy."""

from __future__ import annotations

import json
import re

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from medlens.review import (
    codebooks_coded_passages_and_agreement,
    open_code_revisions_by_lead,
    raters,
)
from medlens.review.codebooks_coded_passages_and_agreement import Corpus
from medlens.review.open_code_revisions_by_lead import Change
from medlens.review.raters import Rater
from medlens.review.text_labeler_format import OpenCode
from medlens.store import Store
from medlens.studies.own import study_file
from medlens.studies.own.item_and_judgment_import_and_export import make_item_preview_from_rows
from medlens.studies.tagging import queries
from medlens.studies.tagging.records import ResponseItem
from medlens.studies.tagging.study_in_dataset import open_study
from medlens.ui import settings_store_and_runs_of_process
from medlens.ui.coding.text_labeler_view import make_shown_text_with_line_end_signs
from tests.pages.conftest import OpenPage, words

PAGE = "1_Tag_errors.py"


def open_view(open_page: OpenPage, lead: Rater, **query: str) -> AppTest:
    page = open_page(PAGE, who=lead, view="Open coding", **{"part": "Quick view", **query})
    assert not page.exception
    return page


def component(page: AppTest) -> tuple[str, dict]:
    """The id of the labeler and what it was told."""

    def walk(block: object) -> list:
        children = list(getattr(block, "children", {}).values())
        return children + [found for child in children for found in walk(child)]

    [one] = [e for e in walk(page._tree) if getattr(e, "type", "") == "component_instance"]
    return one.proto.id, json.loads(one.proto.json_args)


def say(page: AppTest, value: dict) -> AppTest:
    """Let the component say its value, as the browser would."""
    state = WidgetState()
    state.id = component(page)[0]
    state.json_value = json.dumps(value)
    states = page._tree.get_widget_states()
    states.widgets.append(state)
    page._run(states)
    assert not page.exception
    return page


def mark(page: AppTest, start: int, end: int) -> dict:
    return {"start": start, "end": end, "label": component(page)[1]["text"][start:end]}


def history(store: Store, lead: Rater) -> list[open_code_revisions_by_lead.Coded]:
    dataset = open_study(store, settings_store_and_runs_of_process.current_settings()).dataset
    return open_code_revisions_by_lead.list_code_revisions_viewer_may_see(
        store, study="tagging", dataset=dataset, viewer=lead
    )


def labels(one: open_code_revisions_by_lead.Coded) -> list[str]:
    return [code["label"] for code in one.body["codes"]]


def corpus(store: Store) -> Corpus:
    dataset = open_study(store, settings_store_and_runs_of_process.current_settings()).dataset
    return Corpus("tagging", dataset, "response", "response")


def named(store: Store, coder: Rater) -> dict[str, list[str]]:
    """The names under which a coder's passages stand, by item."""
    book = codebooks_coded_passages_and_agreement.codebook_of_coder(
        store, corpus(store), coder=coder.id, viewer=coder
    )
    return {
        one.item: [
            code.label
            for code in book.list_current_marks_with_code_names(
                open_code_revisions_by_lead.read_codes_from_body(one.body)
            )
        ]
        for one in open_code_revisions_by_lead.list_last_revisions_of_items_and_raters(
            history(store, coder)
        )
        if one.rater == coder.id
    }


def test_a_mark_is_saved_as_it_is_made_and_there_again_in_a_new_session(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = open_view(open_page, lead)
    assert component(page)[1]["labels"] == {}
    say(page, {"vague": [mark(page, 0, 3)], "unused": []})

    [saved] = history(app_store, lead)
    text = queries.load_response(app_store, saved.item).response
    assert saved.body == {
        "labels": ["vague", "unused"],
        "codes": [{"start": 0, "end": 3, "quote": text[:3], "label": "vague"}],
    }
    assert "Saved " in words(page)

    again = component(open_view(open_page, lead))[1]["labels"]
    assert again == {"vague": [{"start": 0, "end": 3, "label": text[:3]}], "unused": []}


def test_what_the_component_says_when_it_is_mounted_saves_nothing(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = open_view(open_page, lead)
    say(page, component(page)[1]["labels"])
    assert history(app_store, lead) == []


def test_a_component_that_is_mounted_again_is_told_the_newest_marks(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = open_view(open_page, lead)
    say(page, {"vague": [mark(page, 0, 3)]})
    newest = component(page)[1]["labels"]
    assert [span["end"] for span in newest["vague"]] == [3]
    say(page, newest)
    assert [one.revision for one in history(app_store, lead)] == [1]


def test_labels_follow_to_the_next_response_and_its_marks_do_not(
    open_page: OpenPage, lead: Rater
) -> None:
    page = open_view(open_page, lead)
    first = component(page)
    say(page, {"vague": [mark(page, 0, 3)], "odd": []})
    page.button(key="coding.next").click().run()

    second = component(page)
    assert second[0] != first[0]
    assert second[1]["text"] != first[1]["text"]
    assert second[1]["labels"] == {"vague": [], "odd": []}


def test_a_label_removed_with_all_its_marks_can_be_brought_back(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = open_view(open_page, lead)
    say(page, {"vague": [mark(page, 0, 3), mark(page, 10, 14)], "odd": []})
    say(page, {"odd": []})
    assert "Removed with all marks: vague (2)." in words(page)

    page.button(key="coding.undo").click().run()
    assert not page.exception
    assert len(component(page)[1]["labels"]["vague"]) == 2
    assert [len(one.body["codes"]) for one in history(app_store, lead)] == [2, 0, 2]


def test_the_second_of_two_tabs_is_told_and_chooses(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    mine, theirs = open_view(open_page, lead), open_view(open_page, lead)
    say(theirs, {"theirs": [mark(theirs, 0, 3)]})
    say(mine, {"mine": [mark(mine, 4, 9)]})

    # In the words of every other desk.
    assert "**Changed in another tab.** Your version here is not saved yet." in words(mine)
    assert re.search("marks: here mine “.+”, there theirs “.+”", words(mine))
    assert [labels(one) for one in history(app_store, lead)] == [["theirs"]]
    mine.button(key="coding.mine").click().run()
    assert not mine.exception
    assert [labels(one) for one in history(app_store, lead)] == [["theirs"], ["mine"]]
    assert "Changed in another tab" not in words(mine)

    say(theirs, {"theirs": [mark(theirs, 4, 9)]})
    theirs.button(key="coding.theirs").click().run()
    assert list(component(theirs)[1]["labels"]) == ["mine"]


def test_labels_are_merged_in_all_my_responses_and_anothers_are_left_alone(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    other = raters.find_or_add_rater_by_name(app_store, "Otto Other", role="lead")
    page = open_view(open_page, lead)
    say(page, {"vague": [mark(page, 0, 3)], "unclear": [mark(page, 10, 14)]})
    page.button(key="coding.next").click().run()
    say(page, {"unclear": [mark(page, 0, 3)]})
    item = history(app_store, lead)[0].item
    text = queries.load_response(app_store, item).response
    code = OpenCode(0, 4, text[:4], "unclear")
    body = open_code_revisions_by_lead.codes_as_stored_body([code], ["unclear"])
    open_code_revisions_by_lead.save_codes_and_return_revision_numbers(
        app_store, Change(item, 0, body), by=other
    )

    page = open_view(open_page, lead, part="Codes", code="vague")
    [counts] = [one.value for one in page.dataframe if "responses" in one.value]
    assert counts[["label", "spans", "responses"]].values.tolist() == [
        ["unclear", 2, 2],
        ["vague", 1, 1],
    ]
    page.multiselect(key="codes.merge.from.vague").set_value(["unclear"]).run()
    page.button(key="codes.merge").click().run()
    assert not page.exception

    found = named(app_store, lead)
    assert sorted(map(len, found.values())) == [1, 2]
    assert {label for each in found.values() for label in each} == {"vague"}
    assert named(app_store, other)[item] == ["unclear"]

    page.button(key="codes.undo").click().run()
    assert sorted(label for each in named(app_store, lead).values() for label in each) == [
        *("unclear", "unclear", "vague"),
    ]


def test_a_label_is_deleted_everywhere(open_page: OpenPage, app_store: Store, lead: Rater) -> None:
    page = open_view(open_page, lead)
    say(page, {"vague": [mark(page, 0, 3)], "odd": [mark(page, 10, 14)]})
    page = open_view(open_page, lead, part="Codes", code="odd")
    page.button(key="codes.remove").click().run()

    assert not page.exception
    assert list(named(app_store, lead).values()) == [["vague"]]
    assert list(component(open_view(open_page, lead))[1]["labels"]) == ["vague"]


def test_a_taxonomy_is_drafted_from_the_codes_and_used(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = open_view(open_page, lead)
    say(page, {"vague": [mark(page, 0, 3)], "fine": [mark(page, 10, 14)]})
    page = open_view(open_page, lead, part="Use the codes")
    page.multiselect(key="coding.draft.non_errors").set_value(["fine"]).run()
    table = page.dataframe[-1].value
    assert dict(zip(table["label"], table["kind"], strict=True)) == {
        "fine": "no error",
        "vague": "error",
    }
    # The demo has been judged: its labels would have to stay.
    page.button(key="coding.draft.use").click().run()
    assert not page.exception
    assert "lacks labels that were given already" in words(page)

    dataset = "fresh"
    one = ResponseItem(question="Why?", response="Because it is so.")
    queries.add_responses_and_return_added(app_store, [("a", one)], dataset=dataset)
    page = open_view(open_page, lead, dataset=dataset)
    say(page, {"vague": [mark(page, 0, 7)]})
    page = open_view(open_page, lead, dataset=dataset, part="Use the codes")
    page.button(key="coding.draft.use").click().run()
    assert not page.exception
    [label] = open_study(
        app_store, settings_store_and_runs_of_process.current_settings(), dataset
    ).taxonomy.labels
    assert (label.name, label.example, label.key) == ("vague", "Because", 1)


def test_spans_from_a_file_are_added_to_those_there(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = open_view(open_page, lead)
    say(page, {"vague": [mark(page, 0, 3)]})
    text = queries.load_response(app_store, history(app_store, lead)[0].item).response
    content = json.dumps({"from a file": [{"start": 4, "end": 9, "label": text[4:9]}]}).encode()
    page.file_uploader[0].set_value(("spans.json", content, "application/json")).run()
    page.button(key="coding.spans.add").click().run()

    assert not page.exception
    assert labels(history(app_store, lead)[-1]) == ["vague", "from a file"]
    page.file_uploader[0].set_value(("spans.json", b"{", "application/json")).run()
    assert "spans.json, line 1: this is not JSON" in words(page)


def test_a_reviewer_gets_the_desk_instead(open_page: OpenPage, reviewer: Rater) -> None:
    page = open_page(PAGE, who=reviewer, view="Open coding")
    assert not page.exception
    assert not [one for one in page.segmented_control if one.key == "part"]


@pytest.mark.parametrize(
    ("text", "display"),
    [
        ("one\ntwo", "one ↵ two"),
        ("one\n\n  two \n", "one ¶ two  ↵ "),
        ("😀 e\u0301 <b>&", "😀 e\u0301 <b>&"),
        ("", ""),
    ],
)
def test_line_ends_are_shown_as_signs(text: str, display: str) -> None:
    assert make_shown_text_with_line_end_signs(text).text == display


def test_marks_go_through_the_shown_text_and_back_unchanged() -> None:
    text = "A 😀 first.\n\nSecond e\u0301 line\nthird ¶ one"
    view = make_shown_text_with_line_end_signs(text)
    for quote in (
        "A 😀 first.",
        "Second",
        "line",
        "third ¶ one",
        "first.\n\nSecond",
        "line\nthird",
    ):
        start = text.index(quote)
        code = OpenCode(start, start + len(quote), quote, "x")
        there = view.mark_on_shown_text(code)
        assert view.text[there.start : there.end] == there.quote
        assert view.mark_on_original_text(there) == code


def test_a_mark_that_swallowed_a_sign_ends_at_the_words() -> None:
    # Selecting up to the line's end in the component takes the sign along.
    view = make_shown_text_with_line_end_signs("first\nsecond")
    assert view.text == "first ↵ second"
    swallowed = OpenCode(0, 7, "first ↵", "x")
    assert view.mark_on_original_text(swallowed) == OpenCode(0, 5, "first", "x")


def test_the_parts_fit_on_a_phone(open_page: OpenPage, lead: Rater) -> None:
    # Beside other things, a choice is otherwise one line, however narrow the page.
    assert open_page(PAGE, who=lead, view="Open coding").button_group(key="part").proto.wrap


@pytest.mark.deep
def test_coders_compare_only_when_both_have_chosen_to(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    other = raters.find_or_add_rater_by_name(app_store, "Otto Other", role="lead")
    page = open_view(open_page, lead)
    say(page, {"my own code": [mark(page, 0, 3)]})
    say(open_view(open_page, other), {"their code": [mark(page, 0, 3)]})

    page = open_view(open_page, other, part="Compare")
    assert "blind to each other" in words(page)
    page.button(key="compare.choose").click().run()
    assert not page.exception
    assert "As soon as another coder has" in words(page)
    assert "my own code" not in words(page)

    page = open_view(open_page, lead, part="Compare")
    page.button(key="compare.choose").click().run()
    assert not page.exception
    [agreement] = [one.value for one in page.dataframe if "agreement" in one.value]
    assert agreement[["agreement", "value", "texts"]].values.tolist() == [
        ["Same passage", "1.00", 1],
        ["Exactly the same passage", "1.00", 1],
        ["Same words", "1.00", 1],
        ["Same passage and code", "0.00", 1],
    ]
    [meet] = [one.value for one in page.dataframe if "my code" in one.value]
    assert meet.values.tolist() == [["my own code", "their code", 1]]


@pytest.mark.deep
def test_a_rename_to_a_name_that_is_there_is_refused_in_place(
    open_page: OpenPage, lead: Rater
) -> None:
    page = open_view(open_page, lead)
    say(page, {"vague": [mark(page, 0, 3)], "odd": [mark(page, 10, 14)]})
    page = open_view(open_page, lead, part="Codes", code="odd")
    page.text_input(key="codes.name.odd").set_value("Vague").run()
    page.button(key="codes.rename").click().run()
    assert not page.exception
    assert "There is a code “vague” already." in words(page)
    assert page.text_input(key="codes.name.odd").value == "Vague"


def test_a_codebook_becomes_a_study_on_the_same_texts(
    open_page: OpenPage, app_store: Store, lead: Rater
) -> None:
    page = open_view(open_page, lead)
    assert not open_view(open_page, lead, part="Use the codes").exception
    say(page, {"a; b": [mark(page, 0, 3)], "odd": [mark(page, 10, 14)]})
    page = open_view(open_page, lead, part="Use the codes")
    text, stored = page.session_state["own.drafted"]
    declared = study_file.parse_study_file(text)
    assert declared.spans is not None
    assert [one.name for one in declared.spans.labels] == ["a, b", "odd"]
    assert declared.spans.column == "response"
    dataset = open_study(app_store, settings_store_and_runs_of_process.current_settings()).dataset
    assert len(stored.rows) == len(
        queries.list_items_with_names_and_if_illustrative(app_store, dataset)
    )
    assert make_item_preview_from_rows(declared, stored.rows, 0).name == stored.rows[0]["item"]

    page.radio[0].set_value("Tick the codes that a text has").run()
    [asked] = study_file.parse_study_file(page.session_state["own.drafted"][0]).form.questions
    assert (asked.kind, asked.options) == ("multiple", ("a, b", "odd"))
