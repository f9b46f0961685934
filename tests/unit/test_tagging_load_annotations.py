"""Raw annotations: marks find their place in the repaired response, or say why they do not."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest

from medlens.errors import BadFile
from medlens.studies.tagging.load_raw_annotations import (
    LoadedAnnotations,
    read_annotations_surveys_and_refused_rows,
)
from medlens.studies.tagging.read_g4ue_items_and_responses import read_items
from medlens.studies.tagging.records import ErrorSpan
from medlens.studies.tagging.taxonomy import Taxonomy, load_taxonomy
from tests.unit.test_tagging_load import item

COLUMNS = (
    "annotator_id",
    "displayed_text",
    "id",
    "span_annotations",
    "label_annotations",
    "behavioral_data",
)
VAGUE, REASONABLE = "Incorrect or vague conclusion", "Reasonable response by GPT-4"
HEAD = (
    "<strong>USMLE question:</strong> Why & how?\n<br><strong>Options:</strong> "
    "{'A': 'Rest', 'B': 'Iron'}\nPlease explain<br><strong>Correct Answer:</strong> A<br>"
    "<strong>GPT-4 Response:</strong> "
)


@pytest.fixture(scope="module")
def taxonomy() -> Taxonomy:
    return load_taxonomy(Path(__file__).parents[2] / "data" / "taxonomies" / "g4ue.toml")


def shown_in_browser(text: str) -> str:
    """What the platform counted in, for the texts of these tests: only head and breaks are tags."""
    return (HEAD + text).replace("Why &", "Why &amp;").replace("\n", "\r\n")


def mark(text: str, quote: str, *, label: str = VAGUE, shift: int = 0) -> dict[str, Any]:
    start = shown_in_browser(text).index(quote) + shift
    return {"start": start, "end": start + len(quote), "span": quote, "annotation": label}


def rows(*given: tuple[str, str, str, Any, Any, str]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    writer.writerows([*cells[:3], *map(str, cells[3:])] for cells in given)
    return out.getvalue().encode()


def read(text: str, *marks: dict[str, Any], taxonomy: Taxonomy, **more: Any) -> LoadedAnnotations:
    time = "{'time_string': 'Time spent: 0d 0h 11m 47s '}"
    row = ("r1", HEAD + text, "item1", list(marks), {}, time)
    return read_annotations_surveys_and_refused_rows(rows(row), taxonomy, **more)


def test_offsets_in_the_browsers_text_become_code_points_of_the_repaired_response(
    taxonomy: Taxonomy,
) -> None:
    text = "At 37\u00c2\u00b0C one\nline. The patient\u00e2\u0080\u0099s iron."
    loaded = read(text, mark(text, "patient\u00e2\u0080\u0099s iron"), taxonomy=taxonomy)
    span = loaded.annotations[0].value.spans[0]
    # "At 37°C one" is 11 characters, the line break 1, "line. The " 10: the mark begins at 22.
    assert (span.start, span.end, span.quote) == (22, 36, "patient’s iron")
    assert (span.located, span.labels) == ("exact", ("incorrect_or_vague_conclusion",))
    assert loaded.items[0].item.response[22:36] == span.quote
    assert loaded.annotations[0].seconds == 707.0  # 11 x 60 + 47
    assert (loaded.report.spans, loaded.report.exact) == (1, 1)


def test_a_mark_over_a_line_break_and_escaped_signs_is_found(taxonomy: Taxonomy) -> None:
    text = "Na < 120\n\n& so on."
    browser = shown_in_browser("Na &lt; 120\n\n&amp; so on.")
    quote = "Na &lt; 120\r\n\r\n&amp; so"
    start = browser.index("Na &lt;")
    given = {"start": start, "end": start + len(quote), "span": quote, "annotation": VAGUE}
    span = read(text, given, taxonomy=taxonomy).annotations[0].value.spans[0]
    assert (span.start, span.end, span.quote) == (0, 14, "Na < 120\n\n& so")


def test_an_emoji_counts_as_two_units_in_the_browser_and_one_code_point_here(
    taxonomy: Taxonomy,
) -> None:
    text = "😀😀 iron"
    given = mark(text, "iron", shift=2)  # two emoji, one more unit each than Python counts
    span = read(text, given, taxonomy=taxonomy).annotations[0].value.spans[0]
    assert (span.start, span.end, span.located) == (3, 7, "exact")


def test_marks_with_wrong_offsets_are_found_by_their_words_if_these_occur_once(
    taxonomy: Taxonomy,
) -> None:
    text = "Iron is low. Rest is best. Iron is low?"
    inner = '<span class="span_container" style="x">best.'
    nested = {"start": 5, "end": 60, "span": f" is {inner} Iron", "annotation": VAGUE}
    given = [
        mark(text, "Rest is best", shift=3),
        {**mark(text, "Iron is low", shift=2)},
        {**mark(text, "low"), "span": "lowly"},
        nested,
    ]
    loaded = read(text, *given, taxonomy=taxonomy)
    found = [(span.start, span.located) for span in loaded.annotations[0].value.spans]
    assert found == [(13, "by_quote"), (None, "ambiguous"), (None, "missing"), (17, "by_quote")]
    report = loaded.report
    counts = (report.exact, report.by_quote, report.ambiguous, report.missing, report.outside)
    assert counts == (0, 2, 1, 1, 0)


def test_a_mark_on_the_question_keeps_its_words_and_is_counted_apart(taxonomy: Taxonomy) -> None:
    question = shown_in_browser("x").index("Please explain")
    given = {"start": question, "end": question + 6, "span": "Please", "annotation": VAGUE}
    loaded = read("Iron.", given, taxonomy=taxonomy)
    span = loaded.annotations[0].value.spans[0]
    assert (span.start, span.quote, span.located) == (None, "Please", "missing")
    assert (loaded.report.missing, loaded.report.outside) == (1, 1)


def test_labels_on_the_same_words_become_one_span_in_the_taxonomys_order(
    taxonomy: Taxonomy,
) -> None:
    marks = [mark("Iron.", "Iron", label=name) for name in (REASONABLE, VAGUE, VAGUE)]
    loaded = read("Iron.", *marks, taxonomy=taxonomy)
    (span,) = loaded.annotations[0].value.spans
    assert span.labels == ("incorrect_or_vague_conclusion", "reasonable_response")
    assert (loaded.report.spans, loaded.report.joined, loaded.report.repeated) == (3, 1, 1)


def test_survey_pages_become_answers_and_old_accounts_are_raters_of_their_own(
    taxonomy: Taxonomy,
) -> None:
    answers = {
        "How was it?": {"Good": "How was it?:::Good"},
        "Which of these?": {"One": "on", "Two": True, "Three": False},
        " Any comment?": {"text_box": " It was\nfine "},
        "Age": {"number": 41},
    }
    data = rows(
        ("r1", HEAD + "Iron.", "item1", [mark("Iron.", "Iron")], {}, ""),
        ("r1_old", "experience", "A-study-experience.html", {}, answers, ""),
        ("r1_old", HEAD + "Iron.", "item1", [], {}, "{}"),
        ("r1_old", HEAD + "Iron.", "item1", [mark("Iron.", "Iron")], {}, "{}"),
    )
    loaded = read_annotations_surveys_and_refused_rows(data, taxonomy)
    (survey,) = loaded.surveys
    assert (survey.rater, survey.form, survey.line) == ("r1_old", "experience", 5)
    assert survey.answers == {
        "How was it?": "Good",
        "Which of these?": "One; Two",
        "Any comment?": "It was\nfine",
        "Age": "41",
    }
    marks = [(one.rater, len(one.value.spans), one.seconds) for one in loaded.annotations]
    assert marks == [("r1", 1, None), ("r1_old", 0, None), ("r1_old", 1, None)]
    assert (loaded.report.raters, loaded.report.surveys, loaded.report.items) == (2, 1, 1)


def test_a_label_ticked_without_a_mark_is_kept_without_a_place(taxonomy: Taxonomy) -> None:
    ticked = {"label": {"Cannot pick any category": "1"}, "note": {"text_box": "hard"}}
    data = rows(("r1", HEAD + "Iron.", "item1", [], ticked, ""))
    value = read_annotations_surveys_and_refused_rows(data, taxonomy).annotations[0].value
    assert value.spans == (ErrorSpan(labels=("cannot_pick_category",), located="label_only"),)
    assert value.comment == "note: hard"


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        ("span_annotations", {3: "[{'start': 1"}),
        ("span_annotations", {3: "{'a': 1}"}),
        ("span_annotations", {3: [{"start": "1", "end": 2, "span": "x", "annotation": VAGUE}]}),
        ("span_annotations", {3: [mark("Iron.", "Iron", label="No such label")]}),
        ("annotator_id", {0: " "}),
        ("id", {2: ""}),
        ("displayed_text", {1: "some text without headings", 3: [1]}),
        ("label_annotations", {4: "{'a'"}),
    ],
)
def test_a_row_that_does_not_fit_is_refused_or_left_out(
    column: str, cells: dict[int, Any], taxonomy: Taxonomy
) -> None:
    good = ("r1", HEAD + "Iron.", "item1", [], {}, "")
    bad: Any = tuple(cells.get(at, cell) for at, cell in enumerate(good))
    with pytest.raises(BadFile) as caught:
        read_annotations_surveys_and_refused_rows(rows(good, bad), taxonomy)
    # The header is line 1; the displayed text has two line breaks, so a good row takes three.
    assert [(row.line, row.column) for row in caught.value.rows] == [(5, column)]
    assert (
        len(
            read_annotations_surveys_and_refused_rows(
                rows(good, bad), taxonomy, skip_bad=True
            ).annotations
        )
        == 1
    )


def test_spans_fit_the_response_that_the_store_has(taxonomy: Taxonomy) -> None:
    given = mark("So: iron.", "iron")
    responses = {"item1": "Take iron."}
    loaded = read("So: iron.", given, taxonomy=taxonomy, responses=responses)
    span = loaded.annotations[0].value.spans[0]
    assert (span.start, span.end, span.located) == (5, 9, "by_quote")
    assert "item1" in loaded.notes[0]


def test_items_can_be_built_from_annotations_alone(taxonomy: Taxonomy) -> None:
    data = rows(("r1", HEAD + "The answer is B: Iron.", "item1", [], {}, ""))
    (one,) = read_annotations_surveys_and_refused_rows(data, taxonomy).items
    direct = read_items(
        item("The answer is B: Iron.", options="{'A': 'Rest', 'B': 'Iron'}", question="Why & how?")
    ).records[0]
    assert one.item.response == direct.item.response
    assert one.item.question == direct.item.question
    assert one.item.options == direct.item.options
    assert one.item.chosen == "B"
