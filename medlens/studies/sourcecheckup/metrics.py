"""The figures of SourceCheckup, shared by pages and exports.

Source: Wu et al. 2025, "An automated framework for assessing how well LLMs cite relevant medical
references" (Nature Communications; arXiv:2402.02008).

``FigureEvidence`` holds what they are computed from; ``figures.py`` lists them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from medlens.deferred_module import np, pd
from medlens.stats.clustered_kappa_f1_and_judge_accuracy import Clusters
from medlens.stats.column_as_text_array import text_array_of_column
from medlens.stats.estimate import Estimate, FigureRow
from medlens.studies.sourcecheckup.metrics_input_tables import (
    RESPONSE_STATES,
    STATEMENT_STATES,
    DatasetTables,
    Judged,
    judged_results_under_verifier,
)
from medlens.studies.sourcecheckup.metrics_support import (
    GROUPINGS,
    MERGED_FIGURES,
    FigureCounts,
    group_names_and_group_array_of_responses,
    mask_of_fully_judged_responses,
    merged_source_shares_by_figure_and_group,
    resampling_clusters_of_questions,
    state_shares_by_figure_and_group,
    support_shares_by_figure_and_group,
)
from medlens.studies.sourcecheckup.metrics_verifiers_and_doctors import (
    DoctorPair,
    VerifierAgainstDoctors,
    VerifierPair,
    compare_every_two_doctors,
    compare_every_two_verifiers,
    compare_verifier_with_doctors,
    estimate_mean_agreement_between_doctors,
    iterate_agreement_of_doctors_with_majority,
    whether_doctors_call_supported_by_item,
    whole_answer_support_by_figure_and_group,
)
from medlens.web.quote_search import STANDINGS, Standing

Shares = Mapping[tuple[str, str], Estimate]
ANSWER_COLUMNS = ["item", "question", "rater", "verdict"]
CLEANED_COLUMNS = ["statement", "response", "question", "model", "action", "verdict"]
CHECK_COLUMNS = ["rater", "question", "hit"]
QUOTE_COLUMNS = ["item", "question", "rater", "how"]
MERGED_COLUMNS = ["statement", "rater", "verdict"]


def _none(columns: list[str]) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(dtype="str") for name in columns})


@dataclass(frozen=True)
class FigureEvidence:
    """Everything that the figures of one dataset are based on; shared, so never modify it.

    * ``material``: see there; its ``verdicts`` also have ``item``, the pair.
    * ``answers``: doctors' blind answers on pairs, ``ANSWER_COLUMNS``; ``adjudicated``: item ->
      verdict.
    * ``response_answers``, ``response_adjudicated``: the same for whole responses (``item`` is the
      response as in ``material``; verdict "yes" or "no").
    * ``cleaned``: ``CLEANED_COLUMNS``, one row per statement that was edited or removed.
    * ``checks``: figure -> ``CHECK_COLUMNS`` (``hit`` 1.0, 0.0 or NaN): people's checks of the
      other automatic steps.
    * ``countries``: countries of registration by domain, if known.
    * ``quotes``: how each verdict's quote matches its page, ``QUOTE_COLUMNS``.
    * ``merged``: models' verdicts on statements and all their sources, ``MERGED_COLUMNS``.
    * ``by``: the verifier whose verdicts the figures use, "" for the one with the most verdicts.
    """

    material: DatasetTables
    answers: pd.DataFrame = field(default_factory=lambda: _none(ANSWER_COLUMNS))
    adjudicated: Mapping[str, str] = field(default_factory=dict)
    response_answers: pd.DataFrame = field(default_factory=lambda: _none(ANSWER_COLUMNS))
    response_adjudicated: Mapping[str, str] = field(default_factory=dict)
    cleaned: pd.DataFrame = field(default_factory=lambda: _none(CLEANED_COLUMNS))
    checks: Mapping[str, pd.DataFrame] = field(default_factory=dict)
    quotes: pd.DataFrame = field(default_factory=lambda: _none(QUOTE_COLUMNS))
    merged: pd.DataFrame = field(default_factory=lambda: _none(MERGED_COLUMNS))
    countries: Mapping[str, str] = field(default_factory=dict)
    by: str = ""

    @cached_property
    def resampling_clusters_of_questions(self) -> Clusters:
        """The questions, resampled as clusters."""
        return resampling_clusters_of_questions(self.material)

    @cached_property
    def whether_doctors_call_supported_by_pair(self) -> dict[str, bool]:
        """Pair -> whether doctors call it supported."""
        return whether_doctors_call_supported_by_item(self.answers, self.adjudicated)

    @cached_property
    def whether_doctors_call_supported_by_response(self) -> dict[str, bool]:
        """Response -> whether doctors call all its facts supported."""
        return whether_doctors_call_supported_by_item(
            self.response_answers, self.response_adjudicated
        )

    @cached_property
    def name_of_verifier_used(self) -> str:
        """The verifier the figures use: ``by``, or the one with the most verdicts; "" if none."""
        return self.by or next(iter(self.material.verifier_names), "")

    @cached_property
    def _judged(self) -> dict[str, Judged]:
        return {}

    def judged_results_of_verifier(self, verifier: str = "") -> Judged:
        """Results by this verifier, by default by the one that the figures use."""
        name = verifier or self.name_of_verifier_used
        if name not in self._judged:
            self._judged[name] = judged_results_under_verifier(self.material, name)
        return self._judged[name]

    @cached_property
    def _support(self) -> dict[str, Shares]:
        return {}

    def verifier_support_shares_by_figure_and_group(self, verifier: str = "") -> Shares:
        """The metrics by this verifier, for every grouping
        (``metrics_support.support_shares_by_figure_and_group``).
        """
        name = verifier or self.name_of_verifier_used
        if name not in self._support:
            self._support[name] = support_shares_by_figure_and_group(
                self.judged_results_of_verifier(name), self.resampling_clusters_of_questions
            )
        return self._support[name]


def table_of_verdicts_of_verifier(evidence: FigureEvidence, judged: Judged) -> pd.DataFrame:
    """One verifier's verdicts: item, question, model, verdict."""
    about = evidence.material.responses
    rows = judged.pair_response
    return pd.DataFrame(
        {
            "item": judged.pairs["item"].to_numpy(dtype=object),
            "question": about["question"].to_numpy(dtype=object)[rows],
            "model": about["model"].to_numpy(dtype=object)[rows],
            "verdict": judged.pairs["verdict"].to_numpy(dtype=object),
        }
    )


@dataclass(frozen=True)
class Verification:
    """Verifiers against doctors: each one, every two, and the doctors among themselves."""

    against: list[VerifierAgainstDoctors]
    rivals: list[VerifierPair]
    pairs: list[DoctorPair]
    between: Estimate
    doctors: list[tuple[str, Estimate]]
    responses: VerifierAgainstDoctors
    whole_answers: Shares


def compare_verifiers_and_doctors(evidence: FigureEvidence) -> Verification:
    """All comparisons; ``responses`` compares the whole pipeline with doctors on responses,
    ``whole_answers`` the support of these by either.
    """
    given = {
        name: table_of_verdicts_of_verifier(evidence, evidence.judged_results_of_verifier(name))
        for name in evidence.material.verifier_names
    }
    whole = _whole_responses(evidence)
    return Verification(
        [
            compare_verifier_with_doctors(
                table, evidence.whether_doctors_call_supported_by_pair, verifier=name, by="model"
            )
            for name, table in given.items()
        ],
        compare_every_two_verifiers(given, evidence.whether_doctors_call_supported_by_pair),
        compare_every_two_doctors(evidence.answers),
        estimate_mean_agreement_between_doctors(evidence.answers),
        list(
            iterate_agreement_of_doctors_with_majority(
                evidence.answers, evidence.whether_doctors_call_supported_by_pair
            )
        ),
        compare_verifier_with_doctors(
            whole,
            evidence.whether_doctors_call_supported_by_response,
            verifier=evidence.name_of_verifier_used,
            by="model",
        ),
        whole_answer_support_by_figure_and_group(
            whole, evidence.whether_doctors_call_supported_by_response
        ),
    )


def _whole_responses(evidence: FigureEvidence) -> pd.DataFrame:
    """The pipeline's result for each response that it has finished."""
    judged = evidence.judged_results_of_verifier()
    state = np.array(RESPONSE_STATES, dtype=object)[judged.response]
    about = evidence.material.responses
    table = pd.DataFrame(
        {
            "item": about["response"],
            "question": about["question"],
            "model": about["model"],
            "group": about["group"],
            "verdict": np.where(state == "supported", "yes", "no"),
        }
    )
    counted = ~np.isin(state, ["undecided", "no_statement", "not_done"])
    return table[counted].reset_index(drop=True)


# -- rows ------------------------------------------------------------------------------------------


def support_rows(evidence: FigureEvidence) -> Iterator[FigureRow]:
    """The metrics by one verifier's verdicts."""
    for (figure, group), one in evidence.verifier_support_shares_by_figure_and_group().items():
        yield figure, group, _by(one, evidence.name_of_verifier_used)


def state_share_rows(evidence: FigureEvidence) -> Iterator[FigureRow]:
    """Every class of statements, responses and sources: overall and by model."""
    for suffix, by in (("", ()), ("_by_model", ("model",))):
        for (figure, group), one in state_shares_by_figure_and_group(
            evidence.judged_results_of_verifier(), evidence.resampling_clusters_of_questions, by
        ).items():
            yield figure + suffix, group, one


def support_by_verifier_rows(evidence: FigureEvidence) -> Iterator[FigureRow]:
    """Support by every verifier, on the answers that all of them have judged in full."""
    verifiers = evidence.material.verifier_names
    shared = np.logical_and.reduce(
        [
            mask_of_fully_judged_responses(evidence.judged_results_of_verifier(one))
            for one in verifiers
        ]
        or [np.zeros(0, dtype=bool)]
    )
    for verifier in verifiers:
        found = support_shares_by_figure_and_group(
            evidence.judged_results_of_verifier(verifier),
            evidence.resampling_clusters_of_questions,
            {"": ()},
            among=shared,
        )
        for (figure, _), one in found.items():
            if figure.startswith(("statement", "response", "pair")):
                yield f"{figure}_by_verifier", verifier, one


def verifier_name_and_merged_source_shares(evidence: FigureEvidence) -> tuple[str, Shares]:
    """Each pair alone versus sources merged: the verifier, and the shares for every grouping.

    The verifier is the one that the figures use. If it was not asked about merged sources: the one
    that was asked most, unless somebody chose the verifier; then every row says why it is
    undefined. Empty if no verifier was asked about merged sources.
    """
    asked = evidence.merged["rater"].value_counts()
    if asked.empty:
        return "", {}
    verifier = evidence.name_of_verifier_used
    if verifier not in asked and not evidence.by:
        verifier = min(asked.index, key=lambda name: (-asked[name], name))
    found = merged_source_shares_by_figure_and_group(
        evidence.judged_results_of_verifier(verifier),
        evidence.merged,
        evidence.resampling_clusters_of_questions,
    )
    if not found:
        none = Estimate.undefined_estimate(f"{verifier} was not asked of merged sources")
        found = {
            (f"{figure}{suffix}", group): none
            for suffix, by in GROUPINGS.items()
            for group in group_names_and_group_array_of_responses(evidence.material, by)[0]
            for figure in MERGED_FIGURES
        }
    return verifier, found


def merged_source_rows(evidence: FigureEvidence) -> Iterator[FigureRow]:
    """Each pair alone versus sources merged, by group and by verifier; empty if no verifier was
    asked about merged sources.
    """
    clusters = evidence.resampling_clusters_of_questions
    verifier, shares = verifier_name_and_merged_source_shares(evidence)
    for (figure, group), one in shares.items():
        yield figure, group, _by(one, verifier)
    for verifier in sorted(set(evidence.merged["rater"])):
        found = merged_source_shares_by_figure_and_group(
            evidence.judged_results_of_verifier(verifier), evidence.merged, clusters, {"": ()}
        )
        for (figure, _), one in found.items():
            yield f"{figure}_by_verifier", verifier, one


def _by(one: Estimate, verifier: str) -> Estimate:
    return replace(one, method=f"{one.method}; verifier {verifier or 'none'}")


def rows_of_counts(evidence: FigureEvidence) -> Iterator[FigureRow]:
    """The number of everything."""
    material = evidence.material
    found = {
        "questions": material.responses["question"].nunique(),
        "responses": len(material.responses),
        "statements": len(material.statements),
        "citations": len(material.table_of_citations_once_each),
        "sources": material.table_of_citations_once_each["url"].nunique(),
        "model_verdicts": len(material.verdicts),
        "doctor_answers": len(evidence.answers),
    }
    for name, count in found.items():
        yield name, "", Estimate(float(count), None, None, int(count), "count")


def verifier_comparison_rows(found: Verification) -> Iterator[FigureRow]:
    """Verifiers against doctors as rows."""
    for one in found.against:
        yield "verifier_agreement", one.verifier, one.agreement
        yield "verifier_sensitivity", one.verifier, one.sensitivity
        yield "verifier_specificity", one.verifier, one.specificity
        yield "verifier_kappa", one.verifier, one.kappa
        for group, estimate in one.raw.items():
            yield "pair_support_raw", f"{one.verifier}: {group}", estimate
        for group, estimate in one.corrected.items():
            yield "pair_support_corrected", f"{one.verifier}: {group}", estimate
        for group, estimate in one.confirmed.items():
            yield "unsupported_confirmed", f"{one.verifier}: {group}", estimate
    for two in found.rivals:
        name = f"{two.first} and {two.second}"
        yield "verifiers_agreement", name, two.agreement
        method = f"{two.difference.method}; {two.first} less {two.second}"
        yield "verifiers_difference", name, replace(two.difference, method=method)
    yield "doctors_agreement", "all", found.between
    for pair in found.pairs:
        name = f"{pair.first} and {pair.second}"
        yield "doctor_pair_agreement", name, pair.agreement
        yield "doctor_pair_kappa", name, pair.kappa
    for name, estimate in found.doctors:
        yield "doctor_against_majority", name, estimate
    whole = found.responses
    yield "response_agreement", "all", whole.agreement
    yield "response_sensitivity", "all", whole.sensitivity
    yield "response_specificity", "all", whole.specificity
    for group, estimate in whole.corrected.items():
        yield "response_support_corrected", group, estimate
    for (figure, group), estimate in found.whole_answers.items():
        yield figure, group, estimate


def cleanup_rows(evidence: FigureEvidence, judged: Judged) -> Iterator[FigureRow]:
    """What cleaning up did, as rows; empty if nothing was cleaned up."""
    cleaned = evidence.cleaned
    if cleaned.empty:
        return
    yield from (
        (figure, group, one)
        for (figure, group), one in cleanup_shares_by_figure_and_group(cleaned).items()
    )
    material = evidence.material
    touched = material.statements["response"].isin(set(cleaned["response"])).to_numpy(dtype=bool)
    at = material.response_rows_of_statements[touched]
    supported = judged.statement[touched] == STATEMENT_STATES.index("supported")
    table = pd.DataFrame(
        {
            "statement": material.statements["statement"][touched].to_numpy(dtype=object),
            "question": material.responses["question"].to_numpy(dtype=object)[at],
            "model": material.responses["model"].to_numpy(dtype=object)[at],
            "supported": supported,
        }
    )
    for (figure, group), one in cleanup_support_shares_by_figure_and_group(table, cleaned).items():
        yield figure, group, one


def step_check_rows(evidence: FigureEvidence) -> Iterator[FigureRow]:
    """People's and models' checks of the other automatic steps, by rater."""
    for figure, table in evidence.checks.items():
        known = table[table["hit"].notna()]
        for rater, group in known.groupby("rater", sort=True):
            clusters = Clusters(text_array_of_column(group["question"]))
            yield figure, str(rater), clusters.estimate_share_of_hits(group["hit"] == 1)


# -- cleaning up -----------------------------------------------------------------------------------

# Each is edited or removed; an edited one is verified again. Source: Wu et al. 2025, SourceCleanup.
# The paper prints the total as a share of supported statements; it is one of the unsupported ones.


def cleanup_shares_by_figure_and_group(cleaned: pd.DataFrame) -> dict[tuple[str, str], Estimate]:
    """(figure, group) -> share, overall and by model; questions are the clusters.

    ``cleaned``: statement, question, model, action ("edited", "removed"), ``verdict`` (of the
    edited statement; "" if none yet). One row per unsupported statement that was cleaned up. Edited
    statements without a verdict yet count only in the denominator of the removed.
    """
    if cleaned.empty:
        return {}
    removed = (cleaned["action"] == "removed").to_numpy(dtype=bool)
    edited = (cleaned["action"] == "edited").to_numpy(dtype=bool)
    supported = edited & (cleaned["verdict"] == "supported").to_numpy(dtype=bool)
    known = removed | (edited & (cleaned["verdict"] != "").to_numpy(dtype=bool))
    clusters = Clusters(text_array_of_column(cleaned["question"]))
    found = FigureCounts(clusters)
    codes, models = pd.factorize(cleaned["model"].astype(str), sort=True)
    for names, group in (
        (["all"], np.zeros(len(cleaned), dtype=np.int64)),
        ([str(one) for one in models], np.asarray(codes, dtype=np.int64)),
    ):
        for figure, hit, counted in (
            ("cleanup_removed", removed, removed | edited),
            ("cleanup_edited_supported", supported, edited & known),
            ("cleanup_resolved", removed | supported, known),
        ):
            found.add_figure_counts_of_groups(figure, names, group, clusters.codes, hit, counted)
    return found.estimate_shares_by_figure_and_group()


def cleanup_support_shares_by_figure_and_group(
    statements: pd.DataFrame, cleaned: pd.DataFrame
) -> dict[tuple[str, str], Estimate]:
    """Statement support before and after cleaning up, overall and by model.

    ``statements``: statement, question, model, supported (bool), one row per statement of the
    answers that were cleaned up; ``cleaned`` as above. Removed statements are no longer counted;
    edited ones without a verdict yet count as not supported.
    """
    if statements.empty:
        return {}
    became = cleaned.drop_duplicates("statement", keep="last").set_index("statement")
    action = text_array_of_column(statements["statement"].map(became["action"]))
    verdict = text_array_of_column(statements["statement"].map(became["verdict"]))
    before = statements["supported"].to_numpy(dtype=bool)
    after = np.where(action == "edited", verdict == "supported", before)
    clusters = Clusters(text_array_of_column(statements["question"]))
    found = FigureCounts(clusters)
    codes, models = pd.factorize(statements["model"].astype(str), sort=True)
    everything = np.ones(len(statements), dtype=bool)
    for names, group in (
        (["all"], np.zeros(len(statements), dtype=np.int64)),
        ([str(one) for one in models], np.asarray(codes, dtype=np.int64)),
    ):
        found.add_figure_counts_of_groups(
            "support_before_cleanup", names, group, clusters.codes, before, everything
        )
        found.add_figure_counts_of_groups(
            "support_after_cleanup",
            names,
            group,
            clusters.codes,
            after.astype(bool),
            action != "removed",
        )
    return found.estimate_shares_by_figure_and_group()


# -- quotes ----------------------------------------------------------------------------------------


QUOTE_NAMES: dict[Standing, str] = {
    "exact": "word for word",
    "folded": "set in another way",
    "cut_short": "cut short",
    "alike": "similar, not the same",
    "missing": "not on the page",
    "none": "no quote",
}


def quote_match_rows(found: pd.DataFrame) -> Iterator[FigureRow]:
    """The share of each verifier's quotes by how they match; whole questions are resampled."""
    for verifier, rows in found.groupby("rater", sort=True):
        clusters = Clusters(text_array_of_column(rows["question"]))
        how = text_array_of_column(rows["how"])
        hits = np.column_stack(
            [clusters.array_of_cluster_sums(clusters.codes, how == one) for one in STANDINGS]
        )
        every = np.column_stack([clusters.array_of_cluster_sums(clusters.codes)] * len(STANDINGS))
        for one, share in zip(
            STANDINGS, clusters.estimate_ratios_of_sums(hits, every), strict=True
        ):
            yield f"quotes: {one}", str(verifier), share
