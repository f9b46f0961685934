"""The figures for leads: every bar leads to its dialogues, a discordant cell to its pairs."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd
import streamlit as st

from medlens.agentclinic import listing, medqa
from medlens.agentclinic.listing import Filters
from medlens.agentclinic.medqa import Medqa
from medlens.agentclinic.models import STUDY
from medlens.agentclinic.scope import EVERYTHING, Scope
from medlens.agentclinic.study import Study
from medlens.agentclinic.tasks import SCALES
from medlens.review.charts import Chart
from medlens.stats.words import p_text
from medlens.ui import Here, address
from medlens.ui.address import mark_id
from medlens.ui.agentclinic import browse, nav, scope_bar
from medlens.ui.agentclinic import figures_charts as charts
from medlens.ui.agentclinic import figures_more as more
from medlens.ui.agentclinic.figures_data import CELLS, HEADS, Behind, Source, behind
from medlens.ui.charts import STYLE, csv_button, draw_chart, draw_table, theme
from medlens.ui.figures import published
from medlens.ui.frame import escape

_SECTIONS = {
    "accuracy": "Accuracy",
    "outcomes": "Outcomes",
    "biases": "Biases",
    "patients": "Patients",
    "clinicians": "Clinicians",
    "moderator": "Moderator",
    "behaviour": "Behaviour",
    "published": "Published",
}
_BY = {
    "doctor": "Doctor",
    "patient": "Patient",
    "n_interactions": "Messages",
    "image_mode": "Images",
}
_MOST = 200


def draw(here: Here, study: Study) -> None:
    """The section that the address names, and the dialogues behind the chosen mark.

    Raises:
        NotAllowed: the viewer is not a lead.
    """
    source = Source(here.store, study, here.person, theme(), scope_bar.asked())
    st.html(STYLE)
    with st.container(horizontal=True, vertical_alignment="bottom", key="figures.scope"):
        scope_bar.draw(here, study, key="figures")
    table = source.table
    if table.empty:
        narrowed = "that meet these choices " if source.scope != EVERYTHING else ""
        st.info(f"There are no dialogues {narrowed}in this dataset yet.", icon=":material/inbox:")
        return
    st.caption(_counted(source))
    section = _choice("section", _SECTIONS)
    if section == "published":
        published.draw_all(STUDY, key="published", paper="Schmidgall et al. 2024")
        return
    left, right = st.columns([8, 5], gap="large")
    with left:
        _DRAWN[section](source)
    with right, st.container(key="figures.list"):
        _list(here, study, source)


def _counted(source: Source) -> str:
    """What the figures rest on, and what they leave out."""
    table, (realism, matches) = source.table, source.judged
    said = (
        f"{len(table):,} dialogues of {table['case'].nunique():,} cases;"
        f" {len(realism):,} ratings, {len(matches):,} checks of the moderator."
    )
    if source.copies:
        said += (
            f" {source.copies:,} more are left out: they were played again under the same rules, or"
            " by another protocol. Choose a run or a protocol to see them."
        )
    if (table["protocol"] == "published").any():
        said += " Published protocol."
    if source.scope.judge:
        given = table["pair"] != ""
        missing = int(((table["outcome"] == "error") & given).sum())
        if missing:
            said += (
                f" **{missing:,} visits have no verdict of {escape(source.scope.judge)}** and are"
                " left out like errors, which makes accuracy too low: start Judge the diagnoses on"
                " the Runs page."
            )
    return said


def _choice(name: str, options: dict[str, str]) -> str:
    """A choice that stands in the address; the first option is the default."""
    first = next(iter(options))
    key = f"figures.{name}"
    asked = st.query_params.get(name, first)
    st.session_state[key] = asked if asked in options else first

    def chosen() -> None:
        value = str(st.session_state[key])
        address.go(**{name: "" if value == first else value, "mark": ""})

    return str(
        st.segmented_control(
            name,
            list(options),
            format_func=options.__getitem__,
            key=key,
            required=True,
            on_change=chosen,
            label_visibility="collapsed",
            wrap=True,
        )
    )


def _draw(source: Source, chart: Chart) -> None:
    """A chart whose marks lead to their dialogues, and what the paper prints of its figures."""
    draw_chart(chart, on_mark=lambda mark: address.go(mark=mark))
    protocols = source.table["protocol"].unique()
    published.draw_beside(
        STUDY,
        chart.table,
        f"published.{chart.name}",
        protocol=str(protocols[0]) if len(protocols) == 1 else "",
    )


def _accuracy(source: Source) -> None:
    rest = {"lint": "What tests say", "options": "Offered answers", "medqa": "MedQA"}
    by = _choice("by", _BY | rest)
    if by == "options":
        _draw(source, more.options_chart(source))
        return
    if by != "medqa":
        _draw(source, charts.accuracy_chart(source, by))
        if by == "doctor":
            _doctors_table(source)
        return
    chart = more.medqa_chart(source)
    if chart is None:
        st.caption(
            "No MedQA accuracy has been imported (medqa-accuracy on the Data page). `medlens run"
            " tagging ask FILE` measures it."
        )
    else:
        _draw(source, chart)
    fresh = more.medqa_to_take(source)
    if fresh:
        st.button(
            f"Take over {len(fresh)} from error tagging",
            key="figures.medqa.take",
            icon=":material/download:",
            help=escape(", ".join(one.model for one in fresh)),
            on_click=_take,
            args=(source, fresh),
        )


def _doctors_table(source: Source) -> None:
    """Every pair of doctors on the same cases; a row leads to the cases on which one did better."""
    if not source.doctors:
        return
    st.markdown(
        "##### Doctors on the same cases",
        help="Each case counts once; where it was played several times, the share of right"
        " diagnoses stands. McNemar's exact test, repeats of a case taken together, by Holm over"
        " all pairs of doctors.",
    )
    rows, marks = [], []
    for one in source.doctors:
        for better, pairs in ((one.first, one.first_better), (one.second, one.second_better)):
            rows.append(
                (
                    one.first,
                    one.second,
                    one.n,
                    better,
                    len(pairs),
                    one.difference.value,
                    one.difference.low,
                    one.difference.high,
                    one.test.p,
                    one.p_holm,
                )
            )
            marks.append(mark_id("doctors", one.first, one.second, better))
    columns = [
        "first",
        "second",
        "cases",
        "better",
        "on cases",
        "difference",
        "low",
        "high",
        "p",
        "p, Holm",
    ]
    table = pd.DataFrame(rows, columns=columns).round(3)
    draw_table(
        table,
        "figures.doctors",
        marks=tuple(marks),
        on_mark=lambda mark: address.go(mark=mark),
        alt="Pairs of doctors on the same cases; a row leads to those on which one did better",
    )
    csv_button(table, "doctors")


def _take(source: Source, fresh: list[Medqa]) -> None:
    medqa.add(source.store, fresh, dataset=source.study.dataset)


def _outcomes(source: Source) -> None:
    _draw(source, charts.outcomes_chart(source, _choice("of", _BY | {"bias": "Bias"})))


def _biases(source: Source) -> None:
    what = _choice(
        "what",
        {
            "difference": "Against none",
            "accuracy": "Accuracy",
            "groups": "Kinds",
            "normalised": "Normalised",
            "each": "Normalised, each",
            "refusals": "Refused",
        },
    )
    _draw(source, charts.bias_chart(source, what))
    if what == "difference":
        _pairs_table(source)


def _pairs_table(source: Source) -> None:
    """McNemar's four cells of each comparison; a click on a cell lists its pairs."""
    st.markdown(
        "##### The same cases with and without the bias",
        help="How many cases were right both times, without the bias only, with it only, or never."
        " McNemar's exact test on the discordant pairs, repeats of a case taken together, by Holm"
        " over all comparisons.",
    )
    compared = source.paired
    columns = ["doctor", "bias", "pairs", *HEADS.values(), "p", "p, Holm"]
    table = pd.DataFrame(
        [
            (
                one.doctor,
                one.bias,
                one.n,
                *(len(getattr(one, cell)) for cell in CELLS),
                p_text(one.test.p),
                p_text(one.p_holm),
            )
            for one in compared
        ],
        columns=columns,
    )
    if table.empty:
        st.caption("No bias was played on a case that was also played without one.")
        return
    key = "figures.pairs"

    def chosen() -> None:
        cells = st.session_state[key]["selection"]["cells"]
        row, column = cells[0] if cells else (len(compared), "")
        if row >= len(compared):
            address.go(mark="")
            return
        one = compared[row]
        name = column if isinstance(column, str) else columns[column]
        cell = next((cell for cell, title in HEADS.items() if title == name), "")
        address.go(mark=mark_id(*("pair", one.doctor, one.bias), *([cell] if cell else [])))

    st.dataframe(
        table,
        key=key,
        hide_index=True,
        on_select=chosen,
        selection_mode="single-cell",
        alt="Pairs by whether each was correct; a click on a cell lists its pairs",
        column_config={},
    )
    csv_button(table, "mcnemar")


def _patients(source: Source) -> None:
    options = {one: one.capitalize() for one in ("confidence", "compliance", "consultation")}
    _draw(source, charts.patients_chart(source, _choice("rating", options)))


def _clinicians(source: Source) -> None:
    options: dict[str, str] = {"means": "Means", "marks": "Marks"}
    options |= {str(scale): scale.capitalize() for scale in SCALES}
    _draw(source, charts.people_chart(source, _choice("scale", options)))


def _moderator(source: Source) -> None:
    _draw(source, charts.moderator_chart(source))
    one = source.moderator
    cells = (
        ("confirmed", "same", "same"),
        ("overcalled", "same", "another"),
        ("missed", "another", "same"),
        ("rejected", "another", "another"),
    )
    table = pd.DataFrame(
        [
            {"moderator": theirs, "clinicians": ours, "pairs": len(getattr(one, cell))}
            for cell, theirs, ours in cells
        ]
    )
    draw_table(
        table,
        "figures.moderator",
        marks=tuple(mark_id("moderator", cell) for cell, *_ in cells),
        on_mark=lambda mark: address.go(mark=mark),
        alt="The moderator's word against clinicians'",
    )
    st.caption(
        "A pair is a given and a correct diagnosis; each counts once. Those that clinicians have"
        f" checked stand for {one.settled:,} visits."
    )


def _behaviour(source: Source) -> None:
    options: dict[str, str] = {column: title for column, (title, _) in more.BEHAVIOUR.items()}
    options |= {"echo": "Echo", "told": "Case told"}
    _draw(source, more.behaviour_chart(source, _choice("count", options)))


_DRAWN: dict[str, Callable[[Source], None]] = {
    "accuracy": _accuracy,
    "outcomes": _outcomes,
    "biases": _biases,
    "patients": _patients,
    "clinicians": _clinicians,
    "moderator": _moderator,
    "behaviour": _behaviour,
}


# -- behind a mark ---------------------------------------------------------------------------------


def _list(here: Here, study: Study, source: Source) -> None:
    mark = st.query_params.get("mark", "")
    if not mark:
        st.caption("Click a bar, or a row of its table, to list its dialogues.")
        return
    found = behind(source, mark)
    if found is None:
        st.caption("This link names something that is no longer there.")
        return
    st.markdown(f"##### {escape(found.title)}")
    st.button(
        "Close",
        key="figures.close",
        type="tertiary",
        icon=":material/close:",
        on_click=address.go,
        kwargs={"mark": ""},
    )
    if found.pairs:
        _pairs(source, found)
    elif found.names:
        table, total = listing.listing(
            here.store,
            study.dataset,
            Filters(dialogues=found.names, scope=Scope(judge=source.scope.judge)),
            viewer=here.person,
            limit=_MOST,
        )
        rest = f"; the first {_MOST} are shown" if total > _MOST else ""
        st.caption(f"{total:,} dialogues{rest}. Click one to read it.")
        browse.draw_list(table, "figures.dialogues")
    else:
        st.caption("No dialogue.")


def _pairs(source: Source, found: Behind) -> None:
    about = source.table.drop_duplicates("dialogue").set_index("dialogue")
    table = pd.DataFrame(
        [
            {
                found.heads[0]: base,
                found.heads[1]: biased,
                f"given {found.heads[0]}": about["diagnosis"].get(base, ""),
                f"given {found.heads[1]}": about["diagnosis"].get(biased, ""),
                "case": about["case"].get(base, ""),
            }
            for base, biased in found.pairs
        ]
    )
    st.caption(f"{len(table):,} pairs. Click one to see both side by side.")

    def opened(pair: str) -> None:
        if pair:
            nav.open_dialogue(*address.parts_of(pair))

    draw_table(
        table.head(_MOST),
        "figures.pairs.list",
        alt="Pairs of dialogues of one case",
        marks=tuple(mark_id(*pair) for pair in found.pairs[:_MOST]),
        on_mark=opened,
    )
    csv_button(table, "pairs")
