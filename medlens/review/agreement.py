"""Agreement between raters, people and models alike, for any task that says what it measures."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any

from medlens.deferred_module import np, pd
from medlens.review import consensus
from medlens.review.consensus import positions_and_distinct_objects
from medlens.review.raters import Rater, require_lead
from medlens.review.tasks import Task
from medlens.stats.alpha_and_intraclass_correlation import (
    estimate_intraclass_correlation,
    estimate_krippendorff_alpha,
)
from medlens.stats.estimate import Estimate, FigureRow, figure_rows_as_table, format_number
from medlens.stats.intervals import clustered_share, wilson_share_estimate, wilson_share_estimates
from medlens.stats.kappa import (
    Weights,
    estimate_cohen_kappa,
    estimate_fleiss_kappa,
    estimate_gwet_ac1,
    estimate_gwet_ac2,
    estimate_kappa_of_counts,
    estimate_percent_agreement,
    tolerance_in_words,
)
from medlens.stats.rating_counts import NO_PAIRS, RatingCounts
from medlens.stats.scope_of_inference_over_raters import note_estimate_speaks_for_these_raters
from medlens.stats.smoothed_bootstrap import Floats
from medlens.store import Store

if TYPE_CHECKING:
    from numpy.typing import NDArray


ONE_ANSWER = "all answers are the same, and it is not known what else could have been answered"


@dataclass(frozen=True)
class Agreement:
    """How far raters agree on one variable; each estimate has its n and the reason if it is
    undefined.

    ``percent`` counts answers within a scale's tolerance as the same. ``fleiss`` and ``ac1`` treat
    answers as nominal even if they are ordered. ``ac1`` and ``ac2`` count all answers that could
    have been given, where these are known (``Task.scales``, ``Task.classes``). ``icc`` and
    ``icc_of_means`` need numbers; None for nominal answers. ``ac2`` is for ordered scales, else
    None.
    """

    alpha: Estimate
    fleiss: Estimate
    ac1: Estimate
    percent: Estimate
    icc: Estimate | None = None
    icc_of_means: Estimate | None = None
    ac2: Estimate | None = None


def compute_agreement_by_variable(
    task: Task, judged: pd.DataFrame, *, only: Collection[str] | None = None
) -> dict[str, Agreement]:
    """Agreement by variable of ``task.measures`` (or only ``only``), from
    ``consensus.current_judgments``.

    Nominal answers of any type are numbered; ordinal and interval ones must be numbers.
    """
    measured = encode_judgments_for_agreement(task, judged, by="rater_id")
    found = {}
    for variable, of in variables_by_pool(task, measured).items():
        if only is not None and variable not in only:
            continue
        level = task.measurement_level_of_variable(of[0])
        named = level == "nominal"
        answers = encode_answers_to_variables(
            measured, of, nominal=named, known=(task.classes if named else task.scales).get(of[0])
        )
        clusters = answers.items if variable in task.pools else None
        ratings = RatingCounts.from_ratings(answers.ratings, clusters=clusters)
        # Answers that nobody gave could have been given by chance.
        possible = RatingCounts.from_ratings(
            answers.ratings, values=answers.possible.tolist(), clusters=clusters
        )
        count = len(answers.raters)
        found[variable] = Agreement(
            alpha=note_estimate_speaks_for_these_raters(
                estimate_krippendorff_alpha(ratings, level=level), count
            ),
            fleiss=note_estimate_speaks_for_these_raters(estimate_fleiss_kappa(ratings), count),
            ac1=note_estimate_speaks_for_these_raters(
                possible.make_undefined_estimate(ONE_ANSWER, "Gwet's AC1")
                if possible.rating_pair_count and len(possible.values) < 2
                else estimate_gwet_ac1(possible),
                count,
            ),
            percent=note_estimate_speaks_for_these_raters(
                estimate_percent_agreement(ratings, tolerance=task.tolerances.get(of[0], 0)), count
            ),
            icc=None
            if named
            else note_estimate_speaks_for_these_raters(
                estimate_intraclass_correlation(ratings), count
            ),
            icc_of_means=None
            if named
            else note_estimate_speaks_for_these_raters(
                estimate_intraclass_correlation(ratings, mean=True), count
            ),
            ac2=note_estimate_speaks_for_these_raters(estimate_gwet_ac2(possible), count)
            if level == "ordinal"
            else None,
        )
    return found


_WORDS = ((0.4, "poor"), (0.6, "fair"), (0.75, "good"), (math.inf, "excellent"))
"""What agreement beyond chance is called below each value (Cicchetti 1994)."""


def agreement_in_a_word(value: float) -> str:
    """What agreement beyond chance (alpha, kappa, an intraclass correlation) is called: poor below
    .40, fair below .60, good below .75, else excellent.

    After Cicchetti, D. V. (1994), Psychological Assessment 6, 284.
    """
    return next(word for below, word in _WORDS if value < below)


@dataclass(frozen=True)
class MainAgreement:
    """The one alpha that says how far people agree on a task: of the measured ``variable``, or of
    whole answers (""). ``same`` is how often two people give the same answer to the variable, or to
    all variables of an item.
    """

    variable: str
    alpha: Estimate
    same: Estimate | None = None


def find_main_variable_and_alpha_of_task(task: Task, judged: pd.DataFrame) -> MainAgreement | None:
    """How far people agree on a task: on whole answers where the task compares these, else on the
    variable for which people gave most answers. From ``consensus.current_judgments``; None if
    nothing is measured.
    """
    people = judged[judged["rater_kind"] == "person"]
    if people.empty:
        return None
    raters = people["rater"].unique()
    for (title, _), measure in task.whole_agreement_functions_by_name_and_meaning(people).items():
        if title.startswith("Alpha"):
            alpha = note_estimate_speaks_for_these_raters(measure(raters), len(raters))
            return MainAgreement("", alpha, _same_in_all(task, people))
    given = count_peoples_answers_by_variable(task, people)
    if not given:
        return None
    most = max(given, key=lambda variable: given[variable])
    return agreement_on_variable(task, people, most)


def agreement_on_variable(task: Task, judged: pd.DataFrame, variable: str) -> MainAgreement | None:
    """How far people agree on one variable; None if none of them answered it."""
    people = judged[judged["rater_kind"] == "person"]
    found = compute_agreement_by_variable(task, people, only=(variable,)).get(variable)
    return None if found is None else MainAgreement(variable, found.alpha, found.percent)


@dataclass(frozen=True)
class AgreementByQuestion:
    """The alpha of every variable of a task that asks several questions, in the order of these,
    with the ``unit`` that they are counted in.
    """

    alphas: Mapping[str, Estimate]
    unit: str = "questions"

    @property
    def defined_alphas(self) -> list[float]:
        """The alphas that have a value, the lowest first."""
        return sorted(one.value for one in self.alphas.values() if one.value is not None)

    @property
    def how_many_are_defined_in_words(self) -> str:
        """Of how many of all these are: “3 of 9 questions”, “all 9 questions”."""
        many, every = len(self.defined_alphas), len(self.alphas)
        which = f"all {every:,}" if many in (0, every) else f"{many:,} of {every:,}"
        return f"{which} {self.unit}"

    @property
    def agreement_range_in_words(self) -> str:
        """What the lowest and the highest are called: “Poor”, or “Poor to good”."""
        low, high = (agreement_in_a_word(self.defined_alphas[at]) for at in (0, -1))
        return (low if low == high else f"{low} to {high}").capitalize()

    @property
    def alpha_range_in_words(self) -> str:
        """The lowest and the highest alpha: “−0.89 to 0.61”, or one if both are written alike."""
        low, high = (format_number(self.defined_alphas[at]) for at in (0, -1))
        return low if low == high else f"{low} to {high}"

    @property
    def why_none_is_defined(self) -> str:
        """Why none has a value; "" if one has."""
        if self.defined_alphas:
            return ""
        reasons = list(dict.fromkeys(one.reason for one in self.alphas.values()))
        return reasons[0] if len(reasons) == 1 else "for several reasons"


def estimate_agreement_on_each_question(
    task: Task, judged: pd.DataFrame
) -> AgreementByQuestion | None:
    """How far people agree on each variable of a task; None if it asks only one question, or
    measures only one variable, so that ``find_main_variable_and_alpha_of_task`` says it all.
    """
    people = judged[judged["rater_kind"] == "person"]
    if people.empty or not task.called:
        return None
    names = list(count_peoples_answers_by_variable(task, people))
    if len(names) < 2:
        return None
    found = compute_agreement_by_variable(task, people, only=names)
    unit = "questions"
    if any(": " in name for name in names):
        unit = "questions and options"
    elif any(" / " in name for name in names):
        unit = "questions, those of each arm counted"
    return AgreementByQuestion({name: one.alpha for name, one in found.items()}, unit)


def _same_in_all(task: Task, people: pd.DataFrame) -> Estimate:
    """How often two people give the same answers to all that is measured of an item."""
    which, different = positions_and_distinct_objects(people["value"])
    answers = [sorted(task.values_compared_for_agreement(value).items()) for value in different]
    kinds = pd.factorize(pd.Series([repr(one) for one in answers], dtype=object))[0][which]
    ratings = people.assign(kind=kinds).pivot(index="item_id", columns="rater_id", values="kind")
    found = estimate_percent_agreement(
        RatingCounts.from_ratings(ratings.to_numpy(dtype=np.float64))
    )
    return note_estimate_speaks_for_these_raters(found, ratings.shape[1])


def count_peoples_answers_by_variable(task: Task, judged: pd.DataFrame) -> dict[str, int]:
    """The variables measured in judgments, with how often people gave each: a label that was not
    given does not count. Equal answers are read once.
    """
    which, different = positions_and_distinct_objects(judged["value"])
    people = np.bincount(
        which[(judged["rater_kind"] == "person").to_numpy(dtype=bool)], minlength=len(different)
    )
    given: dict[str, int] = {}
    for value, by_people in zip(different, people.tolist(), strict=True):
        for name, answer in task.values_compared_for_agreement(value).items():
            variable = task.pool_name_of_variable(name)
            many = 0 if answer is None or answer is False else by_people
            given[variable] = given.get(variable, 0) + many
    return given


def variables_by_pool(task: Task, measured: Measured) -> dict[str, list[str]]:
    """The measured variables, grouped by the name they are pooled under."""
    found: dict[str, list[str]] = {}
    # Most answers have the same questions, so each set of names is handled once.
    alike = dict.fromkeys(map(tuple, measured.different))
    for name in dict.fromkeys(name for names in alike for name in names):
        found.setdefault(task.pool_name_of_variable(name), []).append(name)
    return found


@dataclass(frozen=True)
class Measured:
    """Judgments as what was measured in them. ``different`` holds the distinct answers in order;
    ``answer``, ``item`` and ``rater``, (judgments,), are indices into it, ``items`` and ``raters``.
    """

    different: list[Mapping[str, Any]]
    answer: NDArray[np.intp]
    item: NDArray[np.intp]
    items: NDArray[np.object_]
    rater: NDArray[np.intp]
    raters: NDArray[np.object_]


def encode_judgments_for_agreement(task: Task, judged: pd.DataFrame, *, by: str) -> Measured:
    """What was measured in judgments, whose raters are told apart ``by`` a column."""
    answer, values = positions_and_distinct_objects(judged["value"])
    item, items = pd.factorize(judged["item_id"])
    rater, raters = pd.factorize(judged[by])
    different = [task.values_compared_for_agreement(value) for value in values]
    return Measured(
        different,
        answer,
        item,
        np.asarray(items, dtype=object),
        rater,
        np.asarray(raters, dtype=object),
    )


@dataclass(frozen=True)
class Answers:
    """Answers to one variable as numbers: ``ratings`` (items, raters), NaN if a rater gave none.
    Only items and raters with an answer, in the order of the judgments. With several variables an
    item has one row for each. ``possible`` are all numbers that could have been given, as far as is
    known: those that were, at least.
    """

    ratings: Floats
    possible: Floats
    items: NDArray[np.object_]
    raters: NDArray[np.object_]


def encode_answers_to_variables(
    measured: Measured,
    variables: Sequence[str],
    *,
    nominal: bool,
    known: Sequence[Any] | None = None,
) -> Answers:
    """The answers to these variables; ``nominal`` ones are numbered. ``known`` are the answers that
    can be given, if they are; yes can always be answered with no.
    """
    said = [one.get(name) for name in variables for one in measured.different]
    if nominal:
        code, kinds = pd.factorize(np.array([*said, None], dtype=object)[:-1])
        names = list(map(str, kinds))
        never = [str(one) for one in known or ()]
        if any(isinstance(kind, bool) for kind in kinds):
            never = ["False", "True"]
        order = {name: float(at) for at, name in enumerate(sorted({*names, *never}))}
        numbers = np.array([*(order[name] for name in names), np.nan])[code]
        possible = np.arange(float(len(order)))
    else:
        numbers = np.array(said, dtype=np.float64)
        given = numbers[~np.isnan(numbers)]
        possible = np.union1d(given, np.asarray(() if known is None else known, dtype=np.float64))
    wide = len(variables)
    values = numbers.reshape(wide, -1).T[measured.answer]
    judgment, at = np.nonzero(~np.isnan(values))
    item, items = pd.factorize(measured.item[judgment] * wide + at)
    rater, raters = pd.factorize(measured.rater[judgment])
    ratings = np.full((len(items), max(len(raters), 1)), np.nan)
    ratings[item, rater] = values[judgment, at]
    return Answers(ratings, possible, measured.items[items // wide], measured.raters[raters])


TABLE_HEAD = ["task", "variable", "rater", "other_rater"]
"""The columns of ``agreement_table`` that say of what a figure is."""


def agreement_table(
    store: Store, task: Task, *, dataset: str, viewer: Rater | None, pairs: bool = False
) -> pd.DataFrame:
    """Agreement on a task as rows of figures: ``study``, ``TABLE_HEAD``, then the other columns of
    ``FIGURE_COLUMNS``. ``group`` is empty.

    Of all people together (``rater`` is empty) the figures of ``Agreement``; with ``pairs`` also of
    each pair of raters, models included, ``same`` and ``kappa``.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    judged = consensus.current_judgments(store, task, dataset=dataset, viewer=viewer)
    people = judged[judged["rater_kind"] == "person"]
    heads: list[tuple[str, ...]] = []
    rows: list[FigureRow] = []
    for variable, agreed in compute_agreement_by_variable(task, people).items():
        for one in fields(agreed):
            if (estimate := getattr(agreed, one.name)) is not None:
                heads.append((task.name, variable, "", ""))
                rows.append((one.name, "", estimate))
        for pair in list_raters_and_pairwise_agreement(task, judged, variable)[1] if pairs else ():
            heads += [(task.name, variable, pair.first, pair.second)] * 2
            rows += [("same", "", pair.same), ("kappa", "", pair.kappa_estimate)]
    figures = figure_rows_as_table(rows, study=task.study)
    head = pd.DataFrame(heads, columns=TABLE_HEAD)
    return pd.concat([figures[["study"]], head, figures.drop(columns=["study"])], axis=1)


@dataclass(frozen=True)
class AgreementOfTwoRaters:
    """Two raters on the items that both answered, in one variable, or on the criteria of items.

    ``same`` is the share with the same answer, ``apart`` the ids of items with different answers,
    in the order of the judgments (on a scale with a tolerance: with answers that are further apart
    than that); ``measured`` computes Cohen's kappa (with quadratic weights if
    answers are ordered).
    """

    first: str
    second: str
    same: Estimate
    apart: tuple[str, ...]
    measured: Callable[[], Estimate]

    @cached_property
    def kappa_estimate(self) -> Estimate:
        """Computed on demand: its interval takes longer than everything else."""
        return note_estimate_speaks_for_these_raters(self.measured(), 2)


def list_raters_and_pairwise_agreement(
    task: Task, judged: pd.DataFrame, variable: str
) -> tuple[list[str], list[AgreementOfTwoRaters]]:
    """The raters who answered (people before models, each sorted by name), and every pair of
    them.

    ``judged`` is from ``consensus.current_judgments``; models in it are raters like people.
    """
    measured = encode_judgments_for_agreement(task, judged, by="rater")
    of = variables_by_pool(task, measured).get(variable, [variable])
    nominal, several = (
        task.measurement_level_of_variable(of[0]) == "nominal",
        variable in task.pools,
    )
    tolerance = 0 if nominal else task.tolerances.get(of[0], 0)
    answers = encode_answers_to_variables(measured, of, nominal=nominal)
    once = judged.drop_duplicates("rater", keep="last")
    kinds = dict(zip(once["rater"], once["rater_kind"], strict=True))
    names = sorted(
        map(str, answers.raters), key=lambda name: (kinds[name] != "person", name.casefold(), name)
    )
    column = {str(name): at for at, name in enumerate(answers.raters)}
    of_rater = {name: answers.ratings[:, column[name]].copy() for name in names}
    there = {name: ~np.isnan(ratings) for name, ratings in of_rater.items()}
    values = np.unique(answers.ratings[~np.isnan(answers.ratings)])
    wide = len(values)
    code = {name: np.searchsorted(values, ratings) for name, ratings in of_rater.items()}
    items = answers.items
    near = f"; the same{tolerance_in_words(tolerance)}" if tolerance else ""
    found = []
    counted: list[tuple[int, int]] = []
    weights: Weights = "none" if nominal else "quadratic"

    # Kappa depends only on the pair counts, which are often the same when items are few.
    @cache
    def kappa_of(met: bytes) -> Estimate:
        table = np.frombuffer(met, dtype=np.int64).reshape(wide, wide)
        coverage = 1.0 if table.any() else None
        return estimate_kappa_of_counts(table, values, weights=weights, coverage=coverage)

    for at, first in enumerate(names):
        judged_first = np.flatnonzero(there[first])
        for second in names[at + 1 :]:
            both = judged_first[there[second][judged_first]]
            a, b = code[first][both], code[second][both]
            same_answer = np.abs(values[a] - values[b]) <= tolerance
            n = len(both)
            if several:
                nested = items[both].astype(str)
                kappa = partial(
                    estimate_cohen_kappa, values[a], values[b], weights=weights, clusters=nested
                )
            else:
                met = np.bincount(a * wide + b, minlength=wide**2).reshape(wide, wide)
                kappa = partial(kappa_of, min(met.tobytes(), met.T.tobytes()))
            # Most shares are worked out together, below.
            same = Estimate.undefined_estimate(NO_PAIRS, method="Wilson with t", denominator=0)
            if n and several:
                same = clustered_share(same_answer, nested, unit="items")
            counted.append((int(same_answer.sum()), 0 if several else n))
            found.append(
                AgreementOfTwoRaters(
                    first=first,
                    second=second,
                    same=same,
                    measured=kappa,
                    apart=tuple(dict.fromkeys(items[both[~same_answer]].tolist())),
                )
            )
    different = [one for one in dict.fromkeys(counted) if one[1]]
    shares = (
        wilson_share_estimates(*zip(*different, strict=True), unit="items") if different else []
    )
    share_of = dict(zip(different, shares, strict=True))

    @cache
    def of_two(count: tuple[int, int]) -> Estimate:
        return told(share_of[count])

    def told(same: Estimate) -> Estimate:
        return note_estimate_speaks_for_these_raters(replace(same, method=same.method + near), 2)

    return names, [
        replace(one, same=of_two(count) if count in share_of else told(one.same))
        for one, count in zip(found, counted, strict=True)
    ]


def gold_hit_rates_by_rater(
    task: Task,
    judged: pd.DataFrame,
    key: pd.DataFrame,
    own: Collection[tuple[str, str]] = (),
) -> dict[str, Estimate]:
    """Each rater's hits, by the task's own rule, as a share of the gold items they judged.

    ``judged`` is from ``consensus.current_judgments``, ``key`` from ``consensus.gold_items_table``;
    ``own`` are the keys that raters set themselves
    (``consensus.item_and_rater_ids_of_gold_key_authors``), which do not count for them.
    """
    if not task.can_items_be_gold:
        return {}
    expected = dict(zip(key["item_id"], key["expected"], strict=True))
    found = {}
    for rater, rows in judged.groupby("rater", sort=True):
        raters = rows["rater_id"] if own else rows["rater"]
        hits = [
            task.does_answer_match_gold(value, expected[item])
            for item, who, value in zip(rows["item_id"], raters, rows["value"], strict=True)
            if item in expected and (item, who) not in own
        ]
        found[str(rater)] = (
            note_estimate_speaks_for_these_raters(
                wilson_share_estimate(sum(hits), len(hits), unit="gold items"), 1
            )
            if hits
            else Estimate.undefined_estimate(
                "no gold item was judged", method="Wilson with t", denominator=0
            )
        )
    return found
