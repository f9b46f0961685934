"""The address of the page: every view is a link, and every move changes it."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import quote, unquote

from medlens.ebmqa.explore.where import CELLS, DIMENSIONS, STATES, Behind, Where
from medlens.ui.address import go

OVERVIEW, LABELS, MODELS, PIVOT, QUESTIONS, SET, PUBLISHED = (
    "Overview",
    "Labels",
    "Models",
    "Pivot",
    "Questions",
    "Question set",
    "Published",
)
"""The views beside the one in which people answer, in the order of the page."""


def follow(mark: str, *, prompt: str = "") -> None:
    """Open what is behind a mark; an empty one closes it. ``prompt``: go to that way of asking."""
    go(mark=mark, question="", page="", find="", **({"prompt": prompt} if prompt else {}))


def open_question(name: str) -> None:
    """Show one question; nothing for an empty name."""
    if name:
        go(question=name)


def clear_filters() -> None:
    """Take all filters away."""
    go(**dict.fromkeys([*DIMENSIONS, "models", "q", "find", "page", "mark", "question"], ""))


def joined(values: tuple[str, ...] | list[str]) -> str:
    """Values as one part of the address; a value that is empty is written ``none``."""
    return "|".join(quote(value, safe=" :,()") or "none" for value in values)


def apart(text: str) -> tuple[str, ...]:
    """The values that ``joined`` wrote."""
    return tuple("" if one == "none" else unquote(one) for one in text.split("|") if one)


def where_of(asked: Mapping[str, str], base: Where, known: Mapping[str, set[str]]) -> Where:
    """What the address narrows ``base`` to; names that are not there (any more) are passed over.

    ``known`` has the values of each label, and of ``model``.
    """
    where = base
    for label in known:
        if label in asked and label not in ("model", "kind"):
            there = [value for value in apart(asked[label]) if value in known[label]]
            where = where.narrowed(label, there)
    models = tuple(one for one in apart(asked.get("models", "")) if one in known.get("model", ()))
    return Where(
        where.dataset, where.prompt, where.repeat, where.labels, models, asked.get("q", "")
    )


def passed_over(asked: Mapping[str, str], known: Mapping[str, set[str]]) -> list[str]:
    """What the address narrows to and is not there (any more), as ``label: value``."""
    asked_for = {
        label: apart(asked[label])
        for label in known
        if label in asked and label not in ("model", "kind")
    }
    asked_for["model"] = apart(asked.get("models", ""))
    return [
        f"{label}: {value}"
        for label, values in asked_for.items()
        for value in values
        if value not in known.get(label, ())
    ]


def filtered(asked: Mapping[str, str]) -> bool:
    """Whether the address narrows the questions by anything but their kind."""
    return any(asked.get(one) for one in (*DIMENSIONS, "q") if one not in _NO_FILTERS)


_NO_FILTERS = ("kind", "model", "prompt")


def mark_of(behind: Behind) -> str:
    """A mark's name in the address."""
    parts = [f"{label}={quote(value, safe=' :,()')}" for label, value in behind.labels]
    for name in ("model", "state", "other", "cell"):
        if value := getattr(behind, name):
            parts.append(f"{name}={quote(value, safe=' :,()')}")
    return "|".join(parts)


def behind_of(mark: str) -> Behind | None:
    """What a mark's name says; None where it says nothing that can be read."""
    named = [part.partition("=") for part in mark.split("|")]
    if any(not sign for _, sign, _ in named):
        return None
    said = {name: unquote(value) for name, _, value in named}
    own = {name: said.pop(name, "") for name in ("model", "state", "other", "cell")}
    if own["state"] not in ("", *STATES) or own["cell"] not in ("", *CELLS):
        return None
    # Neither a model nor a prompt is a label of questions.
    if any(name not in DIMENSIONS or name in ("model", "prompt") for name in said):
        return None
    return Behind(labels=tuple(said.items()), **own)
