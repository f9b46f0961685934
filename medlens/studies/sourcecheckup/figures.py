"""The list of SourceCheckup's figures.

Source: Wu et al. 2025, "An automated framework for assessing how well LLMs cite relevant medical
references" (Nature Communications; arXiv:2402.02008).
"""

from __future__ import annotations

from collections.abc import Sequence

from medlens.review.chart_specifications import Chart, make_chart_that_says_why_empty
from medlens.review.figure_definitions import Figure, Figures, Headline
from medlens.studies.sourcecheckup import figures_charts as charts
from medlens.studies.sourcecheckup import metrics
from medlens.studies.sourcecheckup.figures_data import SourceCheckupFigureData, load_figure_data
from medlens.studies.sourcecheckup.metrics_support import FIGURES as SUPPORT
from medlens.studies.sourcecheckup.queries import TABLES
from medlens.studies.sourcecheckup.records import STUDY
from medlens.studies.sourcecheckup.tasks import SUPPORT as SUPPORT_TASK

_BY = {"model": "Model", "group": "Question group", "both": "Both", "all": "All"}
_NOT_MERGED = (
    "No verifier has judged merged sources yet: run `python -m medlens run sourcecheckup merged`, "
    "or start it on the Runs page."
)
_NOT_CLEANED = (
    "Nothing has been cleaned up yet: run `python -m medlens run sourcecheckup cleanup`, or start "
    "it on the Runs page."
)


def _merged(data: SourceCheckupFigureData, what: str, by: str) -> Chart:
    if not data.merged_source_shares_by_figure_and_group:
        return make_chart_that_says_why_empty("sources_merged", "Sources merged", _NOT_MERGED)
    return (
        charts.support_from_single_or_merged_sources_chart(data, what, by)
        if by
        else charts.states_changed_by_merging_chart(data)
    )


def _verifiers(data: SourceCheckupFigureData, what: str, _: str) -> Sequence[Chart]:
    if what == "corrected":
        return [charts.verifiers_support_chart(data)]
    found = [charts.verifier_agreement_with_doctors_chart(data)]
    if data.comparison_of_verifiers_with_doctors.against:
        found.append(charts.verifier_confusion_chart(data))
    return (
        [*found, charts.verifier_pairs_chart(data)]
        if data.comparison_of_verifiers_with_doctors.rivals
        else found
    )


def _cleanup(data: SourceCheckupFigureData) -> Chart:
    if data.evidence.cleaned.empty:
        return make_chart_that_says_why_empty("sources_cleanup", "Cleaning up", _NOT_CLEANED)
    return charts.cleanup_chart(data)


_LIST: tuple[Figure[SourceCheckupFigureData], ...] = (
    Figure(
        name="counts",
        title="Counts",
        of="everything there is",
        rows=lambda data: metrics.rows_of_counts(data.evidence),
    ),
    Figure(
        name="support",
        title="Support",
        section="support",
        of="the statements, answers, sources or pairs that are decided",
        several={
            name: title
            for name, title in SUPPORT.items()
            if not name.endswith(("_reachable", "_paper"))
        },
        groupings=_BY,
        rows=lambda data: metrics.support_rows(data.evidence),
        chart=charts.support_chart,
    ),
    Figure(
        name="classes",
        title="Classes",
        section="classes",
        of="all statements, answers or sources",
        several={"statements": "Statements", "responses": "Answers", "sources": "Sources"},
        rows=lambda data: metrics.state_share_rows(data.evidence),
        chart=lambda data, what, _: charts.state_shares_chart(data, what),
    ),
    Figure(
        name="by_verifier",
        title="Support by verifier",
        of="the answers that all verifiers have judged whole",
        rows=lambda data: metrics.support_by_verifier_rows(data.evidence),
    ),
    Figure(
        name="merged",
        title="Sources merged",
        section="merged",
        of="the statements or answers that are decided both ways",
        several={"statement": "Statements", "response": "Answers"},
        groupings=_BY,
        rows=lambda data: metrics.merged_source_rows(data.evidence),
        chart=_merged,
    ),
    Figure(
        name="changed",
        title="What changes",
        section="merged",
        of="the statements put to the verifier with two sources or more",
        chart=_merged,
    ),
    Figure(
        name="domains",
        title="Sources",
        section="sources",
        of="the cited addresses",
        several={
            "domain_kind": "Kinds",
            "american": "US or not",
            "url_validity_by_kind": "Valid",
            "url_validity_paper_by_kind": "Valid by the paper",
            "dead_once_existed": "Once existed",
            "pair_support_by_kind": "Supporting",
        },
        rows=lambda data: (
            (*key, one) for key, one in data.domain_share_estimates_by_figure_and_group.items()
        ),
        chart=lambda data, what, _: charts.domain_kinds_chart(data, what),
    ),
    Figure(
        name="sites",
        title="Sites",
        section="sources",
        of="the cited addresses",
        several={"sites": "Top sites", "unreadable": "Unreadable"},
        chart=lambda data, what, _: charts.sites_chart(data, what),
    ),
    Figure(
        name="verifiers",
        title="Verifiers",
        section="verifiers",
        agreement_on=SUPPORT_TASK,
        of="the pairs that doctors answered",
        several={"agreement": "Against doctors", "corrected": "Corrected support"},
        rows=lambda data: metrics.verifier_comparison_rows(
            data.comparison_of_verifiers_with_doctors
        ),
        chart=_verifiers,
    ),
    Figure(
        name="quotes",
        title="Quotes",
        section="verifiers",
        of="the verdicts on pages that could be read",
        rows=lambda data: (
            (*key, one) for key, one in data.quote_match_estimates_by_figure.items()
        ),
        chart=lambda data, _what, _by: charts.quote_matches_chart(data),
    ),
    Figure(
        name="cleanup",
        title="Clean-up",
        section="cleanup",
        of="the unsupported statements that were edited or removed",
        rows=lambda data: metrics.cleanup_rows(data.evidence, data.judged_results_of_used_verifier),
        chart=lambda data, _what, _by: _cleanup(data),
    ),
    Figure(
        name="steps",
        title="Steps",
        section="steps",
        of="those that were checked",
        rows=lambda data: metrics.step_check_rows(data.evidence),
        chart=lambda data, _what, _by: charts.step_checks_chart(data),
    ),
)


def _empty(data: SourceCheckupFigureData) -> str:
    if not data.evidence.material.responses.empty:
        return ""
    return "There are no answers in this dataset yet."


def _said(data: SourceCheckupFigureData) -> str:
    material = data.evidence.material
    return (
        f"{len(material.responses):,} answers to {material.responses['question'].nunique():,}"
        f" questions, {len(material.statements):,} statements,"
        f" {material.table_of_citations_once_each['url'].nunique():,} sources,"
        f" {len(material.verdicts):,} verdicts of models,"
        f" {len(data.evidence.answers):,} of doctors."
    )


_OF_PAIRS = (
    *("verifier_", "verifiers_difference", "doctors_", "doctor_against_majority"),
    *("pair_support_corrected", "unsupported_confirmed"),
)
_OF_RESPONSES = (
    *("response_agreement", "response_sensitivity", "response_specificity"),
    *("response_support_corrected", "whole_answers_by_doctors"),
)

_OF_ONE_DOCTOR = ("question_answerable", "statements_in_answer", "answers_complete")


def _judged_by(data: SourceCheckupFigureData, figure: str) -> int:
    """The doctors whose answers a figure rests on; 0 for what verifiers say alone."""
    if figure.startswith("doctor_pair"):
        return 2
    if figure in _OF_ONE_DOCTOR:
        return 1
    if figure.startswith(_OF_PAIRS):
        return int(data.evidence.answers["rater"].nunique())
    if figure.startswith(_OF_RESPONSES):
        return int(data.evidence.response_answers["rater"].nunique())
    return 0


FIGURES = Figures(
    study=STUDY,
    figures=_LIST,
    sections={
        "support": ("Support", "figure"),
        "merged": ("Merged", "merging"),
        "classes": ("Classes", "of"),
        "sources": ("Sources", "what"),
        "verifiers": ("Verifiers", "worth"),
        "cleanup": ("Clean-up", ""),
        "steps": ("Steps", ""),
    },
    look=load_figure_data,
    judged_by=_judged_by,
    tables=TABLES,
    empty=_empty,
    said=_said,
    paper="Wu et al. 2025",
    narrowed_by=("run", "cases", "judge"),
    headlines=lambda _: [
        Headline(
            title="Statements that their sources support",
            source="support",
            figure="statement_support",
            groups=lambda group: group == "all",
            view={"figure": "statement_support", "by": "all"},
        ),
        Headline(
            title="Answers supported in full",
            source="support",
            figure="response_support_by_model",
            view={"figure": "response_support"},
        ),
    ],
)
