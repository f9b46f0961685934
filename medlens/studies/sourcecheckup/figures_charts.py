"""The charts of SourceCheckup's figures, each from the numbers that ``export figures`` writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from medlens.deferred_module import pd
from medlens.review.chart_specifications import (
    GREY_NOTE,
    Axis,
    Chart,
    Entry,
    Series,
    bar_chart,
    make_mark_id,
)
from medlens.stats.estimate import Estimate, format_p_value
from medlens.studies.sourcecheckup import metrics
from medlens.studies.sourcecheckup.figures_data import SourceCheckupFigureData
from medlens.studies.sourcecheckup.metrics import QUOTE_NAMES
from medlens.studies.sourcecheckup.metrics_sites_countries_and_readability import (
    KINDS,
    most_cited_sites_table,
    unreadable_sites_table,
)
from medlens.studies.sourcecheckup.metrics_support import FIGURES, MERGED_FIGURES
from medlens.studies.sourcecheckup.records import STUDY
from medlens.web.quote_search import Standing

_SHARE = Axis("Share", "percent", high=1)
_CLASS_FILTER = {"statements": "state", "sources": "outcome"}
_CHANGED = {"merged_still_unsupported": "unsupported", "merged_no_longer_supported": "supported"}
GROUPINGS = {
    "model": "_by_model",
    "group": "_by_group",
    "both": "_by_model_and_group",
    "all": "",
}
_COUNTED = {
    "url_validity": "Fetched sources that are the cited page, with text. By the paper's rule "
    "(hatched), whatever came with status 200 and some text, paywalls and notices included. "
    "Where a lead has corrected whether a source could be read, only our rule uses the correction.",
    "statement_support": "Statements that a source of their answer supports, each source alone. An"
    " unreachable source supports nothing.",
    "response_support": "Answers all of whose statements are supported. An answer with statements"
    " and no source is not; one without statements does not count.",
    "unused_sources": "Valid sources that support no statement of their answer.",
    "source_precision": "Valid sources that support a statement of their answer.",
    "pair_support": "Statement–source pairs that the verifier calls supported.",
}


def estimates_with_pair_list_filters(
    shares: Mapping[tuple[str, str], Estimate], figure: str, by: str
) -> Iterator[tuple[str, Estimate, str]]:
    """Group, estimate, and the filters that list its pairs."""
    suffix = GROUPINGS[by]
    for (name, group), one in shares.items():
        if name != figure + suffix:
            continue
        filters = {"model": f"model={group}", "group": f"group={group}", "all": ""}.get(by)
        if filters is None:
            model, _, rest = group.partition(", ")
            filters = f"model={model}&group={rest}"
        yield group, one, filters


_LEADS = {
    "statement_support": "state=supported",
    "response_support": "state=supported",
    "url_validity": "outcome=ok",
    "pair_support": "verdict=supported",
    "source_precision": "verdict=supported",
    "unused_sources": "",
}


def support_chart(source: SourceCheckupFigureData, figure: str, by: str) -> Chart:
    """One of the metrics by model, question group or both, with the other bound beside it."""
    entries: list[Entry] = []
    beside: list[Entry] = []
    by_paper = figure == "url_validity"
    bound = f"{figure}_paper" if by_paper else f"{figure}_reachable"
    bounds = {
        group: one
        for group, one, _ in estimates_with_pair_list_filters(
            source.support_shares_by_figure_and_group, bound, by
        )
    }
    second = Series("The paper's rule" if by_paper else "Unreachable left out", "hatched")
    for group, one, filters in estimates_with_pair_list_filters(
        source.support_shares_by_figure_and_group, figure, by
    ):
        mark = make_mark_id("pairs", *(part for part in (filters, _LEADS[figure]) if part))
        entries.append((group, figure + GROUPINGS[by], group, one, mark))
        if group in bounds:
            beside.append((group, bound + GROUPINGS[by], group, bounds[group], ""))
    return bar_chart(
        STUDY,
        f"sources_{figure}_{by}",
        entries,
        _SHARE,
        title=FIGURES[figure],
        n=f"{_COUNTED[figure]} {GREY_NOTE}",
        legend="Our rule" if by_paper else "Unreachable counts as unsupported" if beside else "",
        beside=(second, beside),
        printed_beside=by_paper,
        note="Intervals allow for the statements of one question being similar. Whatever still"
        " waits "
        "for a verdict or a page is in no denominator; a share is withheld where more than a "
        "fifth waits (see Classes).",
    )


def verifiers_support_chart(source: SourceCheckupFigureData) -> Chart:
    """Support by each verifier's verdicts."""
    entries: list[Entry] = []
    found = source.comparison_of_verifiers_with_doctors
    for one in found.against:
        raw, corrected = one.raw["all"], one.corrected["all"]
        mark = make_mark_id("pairs", f"verifier={one.verifier}", "verdict=supported")
        name = one.verifier
        entries.append((f"{name}, as it says", "pair_support_raw", f"{name}: all", raw, mark))
        entries.append(
            (f"{name}, corrected", "pair_support_corrected", f"{name}: all", corrected, mark)
        )
        for group, estimate in one.corrected.items():
            if group != "all" and len(one.corrected) > 1:
                entries.append(
                    (
                        f"{name}, {group}, corrected",
                        "pair_support_corrected",
                        f"{name}: {group}",
                        estimate,
                        mark,
                    )
                )
    whole = found.responses
    entries.append(
        (
            "Whole answers, corrected",
            "response_support_corrected",
            "all",
            whole.corrected["all"],
            "",
        )
    )
    return bar_chart(
        STUDY,
        "sources_corrected",
        entries,
        _SHARE,
        title="Support corrected for the verifier's error",
        n=f"Pairs (and whole answers), of all that were judged. {GREY_NOTE}",
        note="Rogan and Gladen: (share + specificity − 1) / (sensitivity + specificity − 1), kept"
        " within 0 and 1; sensitivity and specificity against doctors, their error included.",
    )


_WHOLE = {
    "whole_answers_by_doctors": "Whole answers supported, by doctors",
    "whole_answers_by_pipeline": "The same answers, by the pipeline",
}


def verifier_agreement_with_doctors_chart(source: SourceCheckupFigureData) -> Chart:
    """Each verifier compared with the doctors, and the doctors with each other."""
    found = source.comparison_of_verifiers_with_doctors
    entries: list[Entry] = []
    for one in found.against:
        who = f"verifier={one.verifier}"
        for name, figure, estimate, filters in (
            ("agreement", "verifier_agreement", one.agreement, "agrees=yes"),
            ("sensitivity", "verifier_sensitivity", one.sensitivity, "doctors=yes"),
            ("specificity", "verifier_specificity", one.specificity, "doctors=no"),
        ):
            mark = make_mark_id("pairs", who, filters)
            entries.append((f"{one.verifier}, {name}", figure, one.verifier, estimate, mark))
    asked = make_mark_id("pairs", "doctors=asked")
    entries.append(("Two doctors", "doctors_agreement", "all", found.between, asked))
    for pair in found.pairs:
        name = f"{pair.first} and {pair.second}"
        entries.append((name, "doctor_pair_agreement", name, pair.agreement, asked))
    for name, estimate in found.doctors:
        entries.append(
            (f"{name}, with the majority", "doctor_against_majority", name, estimate, asked)
        )
    entries.append(
        (
            "Whole answers: pipeline with doctors",
            "response_agreement",
            "all",
            found.responses.agreement,
            "",
        )
    )
    more: list[Entry] = [
        ("", figure, group, estimate, "")
        for figure, group, estimate in metrics.verifier_comparison_rows(found)
        if figure in ("unsupported_confirmed", "verifiers_agreement", "verifiers_difference")
    ]
    for (figure, group), estimate in found.whole_answers.items():
        row = (_WHOLE[figure], figure, group, estimate, "")
        (entries if group == "all" else more).append(row)
    return bar_chart(
        STUDY,
        "sources_verifier",
        entries,
        _SHARE,
        more=more,
        title="Verifiers against doctors",
        n=f"Pairs that doctors judged supported or not; “cannot tell” is left out. {GREY_NOTE}",
        note="The doctors' verdict is the adjudicator's, or else that of a clear majority."
        " Positive: supported. Intervals allow for the statements of one question being similar."
        " The"
        " table also has how often doctors confirm what a verifier calls unsupported, and"
        " verifiers among themselves.",
    )


def state_shares_chart(source: SourceCheckupFigureData, what: str) -> Chart:
    """Every class of statements, responses or sources by model, nothing left out."""
    entries: list[Entry] = []
    found = [
        (group, figure.removeprefix(f"{what}: "), figure, one)
        for (figure, group), one in source.state_shares_by_figure_and_model.items()
        if figure.startswith(f"{what}: ")
    ]
    for group, name, figure, one in sorted(found, key=lambda row: row[0]):
        filters = [f"model={group}"]
        if what in _CLASS_FILTER:
            value = "none" if name == "not fetched" else name
            filters.append(f"{_CLASS_FILTER[what]}={value}")
        label = f"{group}: {name.replace('_', ' ')}"
        entries.append((label, f"{figure}_by_model", group, one, make_mark_id("pairs", *filters)))
    more: list[Entry] = [
        ("", figure, group, one, "")
        for figure, group, one in metrics.rows_of_counts(source.evidence)
    ]
    return bar_chart(
        STUDY,
        f"sources_classes_{what}",
        entries,
        _SHARE,
        more=more,
        title=f"Outcomes of {what}",
        n=f"All {what}, by model. {GREY_NOTE}",
        note="Partly, contradicted: by the sources that could be read, even where another could "
        "not. Unsupported: stated in none. Unreachable: no readable source says anything about "
        "it, and one could not be read; the first bar of Support counts it as not"
        " supported, the second leaves it out. Undecided: a verdict or a page is outstanding.",
    )


_RULES = {
    "_by_registration": ", by registration",
    "_by_domain_name": ", by top-level domain",
}


_DOMAINS = {
    "domain_kind": ("Kinds of domain", "Of the cited addresses, each once per answer."),
    "american": ("American sources", "Addresses with a domain name"),
    "url_validity_by_kind": (
        "Valid sources by kind of domain, our rule",
        "Fetched addresses; the page cited, with text.",
    ),
    "url_validity_paper_by_kind": (
        "Valid sources by kind of domain, the paper's rule",
        "Fetched addresses; status 200 and a text.",
    ),
    "dead_once_existed": (
        "Dead addresses that once existed",
        "Dead addresses that were looked up in the web archive, which a run of sources can do.",
    ),
    "pair_support_by_kind": ("Supported pairs by kind of domain", "Judged pairs."),
}


_DOMAIN_NOTES = {
    "american": "American: registered in the US, where that is known (Runs: Look up where cited "
    "sites are registered); otherwise by top-level domain, as in the paper: .com, .org, "
    ".gov, .edu, .info and .net count as American (and .us and .mil), others do not: .int is "
    "international.",
}


def domain_kinds_chart(source: SourceCheckupFigureData, what: str) -> Chart:
    """Kinds of domain, US or not, validity and support by kind."""
    title, n = _DOMAINS[what]
    entries: list[Entry] = []
    whole = source.domain_share_estimates_by_figure_and_group.get(("american", "all"))
    if what == "american" and whole:
        n += f": {whole.method.rpartition('; ')[2]}."
    for (figure, group), one in source.domain_share_estimates_by_figure_and_group.items():
        if figure.removesuffix(_rule_of(figure)) != what:
            continue
        model, _, kind = group.rpartition(", ") if what == "domain_kind" else ("", "", group)
        filters = [f"kind={kind}"] if kind in KINDS else []
        owner = model if what == "domain_kind" else group
        if owner != "all" and owner not in KINDS:
            filters.append(f"model={owner}")
        entries.append(
            (
                _domain_label(figure, owner, kind),
                figure,
                group,
                one,
                make_mark_id("pairs", *filters),
            )
        )
    entries.sort(key=lambda entry: _rule_of(entry[1]))
    return bar_chart(
        STUDY,
        f"sources_{what}",
        entries,
        _SHARE,
        title=title,
        n=f"{n} {GREY_NOTE}",
        note=_DOMAIN_NOTES.get(what, ""),
    )


def _domain_label(figure: str, owner: str, kind: str) -> str:
    who = "All models" if owner == "all" else owner
    if figure == "domain_kind":
        return f"{kind}, {who}"
    return f"{who}{_RULES.get(_rule_of(figure), '')}"


def _rule_of(figure: str) -> str:
    return next((rule for rule in _RULES if figure.endswith(rule)), "")


_STEPS = {
    "question_answerable": "Questions that can be answered",
    "statements_in_answer": "Statements that are in the answer",
    "answers_complete": "Answers without a missing statement",
}


def step_checks_chart(source: SourceCheckupFigureData) -> Chart:
    """People's checks of the other automatic steps."""
    entries: list[Entry] = [
        (f"{_STEPS[figure]}, {rater}", figure, rater, one, "")
        for figure, rater, one in metrics.step_check_rows(source.evidence)
    ]
    return bar_chart(
        STUDY,
        "sources_steps",
        entries,
        _SHARE,
        title="The other automatic steps, by who checked them",
        n=f"Of those that were checked; “cannot tell” is left out. {GREY_NOTE}",
    )


_CLEANUP = {
    "cleanup_removed": "Removed",
    "cleanup_edited_supported": "Supported once edited, of the edited",
    "cleanup_resolved": "Removed, or supported once edited",
    "support_before_cleanup": "Supported statements before",
    "support_after_cleanup": "Supported statements after",
}


def cleanup_chart(source: SourceCheckupFigureData) -> Chart:
    """What cleaning up did, and support before and after."""
    entries: list[Entry] = [
        (_CLEANUP[figure] + ("" if group == "all" else f", {group}"), figure, group, one, "")
        for figure, group, one in metrics.cleanup_rows(
            source.evidence, source.judged_results_of_used_verifier
        )
    ]
    order = list(_CLEANUP)
    # Each figure is followed by its models; the stable sort keeps their order.
    entries.sort(key=lambda entry: (order.index(entry[1]), entry[2] != "all"))
    return bar_chart(
        STUDY,
        "sources_cleanup",
        entries,
        _SHARE,
        title="Cleaning up",
        n=f"Unsupported statements that were edited or removed. {GREY_NOTE}",
        note="Before and after: all statements of the answers that were cleaned up; removed ones"
        " are no longer counted after.",
    )


# -- merged sources --------------------------------------------------------------------------------

_THINGS = {
    "statement": ("statements", "Statements that are decided both ways."),
    "response": ("answers", "Answers that are decided both ways; all their statements count."),
}


def support_from_single_or_merged_sources_chart(
    source: SourceCheckupFigureData, what: str, by: str
) -> Chart:
    """Support of statements or answers ("response"), with each source alone and with all merged."""
    both: list[list[Entry]] = []
    for way in ("alone", "merged"):
        figure = f"{what}_support_{way}"
        both.append(
            [
                (
                    group,
                    figure + GROUPINGS[by],
                    group,
                    one,
                    filters and make_mark_id("pairs", filters),
                )
                for group, one, filters in estimates_with_pair_list_filters(
                    source.merged_source_shares_by_figure_and_group, figure, by
                )
            ]
        )
    alone, merged = both
    things, counted = _THINGS[what]
    return bar_chart(
        STUDY,
        f"sources_merged_{what}_{by}",
        alone,
        _SHARE,
        title=f"Supported {things}, sources alone and merged",
        n=f"{counted} {GREY_NOTE}",
        beside=(Series("Sources merged", "hatched"), merged),
        legend="Each source alone",
        note="Merged: the verifier sees all readable sources of the answer at once. With only one "
        "readable source there is nothing to merge, and its verdict counts both ways."
        " Intervals allow for the statements of one question being similar.",
    )


def states_changed_by_merging_chart(source: SourceCheckupFigureData) -> Chart:
    """What merging changes: statements still unsupported, and supported ones that no longer are."""
    entries: list[Entry] = []
    for figure, state in _CHANGED.items():
        for by in ("all", "model"):
            for group, one, filters in estimates_with_pair_list_filters(
                source.merged_source_shares_by_figure_and_group, figure, by
            ):
                label = MERGED_FIGURES[figure] + ("" if by == "all" else f", {group}")
                mark = make_mark_id("pairs", *filter(None, (filters, f"state={state}")))
                entries.append((label, figure + GROUPINGS[by], group, one, mark))
    return bar_chart(
        STUDY,
        "sources_merged_changed",
        entries,
        _SHARE,
        title="What merging the sources changes",
        n="Statements put to the verifier with two or more sources: of those that no source"
        f" supports alone, and of those that one does. {GREY_NOTE}",
    )


# -- quotes ----------------------------------------------------------------------------------------


def quote_matches_chart(source: SourceCheckupFigureData) -> Chart:
    """How each verifier's quotes match their pages."""
    entries: list[Entry] = [
        (
            f"{verifier}: {QUOTE_NAMES[_standing(figure)]}",
            figure,
            verifier,
            one,
            make_mark_id("pairs", f"verifier={verifier}"),
        )
        for (figure, verifier), one in source.quote_match_estimates_by_figure.items()
    ]
    return bar_chart(
        STUDY,
        "sources_quotes",
        entries,
        _SHARE,
        title="The verifiers' quotes on their pages",
        n=f"Verdicts on pages that could be read. {GREY_NOTE}",
        note="Set in another way: only spaces, line ends, hyphens, quotation marks, ligatures or "
        "case differ, or British and American spelling; nothing that carries meaning. Cut short: "
        "it is on the page, but says something else without the words beside it; neither found "
        "nor not found. Similar, not the same: a word, number, unit, comparison or negation "
        "differs; such a quote does not count as found.",
    )


def _standing(figure: str) -> Standing:
    return next(one for one in QUOTE_NAMES if figure.endswith(f": {one}"))


# -- tables ----------------------------------------------------------------------------------------


def sites_chart(source: SourceCheckupFigureData, what: str) -> Chart:
    """The sites cited most by model (``sites``), or those with unreadable pages."""
    cited = what == "sites"
    table = (
        most_cited_sites_table(source.evidence.material)
        if cited
        else unreadable_sites_table(source.evidence.material)
    )
    marks = []
    for row in table.to_dict("records"):
        filters = [f"site={row['site']}"]
        if cited and row["model"] != "all":
            filters.append(f"model={row['model']}")
        if not cited:
            filters.append(f"outcome={row['outcome']}")
        marks.append(make_mark_id("pairs", *filters))
    if not cited:
        table = table.assign(outcome=table["outcome"].str.replace("_", " "))
    title = "The sites cited most, by model" if cited else "Paywalls and dead links"
    note = (
        "Click a row to list its pairs."
        if cited
        else "Sites with pages behind a paywall or no longer there."
    )
    return Chart(
        name="top_sites" if cited else "unreadable",
        title=title,
        n=note if len(table) else f"{note} None.",
        alt=title,
        table=table,
        marks=tuple(marks),
        columns={"share": "percent"} if cited else {},
        foldable=False,
    )


def verifier_confusion_chart(source: SourceCheckupFigureData) -> Chart:
    """The four cells of each verifier against doctors; a click lists the pairs."""
    rows, marks = [], []
    for one in source.comparison_of_verifiers_with_doctors.against:
        for verdict, word, cell in (
            ("supported", "supported", one.agreed_yes),
            ("supported", "not supported", one.only_verifier),
            ("not supported", "supported", one.only_doctors),
            ("not supported", "not supported", one.agreed_no),
        ):
            rows.append((one.verifier, verdict, word, len(cell), one.kappa.value))
            doctors = "yes" if word == "supported" else "no"
            agrees = "yes" if verdict == word else "no"
            filters = (f"verifier={one.verifier}", f"doctors={doctors}", f"agrees={agrees}")
            marks.append(make_mark_id("pairs", *filters))
    return Chart(
        name="verifier_cells",
        title="Each verifier's verdicts against the doctors'",
        n="",
        alt="Pairs by the verifier's and the doctors' verdict",
        table=pd.DataFrame(rows, columns=["verifier", "says", "doctors", "pairs", "kappa"]),
        marks=tuple(marks),
        columns={"kappa": "%.2f"},
        foldable=False,
    )


def verifier_pairs_chart(source: SourceCheckupFigureData) -> Chart:
    """Every two verifiers on the same pairs."""
    rows = [
        (
            *(one.first, one.second, one.agreement.value, one.agreement.n),
            *(len(one.first_only), len(one.second_only), format_p_value(one.test.p)),
        )
        for one in source.comparison_of_verifiers_with_doctors.rivals
    ]
    columns = ["one", "other", "agree", "judged by both"]
    columns += ["one alone right", "other alone right", "p (McNemar)"]
    return Chart(
        name="verifiers",
        title="Verifier against verifier",
        n="",
        note="McNemar's score test on the pairs that only one of the two judged as the doctors "
        "did, pairs of a question taken together.",
        alt="Two verifiers on the same pairs",
        table=pd.DataFrame(rows, columns=columns),
        columns={"agree": "percent"},
        foldable=False,
    )
