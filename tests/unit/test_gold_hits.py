"""Hits on gold items: the task's own rule, counted by the spine."""

from __future__ import annotations

from types import SimpleNamespace

import pandas as pd

from medlens.review.agreement import gold_hit_rates_by_rater
from medlens.review.randomised_model_suggestions import classify_uptake_of_suggestion
from medlens.studies.sourcecheckup.records import SourceJudgment
from medlens.studies.sourcecheckup.tasks import SourceSupportTask
from medlens.studies.tagging import tasks
from medlens.studies.tagging.records import ErrorSpan, ErrorSpans
from medlens.studies.tagging.study_in_dataset import TaggingSettings
from medlens.studies.tagging.taxonomy import load_taxonomy

TASK = tasks.make_error_spans_task(load_taxonomy(TaggingSettings().taxonomy))
WRONG, CLAIM = "sticking_with_wrong_diagnosis", "unsupported_medical_claim"
FINE, NONE = "reasonable_response", "cannot_pick_category"


def value(*labels: str) -> ErrorSpans:
    return ErrorSpans(spans=tuple(ErrorSpan(labels=(label,)) for label in labels))


def test_a_gold_hit_has_every_expected_label_and_none_of_the_other_kind() -> None:
    judged = pd.DataFrame(
        [
            ("a", "r1", value(WRONG, CLAIM)),  # a further error label does not spoil it
            ("a", "r2", value(WRONG, FINE)),  # a label of the other kind does
            ("a", "r3", value(CLAIM)),  # the expected one is missing
            ("b", "r1", value(FINE)),  # not the expected non-error label
            ("c", "r4", value(FINE)),  # c is no gold item
        ],
        columns=["item_id", "rater", "value"],
    )
    key = pd.DataFrame(
        {"item_id": ["a", "b"], "expected": [{"labels": [WRONG]}, {"labels": [NONE]}]}
    )
    found = gold_hit_rates_by_rater(TASK, judged, key)
    assert {rater: (one.numerator, one.denominator) for rater, one in found.items()} == {
        "r1": (1, 2),
        "r2": (0, 1),
        "r3": (0, 1),
        "r4": (None, 0),
    }
    assert found["r4"].reason == "no gold item was judged"


def test_a_judgment_of_a_source_made_the_key_is_met_by_the_same_and_by_no_other() -> None:
    task = SourceSupportTask()
    assert task.can_items_be_gold
    assert task.can_answer_become_gold
    key = task.make_gold_from_answer(SourceJudgment(verdict="partly", reason="Half of it."))
    assert task.does_answer_match_gold(SourceJudgment(verdict="partly"), key)
    assert not task.does_answer_match_gold(SourceJudgment(verdict="supported"), key)


def test_an_option_that_a_suggestion_could_not_have_is_no_difference_if_it_is_not_ticked() -> None:
    task = SimpleNamespace(values_compared_for_agreement=lambda value: value, tolerances={})
    told = {"rash": True}
    for answered, outcome in (
        ({"rash": True, "fever": False}, "accepted"),
        ({"rash": True, "fever": True}, "changed"),
        ({"rash": False, "fever": False}, "rejected"),
    ):
        assert classify_uptake_of_suggestion(task, told, answered) == outcome
