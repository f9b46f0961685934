"""What people and models said of a study of a team's own, from `own-judgments` with its history,
`adjudications` and `own-items`, and what counts of it.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import pandas as pd

Answer = Any
"""A class, a number, True or False; None for a question left open; "cannot tell"."""

ABSTAINED = "cannot tell"


@dataclass(frozen=True)
class Variable:
    """A question as it is compared: its scale's points (none: classes), and its tolerance."""

    name: str
    points: tuple[int, ...] = ()
    tolerance: int = 0
    classes: tuple[Any, ...] = ()
    """The classes that are measured one against the rest."""

    def same(self, one: Answer, two: Answer) -> bool:
        """Whether two answers are the same."""
        if self.points and one is not None and two is not None:
            return bool(abs(one - two) <= self.tolerance)
        return bool(one == two)

    def number(self, answer: Answer) -> Answer:
        """An answer that can be compared; None for none."""
        return None if answer == ABSTAINED else answer


VARIABLES = (
    Variable("safe", classes=("yes",)),
    Variable("near", points=(1, 2, 3, 4, 5), tolerance=1),
    Variable("grade", points=(1, 2, 3, 4, 5, 6)),
    Variable("sort", classes=("Dose", "Other", "Side")),
    Variable("faults: Late", classes=(True,)),
    Variable("faults: Long", classes=(True,)),
    Variable("faults: Never", classes=(True,)),
)


def answers_of(row: Mapping[str, Any]) -> dict[str, Answer]:
    """The answers of a row of judgments by variable."""
    ticked = [] if row["faults"] == "(none)" else str(row["faults"]).split("; ")
    found: dict[str, Answer] = {"safe": _known(row["safe"]), "sort": _known(row["sort"])}
    for name in ("near", "grade"):
        known = _known(row[name])
        found[name] = None if known in (None, "not applicable") else int(float(known))
    return found | {f"faults: {name}": name in ticked for name in ("Late", "Long", "Never")}


def _known(cell: Any) -> Any:
    return (
        None
        if cell is None or cell == "" or (isinstance(cell, float) and math.isnan(cell))
        else cell
    )


def decided(body: str) -> dict[str, Answer] | None:
    """An adjudicator's answers; None where no answer holds."""
    body = json.loads(body) if isinstance(body, str) else body
    if body is None:
        return None
    given = body["answers"]
    row = {name: given.get(name) for name in ("safe", "near", "grade", "sort")}
    return answers_of({**row, "faults": "; ".join(given["faults"]) or "(none)"})


@dataclass(frozen=True)
class Judged:
    """Who said what of the items in play: ``people`` blind, ``later`` last of all, ``again`` when
    the items came again, by (item, rater); ``judges`` by (model, prompt) and item; ``words`` of
    adjudicators and ``topics`` by item; ``models`` what each said last, by (item, model)."""

    items: list[str]
    people: dict[tuple[str, str], dict[str, Answer]]
    later: dict[tuple[str, str], tuple[bool, dict[str, Answer]]]
    again: dict[tuple[str, str], dict[str, Answer]]
    judges: dict[tuple[str, str], dict[str, dict[str, Answer]]]
    words: dict[str, dict[str, Answer] | None]
    topics: dict[str, str]
    models: dict[tuple[str, str], dict[str, Answer]]
    strata: dict[str, str] = field(default_factory=dict)
    """Of items that were drawn to be checked: from which stratum."""

    @property
    def raters(self) -> list[str]:
        """Everybody whose blind judgments count, by name."""
        return sorted({rater for _, rater in self.people}, key=str.casefold)

    def of_item(self, item: str) -> dict[str, dict[str, Answer]]:
        """What people said of an item blind, by rater."""
        return {
            rater: self.people[item, rater] for rater in self.raters if (item, rater) in self.people
        }

    def word(
        self,
        variable: Variable,
        item: str,
        *,
        without: str = "",
        only: str = "",
        settle: bool = True,
    ) -> Answer:
        """The clinicians' word; "cannot tell" if that is it, None if there is none."""
        if settle and item in self.words:
            settled = self.words[item]
            return None if settled is None else settled[variable.name]
        given = [
            answers[variable.name]
            for rater, answers in self.of_item(item).items()
            if rater != without and only in ("", rater)
        ]
        return together(variable, given)


def together(variable: Variable, given: list[Answer]) -> Answer:
    """What more than half of those who were asked say; on a scale the median."""
    said = [answer for answer in given if answer is not None]
    if variable.points:
        alike = len(said)
        if variable.tolerance:
            alike = max(
                (sum(low <= one <= low + variable.tolerance for one in said) for low in said),
                default=0,
            )
        return median(said) if 2 * alike > len(given) else None
    return majority(given)


def majority(given: Iterable[Answer]) -> Answer:
    """The answer of more than half, abstentions among them; nothing cannot win."""
    every = list(given)
    counts = Counter(answer for answer in every if answer is not None)
    winners = [answer for answer, votes in counts.items() if 2 * votes > len(every)]
    return winners[0] if winners else None


def read(folder: Path, *, excluded: Iterable[str] = (), rewritten: Mapping[str, int]) -> Judged:
    """What counts: not the work of those who are ``excluded``, nor of withdrawn items, nor what was
    said before an item was ``rewritten`` (its oldest version that counts, by name)."""
    table = pd.read_json(folder / "own-judgments.jsonl", lines=True, dtype=False)
    table = table[~table["rater"].isin(set(excluded)) & table["withdrawn_at"].isna()]
    oldest = table["item"].map(rewritten).fillna(1)
    table = table[table["item_version"].fillna(1) >= oldest].sort_values("revision", kind="stable")
    items = pd.read_json(folder / "own-items.jsonl", lines=True, dtype=False)
    people: dict[tuple[str, str], dict[str, Answer]] = {}
    later: dict[tuple[str, str], tuple[bool, dict[str, Answer]]] = {}
    again: dict[tuple[str, str], dict[str, Answer]] = {}
    judges: dict[tuple[str, str], dict[str, dict[str, Answer]]] = {}
    unknown: dict[tuple[str, str], dict[str, Answer]] = {}
    models: dict[tuple[str, str], dict[str, Answer]] = {}
    for row in table.to_dict("records"):
        answers, place = answers_of(row), (row["item"], row["rater"])
        if row["rater_kind"] == "model":
            prompt, models[place] = _known(row["prompt_version"]), answers
            if prompt:
                judges.setdefault((row["rater"], prompt), {})[row["item"]] = answers
            else:
                unknown[place] = answers
        elif row["pass_number"] == 2:
            if row["blind"]:
                again[place] = answers
        else:
            later[place] = (bool(row["blind"]), answers)
            if row["blind"]:
                people[place] = answers
    by_prompt = {(item, model) for (model, _), said in judges.items() for item in said}
    for (item, model), answers in unknown.items():
        if (item, model) not in by_prompt:
            judges.setdefault((model, ""), {})[item] = answers
    decisions = pd.read_json(folder / "adjudications.jsonl", lines=True, dtype=False)
    return Judged(
        sorted(items["item"]),
        people,
        later,
        again,
        judges,
        {
            row["item"]: decided(row["decision"])
            for row in decisions[decisions["stands"]].to_dict("records")
        },
        dict(zip(items["item"], items["topic"], strict=True)),
        models,
    )
