"""The marks of all raters as a lead chooses among them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from medlens.errors import InvalidInput
from medlens.studies.tagging.records import ErrorSpan, ErrorSpans
from medlens.studies.tagging.tasks import make_error_spans_task
from medlens.studies.tagging.taxonomy import load_taxonomy
from medlens.ui.team_disagreements import _pieces

TASK = make_error_spans_task(load_taxonomy(Path("data/taxonomies/g4ue.toml")))
CLAIM, FINE = "unsupported_medical_claim", "reasonable_response"


def marks(*of: tuple[int, str, str]) -> ErrorSpans:
    return ErrorSpans(
        spans=tuple(
            ErrorSpan(start=start, end=start + len(quote), quote=quote, labels=(label,))
            for start, quote, label in of
        )
    )


def test_one_mark_of_two_raters_is_one_piece_and_the_same_words_elsewhere_another() -> None:
    answers = {
        "A": marks((0, "is safe", CLAIM), (40, "always", CLAIM)),
        "B": marks((0, "is safe", CLAIM)),
        "C": marks((90, "is safe", CLAIM)),
    }
    pieces = _pieces(TASK, answers)
    assert [name.partition(": ")[2] for name in pieces] == [
        "is safe (A, B; from character 1)",
        "always (A)",
        "is safe (C; from character 91)",
    ]
    merged = TASK.combine_chosen_pieces(list(pieces.values())[::-1])
    assert [span.start for span in merged.spans] == [0, 40, 90]


def test_marks_that_exclude_each_other_do_not_make_an_answer() -> None:
    chosen = [(marks((0, "is safe", CLAIM)), 0), (marks((0, "is safe", FINE)), 0)]
    with pytest.raises(InvalidInput, match="excludes every other label"):
        TASK.combine_chosen_pieces(chosen)


def test_the_strict_rule_offers_its_labels_and_nothing_where_they_exclude_each_other() -> None:
    claim, both = marks((0, "is safe", CLAIM)), marks((0, "a", CLAIM), (5, "b", FINE))
    found = TASK.answer_by_consensus_rule([claim, claim, marks((3, "x", FINE))])
    assert found is not None
    assert found.labels_given() == {CLAIM}
    assert TASK.answer_by_consensus_rule([both, both]) is None
    assert TASK.answer_by_consensus_rule([claim, marks((3, "x", FINE))]) is None


def test_what_raters_differ_on_is_told_in_the_words_of_its_label_or_question() -> None:
    assert TASK.name_of_variable_in_words("reasonable_response") == "Reasonable response"
    asked = replace(TASK, names={}, called={"style": "How is it written?"})
    assert asked.name_of_variable_in_words("style: plain") == "How is it written?: plain"
    assert asked.name_of_variable_in_words("final_diagnosis") == "Final diagnosis"
