"""The task of error tagging's raters, people and models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from medlens.deferred_module import pd
from medlens.errors import InvalidInput
from medlens.llm.token_cost_forecast_and_budget import USUAL_ANSWER
from medlens.review import items
from medlens.review.marked_spans_checked_carried_and_timed import (
    carried_marks_placed_marks_and_lost_words,
)
from medlens.review.marked_spans_checked_carried_and_timed import (
    list_mark_problems_in_words as misplaced_spans,
)
from medlens.review.marks_after_text_correction import CarriedAnswer
from medlens.review.tasks import Body, ByModels, Heard, Task, Wholes
from medlens.store import Store
from medlens.studies.shipped_guidelines_and_worked_examples import (
    shipped_guideline_versions,
    shipped_worked_example_text,
)
from medlens.studies.tagging import prompts
from medlens.studies.tagging.records import ErrorSpan, ErrorSpans, ResponseItem
from medlens.studies.tagging.taxonomy import Taxonomy

if TYPE_CHECKING:
    from medlens.studies.model_verdicts_and_runs_of_judges import Verdict, Word

_OUTCOME = "tagged"


def make_model_answering_setup(taxonomy: Taxonomy) -> ByModels:
    """How models mark the errors of a response.

    Each quote is located in it (exactly, or else with white space and Unicode folded) or dropped.
    Marks need no link, since a model cannot look one up.
    """

    def read(said: Any, body: Body) -> Heard:
        # Only a model quotes, and the rules for quotes take long to load.
        from medlens.web.quote_search import QuotableText

        text = QuotableText(body["response"])
        places = [text.find_only_place(mark.quote) for mark in said.marks]
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
    given = value.labels_given()
    labels = "; ".join(one.export_name for one in taxonomy.labels if one.id in given)
    return {"labels": labels, "marks": len(value.spans)}


def list_verdicts_of_models(
    store: Store, taxonomy: Taxonomy, dataset: str, *, item: str = ""
) -> list[Verdict]:
    """The models' verdicts on all responses, or on one ``item``."""
    # What asks models is loaded only for what they said.
    from medlens.studies import model_verdicts_and_runs_of_judges

    def told(name: str, body: dict[str, Any]) -> Word:
        value = ErrorSpans.model_validate(body)
        return model_verdicts_and_runs_of_judges.Word(
            _OUTCOME, value.comment, body={"item": name, **_told(taxonomy, value)}
        )

    return model_verdicts_and_runs_of_judges.list_verdicts_with_imported(
        store, "error_spans", dataset, told, subject=item
    )


NAME = "error_spans"
STUDY = "tagging"
ITEM_KIND = "response"
_LONGEST = 90


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class ErrorSpansTask(Task):
    """The task of marking every error in a response (Roy et al. 2024, annotation guidelines)."""

    taxonomy: Taxonomy
    name: str = NAME
    study: str = STUDY
    item_kind: str = ITEM_KIND
    title: str = "Tag errors"
    question: str = "Which errors does the response make, and where?"
    value: type[BaseModel] = ErrorSpans
    length_at: str = "$.response"
    word_in: str = "the consensus labels, under both rules"

    @cached_property
    def _label_ids(self) -> list[str]:
        return [label.id for label in self.taxonomy.labels]

    def problems_of_answer(self, value: ErrorSpans, item: Body) -> list[str]:
        """Marks out of place, and labels that do not go together."""
        return self.taxonomy.problems_of_answer(value, item["response"])

    def rules_broken_by_answer(self, value: ErrorSpans, item: Body) -> list[str]:
        """Labels that do not go together."""
        return self.taxonomy.list_exclusivity_breaches_in_words(value.labels_given())

    def problems_of_draft(self, value: ErrorSpans, item: Body) -> list[str]:
        """Marks out of place."""
        return misplaced_spans(value.spans, item["response"], self._label_ids)

    def answer_and_lost_marks_in_corrected_item(
        self, value: ErrorSpans, before: Body, after: Body
    ) -> CarriedAnswer:
        """The marks at their new places; those whose words are gone have none."""
        spans, sound, lost = carried_marks_placed_marks_and_lost_words(
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

    def values_compared_for_agreement(self, value: ErrorSpans) -> dict[str, bool]:
        """Whether each label is given somewhere."""
        given = value.labels_given()
        return {label: label in given for label in self._label_ids}

    def answer_as_columns(self, value: ErrorSpans) -> dict[str, Any]:
        """The labels, the number of marks, and the comment."""
        given = value.labels_given()
        names = [label.export_name for label in self.taxonomy.labels if label.id in given]
        return {"labels": "; ".join(names), "n_spans": len(value.spans), "comment": value.comment}

    def answer_as_rows_of_parts(self, value: ErrorSpans) -> list[dict[str, Any]]:
        """A row for each label of a mark; marks are numbered from 1."""
        return [
            {
                "start": span.start,
                "end": span.end,
                "quote": span.quote,
                "located": span.located,
                "label": self.taxonomy.require_label_with_id(label).export_name,
                "span_comment": span.comment,
                "link": span.link,
                "span": number,
            }
            for number, span in enumerate(value.spans, 1)
            for label in span.labels
        ]

    def answer_from_columns(self, row: Body) -> ErrorSpans:
        """The labels, without their places."""
        named = [name for name in str(row.get("labels") or "").split("; ") if name.strip()]
        spans = [ErrorSpan(labels=(self._label_id(name),), located="label_only") for name in named]
        return ErrorSpans(spans=tuple(spans), comment=str(row.get("comment") or ""))

    def answer_from_rows_of_parts(self, row: Body, rows: list[Body]) -> ErrorSpans:
        """The marks with their places."""
        spans: dict[int, list[Body]] = {}
        for part in rows:
            if part.get("span") not in (None, ""):
                spans.setdefault(_whole(part, "span") or 0, []).append(part)
        marks = [self._mark(spans[number]) for number in sorted(spans)]
        return ErrorSpans(spans=tuple(marks), comment=str(row.get("comment") or ""))

    def _mark(self, rows: list[Body]) -> ErrorSpan:
        first = rows[0]
        given = {self._label_id(str(row["label"])) for row in rows}
        return ErrorSpan(
            start=_whole(first, "start"),
            end=_whole(first, "end"),
            quote=str(first.get("quote") or ""),
            labels=tuple(i for i in self._label_ids if i in given),
            comment=str(first.get("span_comment") or ""),
            link=str(first.get("link") or ""),
            located=first.get("located") or "exact",
        )

    def _label_id(self, name: str) -> str:
        label = self.taxonomy.find_label_by_any_name(name)
        if label is None:
            raise InvalidInput(f"{name!r} is not a label of {self.taxonomy.title!r}.")
        return label.id

    def answer_in_words(self, value: ErrorSpans) -> str:
        """The labels."""
        given = value.labels_given()
        names = (label.name for label in self.taxonomy.labels if label.id in given)
        return "; ".join(names) or "no label"

    def pieces_of_answer_with_places(self, value: ErrorSpans) -> list[tuple[str, str]]:
        """The marks, and where each begins."""
        return [
            (
                "; ".join(self.taxonomy.require_label_with_id(label).name for label in span.labels)
                + f": {_short(span.quote) or 'without a place'}",
                "" if span.start is None else f"from character {span.start + 1:,}",
            )
            for span in value.spans
        ]

    def combine_chosen_pieces(self, chosen: Sequence[tuple[ErrorSpans, int]]) -> ErrorSpans:
        """The chosen marks, each once, in the order of the text."""
        spans: dict[tuple[object, ...], ErrorSpan] = {}
        for value, at in chosen:
            span = value.spans[at]
            spans.setdefault((span.start, span.end, span.quote, span.labels), span)
        ordered = sorted(spans.values(), key=lambda span: (span.start is None, span.start or 0))
        merged = ErrorSpans(spans=tuple(ordered))
        if broken := self.taxonomy.list_exclusivity_breaches_in_words(merged.labels_given()):
            raise InvalidInput(" ".join(broken), hint="Choose other marks.")
        return merged

    def answer_by_consensus_rule(self, values: Sequence[ErrorSpans]) -> ErrorSpans | None:
        """The labels that two raters give, or the only one."""
        votes = Counter(label for value in values for label in value.labels_given())
        least = min(2, len(values))
        settled = ErrorSpans(
            spans=tuple(
                ErrorSpan(labels=(label,), located="label_only")
                for label in self._label_ids
                if votes[label] >= least
            )
        )
        return (
            settled
            if settled.spans
            and not self.taxonomy.list_exclusivity_breaches_in_words(settled.labels_given())
            else None
        )

    def whole_agreement_functions_by_name_and_meaning(self, judged: pd.DataFrame) -> Wholes:
        """Agreement on marks and on sets of labels."""
        # Short commands that load the task compute no agreement.
        from medlens.studies.tagging import metrics_agreement
        from medlens.studies.tagging.metrics_input_tables import make_tagging_tables

        # Marks are compared by their places; the text only has to exist.
        texts = pd.DataFrame({"item": judged["item"].unique(), "response": ""})
        kinds = ("person", "model")
        return metrics_agreement.whole_agreement_functions_by_name_and_meaning(
            make_tagging_tables(judged, self.taxonomy, items=texts, kinds=kinds)
        )

    def does_answer_match_gold(self, value: ErrorSpans, expected: Body) -> bool:
        """Whether all expected labels are given, and none of another kind."""
        wanted = frozenset(expected["labels"])
        kinds = {self.taxonomy.require_label_with_id(label).kind for label in wanted}
        given = value.labels_given()
        return (
            wanted <= given
            and {self.taxonomy.require_label_with_id(label).kind for label in given} <= kinds
        )

    def load_texts_by_heading_of_item(self, store: Store, item: str) -> dict[str, str]:
        """The question with its options, and the response."""
        body = ResponseItem.model_validate(items.item_body(store, item))
        return {
            "Question": body.question,
            "Options": "\n".join(f"{option.key}: {option.text}" for option in body.options),
            "Correct option": body.correct or "not known",
            "Option that the response chose": body.chosen or "not stated",
            "Response": body.response,
        }

    @cached_property
    def model_answering_setup(self) -> ByModels:
        """Models quote the errors."""
        return make_model_answering_setup(self.taxonomy)


def make_error_spans_task(taxonomy: Taxonomy, **fields: Any) -> ErrorSpansTask:
    """The task with the labels of a taxonomy; ``fields`` are others of ``Task``."""
    # A team's own labels are explained by their taxonomy alone.
    as_published = (taxonomy.id, taxonomy.version) == ("g4ue", "1")
    return ErrorSpansTask(
        taxonomy=taxonomy,
        guidelines=shipped_guideline_versions(NAME) if as_published else (),
        worked_example=shipped_worked_example_text(NAME) if as_published else "",
        names={label.id: label.name for label in taxonomy.labels},
        **fields,
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
