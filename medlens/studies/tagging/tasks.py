"""The task of error tagging's raters, people and models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from medlens.errors import InvalidInput
from medlens.llm.token_cost import USUAL_ANSWER
from medlens.review import items
from medlens.review.marked_spans import carry_spans
from medlens.review.marked_spans import misplaced_marks as misplaced_spans
from medlens.review.moved_marks import CarriedAnswer
from medlens.review.tasks import Body, ByModels, Heard, Task, Wholes
from medlens.store import Store
from medlens.studies import model_verdicts
from medlens.studies.model_verdicts import Verdict, Word
from medlens.studies.shipped_guidelines import shipped_guidelines, shipped_worked_example
from medlens.studies.tagging import metrics_agreement, prompts
from medlens.studies.tagging.metrics_tables import join_judgments
from medlens.studies.tagging.records import ErrorSpan, ErrorSpans, ResponseItem
from medlens.studies.tagging.taxonomy import Taxonomy
from medlens.web.quote_search import Quotable

_OUTCOME = "tagged"


def define_model_answers(taxonomy: Taxonomy) -> ByModels:
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
        shape=prompts.marks_reply_shape(taxonomy),
        questions=prompts.tagging_instructions(taxonomy),
        read=read,
        tokens=USUAL_ANSWER,
        role=prompts.TAG_ROLE,
        version=prompts.TAG_VERSION,
        outcome=_OUTCOME,
    )


def _shown(store: Store, item: str) -> dict[str, str]:
    one = ResponseItem.model_validate(items.item_body(store, item))
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


def verdicts_of_models(
    store: Store, taxonomy: Taxonomy, dataset: str, *, item: str = ""
) -> list[Verdict]:
    """The models' verdicts on all responses, or on one ``item``."""

    def told(name: str, body: dict[str, Any]) -> Word:
        value = ErrorSpans.model_validate(body)
        return Word(_OUTCOME, value.comment, body={"item": name, **_told(taxonomy, value)})

    return model_verdicts.verdicts_with_imported(store, "error_spans", dataset, told, subject=item)


NAME = "error_spans"
STUDY = "tagging"
ITEM_KIND = "response"
_LONGEST = 90


def error_spans_task(taxonomy: Taxonomy) -> Task:
    """The task of marking every error in a response (Roy et al. 2024, annotation guidelines)."""
    ids = [label.id for label in taxonomy.labels]

    def problems(value: ErrorSpans, item: Mapping[str, Any]) -> list[str]:
        return taxonomy.problems(value, item["response"])

    def misplaced(value: ErrorSpans, item: Mapping[str, Any]) -> list[str]:
        return misplaced_spans(value.spans, item["response"], ids)

    def carried(
        value: ErrorSpans, before: Mapping[str, Any], after: Mapping[str, Any]
    ) -> CarriedAnswer:
        spans, sound, lost = carry_spans(
            value.spans, lambda _: str(before["response"]), lambda _: str(after["response"])
        )
        placed = tuple(
            now.model_copy(update={"located": "missing"})
            if now.start is None and was.start is not None
            else now
            for was, now in zip(value.spans, spans, strict=True)
        )
        return CarriedAnswer(
            value.model_copy(update={"spans": placed}),
            value.model_copy(update={"spans": sound}),
            sum(span.start is not None for span in sound),
            lost,
        )

    def measures(value: ErrorSpans) -> dict[str, bool]:
        given = value.labels()
        return {label: label in given for label in ids}

    def flat(value: ErrorSpans) -> dict[str, Any]:
        given = value.labels()
        names = [label.export_name for label in taxonomy.labels if label.id in given]
        return {"labels": "; ".join(names), "n_spans": len(value.spans), "comment": value.comment}

    def parts(value: ErrorSpans) -> list[dict[str, Any]]:
        return [
            {
                "start": span.start,
                "end": span.end,
                "quote": span.quote,
                "located": span.located,
                "label": taxonomy.label(label).export_name,
                "span_comment": span.comment,
                "link": span.link,
                "span": number,
            }
            for number, span in enumerate(value.spans, 1)
            for label in span.labels
        ]

    def unflat(row: Mapping[str, Any]) -> ErrorSpans:
        named = [name for name in str(row.get("labels") or "").split("; ") if name.strip()]
        spans = [ErrorSpan(labels=(_id(name),), located="label_only") for name in named]
        return ErrorSpans(spans=tuple(spans), comment=str(row.get("comment") or ""))

    def unparts(row: Mapping[str, Any], rows: list[Mapping[str, Any]]) -> ErrorSpans:
        spans: dict[int, list[Mapping[str, Any]]] = {}
        for part in rows:
            if part.get("span") not in (None, ""):
                spans.setdefault(_whole(part, "span") or 0, []).append(part)
        marks = [_mark(spans[number]) for number in sorted(spans)]
        return ErrorSpans(spans=tuple(marks), comment=str(row.get("comment") or ""))

    def _mark(rows: list[Mapping[str, Any]]) -> ErrorSpan:
        first = rows[0]
        given = {_id(str(row["label"])) for row in rows}
        return ErrorSpan(
            start=_whole(first, "start"),
            end=_whole(first, "end"),
            quote=str(first.get("quote") or ""),
            labels=tuple(i for i in ids if i in given),
            comment=str(first.get("span_comment") or ""),
            link=str(first.get("link") or ""),
            located=first.get("located") or "exact",
        )

    def _id(name: str) -> str:
        label = taxonomy.by_name(name)
        if label is None:
            raise InvalidInput(f"{name!r} is not a label of {taxonomy.title!r}.")
        return label.id

    def said(value: ErrorSpans) -> str:
        given = value.labels()
        return "; ".join(label.name for label in taxonomy.labels if label.id in given) or "no label"

    def pieces(value: ErrorSpans) -> list[tuple[str, str]]:
        return [
            (
                f"{'; '.join(taxonomy.label(label).name for label in span.labels)}:"
                f" {_short(span.quote) or 'without a place'}",
                "" if span.start is None else f"from character {span.start + 1:,}",
            )
            for span in value.spans
        ]

    def merged(chosen: Sequence[tuple[ErrorSpans, int]]) -> ErrorSpans:
        spans: dict[tuple[object, ...], ErrorSpan] = {}
        for value, at in chosen:
            span = value.spans[at]
            spans.setdefault((span.start, span.end, span.quote, span.labels), span)
        ordered = sorted(spans.values(), key=lambda one: (one.start is None, one.start or 0))
        found = ErrorSpans(spans=tuple(ordered))
        if broken := taxonomy.breaches(found.labels()):
            raise InvalidInput(" ".join(broken), hint="Choose other marks.")
        return found

    def settled(values: Sequence[ErrorSpans]) -> ErrorSpans | None:
        votes = Counter(label for value in values for label in value.labels())
        least = min(2, len(values))
        found = ErrorSpans(
            spans=tuple(
                ErrorSpan(labels=(label,), located="label_only")
                for label in ids
                if votes[label] >= least
            )
        )
        return found if found.spans and not taxonomy.breaches(found.labels()) else None

    def as_wholes(judged: pd.DataFrame) -> Wholes:
        # Marks are compared by their places; the text only has to exist.
        texts = pd.DataFrame({"item": judged["item"].unique(), "response": ""})
        kinds = ("person", "model")
        return metrics_agreement.agreement_on_wholes(
            join_judgments(judged, taxonomy, items=texts, kinds=kinds)
        )

    def gold_hit(value: ErrorSpans, expected: Mapping[str, Any]) -> bool:
        wanted = frozenset(expected["labels"])
        kinds = {taxonomy.label(label).kind for label in wanted}
        given = value.labels()
        return wanted <= given and {taxonomy.label(label).kind for label in given} <= kinds

    # A team's own labels are explained by their taxonomy alone.
    as_published = (taxonomy.id, taxonomy.version) == ("g4ue", "1")
    return Task(
        name=NAME,
        study=STUDY,
        item_kind=ITEM_KIND,
        title="Tag errors",
        question="Which errors does the response make, and where?",
        guidelines=shipped_guidelines(NAME) if as_published else (),
        worked_example=shipped_worked_example(NAME) if as_published else "",
        value=ErrorSpans,
        problems=problems,
        rules=lambda value, item: taxonomy.breaches(value.labels()),
        draft_problems=misplaced,
        carried=carried,
        measures=measures,
        flat=flat,
        parts=parts,
        unflat=unflat,
        unparts=unparts,
        as_wholes=as_wholes,
        gold_hit=gold_hit,
        word_in="the consensus labels, under both rules",
        names={label.id: label.name for label in taxonomy.labels},
        said=said,
        pieces=pieces,
        merged=merged,
        settled=settled,
        shown=_shown,
        by_models=define_model_answers(taxonomy),
    )


def _short(quote: str) -> str:
    """The words of a mark, on one line."""
    words = " ".join(quote.split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def _whole(row: Mapping[str, Any], column: str) -> int | None:
    """A whole number from an imported row; spreadsheets write 12 as 12.0."""
    given = row.get(column)
    if given in (None, "") or pd.isna(given):
        return None
    try:
        number = float(given)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"{column} must be a whole number, not {given!r}.") from error
    if not number.is_integer():
        raise InvalidInput(f"{column} must be a whole number, not {given!r}.")
    return int(number)
