"""``export answers``: models' answers, one row each, in a form that can be imported again."""

from __future__ import annotations

import json
from functools import lru_cache

import pandas as pd

from medlens.review.raters import Rater, require_lead
from medlens.store import Store
from medlens.studies.ebmqa.answers import queries
from medlens.studies.ebmqa.explore.queries import names_of
from medlens.studies.ebmqa.explore.where import Where, labelled
from medlens.studies.ebmqa.models import IDK, OUTCOMES, places_of
from medlens.studies.ebmqa.study import Study

COLUMNS = (
    *("question_id", "model", "prompt", "repeat", "outcome", "answer", "correct", "score", "said"),
)


def export_answers(
    store: Store, study: Study, *, viewer: Rater | None, label: str = "", words: str = ""
) -> pd.DataFrame:
    """One row per answer.

    ``answer`` holds the texts of the chosen options (their numbers if a text contains a semicolon),
    ``correct`` those of the correct ones, ``score`` the share of the chosen ones that are correct
    (empty if nothing was answered), ``said`` the model's words if they differ. ``label``
    (``where.labelled``) and ``words`` filter the questions.

    Raises:
        NotAllowed: the viewer is not a lead.
        InvalidInput: no question has such a label.
    """
    require_lead(viewer)
    table = queries.table(store, study.dataset)
    if label or words:
        where = Where(study.dataset, labels=labelled(label), search=words)
        table = table[table["question_id"].isin(names_of(store, where))].reset_index(drop=True)
    outcomes = [OUTCOMES[code] for code in table["outcome"]]
    said = ["" if pd.isna(one) else str(one) for one in table["said"]]
    answers = []
    rows = zip(outcomes, table["options"], table["chosen"], said, strict=True)
    for outcome, options, chosen, raw in rows:
        if outcome == "answered":
            answers.append(texts_of(options, chosen))
        else:
            wordless = IDK if outcome == "idk" else f"({outcome})"
            answers.append(raw if raw.strip() and outcome != "idk" else wordless)
    pairs = zip(outcomes, table["chosen"], table["correct"], strict=True)
    table["score"] = [
        (chosen & correct).bit_count() / chosen.bit_count() if outcome == "answered" else None
        for outcome, chosen, correct in pairs
    ]
    table["correct"] = list(map(texts_of, table["options"], table["correct"]))
    table["outcome"], table["answer"], table["said"] = outcomes, answers, said
    return table[list(COLUMNS)]


@lru_cache(maxsize=65536)
def texts_of(options: str, mask: int) -> str:
    """The options (a JSON list) in a mask, separated by semicolons."""
    listed = json.loads(options)
    places = places_of(mask)
    if any(";" in text for text in listed):
        return "; ".join(str(place + 1) for place in places)
    return "; ".join(str(listed[place]) for place in places)
