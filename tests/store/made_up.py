"""A task that no study has, to prove that the spine knows nothing of any study."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from medlens.review import items, raters
from medlens.review.tasks import Task
from medlens.store import Store


class Rating(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    score: int = Field(ge=1, le=10)
    why: str = ""


def _needs_reason(value: Rating, item: dict) -> list[str]:
    return ["A score of 1 needs a reason."] if value.score == 1 and not value.why else []


TASK = Task(
    name="made_up_rating",
    study="made_up",
    item_kind="poem",
    title="Rate the poem",
    question="How good is it, from 1 to 10?",
    value=Rating,
    level="ordinal",
    measures=lambda value: {"score": value.score},
    flat=lambda value: {"score": value.score, "why": value.why},
    problems=_needs_reason,
    gold_hit=lambda value, expected: value.score >= expected["at_least"],
)


def poems(store: Store, count: int, *, dataset: str = "poems") -> list[str]:
    """Adds poems; returns their ids in order."""
    new = [items.NewItem(f"poem{n}", {"text": f"Roses are red, number {n}."}) for n in range(count)]
    items.add_items(store, new, study="made_up", kind="poem", dataset=dataset)
    known = items.ids_by_name(store, "made_up", dataset, [item.name for item in new])
    return [known[item.name] for item in new]


def person(store: Store, name: str, *, lead: bool = False) -> raters.Rater:
    return raters.find_or_add_rater(store, name, role="lead" if lead else "reviewer")
