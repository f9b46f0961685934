"""Groups of raters, by what they said of themselves, and of items, by the columns of their
files.

For reading a figure of some of them; never more groups than a lead could count by hand.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import pandas as pd

from medlens.review import annotated
from medlens.store import Store

MOST = 12
"""The most different values of a question or column; with more it makes no groups."""
_LONGEST = 60

Groups = dict[tuple[str, str], frozenset[str]]
"""Ids by (question or column, answer or value), in the order of their files."""


def of_raters(store: Store, ids: Iterable[str]) -> Groups:
    """The given raters by their answers to the forms; a question with one answer makes no
    groups.
    """
    rows = store.rows(
        "select s.rater, s.body from survey_now s where s.rater in $ids order by s.form, s.rater",
        ids=sorted(set(ids)),
    )
    return _groups(
        (question, one, rater)
        for rater, body in rows
        for question, answer in json.loads(body).items()
        for one in (answer if isinstance(answer, list) else [answer])
    )


def of_items(declared: annotated.Declared, store: Store, opened: Any, kind: str) -> Groups:
    """The items of a kind by the values of their files' columns, further columns included."""
    table = annotated.imported(declared, store, opened, kind)
    ids = list(table["item_id"])
    return _groups(
        (str(column), value, item)
        for column in table.columns.drop(["item_id", "item"])
        # Check first: most columns are texts, and going through their items is slow.
        if len({as_text(one) for one in table[column].unique()} - {""}) <= MOST
        for item, value in zip(ids, table[column].tolist(), strict=True)
    )


def _groups(found: Iterable[tuple[str, Any, str]]) -> Groups:
    by_question: dict[str, dict[Hashable, set[str]]] = {}
    for question, answer, one in found:
        # Stop early: after a few items it is clear that a column of texts makes no groups.
        if len(by_question.get(question, ())) <= MOST and (text := as_text(answer)):
            by_question.setdefault(question, {}).setdefault(text, set()).add(one)
    return {
        (question, str(answer)): frozenset(ids)
        for question, answers in by_question.items()
        if 1 < len(answers) <= MOST and all(len(str(answer)) <= _LONGEST for answer in answers)
        for answer, ids in answers.items()
    }


def as_text(answer: Any) -> str:
    """A cell or an answer as the name of a group; "" if it cannot be one."""
    if isinstance(answer, str):
        return answer.strip()
    if isinstance(answer, (list, Mapping)) or pd.isna(answer):
        return ""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return str(answer).strip()
