"""Verifiers compared with doctors, and support corrected for the verifiers' errors.

A doctor's answer is yes (supported) or no (not supported, partly, contradicted: the paper's
binary). The doctors' verdict is the adjudicator's if there is one, else the clear majority
(``stats.majority``); where that is "cannot tell", there is no verdict. Positive: the verifier said
supported.

Source: Wu et al. 2025, "Expert verification": three doctors on 400 pairs, their agreement with the
majority compared with the verifier's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from medlens.deferred_module import np, pd
from medlens.stats.clustered_kappa_f1_and_judge_accuracy import (
    Beside,
    Clusters,
    Rates,
    compare_two_judges_with_truth,
    estimate_clustered_kappa,
    estimate_judge_agreement_rates_and_kappa,
    rogan_gladen_estimate,
)
from medlens.stats.column_as_text_array import text_array_of_column
from medlens.stats.estimate import Estimate
from medlens.stats.majority import count_votes_and_find_majority, is_abstention
from medlens.studies.sourcecheckup.metrics_input_tables import Bools, Floats

_NO = ("not_supported", "partly", "contradicted", "no")
_YES = ("supported", "yes")


def verdicts_as_numbers(verdicts: pd.Series[Any]) -> Floats:
    """Answers as numbers, (n,): 1 supported, 0 not, NaN for "cannot tell" or no answer."""
    given = verdicts.to_numpy(dtype=object)
    return np.select([np.isin(given, _YES), np.isin(given, _NO)], [1.0, 0.0], np.nan)


def whether_doctors_call_supported_by_item(
    answers: pd.DataFrame, adjudicated: Mapping[str, str] | None = None
) -> dict[str, bool]:
    """Item -> whether doctors call it supported; missing without an answer or a clear majority.

    ``answers``: item, rater, verdict, one row per doctor and item. ``adjudicated``: item ->
    verdict.
    """
    given: dict[str, list[bool | str | None]] = {}
    for item, verdict, said in zip(
        answers["item"], answers["verdict"], verdicts_as_numbers(answers["verdict"]), strict=True
    ):
        unsure = verdict if is_abstention(verdict) else None
        given.setdefault(str(item), []).append(unsure if np.isnan(said) else bool(said))
    together = {item: count_votes_and_find_majority(said).answer for item, said in given.items()}
    found = {item: said for item, said in sorted(together.items()) if isinstance(said, bool)}
    for item, verdict in (adjudicated or {}).items():
        found.pop(item, None)
        if verdict in _YES + _NO:
            found[item] = verdict in _YES
    return found


@dataclass(frozen=True, kw_only=True)
class VerifierAgainstDoctors(Rates):
    """One verifier compared with the doctors. The four tuples hold items.

    ``agreed_yes``: both say supported; ``only_verifier``: only the verifier does; ``only_doctors``:
    only the doctors do; ``agreed_no``: neither does. ``confirmed``: of the items that the verifier
    calls not supported and doctors judged, the share that doctors call not supported too.
    """

    verifier: str
    agreed_yes: tuple[str, ...]
    only_verifier: tuple[str, ...]
    only_doctors: tuple[str, ...]
    agreed_no: tuple[str, ...]
    corrected: dict[str, Estimate]
    raw: dict[str, Estimate]
    confirmed: dict[str, Estimate]


def compare_verifier_with_doctors(
    pairs: pd.DataFrame,
    word: Mapping[str, bool],
    *,
    verifier: str,
    by: str = "",
) -> VerifierAgainstDoctors:
    """Agreement, sensitivity, specificity, kappa, and the corrected share of supported pairs.

    ``pairs``: item, question, verdict, one row for every item that the verifier judged, not only
    those that doctors saw; ``by`` names a column (the answering model) to also give the shares by.
    Questions are resampled.
    """
    clusters = Clusters(text_array_of_column(pairs["question"]))
    said = verdicts_as_numbers(pairs["verdict"])
    items = pairs["item"].astype(str).to_numpy(dtype=object)
    truth = _truth(items, word)
    known = ~np.isnan(said)
    both = known & ~np.isnan(truth)

    def cell(verdict: int, true: int) -> tuple[str, ...]:
        return tuple(items[both & (said == verdict) & (truth == true)])

    called = "doctors called {} of them supported"
    rates = estimate_judge_agreement_rates_and_kappa(
        *(clusters, said, truth),
        none="doctors have given no verdict on what it judged",
        neither=(called.format("none"), called.format("all")),
    )
    groups: dict[str, Bools] = {"all": np.ones(len(pairs), dtype=bool)}
    if by:
        names = pairs[by].astype(str).to_numpy(dtype=object)
        groups |= {str(one): names == one for one in sorted(set(names))}

    def shares(hits: Bools, among: Bools, why: str) -> dict[str, Estimate]:
        return {
            name: clusters.estimate_share_of_hits(hits, among & rows, undefined_because=why)
            for name, rows in groups.items()
        }

    judged = np.where(known, truth, np.nan)
    return VerifierAgainstDoctors(
        **vars(rates),
        verifier=verifier,
        agreed_yes=cell(1, 1),
        only_verifier=cell(1, 0),
        only_doctors=cell(0, 1),
        agreed_no=cell(0, 0),
        corrected={
            name: rogan_gladen_estimate(clusters, clusters.codes, said == 1, judged, rows & known)
            for name, rows in groups.items()
        },
        raw=shares(said == 1, known, "there are no verdicts"),
        confirmed=shares(truth == 0, both & (said == 0), "it called all of them supported"),
    )


def whole_answer_support_by_figure_and_group(
    table: pd.DataFrame, word: Mapping[str, bool]
) -> dict[tuple[str, str], Estimate]:
    """Support of the answers that doctors judged in full, by the doctors and by the pipeline.

    ``table``: item (the answer), question, model, group, verdict. (figure, group) -> share:
    overall, by model, and by model and group; both figures are over the same answers.
    """
    clusters = Clusters(text_array_of_column(table["question"]))
    said = verdicts_as_numbers(table["verdict"])
    items = table["item"].astype(str)
    truth = _truth(items, word)
    both = ~(np.isnan(said) | np.isnan(truth))
    model, group = (table[name].astype(str) for name in ("model", "group"))
    found: dict[tuple[str, str], Estimate] = {}
    for names in (pd.Series("all", index=table.index), model, model + ", " + group):
        for name in sorted(set(names[both])):
            rows = both & (names == name).to_numpy(dtype=bool)
            found["whole_answers_by_doctors", name] = clusters.estimate_share_of_hits(
                truth == 1, rows
            )
            found["whole_answers_by_pipeline", name] = clusters.estimate_share_of_hits(
                said == 1, rows
            )
    return found


def _truth(items: Iterable[str], word: Mapping[str, bool]) -> Floats:
    return np.array([word.get(item, np.nan) for item in items], dtype=np.float64)


@dataclass(frozen=True)
class DoctorPair:
    """How often two doctors gave the same answer to the items that both answered."""

    first: str
    second: str
    agreement: Estimate
    kappa: Estimate


def compare_every_two_doctors(answers: pd.DataFrame) -> list[DoctorPair]:
    """Every two doctors who answered at least one item in common.

    ``answers``: item, question, rater, verdict.
    """
    wide, clusters = _wide(answers)
    found = []
    for first, second in combinations(wide.columns, 2):
        one, two = wide[first].to_numpy(np.float64), wide[second].to_numpy(np.float64)
        both = ~(np.isnan(one) | np.isnan(two))
        if not both.any():
            continue
        kappa = estimate_clustered_kappa(clusters, clusters.codes[both], one[both], two[both])
        found.append(
            DoctorPair(
                str(first), str(second), clusters.estimate_share_of_hits(one == two, both), kappa
            )
        )
    return found


def estimate_mean_agreement_between_doctors(answers: pd.DataFrame) -> Estimate:
    """How often two doctors agree: the mean over all pairs of doctors' answers to the same item."""
    wide, clusters = _wide(answers)
    said = wide.to_numpy(np.float64)
    n = (~np.isnan(said)).sum(axis=1).astype(np.float64)
    yes = np.nansum(said, axis=1)
    agreeing = yes * (yes - 1) / 2 + (n - yes) * (n - yes - 1) / 2
    tops = clusters.array_of_cluster_sums(clusters.codes, agreeing)[:, None]
    bottoms = clusters.array_of_cluster_sums(clusters.codes, n * (n - 1) / 2)[:, None]
    return clusters.estimate_ratios_of_sums(
        tops, bottoms, undefined_because="no two doctors answered the same pair"
    )[0]


def _wide(answers: pd.DataFrame) -> tuple[pd.DataFrame, Clusters]:
    """Items by doctors, 1 yes, 0 no, NaN no answer; and the items' questions."""
    table = pd.DataFrame(
        {
            "item": answers["item"].to_numpy(dtype=object),
            "rater": answers["rater"].to_numpy(dtype=object),
            "said": verdicts_as_numbers(answers["verdict"]),
        }
    )
    wide = table.pivot_table(
        index="item", columns="rater", values="said", aggfunc="first", dropna=False
    )
    question = answers.drop_duplicates("item").set_index("item")["question"]
    return wide, Clusters(text_array_of_column(question.reindex(wide.index)))


@dataclass(frozen=True, kw_only=True)
class VerifierPair(Beside):
    """Two verifiers on the same pairs."""

    first: str
    second: str


def compare_every_two_verifiers(
    verdicts: Mapping[str, pd.DataFrame], word: Mapping[str, bool]
) -> list[VerifierPair]:
    """Every two verifiers. ``verdicts``: verifier -> item, question, verdict."""
    found = []
    for first, second in combinations(verdicts, 2):
        one, two = verdicts[first], verdicts[second]
        merged = one.merge(two[["item", "verdict"]], on="item", suffixes=("", "_2"))
        items = merged["item"].astype(str).to_numpy(dtype=object)
        both = compare_two_judges_with_truth(
            Clusters(text_array_of_column(merged["question"])),
            items,
            (verdicts_as_numbers(merged["verdict"]), verdicts_as_numbers(merged["verdict_2"])),
            _truth(items, word),
            none="they judged no pair in common",
            unmet="doctors have given no verdict on what both judged",
        )
        found.append(VerifierPair(first=first, second=second, **vars(both)))
    return found


def iterate_agreement_of_doctors_with_majority(
    answers: pd.DataFrame, word: Mapping[str, bool]
) -> Iterable[tuple[str, Estimate]]:
    """Each doctor's agreement with the majority, which includes their own answer."""
    clusters = Clusters(text_array_of_column(answers["question"]))
    said = verdicts_as_numbers(answers["verdict"])
    truth = _truth(answers["item"].astype(str), word)
    names = answers["rater"].astype(str).to_numpy(dtype=object)
    both = ~(np.isnan(said) | np.isnan(truth))
    for name in sorted(set(names)):
        rows = both & (names == name)
        why = "no majority on what they answered"
        yield name, clusters.estimate_share_of_hits(said == truth, rows, undefined_because=why)
