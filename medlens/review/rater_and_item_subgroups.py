"""Groups of raters, by what they said of themselves, and of items, by the columns of their
files.

For reading a figure of some of them; never more groups than a lead could count by hand.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from medlens.deferred_module import np, pd
from medlens.review import annotated_items_table
from medlens.stats.column_values_as_groups_or_bands import EMPTY, find_bands_of_column_values
from medlens.store import Store

if TYPE_CHECKING:
    import numpy.typing as npt


MOST = 12
"""The most different answers to a question; with more it makes no groups."""
_LONGEST = 60
_FEWEST = 5
"""From how many items on a column that has each value once makes no groups."""

Group = tuple[str, str]
Groups = dict[Group, frozenset[str]]
"""Ids by (question or column, answer or value), in the order of their files."""


def group_raters_by_survey_answers(store: Store, ids: Iterable[str]) -> Groups:
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


def group_items_by_file_columns(
    declared: annotated_items_table.AnnotatedStudy, store: Store, opened: Any, kind: str
) -> Groups:
    """The items of a kind by the values of their files' columns, further columns included: many
    numbers, dates or values in bands (``stats.column_values_as_groups_or_bands``); columns of texts
    make no groups.
    """
    table = annotated_items_table.items_with_imported_columns_table(declared, store, opened, kind)
    found: Groups = {}
    for column in table.columns.drop(["item_id", "item"]):
        # Up to the first text that is too long, which is often the first of all.
        short = takewhile(lambda cell: len(cell) <= _LONGEST, _names_of_cells(table[column]))
        cells = list(short)
        if len(cells) < len(table) or (cut := find_bands_of_column_values(cells)) is None:
            continue
        names = [name for name in cut.names if name != EMPTY]
        if len(names) > 1 and not _tells_items_apart(cells, np.bincount(cut.of)):
            found |= {
                (str(column), name): frozenset(table["item_id"][cut.of == at])
                for at, name in enumerate(names)
            }
    return found


def _names_of_cells(cells: Iterable[Any]) -> Iterator[str]:
    """``group_name_of_cell`` of each, made once for equal cells of a type."""
    named: dict[tuple[type, Hashable], str] = {}
    for cell in cells:
        if not isinstance(cell, Hashable):
            yield group_name_of_cell(cell)
            continue
        key = (type(cell), cell)
        if key not in named:
            named[key] = group_name_of_cell(cell)
        yield named[key]


def _tells_items_apart(cells: Sequence[str], sizes: npt.NDArray[np.int64]) -> bool:
    """Whether each group would be a single item, as with free text, or the items are numbered."""
    filled = [cell for cell in cells if cell]
    if len(filled) < _FEWEST or len(set(filled)) < len(filled):
        return False
    if sizes.max() == 1:
        return True
    if not all(map(str.isdigit, filled)):
        return False
    numbers = sorted(map(int, filled))
    return numbers[-1] - numbers[0] == len(filled) - 1


def ids_in_all_chosen_groups(groups: Groups, chosen: Collection[Group]) -> frozenset[str]:
    """The ids in the chosen groups: of every column among them, in one of its chosen values."""
    by_column: dict[str, frozenset[str]] = {}
    for column, value in chosen:
        by_column[column] = by_column.get(column, frozenset()) | groups[column, value]
    return frozenset.intersection(*by_column.values())


def format_group_label(group: Group) -> str:
    """A group in words."""
    question, answer = group
    # Charts take long to load, and most that load this draw none.
    from medlens.review.chart_specifications import group_name_in_words

    return f"{question[:1].upper()}{question[1:].replace('_', ' ')}: {group_name_in_words(answer)}"


def _groups(found: Iterable[tuple[str, Any, str]]) -> Groups:
    by_question: dict[str, dict[Hashable, set[str]]] = {}
    for question, answer, one in found:
        # Stop early: after a few items it is clear that a column of texts makes no groups.
        if len(by_question.get(question, ())) <= MOST and (text := group_name_of_cell(answer)):
            by_question.setdefault(question, {}).setdefault(text, set()).add(one)
    return {
        (question, str(answer)): frozenset(ids)
        for question, answers in by_question.items()
        if 1 < len(answers) <= MOST and all(len(str(answer)) <= _LONGEST for answer in answers)
        for answer, ids in answers.items()
    }


def group_name_of_cell(answer: Any) -> str:
    """A cell or an answer as the name of a group; "" if it cannot be one."""
    if isinstance(answer, str):
        return answer.strip()
    if isinstance(answer, (list, Mapping)) or pd.isna(answer):
        return ""
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return str(answer).strip()
