"""An arm with suggestions: reviewers see a model's answer before they give theirs.

A lead sets it up for a task in a dataset, with a share: for each item that a person opens, a draw
decides whether they get the suggestion, and is stored for both arms. Judgments made with a
suggestion are not blind, so no figure based on blind judgments includes them; the arms are compared
here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from hashlib import blake2b
from typing import Any

from medlens.deferred_module import pd
from medlens.errors import InvalidInput
from medlens.review import (
    audit_log,
    consensus,
    hand_out_settings,
    item_corrections,
    items,
)
from medlens.review.marks_after_text_correction import CarriedAnswer
from medlens.review.raters import Rater, require_lead
from medlens.review.tasks import Task
from medlens.stats.estimate import Estimate
from medlens.stats.intervals import (
    clustered_share,
    estimate_difference_of_shares,
    estimate_shares_of_two_arms_and_difference,
)
from medlens.stats.majority import (
    count_votes_and_find_majority,
    count_votes_and_find_majority_on_scale,
    is_abstention,
)
from medlens.store import Store, stable_id

_ARM = "suggestions"
COLUMNS = [
    *("task", "item", "rater", "rater_handle", "arm", "model", "suggested", "judgment_id"),
    *("answered", "outcome", "same", "suggestion_right", "answer_right"),
    *("active_seconds", "judged_at", "share", "seed"),
]
FIGURES = {
    "accepted": "Accepted: the same answer as the suggestion",
    "changed": "Changed: the same in part",
    "rejected": "Rejected: another answer",
    "same_with": "Same answer as the model, with its suggestion",
    "same_without": "Same answer as the model, without",
    "pull": "Difference: how far suggestions pulled",
    "right_with": "Right answer, with a suggestion",
    "right_without": "Right answer, without",
    "towards_right": "Difference: how far suggestions pulled towards right",
    "pull_right": "Pull where the suggestion was right",
    "pull_wrong": "Pull where the suggestion was wrong",
}


@dataclass(frozen=True)
class Arm:
    """Whose answers (a model's id) are suggested, for which share of people's judgments."""

    model: str
    share: float
    seed: int


def model_name_and_item_count_by_id(
    store: Store, task: str, dataset: str
) -> dict[str, tuple[str, int]]:
    """The models that judged items of the task, by id: the name and how many items."""
    rows = store.rows(
        "select j.rater, r.name, count(*) from judgment_now j join item_in_play i on i.id = j.item"
        " join rater r on r.id = j.rater where j.task = $task and i.dataset = $dataset"
        " and r.kind = 'model' group by all order by r.name",
        task=task,
        dataset=dataset,
    )
    return {str(rater): (str(name), int(many)) for rater, name, many in rows}


def current_suggestion_setting(store: Store, task: str, dataset: str) -> Arm | None:
    """The current arm; None: nothing is suggested."""
    found = hand_out_settings.task_settings_set_by_lead(store, task, dataset).get(_ARM)
    return Arm(**found) if found else None


def why_task_has_no_suggestions(task: Task) -> str:
    """Why nothing can be suggested in a task, in a sentence; empty if it can."""
    return (
        "Here choosing is answering, so no answer can be filled in beforehand."
        if task.everyone
        else ""
    )


def set_or_stop_suggestions(
    store: Store, task: Task, dataset: str, arm: Arm | None, *, by: Rater
) -> None:
    """Suggest answers from now on, or (None) no longer. People who have begun an item, or had a
    draw for it, keep what they saw.

    Raises:
        NotAllowed: ``by`` is not a lead.
        InvalidInput: the model has judged nothing, its answers cannot be shown, or the share is not
            valid.
    """
    require_lead(by)
    if arm is not None:
        if why := why_task_has_no_suggestions(task):
            raise InvalidInput(why)
        if not 0 < arm.share < 1:
            raise InvalidInput(
                "The share of suggestions must lie between 1% and 99%.",
                hint="Without a blind arm beside it nothing can be compared.",
            )
        if arm.model not in model_name_and_item_count_by_id(store, task.name, dataset):
            raise InvalidInput(
                "This model has judged no item of the task here.", hint="Start a run first."
            )
        row = store.find_first_row_as_dict(
            "select j.item, j.body from judgment_now j join item_in_play i on i.id = j.item"
            " where j.task = $task and i.dataset = $dataset and j.rater = $model limit 1",
            task=task.name,
            dataset=dataset,
            model=arm.model,
        )
        if row and task.shown_letters_by_arm_name(_value(store, task, row["item"], row["body"])):
            raise InvalidInput(
                "Answers shown side by side have a different order for each person, so a"
                " model's judgment cannot be suggested.",
            )
    body = {_ARM: None if arm is None else arm.__dict__}
    hand_out_settings.change_task_settings(store, task.name, dataset, body, by=by)
    said = "no suggestions" if arm is None else f"suggestions for {arm.share:.0%}"
    audit_log.record_entry(
        store, "suggestions", who=by.id, about=f"{task.name} of {dataset}", detail=said
    )


def randomise_or_load_suggestion_for_rater(
    store: Store, task: Task, *, dataset: str, item: str, rater: str
) -> Any:
    """The suggestion for a rater who opens an item; None if there is none.

    The first time it is drawn and stored; with a suggestion the rater is no longer blind.
    """
    arm = current_suggestion_setting(store, task.name, dataset)
    if arm is None and not store.data_version_of_tables("suggestion"):
        return None
    place = {"task": task.name, "item": item, "rater": rater}
    name = stable_id("suggestion", *place.values())
    for _ in range(2):
        row = store.find_first_row_as_dict(
            "select s.shown, j.body, j.version from suggestion s"
            " left join judgment j on j.id = s.judgment where s.id = $id",
            id=name,
        )
        if row or arm is None:
            break
        judgment = _to_suggest(store, arm, place)
        if judgment is None:
            return None
        shown = is_suggestion_drawn_for_rater_and_item(arm, **place)
        draw = {**place, "judgment": judgment, "shown": shown, "share": arm.share}
        rows = {"suggestion": [{"id": name, **draw, "seed": arm.seed}]}
        if shown:
            rows["reveal"] = [{"id": stable_id("reveal", *place.values()), **place}]
        store.append_all_and_count_new_by_table(rows)
    if not row or not row["shown"] or row["body"] is None:
        return None
    suggested = _value(store, task, item, row["body"])
    # What a model said of an earlier text is no suggestion where the meaning has changed since.
    if (row["version"] or 1) < items.oldest_counting_version_of_item(store, item):
        return None
    carried = item_corrections.carry_answer_to_version(
        store, task, item=item, version=row["version"], value=suggested
    )
    return suggested if carried is None else carried.sound


def is_suggestion_drawn_for_rater_and_item(arm: Arm, *, task: str, item: str, rater: str) -> bool:
    """Whether the draw gives this rater a suggestion for the item; the same seed draws the same."""
    drawn = blake2b(f"{arm.seed}\x1f{task}\x1f{item}\x1f{rater}".encode(), digest_size=8).digest()
    return int.from_bytes(drawn, "little") < arm.share * 2**64


def _to_suggest(store: Store, arm: Arm, place: Mapping[str, str]) -> str | None:
    """The model's current judgment; None for gold items, or if the rater has begun or has seen what
    was hidden.
    """
    row = store.find_first_row_as_dict(
        "select id from judgment_now where task = $task and item = $item and rater = $model"
        " and not exists (select 1 from gold_now where task = $task and item = $item)"
        " and not exists (select 1 from judgment"
        "  where task = $task and item = $item and rater = $rater)"
        " and not exists (select 1 from draft"
        "  where task = $task and item = $item and rater = $rater)"
        " and not exists (select 1 from reveal"
        "  where task = $task and item = $item and rater = $rater)",
        model=arm.model,
        **place,
    )
    return None if row is None else str(row["id"])


def _value(store: Store, task: Task, item: str, body: Any) -> Any:
    return task.task_as_asked_of_item(items.item_body(store, item)).parse(str(body))


def classify_uptake_of_suggestion(task: Task, suggested: Any, answered: Any) -> str:
    """``accepted`` if all measures are the same (on a scale, within its tolerance), ``rejected`` if
    none is the same that either of the two states, otherwise ``changed``.
    """
    one, other = (
        task.values_compared_for_agreement(suggested),
        task.values_compared_for_agreement(answered),
    )
    # An option that the other was not offered yet is not stated there; not to tick it is the same.
    compared = {
        name: (one.get(name), other.get(name))
        for name, stated in {**one, **other}.items()
        if (name in one and name in other) or stated is not False
    }
    same = {name: _is_same_answer(task, name, *both) for name, both in compared.items()}
    if all(same.values()):
        return "accepted"
    kept = [
        name
        for name, both in compared.items()
        if same[name] and any(answer not in (None, False) for answer in both)
    ]
    return "changed" if kept else "rejected"


def _is_same_answer(task: Task, variable: str, first: Any, second: Any) -> bool:
    """Whether two answers are equal, or on a scale no further apart than its tolerance."""
    tolerance = task.tolerances.get(variable)
    if tolerance and first is not None and second is not None:
        return bool(abs(first - second) <= tolerance)
    return bool(first == second)


def drawn_suggestions_table(
    store: Store,
    task: Task,
    *,
    dataset: str,
    viewer: Rater | None,
    judgments: Callable[[], pd.DataFrame] | None = None,
) -> pd.DataFrame:
    """Everything drawn, one row each (``COLUMNS``): the suggestion, or what it would have been, and
    the first answer, if any (arms ``suggestion`` and ``blind``). Both are compared with the
    adjudicator's decision, or else with the clear majority of the other people's blind answers:
    nobody's answer is measured against itself. None if there is neither. Where the item's meaning
    has changed since, the suggestion was for another text: there is no answer to it. ``judgments``
    returns those of ``consensus.current_judgments`` if they have already been read.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    drawn = store.query_rows_as_dicts(
        "select s.task, i.name as item, s.rater as rater_id, r.name as rater,"
        " r.handle as rater_handle, if(s.shown, 'suggestion', 'blind') as arm,"
        " w.name as model, m.body::varchar as suggested, i.id as item_id,"
        " m.version as suggested_for, a.version as answered_for,"
        " a.id as judgment_id, a.body::varchar as answered, a.active_seconds,"
        " a.made_at as judged_at, s.share, s.seed"
        " from suggestion s join item_now i on i.id = s.item join rater r on r.id = s.rater"
        " join judgment m on m.id = s.judgment join rater w on w.id = m.rater"
        " left join (select item, max(version) as oldest from item_version where not counts"
        "  group by item) v on v.item = s.item"
        " left join (select * from judgment_counted where task = $task"
        "  and item in (select item from suggestion where task = $task)"
        "  qualify row_number() over (partition by task, item, rater order by revision) = 1) a"
        "  on a.task = s.task and a.item = s.item and a.rater = s.rater"
        "  and coalesce(m.version, 1) >= coalesce(v.oldest, 1)"
        " where s.task = $task and i.dataset = $dataset order by s.seq",
        task=task.name,
        dataset=dataset,
    )
    if not drawn:
        return pd.DataFrame(columns=COLUMNS)
    if judgments is None:
        judgments = partial(
            consensus.current_judgments, store, task, dataset=dataset, viewer=viewer
        )
    right = _Right(
        task, consensus.adjudicated_answers_by_item_name(store, task, dataset=dataset), judgments()
    )
    read = cache(task.parse)
    for row in drawn:
        item, about = row.pop("item_id"), (row["item"], row.pop("rater_id"))
        now = partial(_as_it_stands, store, task, item)
        suggested = now(row.pop("suggested_for"), read(row["suggested"]))
        row["suggestion_right"] = right.is_right(suggested.value, *about)
        row["suggested"] = task.decision_in_words(suggested.value)
        version = row.pop("answered_for")
        if row["answered"] is not None:
            answered = now(version, read(row["answered"]))
            row["answered"] = task.decision_in_words(answered.value)
            # Of what is no longer in the text, neither can be asked to keep anything.
            row["outcome"] = classify_uptake_of_suggestion(task, suggested.sound, answered.sound)
            row["same"] = row["outcome"] == "accepted"
            row["answer_right"] = right.is_right(answered.value, *about)
    return pd.DataFrame(drawn, columns=COLUMNS)


def _as_it_stands(
    store: Store, task: Task, item: str, version: int | None, value: Any
) -> CarriedAnswer:
    """An answer to a version of an item as it stands in the current text."""
    carried = item_corrections.carry_answer_to_version(
        store, task, item=item, version=version, value=value
    )
    return carried or CarriedAnswer(value, value)


class _Right:
    """The right answer to each item of a dataset: the adjudicator's decision, or else the clear
    majority of people's blind answers, one of them left out.
    """

    def __init__(self, task: Task, settled: Mapping[str, Any], judged: pd.DataFrame) -> None:
        self._task, self._settled = task, settled
        self._votes: dict[str, dict[str, Mapping[str, Any]]] = {}
        people = judged[judged["rater_kind"] == "person"]
        for item, rater, measured in zip(
            people["item"],
            people["rater_id"],
            consensus.compared_values_of_each_answer(task, people["value"]),
            strict=True,
        ):
            self._votes.setdefault(item, {})[rater] = measured

    def is_right(self, value: Any, item: str, rater: str) -> bool | None:
        """Whether a value is right in everything known of the item without this rater; None if
        nothing is.
        """
        said = self._task.values_compared_for_agreement(value)
        known = self._known(item, rater)
        return all(self._meets(said, name, known[name]) for name in known) if known else None

    def _meets(self, said: Mapping[str, Any], name: str, right: Any) -> bool:
        """Whether what was said of a variable is right, or within its tolerance of that."""
        return _is_same_answer(self._task, name, said.get(name), right)

    def _known(self, item: str, rater: str) -> Mapping[str, Any]:
        if item in self._settled:
            word = self._settled[item]
            return {} if word is None else _given(self._task.values_compared_for_agreement(word))
        others = [one for who, one in self._votes.get(item, {}).items() if who != rater]
        found = {}
        for name in dict.fromkeys(name for one in others for name in one):
            answers = [one[name] for one in others if name in one]
            tolerance = self._task.tolerances.get(name)
            together = (
                count_votes_and_find_majority_on_scale(answers, tolerance)
                if tolerance
                else count_votes_and_find_majority(answers)
            )
            found[name] = together.answer
        return _given(found)


def _given(measured: Mapping[str, Any]) -> Mapping[str, Any]:
    """The answers against which others can be right or wrong: not where nobody can tell."""
    return {
        name: answer
        for name, answer in measured.items()
        if answer is not None and not is_abstention(answer)
    }


def suggestion_estimates_by_figure(drawn: pd.DataFrame) -> dict[str, Estimate]:
    """The ``FIGURES`` of a ``drawn_suggestions_table``; allows for people who judged many items and
    for items that many people judged.
    """
    judged = drawn[drawn["outcome"].notna()]
    with_one = judged[judged["arm"] == "suggestion"]

    def share(word: str) -> Estimate:
        if with_one.empty:
            return _NOTHING
        return clustered_share(
            with_one["outcome"] == word,
            with_one["item"],
            unit="items",
            crossed=with_one["rater_handle"],
            both=True,
        )

    found = {word: share(word) for word in ("accepted", "changed", "rejected")}
    found |= _compared(judged, "same", "same_with", "same_without", "pull")
    known = judged[judged["answer_right"].notna()]
    found |= _compared(known, "answer_right", "right_with", "right_without", "towards_right")
    for right, name in ((True, "pull_right"), (False, "pull_wrong")):
        found |= _compared(known[known["suggestion_right"] == right], "same", "", "", name)
    return {name: found[name] for name in FIGURES}


_NOTHING = Estimate.undefined_estimate("nothing has been judged in this arm", method="share")


def _compared(
    judged: pd.DataFrame, what: str, with_one: str, without: str, apart: str
) -> dict[str, Estimate]:
    """A share in the arm with suggestions, in the blind one, and the first minus the second."""
    arm = judged["arm"] == "suggestion"
    if arm.all() or not arm.any():
        sides = [
            clustered_share(
                rows[what].astype(bool),
                rows["item"],
                unit="items",
                crossed=rows["rater_handle"],
                both=True,
            )
            if len(rows)
            else _NOTHING
            for rows in (judged[arm], judged[~arm])
        ]
        return dict(
            zip(
                (with_one, without, apart),
                (*sides, estimate_difference_of_shares(*sides)),
                strict=True,
            )
        )
    three = estimate_shares_of_two_arms_and_difference(
        judged[what].astype(bool),
        arm,
        judged["item"],
        unit="items",
        crossed=judged["rater_handle"],
    )
    return dict(zip((with_one, without, apart), three, strict=True))


def suggestions_table_for_export(
    declared: Any, store: Store, opened: Any, *, viewer: Rater | None
) -> pd.DataFrame:
    """The ``drawn_suggestions_table`` of every task of a study, in a dataset.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    tables = [
        drawn_suggestions_table(store, task, dataset=opened.dataset, viewer=viewer)
        for task in declared.tasks(opened)
    ]
    some = [one for one in tables if not one.empty]
    return pd.concat(some, ignore_index=True) if some else pd.DataFrame(columns=COLUMNS)
