"""How a response is shown on the surface for marking its errors."""

from __future__ import annotations

from typing import Any

from medlens.review.codebooks_coded_passages_and_agreement import Corpus
from medlens.store import Store
from medlens.studies.tagging import queries
from medlens.studies.tagging.records import ErrorSpans, ResponseItem
from medlens.studies.tagging.study_in_dataset import Study
from medlens.studies.tagging.tasks import ITEM_KIND, STUDY
from medlens.ui.coding.desk import Subject
from medlens.ui.span_desk import Marking

_NO_ANSWERS: Any = {"answers": True, "codes": True, "spans": {"__all__": {"answers"}}}


def marking_setup_of_responses(study: Study) -> Marking:
    """How the responses of an error tagging dataset are marked."""

    return Marking(
        asked={
            "labels": [label_as_surface_data(label) for label in study.taxonomy.labels],
            "reading": [{"title": r.title, "url": r.url} for r in study.taxonomy.reading],
            "notice": "Illustrative demo item" if study.illustrative else "",
        },
        lay=lambda store, item, _first: _laid(store, item),
        drawn=error_spans_as_judgment_body,
        kept=lambda body: body.model_dump(exclude=_NO_ANSWERS),
    )


def make_open_coding_setup_of_responses(study: Study) -> Subject:
    """How to code responses with your own labels."""
    corpus = Corpus(STUDY, study.dataset, ITEM_KIND, "response")
    return Subject(corpus, _laid, "pages/1_Tag_errors.py", ("question", "options"))


def _laid(store: Store, item: str) -> dict[str, Any]:
    # Raters are not told which model they read, here as in studies that compare several.
    response = queries.load_response(store, item)
    return {
        "text": response.response,
        "title": "The model's response",
        "context": question_as_surface_data(response),
    }


def error_spans_as_judgment_body(value: ErrorSpans | None) -> dict[str, Any]:
    return value.model_dump(mode="json") if value else {"spans": [], "comment": ""}


def label_as_surface_data(label: Any) -> dict[str, Any]:
    return {
        "id": label.id,
        "key": label.key,
        "name": label.name,
        "kind": label.kind,
        "colour": label.colour,
        "pattern": label.pattern,
        "hint": label.hint,
        "definition": label.definition,
        "not_when": label.not_when,
        "example": label.example,
        "example_reason": label.example_reason,
        "requires_link": label.requires_link,
        "steps": list(label.steps),
    }


def question_as_surface_data(response: ResponseItem) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = [{"kind": "text", "text": response.question}]
    if response.options:
        options = [
            {
                "key": o.key,
                "text": o.text,
                "correct": o.key == response.correct,
                "chosen": o.key == response.chosen,
            }
            for o in response.options
        ]
        blocks.append({"kind": "options", "options": options})
    if response.chosen is None:
        blocks.append({"kind": "note", "text": "The response does not say which option it chose."})
    return {
        "heading": "Question",
        "blocks": blocks,
        "chosen_label": "The model's choice",
    }
