"""What SourceCheckup's figures are based on: a dataset's evidence, filtered as requested.

Everything is computed on first use and cached on the object, which all its viewers share: never
modify it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from medlens.deferred_module import pd
from medlens.review.figure_definitions import require_known_filters
from medlens.review.raters import Rater, require_lead
from medlens.review.result_cache import compute_unless_cached_since_growth
from medlens.stats.estimate import Estimate
from medlens.store import Store
from medlens.studies.sourcecheckup import metrics, queries
from medlens.studies.sourcecheckup.load_figure_evidence import (
    filter_choices_by_filter_with_names,
    load_evidence,
    narrow_evidence_to_run_or_group,
    quotes_in_current_verdicts_table,
)
from medlens.studies.sourcecheckup.metrics import (
    FigureEvidence,
    Shares,
    Verification,
    quote_match_rows,
)
from medlens.studies.sourcecheckup.metrics_input_tables import Judged
from medlens.studies.sourcecheckup.metrics_sites_countries_and_readability import (
    domain_shares_by_figure_and_group,
)
from medlens.studies.sourcecheckup.metrics_support import state_shares_by_figure_and_group
from medlens.studies.sourcecheckup.study_in_dataset import Study


def cached_evidence(store: Store, study: Study, viewer: Rater | None) -> FigureEvidence:
    """The dataset's evidence, cached until its data change; computed by one thread at a time.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    require_lead(viewer)
    return compute_unless_cached_since_growth(
        store,
        "evidence",
        study.dataset,
        lambda _: load_evidence(store, study, viewer=viewer),
        tables=queries.TABLES,
    )


def load_figure_data(
    store: Store, study: Study, viewer: Rater | None, sides: Mapping[str, str]
) -> SourceCheckupFigureData:
    """What the figures of a dataset are based on; no viewer means the command line.

    Raises:
        NotAllowed: the viewer is not a lead.
        InvalidInput: the dataset has no such run, question group or verifier.
    """
    require_known_filters(store, study.dataset, filter_choices_by_filter_with_names, sides)
    run, group, judge = (sides.get(side, "") for side in ("run", "cases", "judge"))

    def narrow(found: FigureEvidence) -> FigureEvidence:
        return narrow_evidence_to_run_or_group(store, study.dataset, found, run=run, group=group)

    found = cached_evidence(store, study, viewer)
    found = narrow(replace(found, by=judge) if judge else found)
    used = {"run": run, "cases": group, "judge": found.name_of_verifier_used}

    def of_quotes() -> pd.DataFrame:
        return narrow(
            replace(found, quotes=quotes_in_current_verdicts_table(store, study.dataset))
        ).quotes

    return SourceCheckupFigureData(found, used, of_quotes)


@dataclass(frozen=True)
class SourceCheckupFigureData:
    """The evidence of one dataset, and its filters. ``load_quotes`` computes how quotes match their
    pages, which is slow; without it, the evidence's own are used.
    """

    evidence: FigureEvidence
    narrowed: Mapping[str, str] = field(default_factory=dict)
    load_quotes: Callable[[], pd.DataFrame] | None = None

    @property
    def judged_results_of_used_verifier(self) -> Judged:
        """Results by the verifier that the figures use."""
        return self.evidence.judged_results_of_verifier()

    @property
    def support_shares_by_figure_and_group(self) -> Shares:
        """The metrics, for every grouping."""
        return self.evidence.verifier_support_shares_by_figure_and_group()

    @cached_property
    def state_shares_by_figure_and_model(self) -> Shares:
        """Every class of statements, responses and sources by model."""
        return state_shares_by_figure_and_group(
            self.judged_results_of_used_verifier,
            self.evidence.resampling_clusters_of_questions,
            ("model",),
        )

    @cached_property
    def domain_share_estimates_by_figure_and_group(self) -> Shares:
        """The figures on where the sources are."""
        evidence = self.evidence
        return domain_shares_by_figure_and_group(
            self.judged_results_of_used_verifier,
            evidence.resampling_clusters_of_questions,
            countries=evidence.countries,
        )

    @cached_property
    def merged_source_shares_by_figure_and_group(self) -> Shares:
        """Each source alone versus sources merged; empty if no verifier judged merged ones."""
        return metrics.verifier_name_and_merged_source_shares(self.evidence)[1]

    @cached_property
    def comparison_of_verifiers_with_doctors(self) -> Verification:
        """Verifiers against doctors."""
        return metrics.compare_verifiers_and_doctors(self.evidence)

    @cached_property
    def quote_match_estimates_by_figure(self) -> dict[tuple[str, str], Estimate]:
        """How each verifier's quotes match their pages, by figure and verifier."""
        table = self.load_quotes() if self.load_quotes else self.evidence.quotes
        return {(figure, verifier): one for figure, verifier, one in quote_match_rows(table)}
