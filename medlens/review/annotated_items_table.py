"""The imported items, one row each, with everything said about them in columns beside.

Columns are called ``TASK / WHO / FIELD``: who is ``consensus`` (by variable, with ``raters``, the
number of people who judged; ``median`` for scales), ``adjudicator`` (with ``reason`` and ``by``),
``rater NAME`` (with ``guideline``, the version it was made under, if known) and ``model NAME``.
Judgments are those that figures use: each rater's last blind revision. Lists are JSON texts. The
last columns, ``TASK / remarks / history``, list what raters and leads said of the item: flags,
questions, comments, answers and returns, oldest first.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from medlens.deferred_module import np, pd
from medlens.errors import InvalidInput
from medlens.review import (
    consensus,
    further_columns_of_imported_items,
    remarks_between_raters_and_leads,
)
from medlens.review.anonymity import person_numbers_by_rater_id
from medlens.review.raters import Rater, require_lead
from medlens.review.tasks import Task
from medlens.store import Store, to_json

_OURS = ("item", "item_id", "item_kind")
Column = dict[str, Any]
"""The values of a column, by item id."""


@dataclass(frozen=True)
class Spoken:
    """What a model says of an item (by id) other than a judgment; ``prompt`` and ``run`` may be
    unknown.
    """

    model: str
    prompt: str
    item: str
    said: str
    usable: bool
    run: str = ""


Said = Callable[[Store, str, str], Iterable[Spoken]]
"""What models say other than judgments, by store, task and dataset; the last one counts if a model
said several things about an item."""


Flat = Callable[[Any, str], Mapping[str, Any]]
"""An answer as flat columns, given the value and the item's id."""


class Columns(Protocol):
    """How items of one kind are listed: the part that is needed here."""

    @property
    def columns(self) -> Callable[[Store, Any], pd.DataFrame] | None: ...


class AnnotatedStudy(Protocol):
    """A study: the part of it that is needed here."""

    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def tasks(self) -> Callable[[Any], Sequence[Task]]: ...
    @property
    def listed(self) -> Mapping[str, Columns]: ...
    @property
    def said(self) -> Said: ...


def annotated_items_table(
    declared: AnnotatedStudy,
    store: Store,
    opened: Any,
    *,
    viewer: Rater | None,
    task: str = "",
    anonymous: bool = False,
) -> pd.DataFrame:
    """The items of a study's tasks, or only those of ``task``, in import order, one kind after the
    other.

    ``anonymous`` numbers people in an order that reveals nothing about them.

    Raises:
        NotAllowed: the viewer is not a lead.
        InvalidInput: the study has no such task.
    """
    require_lead(viewer)
    tasks = declared.tasks(opened)
    asked = [one for one in tasks if task in ("", one.name)]
    if not asked:
        raise InvalidInput(
            f"{declared.title} has no task {task!r}.",
            hint=f"It has: {', '.join(one.name for one in tasks)}.",
        )
    judged = {
        one.name: consensus.current_judgments(store, one, dataset=opened.dataset, viewer=viewer)
        for one in asked
    }
    numbers = person_numbers_by_rater_id(store) if anonymous else None
    names = rater_column_names_by_rater_id(judged.values(), numbers=numbers)
    kinds = list(dict.fromkeys(one.item_kind for one in asked))
    tables = []
    histories: list[str] = []
    for kind in kinds:
        table = items_with_imported_columns_table(declared, store, opened, kind)
        if len(kinds) > 1:
            table.insert(2, "item_kind", kind)
        ids = table.pop("item_id")
        said: dict[str, Column] = {}
        for one in asked:
            if one.item_kind == kind:
                flat = _flat(store, one, opened.dataset)
                said |= _said(declared, store, one, opened.dataset, judged[one.name], names, flat)
                said |= _settled(store, one, opened.dataset, viewer, flat, anonymous=anonymous)
        for one in asked:
            if one.item_kind == kind:
                of = {"dataset": opened.dataset, "viewer": viewer}
                history = _history(store, one, names, numbers, **of)
                if history:
                    histories.append(f"{one.name} / remarks / history")
                    said[histories[-1]] = history
        table = table.rename(columns={name: f"{name}_" for name in table if name in said})
        beside = {name: _alike([column.get(i) for i in ids]) for name, column in said.items()}
        tables.append(pd.concat([table, pd.DataFrame(beside, index=table.index)], axis=1))
    whole = pd.concat(tables, ignore_index=True)
    return whole[[name for name in whole if name not in histories] + histories]


def items_with_imported_columns_table(
    declared: AnnotatedStudy, store: Store, opened: Any, kind: str
) -> pd.DataFrame:
    """The items of a kind: item_id, item (its name), and their imported columns."""
    listed = declared.listed.get(kind)
    is_listed = listed is not None and listed.columns is not None
    rows = store.read(
        f"select id as item_id, name as item{'' if is_listed else ', body'} from item_now"
        " where study = $study and dataset = $dataset and kind = $kind order by seq",
        study=declared.name,
        dataset=opened.dataset,
        kind=kind,
    )
    if listed and listed.columns:
        columns = listed.columns(store, opened)
        if "item" not in columns:  # A table made from no items may lack even this.
            columns = columns.assign(item=[])
        of_item = columns.drop_duplicates("item").set_index("item")
        found = of_item.reindex(rows["item"]).reset_index(drop=True)
        values = {str(name): found[name].tolist() for name in found}
    else:
        read = [json.loads(body) for body in rows.pop("body")]
        names = dict.fromkeys(name for body in read for name in body)
        values = {name: [body.get(name) for body in read] for name in names}
    values |= _further(store, declared.name, opened.dataset, list(rows["item_id"]), values)
    # Rename a file's column that has the name of one of ours.
    renamed = {f"{name}_" if name in _OURS else name: column for name, column in values.items()}
    return rows.assign(**{name: _alike(column) for name, column in renamed.items()})


def _further(
    store: Store, study: str, dataset: str, ids: Sequence[str], there: Collection[str]
) -> dict[str, list[Any]]:
    """The file's further columns; one whose name is already in use is renamed."""
    kept = further_columns_of_imported_items.further_columns_by_item(store, study, dataset)
    names = dict.fromkeys(name for i in ids for name in kept.get(i, ()))
    return {
        f"{name}_" if name in there else name: [kept.get(i, {}).get(name) for i in ids]
        for name in names
    }


def _flat(store: Store, task: Task, dataset: str) -> Flat:
    """``Task.answer_as_file_columns``; reads the items' bodies only if it needs them."""
    if not task.do_columns_need_item:
        return lambda value, _item: task.answer_as_columns(value)
    bodies = dict(
        store.rows(
            "select id, body from item_in_play where study = $study and dataset = $dataset",
            study=task.study,
            dataset=dataset,
        )
    )
    return lambda value, item: task.answer_as_file_columns(value, json.loads(bodies[item]))


def _said(
    declared: AnnotatedStudy,
    store: Store,
    task: Task,
    dataset: str,
    judged: pd.DataFrame,
    names: Mapping[str, str],
    flat: Flat,
) -> dict[str, Column]:
    """The consensus of the people, and what each rater and model said."""
    found: dict[str, Column] = {}
    voted = consensus.consensus_table_of_judgments(
        task, judged, consensus.adjudicated_answers_by_item_name(store, task, dataset=dataset)
    )
    people = judged[judged["rater_kind"] == "person"]
    ids = dict(zip(judged["item"], judged["item_id"], strict=True))
    for row in voted.itertuples():
        at = ids[row.item]
        found.setdefault(f"{task.name} / consensus / {row.variable}", {})[at] = row.answer
    counts = people.groupby("item_id").size()
    found[f"{task.name} / consensus / raters"] = {str(i): int(n) for i, n in counts.items()}
    given: dict[tuple[str, str], list[float]] = {}
    for item, value in zip(people["item_id"], people["value"], strict=True):
        for variable, one in task.values_compared_for_agreement(value).items():
            if one is not None and task.measurement_level_of_variable(variable) != "nominal":
                given.setdefault((variable, item), []).append(one)
    for (variable, item), scores in given.items():
        name = f"{task.name} / median / {variable}"
        found.setdefault(name, {})[item] = float(statistics.median(scores))
    whole: dict[str, dict[str, Column]] = {}
    for item, rater, value, under in zip(
        *(judged[name] for name in ("item_id", "rater_id", "value", "guideline")), strict=True
    ):
        fields = dict(flat(value, item))
        if not pd.isna(under):
            fields["guideline"] = int(under)
        if task.do_answers_have_parts:
            fields["parts"] = to_json(task.answer_as_rows_of_parts(value))
        for field, cell in fields.items():
            whole.setdefault(rater, {}).setdefault(field, {})[item] = cell
    for rater in sorted(whole, key=names.__getitem__):
        for field, column in whole[rater].items():
            found[f"{task.name} / {names[rater]} / {field}"] = column
    for one in declared.said(store, task.name, dataset):
        found.setdefault(f"{task.name} / model {one.model} / verdict", {})[one.item] = one.said
    return found


def _settled(
    store: Store, task: Task, dataset: str, viewer: Rater | None, flat: Flat, *, anonymous: bool
) -> dict[str, Column]:
    """The adjudicator's decision: its fields, the reason, and (unless anonymous) who made it."""
    found: dict[str, Column] = {}
    for item, words in consensus.decision_lists_in_force_by_item_id(
        store, task, dataset=dataset, viewer=viewer
    ).items():
        last = words[-1]
        fields: dict[str, Any] = {}
        if last.value is None:
            fields["no answer holds"] = True
        else:
            fields |= flat(last.value, item)
            if task.do_answers_have_parts:
                fields["parts"] = to_json(task.answer_as_rows_of_parts(last.value))
        fields["reason of the adjudicator"] = last.reason
        if not anonymous:
            fields["by"] = last.by
        for field, value in fields.items():
            found.setdefault(f"{task.name} / adjudicator / {field}", {})[item] = value
    return found


def _history(
    store: Store,
    task: Task,
    names: Mapping[str, str],
    numbers: Mapping[str, str] | None,
    *,
    dataset: str,
    viewer: Rater | None,
) -> Column:
    """What was said of each item, as JSON: at, kind, rater (as in the columns), text, by. With
    ``numbers`` for people leads are nameless; names within texts are hidden as in all tables
    (``review.anonymity``).
    """
    histories = remarks_between_raters_and_leads.remarks_by_item(
        store, task, dataset=dataset, viewer=viewer
    )
    every = [remark for history in histories.values() for remark in history]
    called = {rater: name.removeprefix("rater ") for rater, name in names.items()}
    for remark in every:
        if remark.rater not in called:
            called[remark.rater] = remark.whose if numbers is None else numbers[remark.rater]

    def told(remark: remarks_between_raters_and_leads.Remark) -> dict[str, Any]:
        rater = called[remark.rater]
        lead = remark.by if numbers is None else "lead"
        return {
            "at": remark.at.isoformat(),
            "kind": remark.kind,
            "rater": rater,
            "text": remark.text,
            "by": lead if remark.kind in remarks_between_raters_and_leads.BY_LEADS else rater,
        }

    return {
        item: to_json([told(remark) for remark in history]) for item, history in histories.items()
    }


def rater_column_names_by_rater_id(
    judged: Iterable[pd.DataFrame], *, numbers: Mapping[str, str] | None
) -> dict[str, str]:
    """The names of raters in the columns, by id: no two alike. ``numbers`` by rater id stand for
    people (``anonymity.person_numbers_by_rater_id``), who are then in their order.
    """
    there: dict[str, tuple[str, str]] = {}
    for frame in judged:
        for rater, kind, name in zip(
            *(frame[column] for column in ("rater_id", "rater_kind", "rater")), strict=True
        ):
            if kind != "person":
                there[rater] = ("model", name)
            else:
                there[rater] = ("rater", name if numbers is None else numbers[rater])
    found: dict[str, str] = {}

    def place(rater: str) -> tuple[bool, int, str]:
        is_numbered = numbers is not None and rater in numbers
        return is_numbered, int(numbers[rater]) if is_numbered and numbers else 0, rater

    for rater in sorted(there, key=place):
        kind, name = there[rater]
        same = sum(one == f"{kind} {name}" for one in found.values())
        found[rater] = f"{kind} {name}" + (f" ({rater})" if same else "")
    return found


def _alike(values: list[Any]) -> Any:
    """Values of one type in all formats: lists as JSON; if types differ, all as texts."""
    if set(map(type, values)) <= {str, type(None)}:
        return values
    plain = [_cell(one) for one in values]
    types = {type(one) for one in plain if one is not None}
    if types == {int}:
        return pd.Series(plain, dtype="Int64")
    if len(types) < 2 or types == {int, float}:
        return plain
    return [one if one is None or isinstance(one, str) else to_json(one) for one in plain]


def _cell(value: Any) -> Any:
    if isinstance(value, (list, tuple, dict, np.ndarray)):
        return to_json(value if isinstance(value, dict) else list(value))
    return None if pd.isna(value) else value
