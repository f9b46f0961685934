"""Spans: labelled words that a rater marked in a text, shared by all studies that ask for them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt

from medlens.review import assignments_held_in_memory
from medlens.review.marks_after_text_correction import find_place_in_corrected_text
from medlens.review.tasks import Task
from medlens.store import Store

# Nine colours that dichromats can tell apart and that stand out on white and on near-black alike
# (tests/unit/test_taxonomy.py measures both).
COLOURS = (
    *("#e47818", "#9c0cd8", "#0090fc", "#c06030", "#b46cc0"),
    *("#a83c24", "#48609c", "#3c9078", "#6c6060"),
)

# Underline styles, so that labels differ without colour: a CSS line style, "thick-" its bold form.
PATTERNS = (
    *("solid", "dashed", "dotted", "double", "wavy"),
    *("thick-solid", "thick-dashed", "thick-dotted", "thick-wavy"),
)


class Span(BaseModel):
    """Marked words and the ids of their labels.

    ``start`` and ``end`` are code-point offsets, half open, with ``text[start:end] == quote``; both
    are None if the place is unknown.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    start: NonNegativeInt | None = None
    end: NonNegativeInt | None = None
    quote: str = ""
    labels: tuple[str, ...] = Field(min_length=1)
    comment: str = ""


Marked = TypeVar("Marked", bound=Span)


def list_mark_problems_in_words(
    spans: Sequence[Span], text: str, labels: Collection[str]
) -> list[str]:
    """Problems of marks that cannot even be a draft: outside the text, other words than it has
    there, or unknown labels.
    """
    found = []
    for number, span in enumerate(spans, 1):
        unknown = [label for label in span.labels if label not in labels]
        if unknown:
            found.append(f"Mark {number} has a label that the taxonomy lacks: {unknown[0]}.")
        if span.start is None or span.end is None:
            if (span.start is None) != (span.end is None):
                found.append(f"Mark {number} has only one of its two ends.")
            continue
        if span.start >= span.end or text[span.start : span.end] != span.quote:
            found.append(f"Mark {number} does not fit the text.")
    return found


def carried_marks_placed_marks_and_lost_words(
    spans: Iterable[Marked], before: Callable[[Marked], str], after: Callable[[Marked], str]
) -> tuple[tuple[Marked, ...], tuple[Marked, ...], tuple[str, ...]]:
    """Marks where their words stand in a corrected text: all of them, of which those whose words
    are gone have no place; only those that have one or never had; and the words of the lost ones.
    ``before`` and ``after`` give the text that a mark is in.
    """
    carried: list[Marked] = []
    sound: list[Marked] = []
    lost: list[str] = []
    for span in spans:
        if span.start is None or span.end is None:
            carried.append(span)
            sound.append(span)
            continue
        place = find_place_in_corrected_text(before(span), after(span), span.start, span.end)
        start, end = place or (None, None)
        carried.append(span.model_copy(update={"start": start, "end": end}))
        if place is None:
            lost.append(span.quote)
        else:
            sound.append(carried[-1])
    return tuple(carried), tuple(sound), tuple(lost)


def merge_labels_by_place(
    spans: Iterable[Marked], *, of: Callable[[Marked], str] = lambda span: ""
) -> tuple[Marked, ...]:
    """Each place once, as first marked, with all labels that it was given, in the order of the
    text; marks without a place come last, one per set of labels. ``of`` tells texts apart.
    """
    found: dict[tuple[Any, ...], Marked] = {}
    for span in spans:
        nowhere = span.labels if span.start is None else ()
        at = (of(span), span.start is None, span.start or 0, span.end or 0, nowhere)
        known = found.setdefault(at, span)
        labels = tuple(dict.fromkeys([*known.labels, *span.labels]))
        found[at] = known.model_copy(update={"labels": labels})
    return tuple(found[at] for at in sorted(found))


def active_seconds_by_browser_handle(
    store: Store, task: Task, *, dataset: str, rater: str
) -> dict[str, float]:
    """A rater's active seconds on each item of a dataset, as last saved, by the item's handle. What
    was spent on it before it was handed out anew is apart, under a key of its own.
    """
    book = assignments_held_in_memory.assignment_ledger_of_task(store, task.name)
    there = book.current_dataset_item_pool(
        store, study=task.study, kind=task.item_kind, dataset=dataset
    )
    given = book.by_rater.get(rater, {})
    most: dict[str, float] = {}
    for item, seq, seconds in store.rows(
        "select item, seq, active_seconds from draft where task = $task and rater = $rater"
        " union all"
        " select item, seq, active_seconds from judgment where task = $task and rater = $rater",
        task=task.name,
        rater=rater,
    ):
        if item in there.names:
            now = item in given and seq >= given[item].since
            of = given[item].browser_handle if now else item
            most[of] = max(most.get(of, 0.0), seconds or 0.0)
    return most
