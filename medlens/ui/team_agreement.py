"""Who agrees with whom on a task, people and models alike, and on which items they do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np
import pandas as pd
import streamlit as st

from medlens.review import (
    agreement,
    consensus,
    judge_trust,
    rater_and_item_subgroups,
    retest_agreement,
)
from medlens.review.agreement import Agreement, AgreementOfTwoRaters
from medlens.review.chart_specifications import (
    Cell,
    Chart,
    Heat,
    HeatRow,
    make_mark_id,
    split_mark_id,
)
from medlens.review.figure_definitions import VIEW
from medlens.review.retest_agreement import Within
from medlens.review.tasks import Task, Wholes, answer_in_readable_form
from medlens.stats.estimate import Estimate, estimate_in_words, format_number
from medlens.stats.scope_of_inference_over_raters import whom_estimates_speak_for_in_words
from medlens.studies.registry import STUDIES
from medlens.ui import list_filters_and_paging, page_address
from medlens.ui.chart_with_table_and_csv import (
    cells_and_columns_with_minus_signs,
    current_theme,
    draw_chart,
    draw_csv_button,
    prepare_page_for_charts,
)
from medlens.ui.figures.page import (
    copy_of_chart_with_plotly_figure,
    draw_choice_kept_in_address_and_return_it,
)
from medlens.ui.page_frame import Here, escape_markdown, known_value_in_address_or_warn
from medlens.ui.team_task_settings import Work, draw_item_groups_and_return_choice

T = TypeVar("T")

_WORDED, _DRAWN = 16, 60
"""Raters up to whom the cells of the heat map have words, and up to whom it is drawn: of more there
is only a table, since cells could not be told apart.
"""

_LISTED = 8
"""Maximum number of different answers whose shares are shown."""

_MEASURED = {
    **dict.fromkeys(("value", "low", "high"), st.column_config.NumberColumn(format="%.2f")),
    "meaning": st.column_config.TextColumn(width="large"),
}
_MEASURES = {
    "percent": ("Same answer", "how often two raters of an item gave the same answer"),
    "alpha": ("Krippendorff's alpha", "1 is perfect agreement, 0 is chance; any number of raters"),
    "fleiss": ("Fleiss' kappa", "like alpha, if every item has the same number of raters"),
    "ac1": ("Gwet's AC1", "less affected than alpha when nearly all answers are the same"),
    "ac2": ("Gwet's AC2", "like AC1, for scales: the nearer two scores, the more they agree"),
    "icc": ("ICC, one rater", "how well one rater's score tells items apart"),
    "icc_of_means": ("ICC, mean of raters", "how well the mean of an item's scores does"),
}


@dataclass(frozen=True)
class _Found:
    """What is shown of one variable; ``given`` counts the people's answers."""

    variable: str
    people: Agreement | None
    given: Mapping[str, int]
    raters: Sequence[str]
    models: frozenset[str]
    pairs: Sequence[AgreementOfTwoRaters]
    judged: Mapping[str, int]


def draw_agreement(here: Here, work: Work) -> None:
    """Agreement of everyone and of each two raters, the items on which a chosen pair differs, and
    the agreement of raters with themselves.
    """
    st.header("Agreement", anchor=False)
    prepare_page_for_charts()
    _draw_between(here, work)
    _draw_within(here, work)
    _link_to_results(work)


def _link_to_results(work: Work) -> None:
    """Where the study's own figures say how far people agree, counted in another way."""
    declared = STUDIES[work.task.study]
    figures = declared.figures
    for figure in figures.figures if figures else ():
        if figures and figure.agreement_on == work.task.name:
            title = figures.sections[figure.section][0]
            st.page_link(
                declared.page,
                label=f"Agreement as the study's figures count it: Results › {title}",
                icon=":material/arrow_forward:",
                query_params={
                    "view": VIEW,
                    "dataset": work.dataset,
                    "section": figure.section,
                },
            )


def _draw_within(here: Here, work: Work) -> None:
    """How far raters agree with themselves on items that came again."""
    task = work.task

    def look() -> tuple[pd.DataFrame, dict[str, dict[str, Within]]]:
        both = retest_agreement.retest_pairs_table(
            here.store, task, dataset=work.dataset, viewer=here.person
        )
        return both, retest_agreement.retest_agreement_by_variable_and_rater(task, both)

    both, found = compute_once_per_data_version(here, work, "within", look)
    if not found and not work.settings.again_share:
        return
    st.header("Agreement of raters with themselves", anchor=False)
    if not found:
        st.markdown("No item that came again has been judged a second time yet.")
        return
    many, raters = len(both), both["rater_id"].nunique()
    st.caption(
        f"{many:,} second {'judgment' if many == 1 else 'judgments'} by {raters:,}"
        f" {'person' if raters == 1 else 'people'}, {_hours(both['hours'].median())} after the"
        " first (median). Only first answers count above and in all other figures."
    )
    table = pd.DataFrame(
        [
            {
                "question": task.name_of_variable_in_words(variable),
                "rater": rater or "everyone",
                "measure": retest_agreement.MEASURES[measure][0],
                "value": one.value,
                "low": one.low,
                "high": one.high,
                "judged twice": one.pairs if one.pairs is not None else one.n,
                "meaning": retest_agreement.MEASURES[measure][1]
                if one.has_value
                else f"undefined, because {one.reason}",
            }
            for variable, by_rater in found.items()
            for rater, agreed in by_rater.items()
            for measure in retest_agreement.MEASURES
            if (one := getattr(agreed, measure)) is not None
        ]
    )
    cells, columns = cells_and_columns_with_minus_signs(table, _MEASURED)
    st.dataframe(
        cells,
        hide_index=True,
        placeholder="–",
        column_config=columns,
        alt="Agreement of raters with themselves, by question and measure",
    )
    everyone = [by_rater[""] for by_rater in found.values() if "" in by_rater]
    _say_scope(one for agreed in everyone if (one := agreed.same) is not None)
    draw_csv_button(table, "retest")


def _hours(hours: float) -> str:
    if hours < 1:
        return f"{max(1, round(60 * hours)):,} min"
    return f"{hours:.1f} hours" if hours < 48 else f"{hours / 24:.0f} days"


def _draw_between(here: Here, work: Work) -> None:
    task, judged = work.task, _by_version(here, work)
    if not judged["item_id"].duplicated().any():
        st.markdown("Nothing to compare yet: no item has been judged by two raters.")
        return
    given = answer_counts_by_variable(here, work)
    variables = {name: task.name_of_variable_in_words(name) for name in given}
    ways = {"same": "Same answer", "kappa": "Cohen's kappa"}
    # Measures of whole answers have the same names for any judgments.
    of_wholes = [
        title for title, _ in task.whole_agreement_functions_by_name_and_meaning(judged.head(0))
    ]
    ways |= {title: title for title in of_wholes}
    known_value_in_address_or_warn("about", variables, "measure")
    known_value_in_address_or_warn("by", ways, "way to compare")
    answered = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        about = max(given, key=given.__getitem__)
        if len(variables) > 1:
            about = draw_choice_kept_in_address_and_return_it(
                "about", variables, "Agreement on", width=420, usual=about
            )
        judged, narrowed = _narrowed(here, work, judged)
    is_large = len(judged) >= _MOST_COMPARED
    if not is_large:
        with answered:
            _draw_answer(here, work, judged, narrowed, about)
    if (judged["rater_kind"] == "model").any():
        st.caption(
            "The first table covers people only; in the map below it, models are compared"
            " like any other rater."
        )
    if not judged["item_id"].duplicated().any():
        st.markdown("Nothing to compare: none of these items was judged by two of these raters.")
        return

    def wholes() -> Wholes:
        return compute_once_per_data_version(
            here,
            work,
            f"wholes {narrowed}",
            lambda: task.whole_agreement_functions_by_name_and_meaning(judged),
        )

    def people_on_wholes() -> Mapping[tuple[str, str], Estimate]:
        return compute_once_per_data_version(
            here, work, f"people {narrowed}", lambda: _of_people(wholes(), judged)
        )

    found = compute_once_per_data_version(
        here, work, f"{about} {narrowed}", lambda: _look(work, judged, about)
    )
    units = task.unit_counted_for_variable(about)
    if found.people is not None:
        if is_large:
            with answered:
                # All questions are not compared first: the answer is about the chosen one.
                main = agreement.MainAgreement(about, found.people.alpha, found.people.percent)
                _draw_main(task, main)
        on_wholes = {} if is_large else people_on_wholes()
        _draw_measures({**_of_one(found.people), **on_wholes}, units)
        st.caption(_prevalence(found, units))
        if of_wholes and is_large:
            # To compare whole answers takes longer than all the rest.
            _draw_folded_measures(people_on_wholes, units)
    if tolerance := task.tolerances.get(about):
        st.caption(
            f"Answers up to {tolerance:g} {'point' if tolerance == 1 else 'points'} apart count as"
            " the same answer here; alpha, kappa, AC1 and AC2 count every point."
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption("Raters are compared by", width="content")
        by = draw_choice_kept_in_address_and_return_it("by", ways)
    of_pairs = compute_once_per_data_version(
        here, work, f"{about} {by} {narrowed}", lambda: _by_pair(wholes, found, by)
    )
    draw_chart(
        copy_of_chart_with_plotly_figure(
            _chart(
                found, ways[by], of_pairs, task.unit_counted_for_variable(about), share=by == "same"
            ),
            current_theme(),
        ),
        on_mark=lambda mark: page_address.set_values_in_address(pair=mark, item=""),
    )
    pairs = {make_mark_id(one.first, one.second): one for one in found.pairs}
    asked = known_value_in_address_or_warn("pair", pairs, "pair of raters")
    if asked:
        _differing(work, found, pairs[asked], judged)


_MOST_COMPARED = 10_000
"""Judgments of a task up to which all its questions are compared for the answer at the top."""
_LOWEST, _OFTEN = 3, 0.1
"""How many questions are named as what lowers agreement: among those given at least this share of
the times of the one given most.
"""


def _draw_answer(here: Here, work: Work, judged: pd.DataFrame, narrowed: str, about: str) -> None:
    """How far people agree on the task, in a sentence, and what lowers it; then on the variable
    that the table is ``about``, if that is another thing.
    """
    task = work.task
    several = compute_once_per_data_version(
        here,
        work,
        f"several {narrowed}",
        lambda: agreement.estimate_agreement_on_each_question(task, judged),
    )
    if several is not None:
        _draw_several(task, several)
    else:
        main = compute_once_per_data_version(
            here,
            work,
            f"main {narrowed}",
            lambda: agreement.find_main_variable_and_alpha_of_task(task, judged),
        )
        if main is not None and not main.variable:
            _draw_main(task, main)
            _draw_lowest(here, work, judged, narrowed, main)
            if about != st.query_params.get("about"):
                return
    on_one = compute_once_per_data_version(
        here,
        work,
        f"main on {about} {narrowed}",
        lambda: agreement.agreement_on_variable(task, judged, about),
    )
    if on_one is not None:
        _draw_main(task, on_one)
        if several is None and main is not None and main.variable:
            _draw_lowest(here, work, judged, narrowed, on_one)


def _draw_several(task: Task, several: agreement.AgreementByQuestion) -> None:
    """The lowest and the highest agreement of several questions, in a sentence."""
    if not several.defined_alphas:
        st.markdown(
            f"How far people agree is undefined in {several.how_many_are_defined_in_words}:"
            f" {escape_markdown(several.why_none_is_defined)}."
        )
        return
    st.markdown(
        f"**{several.agreement_range_in_words} agreement**: alpha"
        f" {several.alpha_range_in_words} on {several.how_many_are_defined_in_words}."
    )
    lowest, highest = several.defined_alphas[0], several.defined_alphas[-1]
    named = [
        f"{escape_markdown(task.name_of_variable_in_words(variable))} ({format_number(one.value)})"
        for variable, one in sorted(several.alphas.items(), key=lambda each: each[1].value or 0.0)
        if one.value is not None and format_number(one.value) != format_number(highest)
    ]
    if format_number(lowest) != format_number(highest):
        st.markdown(f"Lowest on {', '.join(named[:_LOWEST])}.")


def _draw_lowest(
    here: Here, work: Work, judged: pd.DataFrame, narrowed: str, main: agreement.MainAgreement
) -> None:
    """The questions that lower agreement below what the first sentence said."""
    task = work.task
    if main.alpha.value is None:
        return
    each = compute_once_per_data_version(
        here, work, f"each {narrowed}", lambda: _alphas(task, judged)
    )
    # The headline has said it already if the lowest is the one that it is about.
    each = [one for one in each if one[0] != main.variable and one[1] < main.alpha.value]
    if each:
        named = ", ".join(
            f"{escape_markdown(task.name_of_variable_in_words(variable))} ({format_number(value)})"
            for variable, value in each[:_LOWEST]
        )
        st.markdown(f"Lowest on {named}.")


def _draw_main(task: Task, main: agreement.MainAgreement) -> None:
    """How far people agree, in a sentence."""
    alpha, about = (
        main.alpha,
        f"on “{escape_markdown(task.name_of_variable_in_words(main.variable))}”",
    )
    if not main.variable:
        about = "on whole answers"
    if alpha.value is None:
        same = ""
        if main.same is not None and main.same.value is not None:
            often = format_number(main.same.value, "percent")
            same = f" Two people gave the same answer {often} of the time."
        st.markdown(
            f"How far people agree {about} is undefined, because {escape_markdown(alpha.reason)}."
            + same
        )
        return
    interval = ""
    if alpha.low is not None and alpha.high is not None:
        interval = f", 95% interval {format_number(alpha.low)} to {format_number(alpha.high)}"
    speaks = f", for {alpha.speaks_for}" * bool(alpha.speaks_for)
    word = agreement.agreement_in_a_word(alpha.value).capitalize()
    same = ""
    if main.same is not None and main.same.value is not None:
        often = f"{format_number(main.same.value, 'percent')} of the time"
        alike = "give the same answer" if main.variable else "agree on all of it"
        same = f" two people who judge an item {alike} {often};"
    st.markdown(
        f"**{word} agreement** {about}:{same} alpha"
        f" {format_number(alpha.value)}{interval}; n = {alpha.n:,}{speaks}.",
        help="Krippendorff's alpha: 1 is perfect agreement, 0 is chance. Poor is below .40, fair"
        " below .60, good below .75 (Cicchetti 1994).",
    )


def _alphas(task: Task, judged: pd.DataFrame) -> list[tuple[str, float]]:
    """The alpha of each variable that people gave often enough, the lowest first."""
    people = judged[judged["rater_kind"] == "person"]
    given = agreement.count_peoples_answers_by_variable(task, people)
    often = [name for name in given if given[name] >= _OFTEN * max(given.values())]
    found = agreement.compute_agreement_by_variable(task, people, only=often)
    values = [(name, one.alpha.value) for name, one in found.items()]
    return sorted(
        ((name, value) for name, value in values if value is not None), key=lambda one: one[1]
    )


_EVERYONE = "Everyone"
_COUNTED = {
    "blind": "Before seeing others'",
    "last": "The latest, even after that",
}


def _narrowed(here: Here, work: Work, judged: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """The judgments of the chosen raters and items, and what was chosen; models belong to every
    group of people, for comparison.
    """
    versions = (
        here.store.data_version_of_tables("survey"),
        here.store.data_version_of_tables("item_further"),
    )
    people = compute_once_per_data_version(
        here,
        work,
        f"groups of raters {versions[0]}",
        lambda: rater_and_item_subgroups.group_raters_by_survey_answers(
            here.store, judged["rater_id"].unique()
        ),
    )
    raters = {"": _EVERYONE} | {
        make_mark_id(*one): rater_and_item_subgroups.format_group_label(one)
        for one, ids in people.items()
        if len(ids) > 1
    }
    known_value_in_address_or_warn("raters", raters, "group of raters")
    is_large = len(judged) >= _MOST_COMPARED
    things: rater_and_item_subgroups.Groups = {}
    which: list[rater_and_item_subgroups.Group] = []
    with list_filters_and_paging.context_that_draws_filter_popover(
        key="agreement", closes=("pair", "item"), lazily=is_large
    ) as filters:
        who = (
            draw_choice_kept_in_address_and_return_it("raters", raters, "Raters", width=250)
            if len(raters) > 1
            else ""
        )
        # To group the items of a large task takes as long as its agreement.
        if filters.opened or st.query_params.get("items"):
            things = compute_once_per_data_version(
                here,
                work,
                f"groups of items {versions[1]}",
                lambda: rater_and_item_subgroups.group_items_by_file_columns(
                    STUDIES[work.task.study], here.store, work.study, work.task.item_kind
                ),
            )
            which = _items(things)
        counted = draw_choice_kept_in_address_and_return_it("count", _COUNTED, "Answers", width=250)
        if who:
            filters.chips["raters"] = f"Raters: {raters[who]}"
        if which:
            named = "; ".join(map(rater_and_item_subgroups.format_group_label, which))
            filters.chips["items"] = f"Only items with {named}"
        if counted != next(iter(_COUNTED)):
            filters.chips["count"] = f"Answers: {_COUNTED[counted]}"
    if counted == "last":
        judged = _by_version(here, work, blind=False)
    if who:
        chosen = people[_parts(who)]
        judged = judged[judged["rater_id"].isin(chosen) | (judged["rater_kind"] == "model")]
    if which:
        judged = judged[
            judged["item_id"].isin(rater_and_item_subgroups.ids_in_all_chosen_groups(things, which))
        ]
    return judged, f"{who} {which} {counted}"


def _items(things: rater_and_item_subgroups.Groups) -> list[rater_and_item_subgroups.Group]:
    """The groups of items chosen; the address has the parts of all of them."""
    parts = split_mark_id(st.query_params.get("items", ""))
    asked = list(zip(parts[::2], parts[1::2], strict=False))
    if not things.keys() >= set(asked) or parts[2 * len(asked) :] not in ([], [""]):
        known_value_in_address_or_warn("items", (), "group of items")
    key = "agreement.items"
    st.session_state[key] = [one for one in asked if one in things]

    def chosen() -> None:
        page_address.set_values_in_address(
            items=make_mark_id(*(part for one in st.session_state[key] for part in one)),
            pair="",
            item="",
        )

    return draw_item_groups_and_return_choice("Only items with", things, key=key, on_change=chosen)


def _parts(mark: str) -> tuple[str, str]:
    """The question and the answer that define a group."""
    question, answer = split_mark_id(mark)
    return question, answer


def judgments_table_of_work(here: Here, work: Work, *, blind: bool = True) -> pd.DataFrame:
    """What people and models answered, as ``consensus.current_judgments``; do not change it."""
    return compute_once_per_data_version(
        here,
        work,
        f"judgments {blind}",
        lambda: consensus.current_judgments(
            here.store, work.task, dataset=work.dataset, viewer=here.person, blind=blind
        ),
        version=consensus.data_version_of_judgments(here.store),
    )


def _by_version(here: Here, work: Work, *, blind: bool = True) -> pd.DataFrame:
    """As ``judgments_table_of_work``, with a rater for each version of a model's prompt."""
    judged = judgments_table_of_work(here, work, blind=blind)
    of_model = partial(
        judge_trust.judgments_table_with_rater_per_prompt_version,
        STUDIES[work.task.study],
        here.store,
        work.task,
        dataset=work.dataset,
    )
    return compute_once_per_data_version(here, work, f"versions {blind}", lambda: of_model(judged))


def compute_once_per_data_version(
    here: Here,
    work: Work,
    name: str,
    make: Callable[[], T],
    *,
    small: bool = False,
    version: int = 0,
) -> T:
    """``make()``, computed once per ``version`` of the data (unless given, of judgments and all
    that is said of them); shared, never changed. If ``small``, results of many tasks are kept.
    """
    version = version or consensus.data_version_of_consensus(here.store)
    key = (str(here.store.path), version, work.task.name, work.dataset, work.fixed_panel, name)
    found: T = (_kept_small if small else _kept)(key, make)
    return found


@st.cache_resource(show_spinner=False, max_entries=100)
def _kept_small(key: tuple[Any, ...], _make: Callable[[], Any]) -> Any:
    return _make()


# The judgments of a large task take much memory; versions no longer viewed are dropped.
@st.cache_resource(show_spinner="Calculating the agreement…", max_entries=24)
def _kept(key: tuple[Any, ...], _make: Callable[[], Any]) -> Any:
    return _make()


def _look(work: Work, judged: pd.DataFrame, variable: str) -> _Found:
    raters, pairs = agreement.list_raters_and_pairwise_agreement(work.task, judged, variable)
    people = judged[judged["rater_kind"] == "person"]
    which, different = consensus.positions_and_distinct_objects(people["value"])
    given: Counter[str] = Counter()
    for value, many in zip(different, np.bincount(which).tolist(), strict=True):
        for name, answer in work.task.values_compared_for_agreement(value).items():
            if answer is not None and work.task.pool_name_of_variable(name) == variable:
                given[answer_in_readable_form(answer)] += many
    return _Found(
        variable=variable,
        people=agreement.compute_agreement_by_variable(work.task, people, only=(variable,)).get(
            variable
        ),
        given=given,
        raters=raters,
        models=frozenset(judged["rater"][judged["rater_kind"] == "model"]),
        pairs=pairs,
        judged=Counter(judged["rater"]),
    )


def _said(task: Task, value: Any, variable: str) -> str:
    """An answer's value in a variable, or in all variables pooled into it, in order."""
    measured = task.values_compared_for_agreement(value).items()
    return "; ".join(
        answer_in_readable_form(answer)
        for name, answer in measured
        if task.pool_name_of_variable(name) == variable
    )


def answer_counts_by_variable(here: Here, work: Work) -> dict[str, int]:
    """``count_peoples_answers_by_variable`` of the task's judgments before any reveal; do not
    change it."""
    judged = judgments_table_of_work(here, work)
    return compute_once_per_data_version(
        here,
        work,
        "variables",
        lambda: agreement.count_peoples_answers_by_variable(work.task, judged),
    )


def _of_one(people: Agreement) -> dict[tuple[str, str], Estimate]:
    """The measures of one variable, by title and meaning, that its level has."""
    found = {told: getattr(people, name) for name, told in _MEASURES.items()}
    return {told: measure for told, measure in found.items() if measure is not None}


def _draw_folded_measures(
    measures: Callable[[], Mapping[tuple[str, str], Estimate]], units: str
) -> None:
    """Agreement on whole answers, computed once somebody asks for it."""
    folded = st.expander("Agreement on whole answers", key="agreement.wholes", on_change="rerun")
    if folded.open:
        with folded:
            _draw_measures(measures(), units)


def _draw_measures(measures: Mapping[tuple[str, str], Estimate], units: str) -> None:
    rows = [
        {
            "measure (people only)": title,
            "value": one.value,
            "low": one.low,
            "high": one.high,
            units: one.n,
            "meaning": meaning,
        }
        for (title, meaning), one in measures.items()
    ]
    cells, columns = cells_and_columns_with_minus_signs(pd.DataFrame(rows), _MEASURED)
    st.dataframe(
        cells,
        hide_index=True,
        placeholder="–",
        column_config=columns,
        alt="Agreement of the people who judged, by several measures, with 95% intervals",
    )
    # A cell would cut the reason off.
    why: dict[str, list[str]] = {}
    for (title, _), one in measures.items():
        if not one.has_value:
            why.setdefault(one.reason, []).append(title)
    for reason, titles in why.items():
        st.caption(f"Undefined: {', '.join(titles)}, because {escape_markdown(reason)}.")
    _say_scope(measures.values())


def _say_scope(estimates: Iterable[Estimate]) -> None:
    """For whom these figures speak, in a line."""
    if words := whom_estimates_speak_for_in_words(estimates):
        st.caption(words)


def _prevalence(found: _Found, units: str) -> str:
    """How many items the measures rest on, and the share of each answer, which affects them."""
    people = found.people
    whole = sum(found.given.values())
    if people is None or not whole:
        return ""
    coverage = people.alpha.coverage
    told = (
        ""
        if coverage is None
        else f"{format_number(coverage, 'percent')} of the items have two answers or more. "
    )
    often = sorted(found.given.items(), key=lambda one: -one[1])
    if len(often) > _LISTED:
        return told
    if units != "items":
        told = "Each criterion of each item is a unit; intervals draw whole items. "
    return (
        told
        + "Answers given: "
        + ", ".join(
            f"{escape_markdown(answer)} ({format_number(many / whole, 'percent')})"
            for answer, many in often
        )
        + "."
    )


def _of_people(wholes: Wholes, judged: pd.DataFrame) -> dict[tuple[str, str], Estimate]:
    people = judged["rater"][judged["rater_kind"] == "person"].unique()
    return {called: measure(people) for called, measure in wholes.items()}


def _by_pair(
    wholes: Callable[[], Wholes], found: _Found, by: str
) -> Mapping[frozenset[str], Estimate]:
    """The agreement of each pair of raters, by the chosen measure."""
    pairs = {frozenset((one.first, one.second)): one for one in found.pairs}
    if by in ("same", "kappa"):
        return {both: getattr(one, by) for both, one in pairs.items()}
    measure = next(one for (title, _), one in wholes().items() if title == by)
    return {both: measure(both) for both in pairs}


def _chart(
    found: _Found, title: str, of: Mapping[frozenset[str], Estimate], units: str, *, share: bool
) -> Chart:
    form = "percent" if share else "number"

    def cell(row: str, column: str) -> Cell:
        if row == column:
            many = found.judged[row]
            return Cell(0.0, f"{many:,}", f"{row} judged {many:,} items", "")
        first, second = (row, column) if order[row] < order[column] else (column, row)
        one = of[frozenset((row, column))]
        hover = f"{first} and {second}\n{estimate_in_words(one, form)}"
        if one.value is None:
            return Cell(0.0, "·", hover, "")
        mark = make_mark_id(first, second)
        return Cell(max(0.0, one.value), format_number(one.value, form), hover, mark)

    order = {name: at for at, name in enumerate(found.raters)}
    dense = len(found.raters) > _WORDED
    # Among many, who agrees least with the others stands first: they are looked for.
    raters = _from_least_agreement(found.raters, of) if dense else found.raters
    shared = [one for one in found.pairs if one.same.n]
    is_drawn = len(found.raters) <= _DRAWN
    rows = [
        HeatRow(
            f"{at}  {name}" + (" (model)" if name in found.models else ""),
            "",
            tuple(cell(name, other) for other in raters),
        )
        for at, name in enumerate(raters, 1)
        if is_drawn
    ]
    return Chart(
        name="agreement",
        title="Rater by rater",
        n=f"{title} on the {units} that both judged, {_pairs(len(shared))}."
        + " Press a cell to see the items on which the two differ." * is_drawn
        + " On the diagonal: how many items each judged." * (is_drawn and not dense),
        note="The columns have the same numbers as the rows."
        + " Who agrees least with the others comes first; a stronger colour is more agreement."
        * dense,
        alt=f"Heat map of every two raters: {title}",
        drawing=Heat(rows, [str(at) for at in range(1, len(rows) + 1)], dense=dense)
        if is_drawn
        else None,
        table=_table(found, shared, title, of, units),
        marks=tuple(make_mark_id(one.first, one.second) for one in shared),
        columns=dict.fromkeys(("same", "same low", "same high"), "percent")
        | dict.fromkeys((title, f"{title} low", f"{title} high"), "%.2f"),
        foldable=is_drawn,
    )


def _from_least_agreement(
    raters: Sequence[str], of: Mapping[frozenset[str], Estimate]
) -> list[str]:
    """The raters in the order of their mean agreement with the others, the lowest first; those who
    share nothing with anybody come last.
    """
    shared: dict[str, list[float]] = {name: [] for name in raters}
    for pair, one in of.items():
        for name in pair:
            if one.value is not None and name in shared:
                shared[name].append(one.value)
    return sorted(raters, key=lambda name: (not shared[name], np.mean(shared[name] or [0.0])))


def _pairs(many: int) -> str:
    return f"{many:,} pair of raters" if many == 1 else f"{many:,} pairs of raters"


def _table(
    found: _Found,
    pairs: Sequence[AgreementOfTwoRaters],
    title: str,
    of: Mapping[frozenset[str], Estimate],
    units: str,
) -> pd.DataFrame:
    def kind(name: str) -> str:
        return "model" if name in found.models else "person"

    def more(pair: AgreementOfTwoRaters) -> dict[str, Any]:
        one = of[frozenset((pair.first, pair.second))]
        if one is pair.same:
            return {"method": one.method}
        return {
            title: one.value,
            f"{title} low": one.low,
            f"{title} high": one.high,
            "method": f"{pair.same.method}; {one.method}",
        }

    return pd.DataFrame(
        [
            {
                "first": one.first,
                "first is a": kind(one.first),
                "second": one.second,
                "second is a": kind(one.second),
                units: one.same.n,
                "differ on": len(one.apart),
                "same": one.same.value,
                "same low": one.same.low,
                "same high": one.same.high,
                **more(one),
            }
            for one in pairs
        ]
    )


def _differing(work: Work, found: _Found, pair: AgreementOfTwoRaters, judged: pd.DataFrame) -> None:
    """The items on which two raters differ, with a link to each."""
    st.markdown(f"### {escape_markdown(pair.first)} and {escape_markdown(pair.second)}")
    if not pair.apart:
        st.caption(f"They gave the same answer to all {pair.same.n:,} items that both judged.")
        return
    alone = found.variable in work.task.values_compared_for_agreement(judged["value"].iloc[0])
    of = f" of {pair.same.n:,} items" if alone else f" items ({pair.same.n:,} answers compared)"
    st.caption(f"They differ on {len(pair.apart):,}{of}. Choose one to open it.")
    both = judged[judged["rater"].isin((pair.first, pair.second))]
    name_of = dict(zip(both["item_id"], both["item"], strict=True))
    names = [name_of[item] for item in pair.apart]
    said = {
        (item, rater): _said(work.task, value, found.variable)
        for item, rater, value in zip(both["item_id"], both["rater"], both["value"], strict=True)
    }
    list_filters_and_paging.draw_table_whose_chosen_row_is_in_address(
        pd.DataFrame(
            {
                "item": names,
                pair.first: [said[item, pair.first] for item in pair.apart],
                pair.second: [said[item, pair.second] for item in pair.apart],
            }
        ),
        names,
        "item",
        key=f"agreement.items.{pair.first}.{pair.second}",
        alt="The items on which the two raters differ, with both answers",
    )
    asked = known_value_in_address_or_warn("item", names, "item")
    if asked:
        draw_item_link(work, pair.apart[names.index(asked)], asked)


def draw_item_link(work: Work, item: str, name: str) -> None:
    """A link to an item, by its id and name, on its study's page."""
    declared = STUDIES[work.task.study]
    how = declared.listed.get(work.task.item_kind)
    st.page_link(
        declared.page,
        label=f"Open {escape_markdown(name)} under {declared.enter}",
        icon=":material/arrow_forward:",
        query_params={
            **(how.where(name, item) if how else declared.items_view),
            "dataset": work.dataset,
        },
    )
