"""People and models: how far to trust each judge, compared with clinicians (leads)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

from medlens.review import informative_sample, judge_trust, judging
from medlens.review.chart_specifications import (
    Axis,
    Cell,
    Chart,
    Heat,
    HeatRow,
    Row,
    Rows,
    Series,
    make_mark_id,
)
from medlens.review.judge_trust import Against, Judge, TaskAnswers, VariableAnswers
from medlens.review.tasks import answer_in_readable_form
from medlens.stats.annotator_replacement_test import EXPERTS, StandIn
from medlens.stats.estimate import (
    Estimate,
    drop_empty_speaks_for_column,
    estimate_in_words,
    figure_rows_as_table,
    format_number,
    format_p_value,
)
from medlens.stats.scope_of_inference_over_raters import declare_panel_fixed_within
from medlens.stats.smoothed_bootstrap import SEED
from medlens.studies.registry import STUDIES
from medlens.ui import list_filters_and_paging, page_address, team
from medlens.ui.chart_with_table_and_csv import current_theme, draw_chart, prepare_page_for_charts
from medlens.ui.figures.page import (
    copy_of_chart_with_plotly_figure,
    draw_choice_kept_in_address_and_return_it,
)
from medlens.ui.page_frame import Here, escape_markdown, known_value_in_address_or_warn
from medlens.ui.team_agreement import answer_counts_by_variable, draw_item_link
from medlens.ui.team_task_settings import Work

T = TypeVar("T")
TITLE = "People and models"
PAGE = "pages/9_People_and_models.py"

_MOST = 200
"""Maximum number of a cell's items listed: narrow the selection to find more."""
_WIDEST = 12
"""With more answers there is only a table: cells could not be told apart."""
_COLUMNS = dict.fromkeys(("value", "low", "high"), "%.2f")


def draw_judge_trust(here: Here) -> None:
    """One judge of a task compared with its clinicians, in one variable."""
    prepare_page_for_charts()
    st.html("<style>.st-key-trust-body { max-width: 62rem; }</style>")
    with st.container(key="trust-head"):
        st.title(TITLE, anchor=False)
        work = team.find_work_in_address_or_put_first_there(
            here, preferred=lambda: judge_trust.names_of_tasks_judged_by_models(here.store)
        )
        if work is None:
            st.markdown("Nothing to compare yet: no study has items.")
            return
        with team.context_that_draws_navigation_with_tasks(here, work, at="", page=PAGE):
            pass
    material = _kept(here, work, "", lambda: _look(here, work))
    if not material.judges:
        st.markdown(
            "No model has judged this task in this dataset. Let one judge it, or import its"
            " judgments: it is then compared with the clinicians here."
        )
        st.page_link("pages/6_Runs.py", label="Go to Runs", icon=":material/play_circle:")
        if judge_trust.names_of_tasks_judged_by_models(here.store):
            st.page_link(
                PAGE, label="Show a task that models have judged", icon=":material/balance:"
            )
        return
    judges = {make_mark_id(*one): one.displayed_name for one in material.judges}
    of = {make_mark_id(*one): one for one in material.judges}
    variables = {
        one: work.task.name_of_variable_in_words(one)
        for one in material.names_of_measured_variables
    }
    known_value_in_address_or_warn("judge", judges, "model")
    known_value_in_address_or_warn("about", variables, "question")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        judge = of[draw_choice_kept_in_address_and_return_it("judge", judges, "Model", width=320)]
        # A label that hardly anybody gave has nothing to compare.
        given = answer_counts_by_variable(here, work)
        about, most = next(iter(variables)), max(variables, key=lambda one: given.get(one, 0))
        if 2 * given.get(about, 0) < given.get(most, 0):
            about = most
        if len(variables) > 1:
            about = draw_choice_kept_in_address_and_return_it(
                "about", variables, "Compared on", width=280, usual=about
            )
        col = _kept(
            here, work, about, lambda: judge_trust.everybodys_answers_to_variable(material, about)
        )
        positive = _class(col)
    said = _kept(here, work, f"{about} {judge} {positive}", lambda: _Compared(col, judge, positive))
    with st.container(key="trust.body"):
        _verdict(said)
        draw_chart(copy_of_chart_with_plotly_figure(_rates(said), current_theme()), level=2)
        if line := _abstentions(said):
            st.caption(line)
        follow = partial(_go, "cell")
        draw_chart(
            copy_of_chart_with_plotly_figure(_matrix(said), current_theme()),
            on_mark=follow,
            level=2,
        )
        _cell(here, work, said)
        if col.classes:
            draw_chart(copy_of_chart_with_plotly_figure(_shares(said), current_theme()), level=2)
        _by_part(here, work, said)
        _rivals(said)
        _revised(said)
        # Items are handed out, not the criteria of items.
        if col.classes and about not in work.task.pools:
            _check_more(here, work, said)


def _go(name: str, value: str) -> None:
    page_address.set_values_in_address(**{name: value, "item": ""})


class _Compared:
    """The computed comparison of a judge with the clinicians, in one variable and class."""

    def __init__(self, col: VariableAnswers, judge: Judge, positive: int) -> None:
        self.col, self.judge, self.positive = col, judge, positive
        self.against = judge_trust.compare_judge_with_clinicians(col, judge, positive)
        self.abstentions = (
            judge_trust.abstention_rates_by_figure_of_judge_and_clinicians(col, judge)
            if judge_trust.has_abstentions(col)
            else {}
        )
        self.ceiling = judge_trust.list_clinicians_together_and_each_against_others(
            col, judge, positive
        )
        self.stand_in = judge_trust.test_if_judge_can_replace_clinician(col, judge)
        self.matrix = judge_trust.group_items_by_confusion_cell(col, judge)
        self.shares = (
            judge_trust.prevalence_estimate_by_correction_method(col, judge, positive)
            if col.classes
            else {}
        )
        self.rivals = judge_trust.list_comparisons_with_other_judges(col, judge)
        self.revised = judge_trust.summarise_judgments_revised_after_reveal(col, judge)

    @property
    def label(self) -> str:
        """The class measured against the rest."""
        return answer_in_readable_form(self.col.classes[self.positive]) if self.col.classes else ""


def _look(here: Here, work: Work) -> TaskAnswers:
    declared = STUDIES[work.task.study]
    return judge_trust.load_task_answers_of_people_and_models(
        declared, here.store, work.task, dataset=work.dataset, viewer=here.person
    )


def _kept(here: Here, work: Work, name: str, make: Callable[[], T]) -> T:
    """``make()``, computed once per version of the data; shared, never changed."""
    version = here.store.data_version_of_tables(*judge_trust.TABLES)
    key = (str(here.store.path), version, work.task.name, work.dataset, work.fixed_panel, name)
    with declare_panel_fixed_within(fixed=work.fixed_panel):
        found: T = _keep(key, make)
    return found


@st.cache_resource(show_spinner="Comparing people and models…", max_entries=64)
def _keep(key: tuple[Any, ...], _make: Callable[[], Any]) -> Any:
    return _make()


def _class(col: VariableAnswers) -> int:
    """The class measured against the rest, if there are several."""
    there = judge_trust.list_indices_of_classes_measured_against_rest(col)
    if len(there) < 2:
        return there[0]
    names = {answer_in_readable_form(col.classes[at]): at for at in there}
    known_value_in_address_or_warn("answer", names, "answer")
    return names[
        draw_choice_kept_in_address_and_return_it(
            "answer", {name: name for name in names}, "Answer", width=200
        )
    ]


# -- the verdict -----------------------------------------------------------------------------------


def _verdict(said: _Compared) -> None:
    """Whether the model may stand in for one clinician, in a sentence."""
    found = said.stand_in
    beaten = sum(one.beaten for one in found.compared)
    many = len(found.compared)
    them = f"{beaten} of the {many}" if beaten else f"none of the {many}"
    if beaten == many:
        them = "both" if many == 2 else f"all {many}"
    of = f"It does at least as well as {them} clinicians, each against the others"
    if found.passes is None:
        st.info(
            "**Too few judgments to say whether it may stand in for a clinician:**"
            f" {found.reason}.",
            icon=":material/hourglass_empty:",
        )
    elif found.passes:
        st.success(f"**May stand in for one clinician.** {of}.", icon=":material/check_circle:")
    else:
        st.warning(
            f"**Should not stand in for a clinician.** {of}; it takes half of them.",
            icon=":material/do_not_disturb_on:",
        )
    with st.expander("What this rests on", type="compact"):
        unit = said.col.clusters.unit
        nested = "" if unit == "items" else f", except within {unit}"
        st.markdown(
            "The alternative annotator test (Calderon, Reichart and Dror 2025) leaves out one"
            " clinician at a time and asks who is closer to the others on each item: the model, or"
            f" the clinician left out. The model may be worse by {EXPERTS:.0%} of the items, for"
            " the experts' time that it saves. It passes if it holds its own against at least half"
            " of the clinicians (p ≤ 0.05, corrected by Benjamini and Yekutieli).\n\n"
            "It assumes that these clinicians are like those whom the model would stand in for,"
            f" that each judged alone, and that items are independent{nested}. A model can pass and"
            " still miss what is rare: look at the sensitivity below."
        )
        if found.compared:
            st.dataframe(_compared_table(said, found), hide_index=True, alt="The test by clinician")


def _compared_table(said: _Compared, found: StandIn) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "clinician left out": said.col.raters[one.annotator],
                "items": one.n,
                "model as close": format_number(one.model, "percent"),
                "clinician as close": format_number(one.person, "percent"),
                "p": format_p_value(one.p),
                "model holds its own": "yes" if one.beaten else "no",
            }
            for one in found.compared
        ]
    )


# -- figures ---------------------------------------------------------------------------------------


def _rates(said: _Compared) -> Chart:
    """Sensitivity and similar rates, with the clinicians' own beside them as the ceiling."""
    mine, together = said.against, said.ceiling[:1]
    units = said.col.material.task.unit_counted_for_variable(said.col.variable)
    over = "" if units == "items" else " for which whole items are drawn"
    label = f" ({said.label!r} against the rest)" if len(said.col.classes) > 2 else ""
    series = [Series(mine.name, "point"), Series("Clinicians", "diamond")][: 1 + len(together)]
    rows = []
    for name, one in mine.rates.items():
        both = [one, *(each.rates[name] for each in together)]
        if name != "difference" and any(each.has_value for each in both):
            rows.append(Row(judge_trust.RATES[name], "", tuple(both), ("",) * len(both)))
    undefined = tuple(
        f"{judge_trust.RATES[name]}: undefined, because {one.reason}."
        for name, one in mine.rates.items()
        if not one.has_value
    )
    apart = mine.rates.get("difference")
    return Chart(
        name="trust",
        title=f"{mine.name} against the clinicians{label}",
        n=f"{mine.n:,} {units} that it judged and clinicians agree on, with 95% intervals{over}."
        + " Beside it, what can be expected at best: each clinician against the majority of the"
        " others on the same items."
        * bool(together)
        + (
            f" Its mean less theirs: {estimate_in_words(apart)}."
            if apart and apart.has_value
            else ""
        ),
        alt="Sensitivity, specificity, predictive values and kappa of the model and the clinicians",
        series=tuple(series),
        drawing=Rows(rows, series, Axis("", "number", low=0, high=1)) if rows else None,
        undefined=undefined,
        table=_table([mine, *said.ceiling]),
        columns=_COLUMNS,
    )


def _table(found: Sequence[Against]) -> pd.DataFrame:
    rows = [
        (judge_trust.RATES[name], one.name, est) for one in found for name, est in one.rates.items()
    ]
    table = drop_empty_speaks_for_column(
        figure_rows_as_table(rows, study="").drop(columns=["study"])
    )
    return table.rename(columns={"group": "who"})


def _abstentions(said: _Compared) -> str:
    """A line on who cannot tell where the other side can; "" if nobody ever said so."""
    return " ".join(
        f"{judge_trust.ABSTAINING[name]}: {estimate_in_words(estimate, 'percent')}."
        for name, estimate in said.abstentions.items()
    )


def _matrix(said: _Compared) -> Chart:
    """The judge's answers by the clinicians' answer; a cell opens its items."""
    col = said.col
    units = col.material.task.unit_counted_for_variable(col.variable)
    values = sorted({value for cell in said.matrix for value in cell})
    if col.classes:
        values = [float(at) for at in range(len(col.classes))]
    names = [
        answer_in_readable_form(col.classes[int(one)]) if col.classes else f"{one:g}"
        for one in values
    ]
    most = max((len(items) for items in said.matrix.values()), default=1)

    def cell(row: int, column: int) -> Cell:
        n = len(said.matrix.get((values[row], values[column]), ()))
        hover = f"The model says {names[row]}, clinicians {names[column]}: {n:,}"
        mark = make_mark_id(names[row], names[column]) if n else ""
        return Cell(n / most, f"{n:,}" if n else "·", hover, mark)

    rows = [
        HeatRow(f"Model: {name}", "", tuple(cell(at, other) for other in range(len(values))))
        for at, name in enumerate(names)
    ]
    filled = [
        (names[row], names[column], len(items))
        for row in range(len(values))
        for column in range(len(values))
        if (items := said.matrix.get((values[row], values[column]), ()))
    ]
    return Chart(
        name="trust_matrix",
        title="Answer by answer",
        n="Rows: the model. Columns: the clinicians' answer (an adjudicator's, else the majority's"
        " before any reveal)."
        + ("" if units == "items" else f" Counted are {units}.")
        + " Press a cell to see its items.",
        alt="Confusion matrix of the model's answers and the clinicians' answers",
        drawing=Heat(rows, names) if rows and len(names) <= _WIDEST else None,
        table=pd.DataFrame(filled, columns=["model", "clinicians", units]),
        marks=tuple(make_mark_id(model, word) for model, word, _ in filled),
        foldable=bool(rows) and len(names) <= _WIDEST,
    )


def _cell(here: Here, work: Work, said: _Compared) -> None:
    """The items of the cell that the address names, with a link to the one it names."""
    col = said.col

    def name_of(value: float) -> str:
        return answer_in_readable_form(col.classes[int(value)]) if col.classes else f"{value:g}"

    cells = {
        make_mark_id(name_of(row), name_of(word)): (name_of(row), name_of(word), items)
        for (row, word), items in said.matrix.items()
    }
    asked = known_value_in_address_or_warn("cell", cells, "cell")
    if not asked:
        return
    model, people, items = cells[asked]
    st.markdown(
        f"### The model says {escape_markdown(model)}, the clinicians {escape_markdown(people)}"
    )
    more = f" The first {_MOST:,} are shown." if len(items) > _MOST else ""
    st.caption(f"{len(items):,} items.{more} Choose one to open it.")
    items = tuple(dict.fromkeys(items))
    shown = items[:_MOST]
    # Recorded: this lead's later judgments of these items are not blind.
    seen = [(work.task.name, item) for item in shown]
    judging.record_items_as_seen_and_say_if_any_new(here.store, seen, rater=here.person.id)
    names = [col.material.names[item] for item in shown]
    list_filters_and_paging.draw_table_whose_chosen_row_is_in_address(
        *(pd.DataFrame({"item": names}), names, "item"),
        key=f"trust.items.{asked}",
        alt="The items of the chosen cell",
        width=420,
    )
    item = known_value_in_address_or_warn("item", names, "item")
    if item:
        draw_item_link(work, shown[names.index(item)], item)


def _shares(said: _Compared) -> Chart:
    """How common the class is: according to the judge, as checked, and corrected for its errors."""
    rows = [
        Row(judge_trust.SHARES[name], "", (one,), ("",))
        for name, one in said.shares.items()
        if one.has_value
    ]
    series = [Series("Share")]
    n = said.shares["by_judge"].n
    units = said.col.material.task.unit_counted_for_variable(said.col.variable)
    return Chart(
        name="trust_shares",
        title=f"How common {said.label!r} is",
        n=f"Share of the {n:,} {units} that the model judged, with 95% intervals. Corrected ones"
        " use what clinicians checked to undo the model's errors; they hold if what was checked was"
        " chosen at random, or drawn here.",
        alt="The share of one answer by the model, by clinicians, and corrected",
        drawing=Rows(rows, series, Axis("Share", "percent", high=1)) if rows else None,
        undefined=tuple(
            f"{judge_trust.SHARES[name]}: undefined, because {one.reason}."
            for name, one in said.shares.items()
            if not one.has_value
        ),
        table=_named(said.shares),
        columns=_COLUMNS,
    )


def _named(found: dict[str, Estimate]) -> pd.DataFrame:
    rows = [(judge_trust.SHARES[name], "", one) for name, one in found.items()]
    return drop_empty_speaks_for_column(
        figure_rows_as_table(rows, study="").drop(columns=["study", "group"])
    )


def _by_part(here: Here, work: Work, said: _Compared) -> None:
    """One of the judge's rates over time, or by group of clinicians or items."""
    declared = STUDIES[work.task.study]
    versions = [here.store.data_version_of_tables(one) for one in ("survey", "item_further", "run")]
    kinds = _kept(
        *(here, work, f"parts {said.col.variable} {said.judge} {versions}"),
        lambda: judge_trust.subsets_by_split_of_judge_agreement(
            declared, here.store, work.study, said.col, said.judge
        ),
    )
    rates = {name: judge_trust.RATES[name] for name in said.against.rates if name != "difference"}
    known_value_in_address_or_warn("by", kinds, "way to tell apart")
    known_value_in_address_or_warn("rate", rates, "figure")
    if not kinds:
        return
    st.markdown("## Over time and by group")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = draw_choice_kept_in_address_and_return_it(
            "by", {name: name for name in kinds}, "By", width=320
        )
        rate = draw_choice_kept_in_address_and_return_it(
            "rate", rates, "Figure by group", width=240
        )
    name = f"{said.col.variable} {said.judge} {said.positive} {kind} {rate} {versions}"
    found = _kept(
        *(here, work, name),
        lambda: judge_trust.list_judge_and_clinician_rates_of_parts(
            said.col, said.judge, said.positive, kinds[kind], rate
        ),
    )
    draw_chart(
        copy_of_chart_with_plotly_figure(_parts(said, found, kind, rates[rate]), current_theme())
    )


def _parts(
    said: _Compared, found: Sequence[tuple[str, Estimate, Estimate]], kind: str, rate: str
) -> Chart:
    series = [Series(said.judge.displayed_name, "point"), Series("Clinicians", "diamond")]
    rows = [
        Row(name, "", tuple(both), ("", ""))
        for name, *both in found
        if any(one.has_value for one in both)
    ]
    whose = "these clinicians alone" if kind.startswith("Clinicians'") else "the clinicians"
    beside = ""
    if kind == judge_trust.CLINICIAN:
        whose, beside = "each clinician", "; beside it, the same clinician against the others"
    table = [
        (name, who.name, one)
        for name, *both in found
        for who, one in zip(series, both, strict=True)
    ]
    return Chart(
        name="trust_parts",
        title=f"{rate}, by {kind[:1].lower()}{kind[1:]}",
        n=f"Measured against {whose}, with 95% intervals; a group of few items has a wide one or"
        f" none"
        f"{beside}.",
        alt=f"{rate} of the model and the clinicians, by group",
        series=tuple(series),
        drawing=Rows(rows, series, Axis("", "number", low=0, high=1)) if rows else None,
        undefined=tuple(
            f"{name}: undefined, because {mine.reason}."
            for name, mine, _ in found
            if not mine.has_value
        ),
        table=figure_rows_as_table(table, study="")
        .drop(columns=["study"])
        .rename(columns={"figure": "part", "group": "who"}),
        columns=_COLUMNS,
    )


def _rivals(said: _Compared) -> None:
    """The judge beside every other judge on the same items."""
    if not said.rivals:
        return
    st.markdown("## Compared with other models")
    st.caption(
        "On the items that both judged: how often they agree, and which of the two gives the"
        " clinicians' answer more often, with the p value of the interval's method."
    )
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "other model": one.second.displayed_name,
                    "same answer": estimate_in_words(one.agreement, "percent"),
                    "this one right more often by": estimate_in_words(one.difference, "percent"),
                    "p": format_p_value(one.test.p) if one.difference.has_value else "",
                }
                for one in said.rivals
            ]
        ),
        hide_index=True,
        alt="This model compared with each other model",
    )


def _revised(said: _Compared) -> None:
    """The effect on clinicians' judgments of seeing the model's answer."""
    found = said.revised
    if not found.n:
        return
    st.markdown("## After the reveal")
    p = f" (towards against away: p = {format_p_value(found.p)})" if found.p is not None else ""
    st.caption(
        f"{found.n:,} judgments on items of this model were revised after the rater saw what others"
        f" and models said. The table shows how many changed, and in which direction{p}. All"
        f" other figures on this"
        " page use the judgments made before it."
    )
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "": judge_trust.REVISED[name],
                    "share of the revised": estimate_in_words(one, "percent"),
                }
                for name, one in found.rates.items()
            ]
        ),
        hide_index=True,
        alt="Judgments revised after the reveal",
    )


_WITHIN = {"0.05": "± 5 points", "0.1": "± 10 points", "0.15": "± 15 points", "0.2": "± 20 points"}


def _check_more(here: Here, work: Work, said: _Compared) -> None:
    """How many more items clinicians must judge for more precision, and which, to hand out."""
    st.markdown("## Check more")
    st.caption(
        "How many more items must clinicians judge to know a figure of this model well enough? They"
        " are drawn at random where they tell most. From the first draw on, the figures here are"
        " calculated in another way, which allows for the draw and also uses what the model says of"
        " items that nobody checked: intervals can change at once, before a drawn item is judged."
    )
    known_value_in_address_or_warn("measure", informative_sample.MEASURES, "figure")
    known_value_in_address_or_warn("within", _WITHIN, "width")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = draw_choice_kept_in_address_and_return_it(
            "measure", informative_sample.MEASURES, "Figure", width=220
        )
        within = draw_choice_kept_in_address_and_return_it("within", _WITHIN, "Known to", width=180)
    wanted = informative_sample.Draw(said.judge, said.positive, measure, float(within))
    found = informative_sample.make_forecast_of_items_needed_per_stratum(said.col, wanted)
    col = said.col
    if drawn := st.session_state.pop("trust.drawn", 0):
        st.success(f"{drawn:,} items are handed out now.", icon=":material/outgoing_mail:")
    if informative_sample.is_too_early_to_draw_again(col):
        many = informative_sample.count_unchecked_of_last_draw(col)
        st.markdown(f"{many:,} items of the last draw are still to be judged.")
        return
    more, each = found.total_rows_to_check, work.settings.raters_per_item
    now = "" if found.now is None else f"It is known to ± {100 * found.now:.0f} points. "
    if found.now is None:
        st.markdown(
            f"Too little has been checked to say. A first sample of {more:,} items would tell."
            if more
            else "Everything is checked."
        )
    elif not more:
        enough = (found.now or 0) <= wanted.half_width
        st.markdown(f"{now}{'Nothing more is needed' if enough else 'Everything is checked'}.")
    else:
        width = _WITHIN[within]
        now_points, best_points = (f"{100 * (one or 0):.0f}" for one in (found.now, found.best))
        best = f"and all of them would only bring it to ± {best_points}"
        if best_points == now_points:
            best = "and all of them would hardly narrow it"
        reached = found.best is not None and found.best <= wanted.half_width + 1e-9
        by_chance = found.random or 0
        chance = f"; a simple random sample would take {by_chance:,}" if by_chance > more else ""
        bring = "items** bring" if more > 1 else "item** brings"
        st.markdown(
            f"{now}**{more:,} more {bring} it to {width}{chance}."
            if reached
            else f"{now}It cannot reach {width}: {more:,} items are left to check, {best}."
        )
    if not more:
        return
    st.caption(
        f"{more * each:,} judgments at {each} per item. After that, raters get only these items and"
        " those already handed out."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        seed = st.number_input(
            *("Seed", 0, 2**31 - 1, SEED),
            key="trust.seed",
            width=180,
            help="The same seed draws the same items.",
        )
        label = f"Hand out {more:,} items"
        pressed = st.button(label, key="trust.draw", icon=":material/outgoing_mail:")
    if pressed:
        with here.show_errors_within():
            st.session_state["trust.drawn"] = informative_sample.hand_out_forecast_items_and_count(
                here.store, col, wanted, dataset=work.dataset, by=here.person, seed=int(seed)
            )
            st.rerun()
