"""How far models can be trusted, from `docs/statistics.md`, `docs/lead.md` and the papers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import scipy.stats
from statsmodels.stats.multitest import multipletests

from tests.recomputed import resampled
from tests.recomputed.drawn import of_verdicts
from tests.recomputed.judgments import ABSTAINED, VARIABLES, Answer, Judged, Variable
from tests.recomputed.other_raters import widened
from tests.recomputed.retest import with_bounds
from tests.recomputed.second_opinion import (
    FEWEST,
    Expected,
    difference_in_pairs,
    effective_rows,
    mean_of_differences,
    p_below,
    pairs_in_effect,
    share,
    wilson,
)

Rows = dict[tuple[str, ...], Expected]
Met = tuple[str, Answer, Answer]
"""An item, what somebody said of it, and the word that it is held against."""

FEWEST_ITEMS, FEWEST_PEOPLE, ALLOWANCE = 30, 3, 0.2
NO_KAPPA = (math.nan, None)


def recompute(judged: Judged) -> Rows:
    """Expected rows by (judge, prompt, variable, answer, who, figure, group)."""
    rows: Rows = {}
    for variable in VARIABLES:
        for judge in judged.judges:
            mine = {
                (variable.name, *rest): expected
                for rest, expected in _of_judge(judged, variable, judge).items()
            }
            rows |= {(*judge, *key): expected for key, expected in mine.items()}
    return rows


def _of_judge(judged: Judged, variable: Variable, judge: tuple[str, str]) -> Rows:
    name = " · ".join(part for part in judge if part)
    told = {item: said[variable.name] for item, said in judged.judges[judge].items()}
    said = {
        item: variable.number(answer)
        for item, answer in told.items()
        if variable.number(answer) is not None
    }
    rows: Rows = {}
    for figure, expected in _stands_in(judged, variable, said).items():
        rows["", name, figure, ""] = expected
    unequal = bool(judged.strata)
    if _anybody_abstained(judged, variable):
        rows |= _abstentions(judged, variable, told, name, unequal=unequal)
    if not unequal:
        rows |= _macro_f1(judged, variable, said, name)
    rows |= _revised(judged, variable, said)
    for other in judged.judges:
        if other != judge:
            rows |= _beside(judged, variable, name, said, other)

    words = {item: judged.word(variable, item) for item in said}
    met = [(item, said[item], variable.number(words[item])) for item in said]
    weights = _weights(judged, met)
    rows |= _measures(variable, name, met, weights)
    if unequal and not variable.points:
        rows |= _by_verdict(judged, variable, name, met)
    against: dict[str, list[Met]] = {}
    for rater in judged.raters:
        against[rater] = [
            (
                item,
                variable.number(judged.people[item, rater][variable.name]),
                variable.number(judged.word(variable, item, without=rater, settle=False)),
            )
            for item in said
            if (item, rater) in judged.people
        ]
    everybody = [one for each in against.values() for one in each]
    rows |= _measures(variable, "Clinicians", everybody, weights)
    for rater, each in against.items():
        if _both(each):
            rows |= _measures(variable, rater, each, weights)
    for answer in variable.classes:
        rows |= _shares(judged, answer, name, met, weights)

    # By group: one rate of the judge, and of clinicians.
    for topic in sorted(set(judged.topics.values())):
        kept = [one for one in met if judged.topics[one[0]] == topic]
        theirs = [one for one in everybody if judged.topics[one[0]] == topic]
        if not kept or len({judged.topics[item] for item in judged.judges[judge]}) < 2:
            continue
        for who, some in ((name, kept), ("Clinicians", theirs)):
            group = f"Items' topic: {topic}"
            rows["", who, "agreement_by_group", group] = _agreement(
                variable, some, _weights(judged, kept)
            )
    for rater in judged.raters if said else ():
        alone = [
            (
                item,
                said[item],
                variable.number(judged.word(variable, item, only=rater, settle=False)),
            )
            for item in said
        ]
        group = f"Clinician: {rater}"
        rows["", name, "agreement_by_group", group] = _agreement(
            variable, alone, _weights(judged, alone)
        )
        rows["", "Clinicians", "agreement_by_group", group] = _agreement(
            variable, against[rater], weights
        )
    return rows


def _beside(
    judged: Judged,
    variable: Variable,
    name: str,
    said: Mapping[str, Answer],
    other: tuple[str, str],
) -> Rows:
    """Two judges on what both answered: how often the same, and who has the word more often."""
    theirs = {
        item: variable.number(answers[variable.name])
        for item, answers in judged.judges[other].items()
    }
    both = [item for item in said if theirs.get(item) is not None]
    words = {item: variable.number(judged.word(variable, item)) for item in both}
    known = [item for item in both if words[item] is not None]
    weights = _weights(judged, [(item, said[item], words[item]) for item in both])
    group = "Model: " + " · ".join(part for part in other if part)
    return {
        ("", name, "beside_agreement", group): _share(
            [variable.same(said[item], theirs[item]) for item in both], both
        ),
        ("", name, "beside_difference", group): difference_in_pairs(
            [variable.same(said[item], words[item]) for item in known],
            [variable.same(theirs[item], words[item]) for item in known],
            by=known,
            weights=[weights[item] for item in known] if weights else None,
        ),
    }


Weights = Mapping[str, float]


def _weights(judged: Judged, met: Sequence[Met]) -> Weights:
    """How many items one whose word is known stands for; nothing if none were drawn."""
    return _weights_of(judged, [item for item, *_ in met], {item for item, *_ in _both(met)})


def _weights_of(judged: Judged, items: Iterable[str], checked: set[str]) -> Weights:
    """How many items a checked one of each stratum stands for; nothing if none were drawn."""
    if not judged.strata:
        return {}
    of = {item: judged.strata.get(item, "") for item in items}
    there, done = Counter(of.values()), Counter(of[item] for item in of if item in checked)
    return {item: there[stratum] / max(done[stratum], 1) for item, stratum in of.items()}


def _by_verdict(judged: Judged, variable: Variable, name: str, met: Sequence[Met]) -> Rows:
    """Sensitivity and the like where items were drawn: Begg and Greenes (1983), each verdict of a
    stratum standing for all that the judge gave there."""
    return {
        (spelled(answer), name, figure, ""): _of_verdicts(judged, figure, answer, met)
        for answer in variable.classes
        for figure in ("sensitivity", "specificity", "ppv", "npv")
    }


def _of_verdicts(judged: Judged, figure: str, answer: Answer, met: Sequence[Met]) -> Expected:
    return of_verdicts(
        figure,
        [(judged.strata.get(item, ""), said == answer) for item, said, _ in met],
        [None if word is None else word == answer for *_, word in met],
        [item for item, *_ in met],
    )


def _both(met: Iterable[Met]) -> list[Met]:
    return [one for one in met if one[1] is not None and one[2] is not None]


def _share(hits: Iterable[bool], items: Sequence[str], weights: Weights = {}) -> Expected:  # noqa: B006
    every = [float(hit) for hit in hits]
    if not every:
        return Expected(None)
    if not weights:
        return share(every, by=items)
    weighted = pd.DataFrame({"weight": [weights[item] for item in items]})
    weighted["hit"] = weighted["weight"] * every
    sums = weighted.groupby(list(items)).sum()
    value = float(sums["hit"].sum() / sums["weight"].sum())
    if len(sums) < FEWEST:
        return Expected(value, len(every), low=None, high=None)
    size = effective_rows(sums["hit"].tolist(), sums["weight"].tolist(), yes_or_no=False)
    equal = sums["weight"].sum() ** 2 / (sums["weight"] ** 2).sum()
    low, high = wilson(value, min(size, len(every)), max(equal - 1, 1))
    return Expected(value, len(every), low=low, high=high)


def _agreement(variable: Variable, met: Iterable[Met], weights: Weights) -> Expected:
    both = _both(met)
    return _share(
        [variable.same(one, two) for _, one, two in both], [item for item, *_ in both], weights
    )


def _measures(variable: Variable, who: str, met: Iterable[Met], weights: Weights) -> Rows:
    """Answers against a word; after a draw there is no kappa, nor a mean difference."""
    both = _both(met)
    items = [item for item, *_ in both]
    rows: Rows = {("", who, "agreement", ""): _agreement(variable, both, weights)}
    if variable.points and weights:
        nothing = Expected(None, len(both))
        return rows | {("", who, name, ""): nothing for name in ("kappa_weighted", "difference")}
    if variable.points:
        pairs = [(float(one), float(two)) for _, one, two in both]
        weighted = resampled.kappa(pairs, quadratic=True, items=items) if pairs else NO_KAPPA
        rows["", who, "kappa_weighted", ""] = with_bounds(weighted, len(both))
        rows["", who, "difference", ""] = mean_of_differences(
            [one - two for one, two in pairs], by=items
        )
        return rows
    if len(variable.classes) > 1:
        code = {answer: float(at) for at, answer in enumerate(variable.classes)}
        every = [(code[one], code[two]) for _, one, two in both]
        found = resampled.kappa(every, items=items) if every and not weights else NO_KAPPA
        rows["", who, "kappa_all", ""] = with_bounds(found, len(both))
    for answer in variable.classes:
        yes = [(item, one == answer, two == answer) for item, one, two in both]
        label = spelled(answer)
        for figure, hit, among in (
            ("sensitivity", lambda s, w: s, lambda s, w: w),
            ("specificity", lambda s, w: not s, lambda s, w: not w),
            ("ppv", lambda s, w: w, lambda s, w: s),
            ("npv", lambda s, w: not w, lambda s, w: not s),
        ):
            kept = [one for one in yes if among(one[1], one[2])]
            rows[label, who, figure, ""] = _share(
                [hit(one[1], one[2]) for one in kept], [one[0] for one in kept], weights
            )
        pairs = [(float(one), float(two)) for _, one, two in yes]
        found = resampled.kappa(pairs, items=items) if pairs and not weights else NO_KAPPA
        rows[label, who, "kappa", ""] = with_bounds(found, len(both))
    return rows


def spelled(answer: Answer) -> str:
    """A class in words."""
    return {True: "yes", False: "no"}.get(answer, str(answer))


# -- abstentions, macro F1, revised ----------------------------------------------------------------


def _anybody_abstained(judged: Judged, variable: Variable) -> bool:
    every = [
        *judged.people.values(),
        *(one for said in judged.judges.values() for one in said.values()),
    ]
    return any(answers[variable.name] == ABSTAINED for answers in every)


def _abstentions(
    judged: Judged, variable: Variable, told: dict[str, Answer], name: str, *, unequal: bool
) -> Rows:
    """How often either cannot tell where the other can; not said after a draw."""
    if unequal:
        names = ("judge_cannot_tell", "clinicians_cannot_tell")
        return {("", name, figure, ""): Expected(None) for figure in names}
    words = {item: judged.word(variable, item) for item in told}
    known = [
        item for item in told if variable.number(words[item]) is not None and told[item] is not None
    ]
    can = [
        item for item in told if variable.number(told[item]) is not None and words[item] is not None
    ]
    return {
        ("", name, "judge_cannot_tell", ""): _share(
            [told[item] == ABSTAINED for item in known], known
        ),
        ("", name, "clinicians_cannot_tell", ""): _share(
            [words[item] == ABSTAINED for item in can], can
        ),
    }


def _macro_f1(judged: Judged, variable: Variable, said: dict[str, Answer], name: str) -> Rows:
    """HealthBench's summary: over pairs of answers, of the judge and of each clinician."""
    every = [
        *judged.people.values(),
        *(one for of in judged.judges.values() for one in of.values()),
    ]
    every += [word for word in judged.words.values() if word is not None]
    classes = {variable.number(answers[variable.name]) for answers in every} - {None}
    if classes == {False}:
        # Yes is then the answer that nobody gave.
        classes = {True, False}
    if variable.points or len(classes) != 2:
        return {}
    first = "yes" if "yes" in classes else True

    def of(item: str, rater: str) -> Answer:
        answers = judged.people.get((item, rater))
        return None if answers is None else variable.number(answers[variable.name])

    def pooled(pairs: list[Met], raters: Sequence[str] = ()) -> Expected:
        both, items = _both(pairs), [item for item, *_ in _both(pairs)]
        who = [one for one, met in zip(raters, pairs, strict=False) if _both([met])]
        found = resampled.macro_f1(
            [(one == first, two == first) for _, one, two in both],
            items,
            partial(widened, items=items, raters=who, least=0.0) if raters else None,
        )
        return with_bounds(found, len(both))

    people = judged.raters
    pairs = {
        rater: [
            (item, of(item, rater), of(item, other))
            for item in said
            for other in people
            if other != rater
        ]
        for rater in people
    }
    rows: Rows = {
        ("", name, "macro_f1", ""): pooled(
            [(item, said[item], of(item, rater)) for item in said for rater in people],
            [rater for _ in said for rater in people],
        ),
        ("", "Clinicians", "macro_f1", ""): pooled(
            [one for each in pairs.values() for one in each]
        ),
    }
    for rater, each in pairs.items():
        if _both(each):
            rows["", rater, "macro_f1", ""] = pooled(each)
    return rows


def _revised(judged: Judged, variable: Variable, said: dict[str, Answer]) -> Rows:
    """What clinicians made of a judgment after the reveal: where to."""
    found = []
    for (item, rater), (blind, answers) in judged.later.items():
        if blind or (item, rater) not in judged.people or item not in said:
            continue
        before = variable.number(judged.people[item, rater][variable.name])
        after = variable.number(answers[variable.name])
        if before is None or after is None:
            continue
        word = variable.number(judged.word(variable, item, without=rater))
        found.append((item, before, after, said[item], word))
    if not found:
        return {}

    def apart(one: Answer, goal: Answer) -> float:
        return abs(one - goal) if variable.points else float(one != goal)

    items = [item for item, *_ in found]
    known = [one for one in found if one[4] is not None]
    answered = {
        item
        for (item, _), answers in judged.people.items()
        if variable.number(answers[variable.name]) is not None
    }
    weights = _weights_of(judged, said, answered)

    def moved(rows: list[Any], goal: int, sign: int) -> Expected:
        return _share(
            [sign * (apart(one[2], one[goal]) - apart(one[1], one[goal])) > 0 for one in rows],
            [one[0] for one in rows],
            weights,
        )

    figures = {
        "changed": _share([one[1] != one[2] for one in found], items, weights),
        "to_model": moved(found, 3, -1),
        "from_model": moved(found, 3, 1),
        "to_word": moved(known, 4, -1),
        "from_word": moved(known, 4, 1),
    }
    return {("", "Clinicians", f"revised_{name}", ""): one for name, one in figures.items()}


# -- how common an answer is -----------------------------------------------------------------------


def _shares(
    judged: Judged, answer: Answer, name: str, met: Sequence[Met], weights: Weights
) -> Rows:
    """How common an answer is: by the judge, by clinicians, and corrected for its errors."""
    label = spelled(answer)
    said = np.array([one == answer for _, one, _ in met], dtype=float)
    checked = np.array([two is not None for *_, two in met])
    true = np.array([two == answer for *_, two in met], dtype=float)
    items = np.array([item for item, *_ in met])
    judge = share(said, by=items)
    stands_for = np.array([weights.get(item, 1.0) for item in items])
    return {
        (label, name, "share_by_judge", ""): judge,
        (label, name, "share_by_clinicians", ""): _share(
            true[checked], list(items[checked]), weights
        ),
        (label, name, "share_rogan_gladen", ""): _rogan_gladen(
            said, checked * stands_for, true, judge
        ),
        (label, name, "share_prediction_powered", ""): _of_verdicts(judged, "share", answer, met),
    }


def _rogan_gladen(said: Any, checked: Any, true: Any, judge: Expected) -> Expected:
    """The judge's share corrected by its sensitivity and specificity; the three are drawn together,
    and of each a tenth of an item for and against is added."""
    n = len(said)
    yes, no = checked * true, checked * (1.0 - true)
    if not yes.sum() or not no.sum():
        return Expected(None, n)
    seen = np.column_stack([np.ones(n), said, yes, yes * said, no, no * (1 - said)])
    unseen = np.zeros((6, 6))
    for of in range(3):
        size = seen[:, 2 * of].sum() / (seen[:, 2 * of] > 0).sum()
        unseen[2 * of : 2 * of + 2, 2 * of] = size
        unseen[2 * of + 1, 2 * of + 1] = size

    def statistic(drawn: Any) -> Any:
        seen_share, sensitivity, specificity = (
            resampled.divided(drawn[:, at + 1], drawn[:, at]) for at in (0, 2, 4)
        )
        informed = sensitivity + specificity - 1
        with np.errstate(invalid="ignore"):
            informed = np.where(informed > 1e-12, informed, 0.0)
        return np.clip(resampled.divided(seen_share + specificity - 1, informed), 0, 1)

    whole = seen.sum(axis=0)[None, :]
    value = float(statistic(whole)[0])
    if math.isnan(value):
        return Expected(None, n)
    differing = int(min((yes > 0).sum(), (no > 0).sum()))
    bounds = resampled.resample(seen, unseen, np.full(6, 0.1), differing, value, statistic)
    if bounds is not None:
        ends = np.repeat(whole, 2, axis=0)
        ends[:, 1] = n * np.array([judge.low, judge.high])
        low, high = statistic(ends)
        bounds = bounds.reaching(float(low), float(high))
    return replace(with_bounds((value, bounds), n))


# -- the alternative annotator test ----------------------------------------------------------------


def _stands_in(judged: Judged, variable: Variable, said: dict[str, Answer]) -> dict[str, Expected]:
    """Calderon, Reichart and Dror (2025): each clinician left out in turn."""
    ps, wins = [], []
    for rater in judged.raters:
        model_wins, person_wins = {}, {}
        for item, answer_of_model in said.items():
            everyone = {
                who: variable.number(answers[variable.name])
                for who, answers in judged.of_item(item).items()
            }
            own = everyone.pop(rater, None)
            others = [answer for answer in everyone.values() if answer is not None]
            if own is None or not others:
                continue
            ours, theirs = (_closeness(variable, one, others) for one in (answer_of_model, own))
            model_wins[item], person_wins[item] = ours >= theirs - 1e-12, theirs >= ours - 1e-12
        weights = _weights_of(judged, said, set(model_wins)) or dict.fromkeys(model_wins, 1.0)
        weight = np.array([weights[item] for item in model_wins])
        if weight.sum() ** 2 < (FEWEST_ITEMS - 1e-6) * (weight**2).sum() or not len(weight):
            continue
        ours, theirs = (np.array(list(one.values()), float) for one in (model_wins, person_wins))
        ps.append(_p_of_left_out(judged, theirs, ours, weight / weight.mean()))
        wins.append(float(np.average(ours, weights=weight)))
    if len(ps) < FEWEST_PEOPLE:
        nothing = Expected(None, low=None, high=None)
        return {"winning_rate": nothing, "advantage": nothing}
    beaten = multipletests(ps, alpha=0.05, method="fdr_by")[1] <= 0.05
    return {
        "winning_rate": Expected(float(np.mean(beaten)), len(ps), low=None, high=None),
        "advantage": Expected(float(np.mean(wins)), len(ps), low=None, high=None),
    }


def _p_of_left_out(
    judged: Judged, person: np.ndarray, model: np.ndarray, weight: np.ndarray
) -> float:
    apart = person - model
    if judged.strata:
        items = np.arange(len(apart)).astype(str)
        only, part, df = pairs_in_effect(person, model, items, weight)
        return p_below(ALLOWANCE, (only[0] * part, only[1] * part), len(apart) * part, df)
    if np.std(apart) > 0:
        test: Callable[..., Any] = scipy.stats.ttest_1samp
        return float(test(apart, ALLOWANCE, alternative="less").pvalue)
    return 0.0 if apart[0] < ALLOWANCE else 1.0


def _closeness(variable: Variable, one: Answer, others: Sequence[Answer]) -> float:
    """How close an answer is to the others'."""
    if variable.points:
        return -math.sqrt(np.mean([(one - other) ** 2 for other in others]))
    return float(np.mean([one == other for other in others]))
