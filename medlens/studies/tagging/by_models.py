"""Models as raters of errors: their instructions, and placing their quotes in the response."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from medlens.llm.cost import USUAL_ANSWER
from medlens.review import items, judges
from medlens.review.judges import Verdict, Word
from medlens.review.tasks import Body, ByModels, Heard
from medlens.store import Store
from medlens.studies.tagging import prompts
from medlens.studies.tagging.models import ErrorSpan, ErrorSpans, ResponseItem
from medlens.studies.tagging.taxonomy import Taxonomy
from medlens.web.quotes import Quotable

_OUTCOME = "tagged"


def by_models(taxonomy: Taxonomy) -> ByModels:
    """How models mark the errors of a response.

    Each quote is located in it (exactly, or else with white space and Unicode folded) or dropped.
    Marks need no link, since a model cannot look one up.
    """

    def read(said: Any, body: Body) -> Heard:
        text = Quotable(body["response"])
        places = [text.find(mark.quote) for mark in said.marks]
        found: dict[tuple[int, int], list[Any]] = {}
        for mark, place in zip(said.marks, places, strict=True):
            if place.how in ("exact", "folded"):
                found.setdefault((place.start, place.end), []).append(mark)
        spans = tuple(
            _span(taxonomy, body["response"], place, marks)
            for place, marks in sorted(found.items())
        )
        value = ErrorSpans(spans=spans, comment=said.comment)
        how = [place.how for place in places]
        return Heard(value if spans else None, said.comment, _told(taxonomy, value), how)

    return ByModels(
        shape=prompts.marks_shape(taxonomy),
        questions=prompts.tag_questions(taxonomy),
        read=read,
        tokens=USUAL_ANSWER,
        role=prompts.TAG_ROLE,
        version=prompts.TAG_VERSION,
        outcome=_OUTCOME,
        shown=_shown,
    )


def _shown(store: Store, item: str) -> dict[str, str]:
    one = ResponseItem.model_validate(items.body_of(store, item))
    return {
        "Question": one.question,
        "Options": "\n".join(f"{option.key}: {option.text}" for option in one.options),
        "Correct option": one.correct or "not known",
        "Option that the response chose": one.chosen or "not stated",
        "Response": one.response,
    }


def _span(taxonomy: Taxonomy, response: str, place: tuple[int, int], marks: list[Any]) -> ErrorSpan:
    start, end = place
    given = {label for mark in marks for label in mark.labels}
    return ErrorSpan(
        start=start,
        end=end,
        quote=response[start:end],
        located="by_quote",
        labels=tuple(one.id for one in taxonomy.labels if one.id in given),
        comment=" ".join(mark.reason.strip() for mark in marks if mark.reason.strip()),
        link=next((mark.link.strip() for mark in marks if mark.link.strip()), ""),
    )


def _told(taxonomy: Taxonomy, value: ErrorSpans) -> Mapping[str, Any]:
    given = value.labels()
    labels = "; ".join(one.export_name for one in taxonomy.labels if one.id in given)
    return {"labels": labels, "marks": len(value.spans)}


def said_of(store: Store, taxonomy: Taxonomy, dataset: str, *, item: str = "") -> list[Verdict]:
    """The models' verdicts on all responses, or on one ``item``."""

    def told(name: str, body: dict[str, Any]) -> Word:
        value = ErrorSpans.model_validate(body)
        return Word(_OUTCOME, value.comment, body={"item": name, **_told(taxonomy, value)})

    return judges.with_imported(store, "error_spans", dataset, told, subject=item)
