"""How far a model can be trusted: each judge against the clinicians, for every task alike.

A *judge* is a model with the version of its prompt. Its answers are the model's judgments, and what
a study says of models other than judgments (``Study.said``). The clinicians' word on an item is the
adjudicator's, or else the clear majority (``stats.majority``; on a scale the median, if more than
half gave a number, or, if the scale has a tolerance, numbers that are near enough to each other);
only judgments before any reveal count. Where the word is "cannot tell" nothing
can be right or wrong: that is counted by itself (``abstentions``). Beside a judge's figures is how
clinicians do against the majority of the others on the same items: no judge can be expected to do
better. All of it is for leads, because it reveals what models say of items.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from medlens.deferred_module import np, pd
from medlens.review import consensus, item_corrections, items, rater_and_item_subgroups
from medlens.review.annotated_items_table import AnnotatedStudy
from medlens.review.raters import Rater, require_lead
from medlens.review.run_names import names_of_runs_by_id
from medlens.review.tasks import Task, answer_in_readable_form
from medlens.stats.annotator_replacement_test import StandIn, run_alternative_annotator_test
from medlens.stats.clustered_kappa_f1_and_judge_accuracy import (
    Beside,
    Clusters,
    compare_two_judges_with_truth,
    estimate_clustered_kappa,
    estimate_clustered_macro_f1,
    rogan_gladen_estimate,
)
from medlens.stats.estimate import (
    Estimate,
    figure_rows_as_table,
    move_speaks_for_column_last,
    note_that_fewer_were_offered_option,
)
from medlens.stats.hypothesis_tests_and_effect_sizes import clustered_mcnemar_test
from medlens.stats.intervals import estimate_clustered_mean
from medlens.stats.kappa import estimate_cohen_kappa, tolerance_in_words
from medlens.stats.majority import (
    compute_majority_code_of_each_item,
    compute_majority_median_of_each_item,
    is_abstention,
    mask_of_clear_majorities,
)
from medlens.stats.paired_proportions import estimate_clustered_paired_difference
from medlens.stats.partly_verified_share import (
    CheckedVerdicts,
    estimate_weighted_share,
    weights_of_checked_rows,
)
from medlens.stats.scope_of_inference_over_raters import note_estimate_speaks_for_these_raters
from medlens.stats.smoothed_bootstrap import Floats
from medlens.store import Store

if TYPE_CHECKING:
    from numpy.typing import NDArray


TABLES = ("item", "item_alias", "rater", "judgment", "adjudication", "verdict", "sample")
"""The tables that all of this depends on."""

Bools: TypeAlias = "NDArray[np.bool_]"


class Judge(NamedTuple):
    """A model as rater, and the version of its prompt ("" if unknown)."""

    model: str
    prompt: str

    @property
    def displayed_name(self) -> str:
        """Its displayed name."""
        return f"{self.model} · {self.prompt}" if self.prompt else self.model


@dataclass(frozen=True)
class TaskAnswers:
    """Everybody's answers in a task on a dataset. Do not modify.

    ``people`` and ``later`` are from ``consensus.current_judgments``: those before any reveal, and
    the current ones. ``judges`` has each judge's measures by item id, ``words`` the adjudicator's
    answers by item id (None: no answer holds), ``names`` the items' names, ``lies_in`` the outer
    unit of each item, ``strata`` those it was drawn from to be checked
    (``review.informative_sample``), if it was; ``drawn`` are the items of the last draw. ``when``
    has the month ("2027-03") and the run (its id) of a judge's answers by item id, if known.
    """

    task: Task
    people: pd.DataFrame
    later: pd.DataFrame
    judges: Mapping[Judge, Mapping[str, Mapping[str, Any]]]
    words: Mapping[str, Any]
    names: Mapping[str, str]
    lies_in: Mapping[str, str]
    strata: Mapping[str, str] = field(default_factory=dict)
    drawn: tuple[str, ...] = ()
    when: Mapping[Judge, Mapping[str, tuple[str, str]]] = field(default_factory=dict)

    @cached_property
    def names_of_measured_variables(self) -> list[str]:
        """The measured variables, in the task's order; pooled ones count as one."""
        return list(self.variables_by_pool)

    @cached_property
    def variables_by_pool(self) -> Mapping[str, tuple[str, ...]]:
        """The measured variables, by the name they are pooled under."""
        of_people = (
            self.task.values_compared_for_agreement(value) for value in self.people["value"]
        )
        of_judges = (one for said in self.judges.values() for one in said.values())
        names = dict.fromkeys(
            name for source in (of_people, of_judges) for one in source for name in one
        )
        found: dict[str, list[str]] = {}
        for name in names:
            found.setdefault(self.task.pool_name_of_variable(name), []).append(name)
        return {pool: tuple(of) for pool, of in found.items()}


def names_of_tasks_judged_by_models(store: Store) -> set[str]:
    """The tasks, by name, in which a model has made judgments that count."""
    said = (
        "select distinct j.task from judgment_counted j join rater r on r.id = j.rater"
        " where r.kind = 'model'"
    )
    return {str(task) for (task,) in store.rows(said)}


def load_task_answers_of_people_and_models(
    declared: AnnotatedStudy, store: Store, task: Task, *, dataset: str, viewer: Rater | None
) -> TaskAnswers:
    """Everything said in a task on a dataset; no viewer means the command line.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    judged = consensus.current_judgments(store, task, dataset=dataset, viewer=viewer)
    now = (
        consensus.current_judgments(store, task, dataset=dataset, viewer=viewer, blind=False)
        if consensus.has_judgments_after_reveal(store, task, dataset)
        else judged
    )
    words = consensus.decision_lists_in_force_by_item_id(
        store, task, dataset=dataset, viewer=viewer
    )
    judges = _judges(declared, store, task, dataset)
    return TaskAnswers(
        task,
        judged[judged["rater_kind"] == "person"],
        now[now["rater_kind"] == "person"],
        {
            judge: {
                item: task.values_compared_for_agreement(one.value) for item, one in said.items()
            }
            for judge, said in judges.items()
        },
        {item: said[-1].value for item, said in words.items()},
        _names(store, task, dataset),
        task.cluster_by_item(store, dataset),
        *_strata(store, task, dataset),
        {
            judge: {item: (one.month, one.run) for item, one in said.items()}
            for judge, said in judges.items()
        },
    )


def _strata(store: Store, task: Task, dataset: str) -> tuple[dict[str, str], tuple[str, ...]]:
    """The strata of all draws that each item was in, by item id; and the items of the last draw."""
    found: dict[str, str] = {}
    drawn: list[str] = []
    for body in store.column(
        "select body::varchar from sample where task = $task and dataset = $dataset order by seq",
        task=task.name,
        dataset=dataset,
    ):
        strata = json.loads(body)["strata"]
        drawn = [item for one in strata for item in one["drawn"]]
        for one in strata:
            for item in one["items"]:
                found[item] = f"{found.get(item, '')} {one['stratum']}"
    return found, tuple(drawn)


class _Answer(NamedTuple):
    """A judge's answer; ``month`` and ``run`` are empty if unknown."""

    value: Any
    month: str
    run: str


def _judges(
    declared: AnnotatedStudy, store: Store, task: Task, dataset: str
) -> dict[Judge, dict[str, _Answer]]:
    """Each judge's answers by item, sorted by name and then by prompt; the last of each counts.

    A verdict has the run and the prompt, and names the judgment that holds its answer. A judgment
    that no verdict names says itself which run and prompt it is from. One that does not is left out
    once the model has answered the item by a known prompt.
    """
    read = cache(task.parse)
    corrected = items.current_and_counting_versions_by_item(store)
    found: dict[Judge, dict[str, _Answer]] = {}
    unknown: dict[tuple[str, str], _Answer] = {}
    for model, item, prompt, run, month, body, version, _ in store.rows(
        "with judged as (select j.id, j.seq, j.item, r.name, j.body::varchar as body, j.prompt,"
        "  j.version,"
        "  j.run, j.made_at from judgment_counted j join rater r on r.id = j.rater"
        "  where j.task = $task and r.kind = 'model'"
        "  and j.item in (select id from item_in_play where dataset = $dataset)),"
        " said as (select v.seq, v.judge as name, v.subject as item, v.prompt, v.run, v.made_at,"
        "  v.judgment from verdict v where v.task = $task and v.dataset = $dataset and v.usable)"
        " select s.name, s.item, s.prompt, s.run, strftime(s.made_at, '%Y-%m'), j.body,"
        "  j.version, s.seq"
        " from said s join judged j on j.id = s.judgment"
        " union all"
        " select j.name, j.item, coalesce(j.prompt, ''), coalesce(j.run, ''),"
        "  strftime(j.made_at, '%Y-%m'), j.body, j.version, j.seq"
        " from judged j anti join said s on s.judgment = j.id"
        " order by 8",
        task=task.name,
        dataset=dataset,
    ):
        value = read(body)
        if item in corrected:
            value = item_corrections.answer_adapted_to_current_version(
                store, task, item=item, version=version, value=value
            )
        answer = _Answer(value, month, run)
        if prompt:
            unknown.pop((model, item), None)
            found.setdefault(Judge(model, prompt), {})[item] = answer
        else:
            unknown[model, item] = answer
    for (model, item), answer in unknown.items():
        found.setdefault(Judge(model, ""), {})[item] = answer
    months = dict(store.rows("select id, strftime(made_at, '%Y-%m') from run"))
    for one in declared.said(store, task.name, dataset):
        if one.usable:
            answer = _Answer(_only_answer(task, one.said), months.get(one.run, ""), one.run)
            found.setdefault(Judge(one.model, one.prompt), {})[one.item] = answer
    return {one: found[one] for one in sorted(found, key=lambda one: (one[0].casefold(), one))}


def _only_answer(task: Task, said: str) -> Any:
    """The answer to a task of one question."""
    return task.answer_from_columns(
        {next(iter(task.values_compared_for_agreement(task.value()))): said}
    )


def judgments_table_with_rater_per_prompt_version(
    declared: AnnotatedStudy, store: Store, task: Task, judged: pd.DataFrame, *, dataset: str
) -> pd.DataFrame:
    """``consensus.current_judgments`` with a rater for each version of a model's prompt, and with
    what a study says of models other than judgments; ``judged`` itself if no model has said
    anything.
    """
    judges = _judges(declared, store, task, dataset)
    if not judges:
        return judged
    names = _names(store, task, dataset)
    rows = [
        {
            "judgment_id": f"{item} {judge.displayed_name}",
            "item_id": item,
            "item": names[item],
            "rater_id": judge.displayed_name,
            "rater": judge.displayed_name,
            "rater_kind": "model",
            "blind": True,
            "value": one.value,
        }
        for judge, said in judges.items()
        for item, one in said.items()
        if item in names
    ]
    people = judged[judged["rater_kind"] == "person"]
    return pd.concat([people, pd.DataFrame(rows, columns=judged.columns)], ignore_index=True)


def _names(store: Store, task: Task, dataset: str) -> dict[str, str]:
    """The names of the task's items, by id."""
    return items.names_by_id_of_kind(
        store, "", study=task.study, kind=task.item_kind, dataset=dataset
    )


# -- one variable ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class VariableAnswers:
    """One variable: everybody's answers (items,) as codes of ``classes``, or numbers on a scale.

    ``people`` is (items, raters), NaN if a rater gave no answer or cannot tell; ``asked`` and
    ``unsure`` (items, raters) say who judged, and who cannot tell. ``word`` is the clinicians', NaN
    without one; ``word_unsure`` (items,) says where it is that they cannot tell, and
    ``judges_unsure`` where a judge cannot. ``offered`` (items, raters) and ``word_offered``
    (items,) say, by the index of a class, who was asked and could answer it, and on which items the
    word could be it; classes that everybody was offered are not in them. With several pooled
    variables, an item has a row for each one it has; ``of`` names the variables.
    """

    material: TaskAnswers
    variable: str
    classes: tuple[Any, ...]
    items: tuple[str, ...]
    of: tuple[str, ...]
    raters: tuple[str, ...]
    people: Floats
    word: Floats
    judges: Mapping[Judge, Floats]
    clusters: Clusters
    strata: NDArray[np.str_] | None
    asked: Bools
    unsure: Bools
    word_unsure: Bools
    judges_unsure: Mapping[Judge, Bools]
    offered: Mapping[int, Bools] = field(default_factory=dict)
    word_offered: Mapping[int, Bools] = field(default_factory=dict)

    @property
    def is_on_scale(self) -> bool:
        """Whether answers are ordered numbers rather than names."""
        return self.material.task.measurement_level_of_variable(self.variable) != "nominal"

    @property
    def tolerance_on_scale(self) -> float:
        """How far apart numbers on a scale still count as the same answer; 0 for names."""
        return _tolerance(self.material, self.variable)

    def array_of_majority_answers_of_items(self, people: Floats, asked: Bools) -> Floats:
        """The word (items,) of these answers (items, raters) alone; NaN without one."""
        return _word(people, asked, scale=self.is_on_scale, tolerance=self.tolerance_on_scale)


def everybodys_answers_to_variable(material: TaskAnswers, variable: str) -> VariableAnswers:
    """Everybody's answers in one variable."""
    task = material.task
    scale = task.measurement_level_of_variable(variable) != "nominal"
    raters = sorted(set(material.people["rater"]), key=str.casefold)
    at_rater = {name: at for at, name in enumerate(raters)}
    names = material.variables_by_pool.get(variable, (variable,))

    def said_in(item: str, measured: Mapping[str, Any]) -> dict[tuple[str, str], Any]:
        return {
            (item, name): task.answer_to_variable(measured, name)
            for name in names
            if name in measured
        }

    given: list[tuple[tuple[str, str], int, Any]] = [
        (unit, at_rater[rater], answer)
        for item, rater, value in zip(
            *(material.people[name] for name in ("item_id", "rater", "value")), strict=True
        )
        for unit, answer in said_in(item, task.values_compared_for_agreement(value)).items()
    ]
    judged = {
        judge: {
            unit: answer
            for item, one in said.items()
            for unit, answer in said_in(item, one).items()
        }
        for judge, said in material.judges.items()
    }
    settled = {
        unit: answer
        for item, one in material.words.items()
        for unit, answer in (
            dict.fromkeys((item, name) for name in names)
            if one is None
            else said_in(item, task.values_compared_for_agreement(one))
        ).items()
    }
    every = [answer for *_, answer in given]
    every += [answer for said in (*judged.values(), settled) for answer in said.values()]
    seen = {answer for answer in every if answer is not None and not is_abstention(answer)}
    # Where all say no, it is still how common yes is that is asked.
    seen |= {_YES_BESIDE[no] for no in seen if len(seen) == 1 and no in _YES_BESIDE}
    classes = () if scale else tuple(sorted(seen, key=_class_order))
    code = {one: float(at) for at, one in enumerate(classes)}

    def number(answer: Any) -> float:
        if answer is None or is_abstention(answer):
            return np.nan
        return float(answer) if scale else code[answer]

    there = {unit for unit, *_ in given} | {unit for said in judged.values() for unit in said}
    units = tuple(
        (item, name) for item in material.names for name in names if (item, name) in there
    )
    place = {unit: at for at, unit in enumerate(units)}
    people = np.full((len(units), len(raters)), np.nan)
    asked, unsure = np.zeros(people.shape, dtype=bool), np.zeros(people.shape, dtype=bool)
    for unit, rater, answer in given:
        if unit in place:
            at = place[unit], rater
            people[at], asked[at], unsure[at] = number(answer), True, is_abstention(answer)
    word = _word(people, asked, scale=scale, tolerance=_tolerance(material, variable))
    word_unsure = _word_unsure(unsure, asked)
    for unit, answer in settled.items():
        if unit in place:
            word[place[unit]], word_unsure[place[unit]] = number(answer), is_abstention(answer)
    of_judges, judges_unsure = {}, {}
    for judge, said in judged.items():
        numbers, cannot_tell = np.full(len(units), np.nan), np.zeros(len(units), dtype=bool)
        for unit, answer in said.items():
            if unit in place:
                numbers[place[unit]] = number(answer)
                cannot_tell[place[unit]] = is_abstention(answer)
        of_judges[judge], judges_unsure[judge] = numbers, cannot_tell
    items, of = tuple(item for item, _ in units), tuple(name for _, name in units)
    outer = [material.lies_in.get(item, item) for item in items]
    clusters = Clusters(np.array(outer, dtype=str), unit=task.units)
    strata = np.array([material.strata.get(item, "") for item in items], dtype=str)
    offered = _offered(material, classes, place, at_rater, people.shape)
    settled_by = material.words if task.has_answers_not_always_offered else {}
    word_offered = {}
    for positive, by_rater in offered.items():
        there_too = (word == positive) | by_rater.any(axis=1)
        for (item, name), row in place.items():
            value = settled_by.get(item)
            if value is not None and task.has_answers_not_always_offered:
                there_too[row] |= task.could_judgment_have_had_answer(
                    value, name, classes[positive]
                )
        word_offered[positive] = there_too
    return VariableAnswers(
        *(material, variable, classes, items, of),
        *(tuple(raters), people, word, of_judges, clusters),
        strata if material.strata else None,
        *(asked, unsure, word_unsure, judges_unsure),
        *(offered, word_offered),
    )


def _offered(
    material: TaskAnswers,
    classes: Sequence[Any],
    place: Mapping[tuple[str, str], int],
    at_rater: Mapping[str, int],
    shape: tuple[int, int],
) -> dict[int, Bools]:
    """Who was asked and could answer each class, (items, raters), by the index of the class; those
    that everybody could answer are left out. Who answered it could.
    """
    task = material.task
    if not task.has_answers_not_always_offered:
        return {}
    found = {positive: np.zeros(shape, dtype=bool) for positive in range(len(classes))}
    partly = set()
    names_at: dict[str, list[tuple[str, int]]] = {}
    for (item, name), at in place.items():
        names_at.setdefault(item, []).append((name, at))
    for item, rater, value in zip(
        *(material.people[name] for name in ("item_id", "rater", "value")), strict=True
    ):
        measured = task.values_compared_for_agreement(value)
        for name, at in names_at.get(item, ()):
            if name not in measured:
                continue
            for positive, answer in enumerate(classes):
                if measured[name] == answer or task.could_judgment_have_had_answer(
                    value, name, answer
                ):
                    found[positive][at, at_rater[rater]] = True
                else:
                    partly.add(positive)
    return {positive: found[positive] for positive in partly}


def _answer(measured: Mapping[str, Any], variable: str) -> Any:
    answer = measured.get(variable)
    return None if is_abstention(answer) else answer


_YES_BESIDE: Mapping[Any, Any] = {False: True, "no": "yes"}


def _class_order(answer: Any) -> tuple[Any, ...]:
    """Yes before no, the rest by name."""
    return (answer not in (True, "yes"), answer not in (False, "no"), str(answer))


def _tolerance(material: TaskAnswers, variable: str) -> float:
    of = material.variables_by_pool.get(variable, (variable,))
    return float(material.task.tolerances.get(of[0], 0))


def _word(people: Floats, asked: Bools, *, scale: bool, tolerance: float) -> Floats:
    """The clear majority (items,) of answers (items, raters), NaN without one; medians on a
    scale.
    """
    if scale:
        return compute_majority_median_of_each_item(people, asked, tolerance=tolerance)
    return compute_majority_code_of_each_item(people, asked)


def _word_unsure(unsure: Bools, asked: Bools) -> Bools:
    """The items (items,) of which the clear majority of those asked cannot tell."""
    return mask_of_clear_majorities(unsure.sum(axis=1), asked.sum(axis=1))


# -- a judge against the clinicians ----------------------------------------------------------------


@dataclass(frozen=True)
class Against:
    """A judge, a clinician, or all clinicians, measured against a word.

    ``rates`` holds estimates by name: for one class against the rest ``sensitivity``,
    ``specificity``, ``ppv``, ``npv`` and ``kappa``; for all classes ``agreement`` and
    ``kappa_all``; on a scale ``agreement``, ``kappa_weighted`` and ``difference`` (own minus word).
    """

    name: str
    n: int
    rates: Mapping[str, Estimate]


_OVERALL = ("agreement", "kappa_all", "kappa_weighted", "difference")
"""Rates over all answers, not of one class against the rest."""

_UNIT = "answers with a consensus"

_UNEQUAL = "the checked items were drawn unequally"

RATES = {
    "agreement": "Same answer",
    "sensitivity": "Sensitivity",
    "specificity": "Specificity",
    "ppv": "Positive predictive value",
    "npv": "Negative predictive value",
    "kappa": "Kappa",
    "kappa_all": "Kappa over all answers",
    "kappa_weighted": "Weighted kappa",
    "difference": "Mean difference",
}


def compare_judge_with_clinicians(
    col: VariableAnswers, judge: Judge, positive: int, *, only: str = ""
) -> Against:
    """A judge against the clinicians' word; ``positive`` is the index of a class. ``only``: only
    this rate.
    """
    weights = _weights(col, judge)
    found = _measured(
        *(
            col,
            judge.displayed_name,
            col.judges[judge],
            col.word,
            col.clusters.codes,
            positive,
            weights,
        ),
        col.word_offered.get(positive),
        only=only,
    )
    if weights is None or col.is_on_scale:
        return replace(found, rates=_of_these(found.rates, count_clinicians(col, judge)))
    of = make_checked_verdicts_of_judge(col, judge, positive)
    by_verdict = {
        name: of.estimate_measure(name)
        for name in ("sensitivity", "specificity", "ppv", "npv")
        if only in ("", name)
    }
    rates = {**found.rates, **by_verdict}
    return replace(found, rates=_of_these(rates, count_clinicians(col, judge)))


def count_clinicians(col: VariableAnswers, *judges: Judge) -> int:
    """How many clinicians answered what all of these judges judged."""
    known = ~np.isnan([col.judges[judge] for judge in judges]).any(axis=0)
    return int((~np.isnan(col.people[known])).any(axis=0).sum())


def _of_these(rates: Mapping[str, Estimate], count: int) -> dict[str, Estimate]:
    """The rates, said to speak for the clinicians who judged: no simulation shows their intervals
    to cover for others.
    """
    return {name: note_estimate_speaks_for_these_raters(one, count) for name, one in rates.items()}


def assign_item_to_random_half(item: str) -> int:
    """The half, 0 or 1, that an item (by id) belongs to: random, but permanent."""
    return blake2b(item.encode(), digest_size=1).digest()[0] % 2


def make_checked_verdicts_of_judge(
    col: VariableAnswers, judge: Judge, positive: int, *, halved: bool = False
) -> CheckedVerdicts:
    """The items that a judge judged, and the clinicians' word on some of them, in one class;
    ``halved`` for planning a draw, each half from the other.
    """
    known = ~np.isnan(col.judges[judge])
    strata = col.strata
    if halved:
        before = strata if strata is not None else [""] * len(col.items)
        strata = np.array(
            [
                f"{one} {assign_item_to_random_half(item)}"
                for one, item in zip(before, col.items, strict=True)
            ]
        )
    word = np.where(col.word_offered.get(positive, True), col.word, np.nan)[known]
    label = answer_in_readable_form(col.classes[positive])
    return CheckedVerdicts(
        Clusters(col.clusters.codes[known], unit=col.clusters.unit),
        col.judges[judge][known] == positive,
        np.where(np.isnan(word), np.nan, (word == positive).astype(np.float64)),
        None if strata is None else strata[known],
        (repr(label), f"something other than {label!r}"),
    )


def _weights(col: VariableAnswers, *judges: Judge, checked: Bools | None = None) -> Floats | None:
    """How many of the items that all these judged each checked one represents, (items,); None if
    all were drawn alike. ``checked`` (items,) are by default those with the clinicians' word.
    """
    if col.strata is None:
        return None
    known = ~np.isnan([col.judges[judge] for judge in judges]).any(axis=0)
    done = ~np.isnan(col.word) if checked is None else checked
    return weights_of_checked_rows(col.strata, among=known, checked=done)


def list_clinicians_together_and_each_against_others(
    col: VariableAnswers, judge: Judge, positive: int, *, only: str = ""
) -> list[Against]:
    """All clinicians together, then each: against the majority of the others, on the items that the
    judge judged, without the adjudicator's word. ``only``: only this rate of all together.
    """
    there = ~np.isnan(col.judges[judge])
    own, others, could = [], [], []
    offered = col.offered.get(positive, col.asked)
    for at in range(len(col.raters)):
        said = np.where(there, col.people[:, at], np.nan)
        rest, mine = np.full(len(said), np.nan), ~np.isnan(said)
        others_asked = np.delete(col.asked[mine], at, axis=1)
        rest[mine] = col.array_of_majority_answers_of_items(
            np.delete(col.people[mine], at, axis=1), others_asked
        )
        own.append(said)
        others.append(rest)
        could.append(offered[:, at] & np.delete(offered, at, axis=1).any(axis=1))
    codes, weights = col.clusters.codes, _weights(col, judge)
    if not own:
        return []
    together = _measured(
        *(col, "Clinicians", np.concatenate(own), np.concatenate(others)),
        np.tile(codes, len(own)),
        positive,
        None if weights is None else np.tile(weights, len(own)),
        np.concatenate(could),
        only=only,
    )
    together = replace(together, rates=_of_these(together.rates, count_clinicians(col, judge)))
    if only:
        return [together]
    each = [
        _measured(col, name, one, word, codes, positive, weights, may)
        for name, one, word, may in zip(col.raters, own, others, could, strict=True)
    ]
    each = [replace(one, rates=_of_these(one.rates, 1)) for one in each]
    return [together, *(one for one in each if one.n)]


def _measured(
    col: VariableAnswers,
    name: str,
    said: Floats,
    word: Floats,
    codes: NDArray[np.int64],
    positive: int,
    weights: Floats | None,
    offered: Bools | None = None,
    *,
    only: str = "",
) -> Against:
    """What was ``said`` (answers,) against the ``word`` (answers,); ``offered`` (answers,) says
    where the class could be the word, which rates of one class are over (None: everywhere).
    """
    both = ~(np.isnan(said) | np.isnan(word))
    one, two, where = said[both], word[both], codes[both]
    clusters = Clusters(where, unit=col.clusters.unit)
    none = "there is no consensus on what it judged" if not len(one) else ""

    def share(hits: Bools, counted: Bools, why: str) -> Estimate:
        if weights is None:
            return clusters.estimate_share_of_hits(hits, counted, undefined_because=none or why)
        weight = weights[both]
        return estimate_weighted_share(
            hits, counted, weight, clusters, undefined_because=none or why
        )

    def alike(make: Callable[[], Estimate], method: str) -> Estimate:
        """An estimate that has no weighted form yet; undefined if it would need one."""
        why = none or ("" if weights is None else _UNEQUAL)
        return Estimate.undefined_estimate(why, len(one), method=method) if why else make()

    every = np.ones(len(one), dtype=bool)
    nested: dict[str, Any] = {"clusters": where, "unit": clusters.unit}
    makers: dict[str, Callable[[], Estimate]] = {
        "agreement": lambda: _near(
            share(np.abs(one - two) <= col.tolerance_on_scale, every, none), col.tolerance_on_scale
        )
    }
    if col.is_on_scale:
        makers["kappa_weighted"] = lambda: alike(
            lambda: estimate_cohen_kappa(one, two, weights="quadratic", **nested), "Cohen's kappa"
        )
        makers["difference"] = lambda: alike(
            lambda: estimate_clustered_mean(one - two, **nested, kind="difference"), "mean"
        )
    else:
        yes, true = one == positive, two == positive
        could = every if offered is None else offered[both] | true
        label = answer_in_readable_form(col.classes[positive]) if col.classes else ""
        makers |= {
            "sensitivity": lambda: share(
                yes, true & could, f"the consensus is {label!r} on none of them"
            ),
            "specificity": lambda: share(
                ~yes, ~true & could, f"the consensus is {label!r} on all of them"
            ),
            "ppv": lambda: share(true, yes & could, f"{label!r} was answered on none of them"),
            "npv": lambda: share(~true, ~yes & could, f"{label!r} was answered on all of them"),
            "kappa": lambda: alike(
                lambda: estimate_clustered_kappa(
                    Clusters(where[could], unit=clusters.unit),
                    where[could],
                    yes[could],
                    true[could],
                ),
                "Cohen's kappa",
            ),
        }
    if not col.is_on_scale and len(col.classes) > 2:
        makers["kappa_all"] = lambda: alike(
            lambda: estimate_cohen_kappa(one, two, **nested), "Cohen's kappa"
        )
    rates = {rate: make() for rate, make in makers.items() if only in ("", rate)}
    if not col.is_on_scale:
        rates = {
            rate: found
            if rate in _OVERALL
            else note_that_fewer_were_offered_option(found, int(could.sum()), len(one), _UNIT)
            for rate, found in rates.items()
        }
    return Against(name, len(one), rates)


def _near(estimate: Estimate, tolerance: float) -> Estimate:
    """The estimate, whose method says if answers near to each other count as the same."""
    if not tolerance:
        return estimate
    return replace(estimate, method=f"{estimate.method}; the same{tolerance_in_words(tolerance)}")


def abstention_rates_by_figure_of_judge_and_clinicians(
    col: VariableAnswers, judge: Judge
) -> dict[str, Estimate]:
    """How often the judge cannot tell on items on which clinicians can, and clinicians on items on
    which it can: by ``ABSTAINING``.
    """
    said, unsure = ~np.isnan(col.judges[judge]), col.judges_unsure[judge]
    if col.strata is not None:
        # Items on which the judge cannot tell have no weight: they are in no verdict's stratum.
        return {name: Estimate.undefined_estimate(_UNEQUAL, method="share") for name in ABSTAINING}
    known = ~np.isnan(col.word)
    rates = {
        "judge_cannot_tell": col.clusters.estimate_share_of_hits(
            unsure,
            known & (said | unsure),
            undefined_because="it answered nothing on which clinicians have a consensus",
        ),
        "clinicians_cannot_tell": col.clusters.estimate_share_of_hits(
            col.word_unsure,
            said & (known | col.word_unsure),
            undefined_because="clinicians have no consensus on what it answered",
        ),
    }
    return _of_these(rates, count_clinicians(col, judge))


def has_abstentions(col: VariableAnswers) -> bool:
    """Whether anybody said that they cannot tell."""
    return bool(col.unsure.any() or any(said.any() for said in col.judges_unsure.values()))


ABSTAINING = {
    "judge_cannot_tell": "The model cannot tell where clinicians can",
    "clinicians_cannot_tell": "Clinicians cannot tell where the model can",
}


# -- over time, and by group -----------------------------------------------------------------------

MONTH, RUN, CLINICIAN = "Month of the model's answer", "Run", "Clinician"
_ALIKE, _MOST_ALIKE = 2, 40
"""The fewest items a criterion must be in to be shown separately; and how many are shown, those in
most items first, since answers to one conversation share all of its criteria."""


class Part(NamedTuple):
    """A subset of what is compared: the items with these ids, the clinicians with these names, and,
    of pooled variables, these units (item id, variable); None: all of them.
    """

    name: str
    items: frozenset[str] | None = None
    raters: frozenset[str] | None = None
    units: frozenset[tuple[str, str]] | None = None


def subsets_by_split_of_judge_agreement(
    declared: Any, store: Store, opened: Any, col: VariableAnswers, judge: Judge
) -> dict[str, list[Part]]:
    """The ways to split a judge's agreement, each with its parts: the month and the run of its
    answers, each clinician, what clinicians say of themselves, the columns of the items, and the
    groups of pooled variables.
    """
    material = col.material
    said = material.when.get(judge, {})
    months, runs = ({one[at] for one in said.values()} - {""} for at in (0, 1))
    called = {one: one for one in sorted(months)}
    found: dict[str, list[Part]] = {}
    named = dict(reversed(names_of_runs_by_id(store, runs).items()))
    for kind, at, names in ((MONTH, 0, called), (RUN, 1, named)):
        found[kind] = [
            Part(name, frozenset(item for item, one in said.items() if one[at] == which))
            for which, name in names.items()
        ]
    found[CLINICIAN] = [Part(name, raters=frozenset([name])) for name in col.raters]
    ids = dict(zip(material.people["rater_id"], material.people["rater"], strict=True))
    for (question, answer), some in rater_and_item_subgroups.group_raters_by_survey_answers(
        store, ids
    ).items():
        part = Part(answer, raters=frozenset(ids[one] for one in some))
        found.setdefault(f"Clinicians' {answer_in_readable_form(question)}", []).append(part)
    kinds = rater_and_item_subgroups.group_items_by_file_columns(
        declared, store, opened, material.task.item_kind
    )
    judged = material.judges[judge].keys()
    for (column_name, value), some in kinds.items():
        if not judged.isdisjoint(some):
            found.setdefault(f"Items' {answer_in_readable_form(column_name)}", []).append(
                Part(value, some)
            )
    told = {kind: every for kind, every in found.items() if len(every) > 1}
    return told | _of_pooled(store, col)


def _of_pooled(store: Store, col: VariableAnswers) -> dict[str, list[Part]]:
    """The groups of pooled variables that have units in several items, largest first."""
    task = col.material.task
    if not task.has_groups_of_variables or col.variable not in task.pools:
        return {}
    bodies = items.load_item_bodies_by_id(store, list(dict.fromkeys(col.items)))
    groups = {item: task.group_kinds_and_names_by_variable(body) for item, body in bodies.items()}
    of: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for unit in zip(col.items, col.of, strict=True):
        for group in groups.get(unit[0], {}).get(unit[1], ()):
            of.setdefault(group, []).append(unit)
    found: dict[str, list[Part]] = {}
    for (kind, name), units in sorted(of.items(), key=lambda one: (-len(one[1]), one[0])):
        of_kind = found.setdefault(kind, [])
        if len({item for item, _ in units}) >= _ALIKE and len(of_kind) < _MOST_ALIKE:
            of_kind.append(Part(name, units=frozenset(units)))
    return {kind: every for kind, every in found.items() if every}


def narrow_variable_answers_to_part(col: VariableAnswers, part: Part) -> VariableAnswers:
    """A part of everybody's answers. The word is that of these clinicians; if they are not all of
    them, it leaves out the adjudicator's.
    """
    rows = np.array([part.items is None or one in part.items for one in col.items], dtype=bool)
    if part.units is not None:
        rows &= np.array([one in part.units for one in zip(col.items, col.of, strict=True)])
    who = np.array([part.raters is None or one in part.raters for one in col.raters], dtype=bool)
    people, asked, unsure = (each[rows][:, who] for each in (col.people, col.asked, col.unsure))
    everyone = part.raters is None
    return replace(
        col,
        items=tuple(np.array(col.items, dtype=object)[rows]),
        of=tuple(np.array(col.of, dtype=object)[rows]),
        raters=tuple(np.array(col.raters, dtype=object)[who]),
        people=people,
        asked=asked,
        unsure=unsure,
        word=col.word[rows] if everyone else col.array_of_majority_answers_of_items(people, asked),
        word_unsure=col.word_unsure[rows] if everyone else _word_unsure(unsure, asked),
        offered={positive: could[rows][:, who] for positive, could in col.offered.items()},
        word_offered={
            positive: could[rows] if everyone else col.offered[positive][rows][:, who].any(axis=1)
            for positive, could in col.word_offered.items()
        },
        judges_unsure={judge: said[rows] for judge, said in col.judges_unsure.items()},
        judges={judge: said[rows] for judge, said in col.judges.items()},
        clusters=Clusters(col.clusters.codes[rows], unit=col.clusters.unit),
        strata=None if col.strata is None else col.strata[rows],
    )


def list_judge_and_clinician_rates_of_parts(
    col: VariableAnswers, judge: Judge, positive: int, every: Sequence[Part], rate: str
) -> list[tuple[str, Estimate, Estimate]]:
    """One of ``RATES`` for each part that has an answer of the judge: the part's name, the judge's
    rate, and the clinicians' against each other (if the part is one clinician, theirs against the
    others).
    """
    found = []
    alone = any(part.raters is not None and len(part.raters) == 1 for part in every)
    each = (
        {
            one.name: one
            for one in list_clinicians_together_and_each_against_others(col, judge, positive)[1:]
        }
        if alone
        else {}
    )
    for part in every:
        some = narrow_variable_answers_to_part(col, part)
        if np.isnan(some.judges[judge]).all():
            continue
        mine = compare_judge_with_clinicians(some, judge, positive, only=rate).rates[rate]
        others = list_clinicians_together_and_each_against_others(some, judge, positive, only=rate)
        if part.raters is not None and len(part.raters) == 1:
            others = [each[one] for one in part.raters if one in each]
        nobody = Estimate.undefined_estimate("no clinician judged any of them")
        found.append((part.name, mine, others[0].rates[rate] if others else nobody))
    return found


def list_macro_f1_of_judge_and_clinicians(
    col: VariableAnswers, judge: Judge
) -> list[tuple[str, Estimate]]:
    """The judge, all clinicians together, then each: the mean of the F1 of both answers, over pairs
    of one's own answer and another clinician's, on what the judge judged; [] unless there are two
    classes.

    As HealthBench summarises graders (Arora et al. 2025; ``compute_metrics_for_rater_by_class`` in
    openai/simple-evals); it needs no majority word. The judge's is for clinicians like these, if
    there are enough. Pairs of clinicians have two raters each: an interval that allows for both is
    1.4 to 1.7 times as wide as one over items, and covers nearly always.
    """
    if len(col.classes) != 2 or col.strata is not None:
        return []
    there, clinicians = ~np.isnan(col.judges[judge]), count_clinicians(col, judge)
    every = [np.where(there, one, np.nan) for one in col.people.T]

    def over(
        name: str, pairs: Sequence[tuple[Floats, Floats]], *, judged_by: Sequence[str] = ()
    ) -> tuple[str, Estimate]:
        rows = [~(np.isnan(one) | np.isnan(two)) for one, two in pairs]
        parts = zip(pairs, rows, strict=True)
        made = [(one[row], two[row], col.clusters.codes[row]) for (one, two), row in parts]
        if not sum(len(one) for one, *_ in made):
            return name, Estimate.undefined_estimate("nobody judged the same", 0, method="macro F1")
        one, two, codes = map(np.concatenate, zip(*made, strict=True))
        raters = np.repeat(judged_by, [row.sum() for row in rows]) if judged_by else None
        made_of = estimate_clustered_macro_f1(
            col.clusters, codes, one == 0, two == 0, raters=raters
        )
        return name, note_estimate_speaks_for_these_raters(made_of, 1 if name in of else clinicians)

    of = {
        name: [(own, other) for other in every if other is not own]
        for name, own in zip(col.raters, every, strict=True)
    }
    together = [pair for pairs in of.values() for pair in pairs]
    found = [
        over(
            judge.displayed_name, [(col.judges[judge], one) for one in every], judged_by=col.raters
        )
    ]
    found += [over("Clinicians", together)]
    return found + [one for one in (over(*each) for each in of.items()) if one[1].n]


def group_items_by_confusion_cell(
    col: VariableAnswers, judge: Judge
) -> dict[tuple[float, float], tuple[str, ...]]:
    """The items by (the judge's answer, the clinicians' word), as codes or numbers; with pooled
    variables an item appears once for each answer.
    """
    found: dict[tuple[float, float], list[str]] = {}
    for item, said, word in zip(
        col.items, col.judges[judge].tolist(), col.word.tolist(), strict=True
    ):
        if not (np.isnan(said) or np.isnan(word)):
            found.setdefault((said, word), []).append(item)
    return {cell: tuple(items) for cell, items in found.items()}


def test_if_judge_can_replace_clinician(col: VariableAnswers, judge: Judge) -> StandIn:
    """Whether a judge can replace one clinician, by the alternative annotator test."""
    return run_alternative_annotator_test(
        *(col.judges[judge], col.people),
        scale=col.is_on_scale,
        clusters=col.clusters.codes,
        strata=col.strata,
    )


@dataclass(frozen=True, kw_only=True)
class Rivals(Beside):
    """Two judges on the items that both judged; the clinicians' word is taken as true."""

    first: Judge
    second: Judge


def list_comparisons_with_other_judges(col: VariableAnswers, judge: Judge) -> list[Rivals]:
    """A judge against every other one: whose answers match the clinicians' word more often."""
    found = []
    for other in (one for one in col.judges if one != judge):
        both = compare_two_judges_with_truth(
            *(col.clusters, col.items, (col.judges[judge], col.judges[other]), col.word),
            tolerance=col.tolerance_on_scale,
            none="they judged no item in common",
            unmet="clinicians have no consensus on what both judged",
            weights=_weights(col, judge, other),
        )
        apart = note_estimate_speaks_for_these_raters(
            both.difference, count_clinicians(col, judge, other)
        )
        found.append(Rivals(first=judge, second=other, **{**vars(both), "difference": apart}))
    return found


# -- after the reveal ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Revised:
    """Clinicians' judgments that were revised after the reveal; ``rates`` are shares of them, each
    weighted by how many items it stands for if these were drawn unequally.

    ``changed`` is in this variable; ``to_model``, ``from_model``, ``to_word`` and ``from_word`` are
    towards or away from the judge's answer or the word of the other clinicians (or the
    adjudicator). On a scale, towards means nearer. ``p`` tests whether as many move towards the
    judge as away from it.
    """

    n: int
    rates: Mapping[str, Estimate]
    p: float | None


REVISED = {
    "changed": "Changed",
    "to_model": "Towards the model",
    "from_model": "Away from the model",
    "to_word": "Towards the others' answer",
    "from_word": "Away from the others' answer",
}


def summarise_judgments_revised_after_reveal(col: VariableAnswers, judge: Judge) -> Revised:
    """The effect of seeing others' and models' answers, on the judge's items: each clinician's last
    judgment after the reveal compared with their last one before it.
    """
    material = col.material
    code = {one: float(place) for place, one in enumerate(col.classes)}
    rater_at = {name: place for place, name in enumerate(col.raters)}
    settled = {place for place, item in enumerate(col.items) if item in material.words}
    at: dict[str, list[tuple[int, str]]] = {}
    for place, (item, name) in enumerate(zip(col.items, col.of, strict=True)):
        at.setdefault(item, []).append((place, name))
    later = (
        (place, rater, _answer(material.task.values_compared_for_agreement(value), name))
        for item, rater, blind, value in zip(
            *(material.later[name] for name in ("item_id", "rater", "blind", "value")), strict=True
        )
        if not blind and rater in rater_at
        for place, name in at.get(item, ())
    )
    rows = []
    for place, rater, answer in later:
        if answer is None:
            continue
        who = rater_at[rater]
        others = np.delete(col.people[[place]], who, axis=1)
        word = (
            col.word[place]
            if place in settled
            else col.array_of_majority_answers_of_items(
                others, np.delete(col.asked[[place]], who, axis=1)
            )[0]
        )
        now = float(answer) if col.is_on_scale else code.get(answer, float(len(code)))
        rows.append((place, col.people[place, who], now, col.judges[judge][place], word, who))
    found = np.array(rows, dtype=np.float64).reshape(-1, 6)
    found = found[~np.isnan(found[:, 1:4]).any(axis=1)]
    places, before, after, said, words, by = found.T

    def apart(answers: Floats, goal: Floats) -> Floats:
        return np.abs(answers - goal) if col.is_on_scale else (answers != goal).astype(np.float64)

    clusters = Clusters(col.clusters.codes[places.astype(np.int64)], unit=col.clusters.unit)
    to_model = apart(after, said) < apart(before, said)
    from_model = apart(after, said) > apart(before, said)
    hits: dict[str, Bools] = {
        "changed": after != before,
        "to_model": to_model,
        "from_model": from_model,
        "to_word": apart(after, words) < apart(before, words),
        "from_word": apart(after, words) > apart(before, words),
    }
    none = "nobody revised a judgment after the reveal"
    known = np.ones(len(found), dtype=bool)
    of_items = _weights(col, judge, checked=np.asarray((~np.isnan(col.people)).any(axis=1)))
    weights = None if of_items is None else of_items[places.astype(np.int64)]

    def share(hits: Bools, counted: Bools) -> Estimate:
        why = none if not len(found) else "the others have no consensus on them"
        if weights is None:
            return clusters.estimate_share_of_hits(hits, counted, undefined_because=why)
        return estimate_weighted_share(hits, counted, weights, clusters, undefined_because=why)

    rates = {
        name: share(one, ~np.isnan(words) if name.endswith("word") else known)
        for name, one in hits.items()
    }
    if weights is None:
        p = clustered_mcnemar_test(to_model, from_model, clusters.codes, unit=clusters.unit).p
    else:
        p = estimate_clustered_paired_difference(
            *(to_model, from_model, clusters.codes), unit=clusters.unit, weights=weights
        ).p
    rates = _of_these(rates, len(set(by.tolist())))
    return Revised(len(found), rates, p if (to_model | from_model).any() else None)


# -- how common an answer is -----------------------------------------------------------------------


def prevalence_estimate_by_correction_method(
    col: VariableAnswers, judge: Judge, positive: int
) -> dict[str, Estimate]:
    """How common a class is among all that the judge judged: by its own answers, and corrected."""
    found = make_checked_verdicts_of_judge(col, judge, positive)
    clusters, said, truth = found.clusters, np.asarray(found.said), np.asarray(found.truth)
    why = "people have checked none of it"
    weights = _weights(col, judge)
    weight = None if weights is None else weights[~np.isnan(col.judges[judge])]
    seen = ~np.isnan(truth)
    checked_at_all = int((~np.isnan(col.judges[judge]) & ~np.isnan(col.word)).sum())
    made = {
        "by_judge": clusters.estimate_share_of_hits(said),
        "by_clinicians": clusters.estimate_share_of_hits(truth == 1, seen, undefined_because=why)
        if weight is None
        else estimate_weighted_share(truth == 1, seen, weight, clusters, undefined_because=why),
        "rogan_gladen": rogan_gladen_estimate(
            *(clusters, clusters.codes, said, truth), words=found.words, weights=weight
        ),
        "prediction_powered": found.estimate_measure("share"),
    }
    offered, people = int(seen.sum()), count_clinicians(col, judge)
    return {
        name: one
        if name == "by_judge"
        else note_estimate_speaks_for_these_raters(
            note_that_fewer_were_offered_option(one, offered, checked_at_all, _UNIT), people
        )
        for name, one in made.items()
    }


SHARES = {
    "by_judge": "By the model alone",
    "by_clinicians": "By clinicians, of what they checked",
    "rogan_gladen": "Corrected (Rogan-Gladen)",
    "prediction_powered": "Corrected (prediction-powered)",
}


# -- all of it as a table --------------------------------------------------------------------------

COLUMNS = ["task", "judge", "prompt", "variable", "answer", "who"]


def trust_table(
    declared: AnnotatedStudy, store: Store, opened: Any, *, viewer: Rater | None
) -> pd.DataFrame:
    """Every figure of every judge of a study: ``COLUMNS``, then those of ``export figures``.

    ``who`` is the judge, "Clinicians" (each against the majority of the others), or one of them;
    ``group`` is the part for ``agreement_by_group``, the other judge for ``beside_…``.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    heads: list[tuple[str, ...]] = []
    rows: list[tuple[str, str, Estimate]] = []
    for task in declared.tasks(opened):
        material = load_task_answers_of_people_and_models(
            declared, store, task, dataset=opened.dataset, viewer=viewer
        )
        for variable in material.names_of_measured_variables if material.judges else ():
            col = everybodys_answers_to_variable(material, variable)
            for judge in col.judges:
                for answer, who, name, one in trust_figures_of_judge(col, judge):
                    heads.append((task.name, *judge, variable, answer, who))
                    rows.append((name, "", one))
                for kind, every in subsets_by_split_of_judge_agreement(
                    declared, store, opened, col, judge
                ).items():
                    for name, *both in list_judge_and_clinician_rates_of_parts(
                        col, judge, 0, every, "agreement"
                    ):
                        for who, one in zip(
                            (judge.displayed_name, "Clinicians"), both, strict=True
                        ):
                            heads.append((task.name, *judge, variable, "", who))
                            rows.append(("agreement_by_group", f"{kind}: {name}", one))
                for rival in list_comparisons_with_other_judges(col, judge):
                    for name, one in (
                        ("beside_agreement", _near(rival.agreement, col.tolerance_on_scale)),
                        ("beside_difference", rival.difference),
                    ):
                        heads.append((task.name, *judge, variable, "", judge.displayed_name))
                        rows.append((name, f"Model: {rival.second.displayed_name}", one))
    found = figure_rows_as_table(rows, study=declared.name)
    head = pd.DataFrame(heads, columns=COLUMNS)
    return move_speaks_for_column_last(
        pd.concat([found[["study"]], head, found.drop(columns=["study"])], axis=1)
    )


def trust_figures_of_judge(
    col: VariableAnswers, judge: Judge
) -> Iterator[tuple[str, str, str, Estimate]]:
    """(class, who, figure, estimate) of a judge in one variable."""
    found = test_if_judge_can_replace_clinician(col, judge)
    for name, value in (("winning_rate", found.winning), ("advantage", found.advantage)):
        method = "alternative annotator test"
        if col.strata is not None:
            method = f"weighted {method}"
        n = len(found.compared)
        yield (
            *("", judge.displayed_name, name),
            Estimate.undefined_estimate(found.reason, n, method=method)
            if value is None
            else note_estimate_speaks_for_these_raters(Estimate(value, None, None, n, method), n),
        )
    for name, estimate in (
        abstention_rates_by_figure_of_judge_and_clinicians(col, judge).items()
        if has_abstentions(col)
        else ()
    ):
        yield "", judge.displayed_name, name, estimate
    for who, estimate in list_macro_f1_of_judge_and_clinicians(col, judge):
        yield "", who, "macro_f1", estimate
    after = summarise_judgments_revised_after_reveal(col, judge)
    for name, estimate in after.rates.items() if after.n else ():
        yield "", "Clinicians", f"revised_{name}", estimate
    for positive in list_indices_of_classes_measured_against_rest(col):
        answer = answer_in_readable_form(col.classes[positive]) if col.classes else ""
        for one in (
            compare_judge_with_clinicians(col, judge, positive),
            *list_clinicians_together_and_each_against_others(col, judge, positive),
        ):
            for name, estimate in one.rates.items():
                if name not in _OVERALL:
                    yield answer, one.name, name, estimate
                elif positive == list_indices_of_classes_measured_against_rest(col)[0]:
                    yield "", one.name, name, estimate
        for name, estimate in (
            prevalence_estimate_by_correction_method(col, judge, positive).items()
            if col.classes
            else ()
        ):
            yield answer, judge.displayed_name, f"share_{name}", estimate


def list_indices_of_classes_measured_against_rest(col: VariableAnswers) -> list[int]:
    """The indices of the classes that are measured one against the rest; for yes and no, only
    yes.
    """
    if col.is_on_scale or not col.classes:
        return [0]
    yes = col.classes[0] in (True, "yes")
    return [0] if yes and len(col.classes) <= 2 else list(range(len(col.classes)))
