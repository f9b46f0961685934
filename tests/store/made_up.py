"""A task that no study has, to prove that the spine knows nothing of any study."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields

from pydantic import BaseModel, ConfigDict, Field

from medlens.review import items, raters
from medlens.review.tasks import Task
from medlens.store import Store


class Rating(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    score: int = Field(ge=1, le=10)
    why: str = ""


class RatingTask(Task):
    """Rating a poem."""

    def values_compared_for_agreement(self, value: Rating) -> dict[str, object]:
        return {"score": value.score}

    def answer_as_columns(self, value: Rating) -> dict[str, object]:
        return {"score": value.score, "why": value.why}

    def problems_of_answer(self, value: Rating, item: dict) -> list[str]:
        missing = value.score == 1 and not value.why
        return ["A score of 1 needs a reason."] if missing else []

    def does_answer_match_gold(self, value: Rating, expected: dict) -> bool:
        return value.score >= expected["at_least"]


TASK = RatingTask(
    name="made_up_rating",
    study="made_up",
    item_kind="poem",
    title="Rate the poem",
    question="How good is it, from 1 to 10?",
    value=Rating,
    level="ordinal",
)


def with_methods(task: Task, **methods: Callable[..., object]) -> Task:
    """The task with these methods in place of its own; they are given no ``self``."""
    changed = {name: staticmethod(method) for name, method in methods.items()}
    kind = type("Changed", (type(task),), changed)
    return kind(**{field.name: getattr(task, field.name) for field in fields(task)})


def poems(store: Store, count: int, *, dataset: str = "poems") -> list[str]:
    """Adds poems; returns their ids in order."""
    new = [items.NewItem(f"poem{n}", {"text": f"Roses are red, number {n}."}) for n in range(count)]
    items.add_items(store, new, study="made_up", kind="poem", dataset=dataset)
    known = items.item_ids_by_name(store, "made_up", dataset, [item.name for item in new])
    return [known[item.name] for item in new]


def person(store: Store, name: str, *, lead: bool = False) -> raters.Rater:
    return raters.find_or_add_rater_by_name(store, name, role="lead" if lead else "reviewer")
