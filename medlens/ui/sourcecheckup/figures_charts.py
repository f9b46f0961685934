"""The charts of the figures view: each from the numbers that ``export figures`` writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pandas as pd

from medlens.review.charts import Axis, Chart, Row, Series, with_published
from medlens.review.charts import signs as printed_signs
from medlens.sourcecheckup import metrics
from medlens.sourcecheckup.metrics_domains import KINDS
from medlens.sourcecheckup.metrics_support import FIGURES
from medlens.sourcecheckup.models import STUDY
from medlens.stats.estimate import Estimate
from medlens.stats.figures import figure_rows
from medlens.ui.address import mark_id
from medlens.ui.figures.lines import ACCENT, rows_figure
from medlens.ui.sourcecheckup.data import Source

Entry = tuple[str, str, str, Estimate, str]
"""Row name, figure, group, estimate, mark."""

GREY_NOTE = "Grey: n below 10."
GROUPINGS = {
    "model": "_by_model",
    "group": "_by_group",
    "both": "_by_model_and_group",
    "all": "",
}
_COUNTED = {
    "url_validity": "Sources that are the page cited, with text, of all cited that were fetched. By"
    " the paper's rule (hatched) whatever came with status 200 and a text, walls and notices too."
    " What leads say of a page counts by our rule alone.",
    "statement_support": "Statements that a source of their answer supports, each source alone. An"
    " unreachable source supports nothing.",
    "response_support": "Answers all of whose statements are supported. An answer with statements"
    " and no source is not; one without statements does not count.",
    "unused_sources": "Valid sources that support no statement of their answer.",
    "source_precision": "Valid sources that support a statement of their answer.",
    "pair_support": "Statement–source pairs that the verifier calls supported.",
}


def table_of(entries: Sequence[Entry]) -> pd.DataFrame:
    """The rows as they are exported, with the published numbers of the same name beside."""
    table = figure_rows(((figure, group, one) for _, figure, group, one, _ in entries), study=STUDY)
    return with_published(STUDY, table.drop(columns=["study"]))


def rows_chart(
    source: Source,
    name: str,
    entries: Sequence[Entry],
    *,
    title: str,
    n: str,
    note: str = "",
    axis: Axis | None = None,
    beside: Sequence[Estimate] = (),
    legend: tuple[str, str] = ("", ""),
    printed_of: Sequence[tuple[str, str]] = (),
    more: Sequence[Entry] = (),
) -> Chart:
    """A chart with a row per entry, with the published numbers as signs on it.

    ``beside`` gives a second, hatched estimate of each row; the published numbers go with the
    figures and groups of ``printed_of`` then, those of the second. ``more`` stands in the table
    alone.
    """
    axis = axis or Axis("Share", "percent", high=1)
    seconds: list[Estimate | None] = list(beside) or [None] * len(entries)
    keys = printed_of or [(figure, group) for _, figure, group, _, _ in entries]
    signs = printed_signs(STUDY, [[key] for key in keys], over=1 if printed_of else 0)
    rows = []
    for (label, _, _, one, mark), second, *printed in zip(
        entries, seconds, *(found for _, found in signs), strict=True
    ):
        shown = (one,) if second is None else (one, second)
        if any(each.defined for each in shown):
            shown += tuple(printed)
            rows.append(Row(label, ACCENT[source.theme], shown, (mark,) * len(shown)))
    series = [Series(legend[0] or title, "bar")]
    if beside:
        series.append(Series(legend[1], "hatched"))
    series += [one for one, _ in signs]
    undefined = tuple(
        f"{label}: undefined, because {one.reason}."
        for label, _, _, one, _ in entries
        if not one.defined
    )
    return Chart(
        name=f"sources_{name}",
        title=title,
        n=n,
        note=note,
        undefined=undefined,
        alt=f"{title}: one row per group with its 95% interval.",
        series=tuple(series),
        figure=rows_figure(rows, series, axis, theme=source.theme, dense=False) if rows else None,
        table=table_of([*entries, *more]),
        marks=tuple(mark for *_, mark in (*entries, *more)),
    )


def groups_of(
    shares: Mapping[tuple[str, str], Estimate], figure: str, by: str
) -> Iterator[tuple[str, Estimate, str]]:
    """Group, estimate, and the filters that lead to its pairs."""
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


def support_chart(source: Source, figure: str, by: str) -> Chart:
    """One of the metrics by model, question group or both; the other bound beside it."""
    return source.keep(f"chart.{figure}.{by}", lambda: _support(source, figure, by), drawn=True)


def _support(source: Source, figure: str, by: str) -> Chart:
    entries: list[Entry] = []
    beside = []
    by_paper = figure == "url_validity"
    bound = f"{figure}_paper" if by_paper else f"{figure}_reachable"
    bounds = {group: one for group, one, _ in groups_of(source.support, bound, by)}
    for group, one, filters in groups_of(source.support, figure, by):
        mark = mark_id("pairs", *(part for part in (filters, _LEADS[figure]) if part))
        entries.append((group, figure + GROUPINGS[by], group, one, mark))
        if group in bounds:
            beside.append(bounds[group])
    rows = entries + [
        (group, bound + GROUPINGS[by], group, one, "") for group, one in bounds.items()
    ]
    chart = rows_chart(
        source,
        f"{figure}_{by}",
        entries,
        title=FIGURES[figure],
        n=f"{_COUNTED[figure]} {GREY_NOTE}",
        beside=beside,
        legend=("Our rule", "The paper's rule")
        if by_paper
        else ("Unreachable counts as unsupported", "Unreachable left out"),
        printed_of=[(bound + GROUPINGS[by], group) for _, _, group, *_ in entries]
        if by_paper
        else (),
        note="Intervals allow for statements of one question being alike. What has a verdict or a"
        " page outstanding is in no denominator, and a share is withheld where that is more than a"
        " fifth; see Classes.",
    )
    return replace(chart, table=table_of(rows), marks=tuple(mark for *_, mark in rows))


def verifiers_support_chart(source: Source) -> Chart:
    """Support by each verifier's word."""
    return source.keep("chart.by_verifier", lambda: _by_verifier(source), drawn=True)


def _by_verifier(source: Source) -> Chart:
    entries: list[Entry] = []
    found = source.verification
    for one in found.against:
        raw, corrected = one.raw["all"], one.corrected["all"]
        mark = mark_id("pairs", f"verifier={one.verifier}", "verdict=supported")
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
    return rows_chart(
        source,
        "corrected",
        entries,
        title="Support corrected for the verifier's error",
        n=f"Pairs (and whole answers), of all that were judged. {GREY_NOTE}",
        note="Rogan and Gladen: (share + specificity − 1) / (sensitivity + specificity − 1), kept"
        " within 0 and 1; sensitivity and specificity against doctors, their error included.",
    )


def verifier_chart(source: Source) -> Chart:
    """Each verifier against doctors' word, the doctors among themselves beside it."""
    return source.keep("chart.verifier", lambda: _verifier(source), drawn=True)


_WHOLE = {
    "whole_answers_by_doctors": "Whole answers supported, doctors say",
    "whole_answers_by_pipeline": "The same answers, the pipeline says",
}


def _verifier(source: Source) -> Chart:
    found = source.verification
    entries: list[Entry] = []
    for one in found.against:
        who = f"verifier={one.verifier}"
        for name, figure, estimate, filters in (
            ("agreement", "verifier_agreement", one.agreement, "agrees=yes"),
            ("sensitivity", "verifier_sensitivity", one.sensitivity, "doctors=yes"),
            ("specificity", "verifier_specificity", one.specificity, "doctors=no"),
        ):
            mark = mark_id("pairs", who, filters)
            entries.append((f"{one.verifier}, {name}", figure, one.verifier, estimate, mark))
    asked = mark_id("pairs", "doctors=asked")
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
        for figure, group, estimate in metrics.verification_rows(found)
        if figure in ("unsupported_confirmed", "verifiers_agreement", "verifiers_difference")
    ]
    for (figure, group), estimate in found.whole_answers.items():
        row = (_WHOLE[figure], figure, group, estimate, "")
        (entries if group == "all" else more).append(row)
    return rows_chart(
        source,
        "verifier",
        entries,
        more=more,
        title="Verifiers against doctors",
        n=f"Pairs that doctors answered; supported or not, cannot tell left out. {GREY_NOTE}",
        note="The doctors' word is the adjudicator's, else the clear majority. Positive: supported."
        " Intervals allow for statements of one question being alike. The table also has how often"
        " doctors confirm what a verifier calls unsupported, and verifiers among themselves.",
    )


def classes_chart(source: Source, what: str) -> Chart:
    """Every class of statements, responses or sources by model, nothing left out."""
    return source.keep(f"chart.classes.{what}", lambda: _classes(source, what), drawn=True)


_CLASS_FILTER = {"statements": "state", "sources": "outcome"}


def _classes(source: Source, what: str) -> Chart:
    entries: list[Entry] = []
    found = [
        (group, figure.removeprefix(f"{what}: "), figure, one)
        for (figure, group), one in source.states.items()
        if figure.startswith(f"{what}: ")
    ]
    for group, name, figure, one in sorted(found, key=lambda row: row[0]):
        filters = [f"model={group}"]
        if what in _CLASS_FILTER:
            value = "none" if name == "not fetched" else name
            filters.append(f"{_CLASS_FILTER[what]}={value}")
        label = f"{group}: {name.replace('_', ' ')}"
        entries.append((label, f"{figure}_by_model", group, one, mark_id("pairs", *filters)))
    more: list[Entry] = [
        ("", figure, group, one, "") for figure, group, one in metrics.counts(source.evidence)
    ]
    return rows_chart(
        source,
        f"classes_{what}",
        entries,
        more=more,
        title=f"What became of {what}",
        n=f"All {what}, by model. {GREY_NOTE}",
        note="Partly, contradicted: what the sources that could be read say of it, also beside one"
        " that could not. Unsupported: not stated in any. Unreachable: no source that could be read"
        " says anything of it, and one could not be read; the first bar of Support counts it as not"
        " supported, the second leaves it out. Undecided: a verdict or a page is outstanding.",
    )


_RULES = {
    "_by_registration": ", by registration",
    "_by_domain_name": ", by top-level domain",
}


def domains_chart(source: Source, what: str) -> Chart:
    """Kinds of domain, US or not, validity and support by kind."""
    return source.keep(f"chart.domains.{what}", lambda: _domains(source, what), drawn=True)


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
        "Dead addresses that the web archive was asked about, as a run of sources can be told to.",
    ),
    "pair_support_by_kind": ("Supported pairs by kind of domain", "Judged pairs."),
}


_DOMAIN_NOTES = {
    "american": "American: registered there, where that is known (Runs: Look up where cited sites"
    " are registered). Else by the top-level domain, as in the paper: .us, .gov, .edu and .mil are,"
    " another two-letter domain is not, the rest (.org, .com, …) is taken for American.",
}


def _domains(source: Source, what: str) -> Chart:
    title, n = _DOMAINS[what]
    entries: list[Entry] = []
    whole = source.domains.get(("american", "all"))
    if what == "american" and whole:
        n += f": {whole.method.rpartition('; ')[2]}."
    for (figure, group), one in source.domains.items():
        if figure.removesuffix(_rule_of(figure)) != what:
            continue
        model, _, kind = group.rpartition(", ") if what == "domain_kind" else ("", "", group)
        filters = [f"kind={kind}"] if kind in KINDS else []
        owner = model if what == "domain_kind" else group
        if owner != "all" and owner not in KINDS:
            filters.append(f"model={owner}")
        entries.append(
            (_domain_label(figure, owner, kind), figure, group, one, mark_id("pairs", *filters))
        )
    entries.sort(key=lambda entry: _rule_of(entry[1]))
    return rows_chart(
        source,
        what,
        entries,
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


def steps_chart(source: Source) -> Chart:
    """What people said of the other automatic steps."""
    return source.keep("chart.steps", lambda: _steps(source), drawn=True)


_STEPS = {
    "question_answerable": "Questions that can be answered",
    "statements_in_answer": "Statements that are in the answer",
    "answers_complete": "Answers without a missing statement",
}


def _steps(source: Source) -> Chart:
    entries: list[Entry] = [
        (f"{_STEPS[figure]}, {rater}", figure, rater, one, "")
        for figure, rater, one in metrics.check_rows(source.evidence)
    ]
    return rows_chart(
        source,
        "steps",
        entries,
        title="The other automatic steps, by who checked them",
        n=f"Of those that were checked; cannot tell left out. {GREY_NOTE}",
    )


def cleanup_chart(source: Source) -> Chart:
    """What cleaning up did, and support before and after."""
    return source.keep("chart.cleanup", lambda: _cleanup(source), drawn=True)


_CLEANUP = {
    "cleanup_removed": "Removed",
    "cleanup_edited_supported": "Supported once edited, of the edited",
    "cleanup_resolved": "Removed, or supported once edited",
    "support_before_cleanup": "Supported statements before",
    "support_after_cleanup": "Supported statements after",
}


def _cleanup(source: Source) -> Chart:
    entries: list[Entry] = [
        (_CLEANUP[figure] + ("" if group == "all" else f", {group}"), figure, group, one, "")
        for figure, group, one in metrics.cleanup_rows(source.evidence, source.judged)
    ]
    order = list(_CLEANUP)
    # Each figure with its models under it; a sort keeps the order of those.
    entries.sort(key=lambda entry: (order.index(entry[1]), entry[2] != "all"))
    return rows_chart(
        source,
        "cleanup",
        entries,
        title="Cleaning up",
        n=f"Unsupported statements that were edited or removed. {GREY_NOTE}",
        note="Before and after: all statements of the answers that were cleaned up; removed ones"
        " are no longer counted after.",
    )
