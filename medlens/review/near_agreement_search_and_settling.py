"""The items on which people nearly agree, and settling several of these at once.

People nearly agree if there are three of them or more and, on each question (on the whole answer,
where it is one thing), all but one gave the same answer, or all are within a point of the median on
a scale of more than three points (within its tolerance, if that is wider), which somebody gave.
Each item keeps a decision of its own, which says that it was made together with others.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain
from typing import TYPE_CHECKING, Any

from medlens.deferred_module import np, pd
from medlens.errors import Conflict
from medlens.review import consensus, items
from medlens.review.assignments_held_in_memory import assignment_ledger_of_task
from medlens.review.raters import Rater, require_lead
from medlens.review.tasks import Body, Task
from medlens.store import Store, new_id

if TYPE_CHECKING:
    from numpy.typing import NDArray


_LEAST_RATERS = 3
"""Of two who differ, nobody is the one apart."""
_LEAST_POINTS = 4
"""On a scale of three points, everything may lie within one point of the median."""
_ATTEMPTS = 3


@dataclass(frozen=True)
class NearAgreement:
    """An item (id, name) on which people nearly agree: the ``answer`` of most of the ``raters``,
    or the median if ``on_scale``. ``alike`` counts the raters who gave exactly this answer;
    ``apart`` has what others gave, each once; ``is_close``: on scales, each within a point of it.
    """

    item: str
    name: str
    answer: Any
    raters: int
    alike: int
    on_scale: bool
    apart: tuple[Any, ...] = ()
    is_close: bool = False

    @property
    def is_bare_majority(self) -> bool:
        """Whether it is two against one, who said something else altogether."""
        return self.raters == _LEAST_RATERS and not self.is_close

    @property
    def reason_for_decision(self) -> str:
        """Why this is the answer, for the decision."""
        if self.on_scale:
            return f"The median: all {self.raters} raters are within one point of it."
        if self.alike == self.raters - 1:
            return f"{self.alike} of {self.raters} raters gave this answer."
        return f"All but one of {self.raters} raters gave this answer to each question."


def find_near_agreements(
    task: Task, judged: pd.DataFrame, divided: pd.DataFrame | None = None
) -> list[NearAgreement]:
    """The items on which people differ but nearly agree, in the order of
    ``consensus.disagreements_table``, which is ``divided`` if it is known. ``judged`` is from
    ``consensus.current_judgments``; its models are ignored.
    """
    if divided is None:
        divided = consensus.disagreements_table(task, judged)
    people = judged[judged["rater_kind"] == "person"]
    given = people["value"].tolist()
    compared = _Compared(task, given)
    if compared.is_one_thing:
        divided = divided[divided["item_id"].isin(_items_with_one_apart(people, given, compared))]
    values: dict[str, list[Any]] = {item: [] for item in divided["item_id"].tolist()}
    for item, value in zip(people["item_id"].tolist(), given, strict=True):
        if item in values:
            values[item].append(value)
    found = (
        _near_agreement(task, item, name, values[item], compared)
        for item, name in zip(divided["item_id"].tolist(), divided["item"].tolist(), strict=True)
    )
    return [each for each in found if each is not None]


class _Compared:
    """What answers are compared by. Equal answers from the store are one object, which is measured
    once; the objects must live as long as this.
    """

    def __init__(self, task: Task, values: Iterable[Any]) -> None:
        self._task = task
        _, different = consensus.positions_and_distinct_objects(values)
        self.rows = {id(value): _compared_answers(task, value) for value in different}
        """What is compared in an answer by variable, by the answer's identity."""
        known: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._variables = {
            key: known.setdefault(tuple(row), tuple(row)) for key, row in self.rows.items()
        }
        self._answers: dict[tuple[str, ...], dict[int, tuple[Any, ...]]] = {}
        self._questions: dict[tuple[str, ...], list[tuple[str, ...]]] = {}

    @property
    def is_one_thing(self) -> bool:
        """Whether every answer is compared as a whole, in several variables: on no scale."""
        each = set(self._variables.values())
        if len(each) != 1:
            return False
        questions = _questions(self._task, next(iter(each)))
        return len(questions) == 1 and len(questions[0]) > 1

    def answers(self, values: Sequence[Any], question: tuple[str, ...]) -> list[tuple[Any, ...]]:
        """What each answer says in the variables of a question."""
        known = self._answers.setdefault(question, {})
        said = []
        for key in map(id, values):
            if (answer := known.get(key)) is None:
                row = self.rows[key]
                answer = known[key] = tuple(row.get(variable) for variable in question)
            said.append(answer)
        return said

    def questions(self, values: Sequence[Any]) -> list[tuple[str, ...]]:
        """The variables of each question that is answered by itself; without such, an answer is one
        thing, whose variables belong together.
        """
        each = [self._variables[id(value)] for value in values]
        variables = each[0]
        if any(one is not variables for one in each):
            variables = tuple(dict.fromkeys(chain.from_iterable(each)))
        if (questions := self._questions.get(variables)) is None:
            questions = _questions(self._task, variables)
            self._questions[variables] = questions
        return questions


def _items_with_one_apart(
    people: pd.DataFrame, given: Sequence[Any], compared: _Compared
) -> NDArray[np.object_]:
    """The ids of the items on which all but at most one of ``people`` gave the same whole answer
    (``given``): counted for all items at once, since in a large task they are few.
    """
    which, different = consensus.positions_and_distinct_objects(given)
    codes: dict[tuple[Any, ...], int] = {}
    code = np.array(
        [codes.setdefault(tuple(compared.rows[id(one)].values()), len(codes)) for one in different]
    )[which]
    item, ids = pd.factorize(people["item_id"])
    place, many = np.unique(item * len(codes) + code, return_counts=True)
    # The places are sorted, so those of an item follow each other.
    begins = np.flatnonzero(np.diff(place // len(codes), prepend=-1))
    most = np.maximum.reduceat(many, begins)
    return np.asarray(ids, dtype=object)[most >= np.bincount(item) - 1]


def _near_agreement(
    task: Task, item: str, name: str, values: Sequence[Any], compared: _Compared
) -> NearAgreement | None:
    if len(values) < _LEAST_RATERS:
        return None
    shared: dict[str, Any] = {}
    on_scale, is_close = False, True
    for question in compared.questions(values):
        answers = compared.answers(values, question)
        commonest, votes = Counter(answers).most_common(1)[0]
        if votes < len(answers):
            median = (
                _median_within_a_point(task, question[0], [answer for [answer] in answers])
                if len(question) == 1
                else None
            )
            is_close = is_close and median is not None
            if votes < len(answers) - 1:
                if median is None:
                    return None
                commonest, on_scale = (median,), True
        shared |= zip(question, commonest, strict=True)
    given = [
        value
        for value in values
        if all(
            compared.rows[id(value)].get(variable) == answer for variable, answer in shared.items()
        )
    ]
    answer = _commonest_answer(item, given) if given else _put_together(task, values, shared)
    if answer is None:
        return None
    _, others = consensus.positions_and_distinct_objects(
        [value for value in values if not any(value is each for each in given)]
    )
    apart = tuple(others)
    return NearAgreement(item, name, answer, len(values), len(given), on_scale, apart, is_close)


def _compared_answers(task: Task, value: Any) -> dict[str, Any]:
    return {
        **task.values_compared_for_agreement(value),
        **task.uncompared_values_of_answer_by_name(value),
    }


def _questions(task: Task, variables: Sequence[str]) -> list[tuple[str, ...]]:
    """These variables, grouped by the question that they belong to."""
    questions: dict[str, list[str]] = {}
    for variable in variables:
        name = next((name for name in task.called if _is_of(name, variable)), "")
        questions.setdefault(name, []).append(variable)
    return [tuple(variables) for variables in questions.values()]


def _is_of(question: str, variable: str) -> bool:
    return variable == question or variable.startswith(f"{question}: ")


def _median_within_a_point(task: Task, variable: str, answers: Sequence[Any]) -> Any:
    """The median, if somebody gave it and all are near it on this variable's scale; else None."""
    points, tolerance = task.scales.get(variable, ()), task.tolerances.get(variable, 0)
    reach = max(1.0, tolerance) if len(points) >= _LEAST_POINTS else tolerance
    if not reach or any(answer is None or isinstance(answer, str) for answer in answers):
        return None
    median = statistics.median(answers)
    if any(abs(answer - median) > reach for answer in answers):
        return None
    return next((answer for answer in answers if answer == median), None)


def _commonest_answer(item: str, values: Sequence[Any]) -> Any:
    """Of answers that count as one, the one given most often with all its marks and words; of
    several such, one whose choice does not depend on who gave it.
    """
    written = [value.model_dump_json() for value in values]
    counts = Counter(written)
    chosen = min(
        counts, key=lambda text: (-counts[text], blake2b(f"{item} {text}".encode()).digest())
    )
    return values[written.index(chosen)]


def _put_together(task: Task, values: Sequence[Any], shared: Mapping[str, Any]) -> Any:
    """The answer that takes each question from somebody who answered it as most did, if answers
    can be put together; free text is left out.
    """
    if not task.can_read_answer_from_columns or not task.called:
        return None
    cells: dict[str, dict[str, Any]] = {}
    for name in task.called:
        of_question = [variable for variable in shared if _is_of(name, variable)]
        if not of_question:
            continue
        for value in values:
            row = _compared_answers(task, value)
            if all(row.get(variable) == shared[variable] for variable in of_question):
                cells[name] = dict(task.answer_as_columns(value))
                break
        else:
            return None
    row = {
        **task.answer_as_columns(values[0]),
        **dict.fromkeys(task.called),
        **{name: row.get(name) for name, row in cells.items()},
    }
    answer = task.answer_from_columns(
        {name: "" if cell is None else str(cell) for name, cell in row.items()}
    )
    measured = _compared_answers(task, answer)
    return answer if all(measured.get(name) == said for name, said in shared.items()) else None


def filter_ids_of_items_viewer_may_see(
    store: Store, task: Task, *, items: Iterable[str], viewer: Rater
) -> set[str]:
    """Which of these items can be shown with what others answered: not those that the viewer is
    about to judge, because their judgment would no longer be blind.
    """
    wanted = list(items)
    judged = set(
        store.column(
            "select distinct item from judgment where task = $task and rater = $rater"
            " and item in $items",
            task=task.name,
            rater=viewer.id,
            items=wanted,
        )
    )
    ledger = assignment_ledger_of_task(store, task.name)
    return {
        item
        for item in wanted
        if item in judged or not ledger.was_item_given_to_rater(item, viewer.id)
    }


@dataclass(frozen=True)
class SettledTogether:
    """What became of items (by name) that should be settled: ``settled`` ones, those that others
    had ``decided`` by then or have ``open`` now, and those ``changed``: people no longer nearly
    agree, or on another answer.
    """

    settled: Sequence[str]
    """Their names; ``revisions`` are their decisions, by item id."""
    revisions: Mapping[str, int] = field(default_factory=dict)
    decided: Sequence[str] = ()
    open: Sequence[str] = ()
    changed: Sequence[str] = ()


def settle_near_agreements_and_return_outcome(
    store: Store,
    task: Task,
    *,
    wanted: Sequence[NearAgreement],
    dataset: str,
    by: Rater,
    reason: str = "",
) -> SettledTogether:
    """Record a decision for each of the items on which people nearly agree, all or none. What
    others have decided, have open or have changed since is left alone and named. Without a
    ``reason`` each decision says how many agreed.

    Raises:
        NotAllowed: ``by`` is not a lead.
        Conflict: others settle items of these all the time; nothing is settled.
    """
    require_lead(by)
    for _ in range(_ATTEMPTS):
        judged = consensus.current_judgments(store, task, dataset=dataset, viewer=by)
        near = {each.item: each for each in find_near_agreements(task, judged)}
        ids = [each.item for each in wanted]
        history = consensus.all_decisions_by_item(store, task, dataset=dataset, viewer=by)
        decisions = {item for item, words in history.items() if not words[-1].withdrawn}
        elsewhere = consensus.names_of_other_adjudicators_by_item(store, task, by=by)
        showable = filter_ids_of_items_viewer_may_see(store, task, items=ids, viewer=by)
        bodies = items.load_item_bodies_by_id(store, ids)
        rows: list[dict[str, Any]] = []
        outcome: dict[str, list[str]] = {"settled": [], "decided": [], "open": [], "changed": []}
        together = new_id()
        for each in wanted:
            if each.item in decisions:
                outcome["decided"].append(each.name)
            elif each.item in elsewhere:
                outcome["open"].append(each.name)
            elif (
                each.item not in showable
                or each.item not in near
                or near[each.item].answer != each.answer
                or does_answer_break_rules(task, each, bodies)
            ):
                outcome["changed"].append(each.name)
            else:
                outcome["settled"].append(each.name)
                rows.append(
                    consensus.make_decision_or_withdrawal_row(
                        store,
                        task,
                        item=each.item,
                        value=each.answer,
                        reason=reason.strip() or near[each.item].reason_for_decision,
                        by=by,
                        revision=len(history.get(each.item, ())) + 1,
                        together=together,
                    )
                )
        try:
            if rows:
                store.append("adjudication", *rows)
        except Conflict:
            # Somebody decided on one of these at the same moment: it is left alone the next time.
            continue
        revisions = {row["item"]: row["revision"] for row in rows}
        return SettledTogether(revisions=revisions, **outcome)
    raise Conflict(
        "Others are settling these items now: nothing is settled yet.", hint="Try again."
    )


def does_answer_break_rules(task: Task, near: NearAgreement, bodies: Mapping[str, Body]) -> bool:
    """Whether the answer cannot be a decision on the item, whose body is among ``bodies``."""
    return bool(task.problems_of_answer_from_elsewhere(near.answer, bodies.get(near.item, {})))


def filter_near_agreements_viewer_can_settle(
    store: Store,
    task: Task,
    near: Sequence[NearAgreement],
    *,
    decided: Collection[str],
    viewer: Rater,
) -> list[NearAgreement]:
    """Those that the viewer can settle now: nobody has ``decided`` on them or has them open, the
    viewer is not about to judge them, and the answer keeps the task's rules.
    """
    elsewhere = consensus.names_of_other_adjudicators_by_item(store, task, by=viewer)
    waiting = [each for each in near if each.item not in decided and each.item not in elsewhere]
    ids = [each.item for each in waiting]
    showable = filter_ids_of_items_viewer_may_see(store, task, items=ids, viewer=viewer)
    bodies = items.load_item_bodies_by_id(store, ids)
    return [
        each
        for each in waiting
        if each.item in showable and not does_answer_break_rules(task, each, bodies)
    ]
